package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/prompts"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
)

// readNamedPage reads a page that a search found or the reader named. Addresses
// that only a page's text suggests are refused: whoever wrote the page could
// have what the run knows sent to them.
func (a *agent) readNamedPage(ctx context.Context, address, question string) (gather.Results, error) {
	lead, known := a.search.Evidence.LeadAt(address)
	if !known {
		stored, brought := a.search.Task.Taint.Address(address)
		if !brought {
			return gather.Results{}, gather.ErrNotBrought
		}
		address = stored
		lead = evidence.Lead{Via: "you", Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, address, ""), Kind: evidence.Web, Title: evidence.Domain(address), Address: address, Seen: a.search.Tell.Now(),
		}}
	}
	doc, read := a.search.Evidence.PageAt(address)
	h := gather.Results{Query: question, Leads: []evidence.Lead{lead}}
	if !read {
		h.Documents = a.search.FetchPages(ctx, h.Leads, gather.NamedWait)
		if len(h.Documents) == 0 {
			return gather.Results{}, errors.Join(errors.New("the page could not be read"), ctx.Err())
		}
		doc = h.Documents[0]
	}
	h.Shown = doc.Source.Title
	text, usage := a.summarised(ctx, doc, question)
	h.Usage = usage
	h.Told = fmt.Sprintf("Title: %s\nAddress: %s\nText: %s", plain.OneLine(doc.Source.Title, 200), doc.Source.Address, text)
	return h, ctx.Err()
}

// summarised is a short page as it is, and of a long one what the system model
// says of it; without that, what speaks to the question.
func (a *agent) summarised(ctx context.Context, doc evidence.Document, question string) (string, *llm.Usage) {
	if utf8.RuneCountInString(doc.Text) <= pageRunes {
		return doc.Text, nil
	}
	excerpt := a.search.Excerpt(doc, question, summarisedRunes)
	if a.search.Models.System.Model == nil {
		return plain.Cut(excerpt, pageRunes), nil
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "summary"), summaryTime)
	defer cancel()
	fence := "=====" + prompts.FenceWord() + "====="
	said, usage, err := llm.Complete(ctx, a.search.Models.System, llm.Call{MaxTokens: 600, Purpose: "summary", Messages: []llm.Message{
		{Author: llm.System, Text: prompts.Fill("summary")},
		{Author: llm.User, Text: fmt.Sprintf("Page, quoted between two lines %s\n%s\n%s\n%s\n\nQuestion: %s", fence, fence, a.fitting(excerpt), fence, plain.OneLine(question, 500))},
	}})
	if err != nil {
		a.search.Tell.Log.Info("a page was not summarised", "err", err)
		return plain.Cut(excerpt, pageRunes), &usage
	}
	return said, &usage
}

// fitting cuts a text to what the system model's window takes beside the rest.
func (a *agent) fitting(text string) string {
	window := a.search.Models.System.Ability.Window
	if window <= 0 {
		window = a.search.Task.Settings.Models.WindowDefault
	}
	for n := utf8.RuneCountInString(text); llm.EstimateTokens(text) > window/2 && n > 500; n = n * 3 / 4 {
		text = plain.Cut(text, n)
	}
	return text
}

// readArticle gives the Wikipedia article that fits best, or tells that there is
// none.
func (a *agent) readArticle(ctx context.Context, query string) (gather.Results, error) {
	h := gather.Results{Query: query, Engines: a.search.Ask(ctx, gather.WebQuery{Text: query, N: 3, Page: 1}, []string{"wikipedia"})}
	for _, r := range h.Engines {
		h.Leads = append(h.Leads, r.Leads...)
	}
	if len(h.Leads) == 0 {
		h.Query, h.Shown, h.Told = "", "nothing found", "null: there is no article on this."
		if len(h.Engines) > 0 && h.Engines[0].Err != nil {
			return h, h.Engines[0].Err
		}
		return h, ctx.Err()
	}
	h.Leads = h.Leads[:1]
	text := h.Leads[0].Snippet
	source := h.Leads[0].Source
	if doc, read := a.search.Evidence.PageAt(source.Address); read {
		text, source = doc.Text, doc.Source
	} else if h.Documents = a.search.FetchPages(ctx, h.Leads, gather.NamedWait); len(h.Documents) > 0 {
		text, source = h.Documents[0].Text, h.Documents[0].Source
	}
	h.Shown = source.Title
	h.Told = fmt.Sprintf("Title: %s\nAddress: %s\nSnippet: %s\nText: %s", plain.OneLine(source.Title, 200), source.Address, plain.OneLine(text, wikipediaBrief), plain.Cut(text, wikipediaRunes))
	return h, ctx.Err()
}

// askBack asks the reader a question, once in a run, and waits for the reply.
func (a *agent) askBack(ctx context.Context, question string, options []string) (gather.Results, error) {
	if a.asked {
		return gather.Results{}, errors.New("the reader was asked already. Go on with your best guess")
	}
	a.asked = true
	for i := range options {
		options[i] = plain.OneLine(options[i], 120)
	}
	ask := contract.ClarifyAsked{Question: question, Options: plain.Full(options[:min(len(options), 6)]), WaitMs: a.search.Task.Settings.Ask.ClarifyWait.Milliseconds()}
	said, err := a.search.Tell.Clarify(ctx, ask)
	if err != nil {
		return gather.Results{}, err
	}
	if said.By != "user" {
		a.guessed(question)
		return gather.Results{Shown: "no reply", Told: "The reader did not reply. Go on with your best guess."}, nil
	}
	a.search.Task.WroteQuestion(said.Reply, "", options)
	a.heard(question, said.Reply)
	return gather.Results{Shown: plain.OneLine(said.Reply, 160), Told: "The reader replied: " + said.Reply}, nil
}

// guessed says that nobody replied.
func (a *agent) guessed(question string) {
	a.search.Tell.Notice(contract.Notice{Code: "clarify-skipped", Level: "info", Message: "There was no reply to “" + question + "”, so the answer rests on a best guess."})
	a.search.Task.Question.Instructions = strings.TrimSpace(a.search.Task.Question.Instructions + "\nYou asked back “" + question + "”, and nobody replied. Take the likeliest meaning and say in one clause which one that is.")
}

// heard makes a reply part of the question.
func (a *agent) heard(question, reply string) {
	a.search.Task.Question.Instructions = strings.TrimSpace(a.search.Task.Question.Instructions + "\nAsked “" + question + "”, the reader replied: " + reply)
	a.search.Plan.Standalone += " " + reply
}

// engines are those of a search: the ones a model names, as far as the focus and
// the settings know them.
func (a *agent) engines(wanted []string) []string {
	allowed := a.search.Task.WebEngines()
	if allowed == nil {
		allowed = a.search.Task.Settings.Web.Engines
	}
	wanted = slices.DeleteFunc(wanted, func(name string) bool { return !slices.Contains(allowed, strings.ToLower(name)) })
	if len(wanted) == 0 {
		return a.search.Task.WebEngines()
	}
	return wanted
}
