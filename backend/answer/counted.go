package answer

import (
	"context"
	"footnote/backend/plain"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/intent"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Counter is a Shelf that can also count: how many files have every phrase of a
// query, exactly, over all of them. Query is written as people search: phrases in
// quotes, -"without", type:pdf.
type Counter interface {
	Mentions(ctx context.Context, query string, scope contract.Scope) (evidence.Mentions, error)
}

// How many files an answer lists with a footnote each.
const (
	listedOfCount = 25
	listedOfList  = 200
)

// counted answers a question that only a count over all files answers: by an
// exact scan, whether there is a model or not. done is false when it is no such
// question. When it asks for more than the count, and a model is there to say it,
// the figure goes to the model as a fact.
func (p *Pipeline) counted(ctx context.Context) (a contract.Answer, done bool, err error) {
	counter, can := p.engine.Shelf.(Counter)
	question := queries.Standalone(p.Task.Question.Text, p.Task.History)
	c, asked := intent.CountingOf(question)
	if !can || !asked || !p.Task.WantsShelf() {
		return contract.Answer{}, false, nil
	}
	if c.More != "" && p.Models.Chat.Model != nil {
		m, err := mentions(ctx, counter, c, p.Task.Question.Scope)
		if err == nil {
			p.Task.Fact = sayCount(lang.English, c, m) + " " + coverageOf(lang.English, m) // for the model
		}
		return contract.Answer{}, false, err
	}
	p.Plan = p.planning().decided(contract.Planned{
		Standalone: question, Queries: []string{}, By: "rules", Shelf: true, Reason: "counted over all of your files; nothing is ranked or left out",
	})
	m, err := p.gatherCount(ctx, counter, c)
	if err != nil {
		return contract.Answer{}, true, err
	}
	if err := p.selectCounted(ctx, c, m); err != nil {
		return contract.Answer{}, true, err
	}
	return p.writeCount(ctx, c, m), true, ctx.Err()
}

func mentions(ctx context.Context, counter Counter, c intent.Counting, scope contract.Scope) (m evidence.Mentions, err error) {
	for _, query := range c.Queries {
		if m, err = counter.Mentions(ctx, query, scope); err != nil || m.Files > 0 {
			return m, err
		}
	}
	for _, query := range c.Any {
		one, err := counter.Mentions(ctx, query, scope)
		if err != nil {
			return m, err
		}
		m = m.Or(one)
	}
	return m, nil
}

func (p *Pipeline) gatherCount(ctx context.Context, counter Counter, c intent.Counting) (evidence.Mentions, error) {
	query := slices.Concat(c.Queries, c.Any)[0]
	told := p.lookingUp(query)
	m, err := mentions(ctx, counter, c, p.Task.Question.Scope)
	told(m.In, err)
	return m, err
}

// lookingUp tells that the library is asked, and returns what tells its reply.
func (p *Pipeline) lookingUp(query string) func(files []evidence.Mention, err error) {
	p.Tell.Begin(contract.StageGather)
	p.Tell.Emit(contract.Searching{Query: query, Engine: "library", Page: 1})
	began := p.Tell.Now()
	return func(files []evidence.Mention, err error) {
		for _, in := range files {
			p.Evidence.Found = append(p.Evidence.Found, in.Found)
		}
		body := contract.FoundLeads{Query: query, Engine: "library", Count: len(files), Ms: p.Tell.Now().Sub(began).Milliseconds(), Leads: gather.ShelfCards(p.Evidence.Found)}
		if err != nil {
			body.Error = gather.FailureOf(err)
		}
		p.Tell.Emit(body)
		p.Tell.Counters.Sources = len(files)
		p.Tell.Emit(p.Tell.Counters)
		p.Tell.Timing.Gather = p.Tell.Finish(1, len(files))
	}
}

// selectCounted numbers the files that the answer lists and keeps their passages.
func (p *Pipeline) selectCounted(ctx context.Context, c intent.Counting, m evidence.Mentions) error {
	most := listedOfCount
	if c.List {
		most = listedOfList
	}
	return p.selectListed(ctx, m.In[:min(most, len(m.In))], len(m.In))
}

// selectListed numbers files out of all and keeps their passages.
func (p *Pipeline) selectListed(ctx context.Context, files []evidence.Mention, all int) error {
	p.Tell.Begin(contract.StageSelect)
	p.Selection.Proofs = map[int]evidence.Mention{}
	for i, in := range files {
		cand := rank.Candidate{Source: in.Source, Passage: in.Passage, Via: in.Via, EngineRank: i + 1, Before: i + 1, After: i + 1, Score: in.Score, Coverage: 1}
		p.Selection.Chosen = append(p.Selection.Chosen, cand)
		p.Selection.Proofs[i+1] = in
	}
	p.Selection.Pool = p.Selection.Chosen
	if err := p.Number(ctx); err != nil {
		return err
	}
	p.Tell.Timing.Select = p.Tell.Finish(all, len(p.Selection.Chosen))
	return nil
}

// writeCount says the figure, what it means, and the files, each with a footnote
// at its first place.
func (p *Pipeline) writeCount(ctx context.Context, c intent.Counting, m evidence.Mentions) contract.Answer {
	p.Tell.Begin(contract.StageCompose)
	code := p.Task.Spoken(p.Selection.Chosen)
	var b strings.Builder
	b.WriteString(sayCount(code, c, m) + "\n\n")
	name := namer(m.In)
	for n := 1; n <= len(p.Selection.Proofs); n++ {
		in := p.Selection.Proofs[n]
		b.WriteString("- " + name(in) + ": " + code.Say("answer-places", in.Times) + " [" + strconv.Itoa(n) + "]\n")
	}
	if rest := len(m.In) - len(p.Selection.Proofs); rest > 0 {
		b.WriteString("- " + code.Say("answer-more", rest) + "\n")
	}
	if len(m.In) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(coverageOf(code, m))
	text := b.String()
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().Publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), 1)
	checked := p.Check(ctx, text)
	checked.Report.Unanswered = []string{}
	if c.More != "" {
		checked.Report.Unanswered = []string{c.More}
	}
	return p.Conclude(checked.Text, contract.Computed, checked.Citations, checked.Report, nil)
}

// namer gives files their names, with the folder where two have the same.
func namer(files []evidence.Mention) func(evidence.Mention) string {
	names := map[string]int{}
	for _, in := range files {
		names[filepath.Base(in.Source.Address)]++
	}
	return func(in evidence.Mention) string {
		name := filepath.Base(in.Source.Address)
		if names[name] > 1 {
			name = filepath.Join(filepath.Base(filepath.Dir(in.Source.Address)), name)
		}
		return plain.EscapeMarkdown(name)
	}
}

// sayCount is the figure in a sentence of a language.
func sayCount(code lang.Code, c intent.Counting, m evidence.Mentions) string {
	quoted := func(words []string, joint string) string {
		return plain.EscapeMarkdown("“" + strings.Join(words, "”"+code.Say(joint)+"“") + "”")
	}
	joint := "answer-and"
	if len(c.Any) > 0 {
		joint = "answer-or"
	}
	what := quoted(m.What, joint)
	if len(m.Without) > 0 {
		what += code.Say("answer-without", quoted(m.Without, "answer-or"))
	}
	passages := ""
	if m.Passages > 0 {
		passages = code.Say("answer-passages", m.Passages)
	}
	switch {
	case m.Files == 0:
		return code.Say("answer-no-file", what)
	case c.Often:
		return code.Say("answer-often", what, code.Say("answer-times", m.Times), code.Say("answer-file-of", m.Files)+passages) + code.Say("answer-stop")
	}
	return code.Say("answer-files", m.Files, what) + passages + code.Say("answer-stop")
}

// coverageOf says what was counted, and what could not be.
func coverageOf(code lang.Code, m evidence.Mentions) string {
	all := []string{code.Say("answer-counted")}
	if m.Searched > 0 {
		all[0] = code.Say("answer-counted-all", m.Searched)
	}
	if m.Unread > 0 {
		all = append(all, code.Say("answer-unread", m.Unread))
	}
	if m.Pending > 0 {
		all = append(all, code.Say("answer-pending"))
	}
	return strings.Join(all, " ")
}
