package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// tool is something that a model can have done for a question. No tool writes
// anything: what it finds are its results. only is the key that stands for all of a
// short input. An error is told to the model; ctx's means an early exit.
type tool struct {
	llm.Tool
	only  string
	waits bool // for the reader: its time is not the run's
	run   func(ctx context.Context, a *agent, in toolInput) (gather.Results, error)
}

// What models are told of pages and pictures.
const (
	wikipediaRunes  = 5000
	wikipediaBrief  = 300
	pageRunes       = 6000 // of a page given whole; of a longer one the summary is
	summarisedRunes = 24000
	summaryTime     = 60 * time.Second
	mostPictures    = 8
)

var categories = []string{"general", "social media", "it", "science", "news"}

func object(properties string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":["` + firstKey(properties) + `"]}`)
}

// firstKey is the first key of a list of properties: the one that is required.
func firstKey(properties string) string {
	_, rest, _ := strings.Cut(properties, `"`)
	key, _, _ := strings.Cut(rest, `"`)
	return key
}

// toolsFor are those that a question may use: what its focus and the reader's
// settings leave.
func toolsFor(r *gather.Retriever) []tool {
	var all []tool
	if r.Task.WantsWeb() {
		all = append(all, webSearchTool(r.Task.Settings.Web.Results))
		if r.CanRead() {
			all = append(all, pageTool())
		}
		if r.Task.Question.Focus == contract.FocusAll || r.Task.Question.Focus == contract.FocusWeb {
			all = append(all, wikipediaTool(), pictureTool())
		}
	}
	if r.Task.WantsShelf() {
		all = append(all, fileSearchTool())
	}
	if r.Task.Question.Focus == contract.FocusLocal {
		slices.Reverse(all)
	}
	return all
}

func webSearchTool(results int) tool {
	return tool{
		Tool: llm.Tool{
			Name: "web_search", Description: "Searches the web and reads the best pages. The same search again gives the next results.",
			Schema: object(`"query":{"type":"string","description":"keywords, as for a search engine"},"max_results":{"type":"integer"},` +
				`"categories":{"type":"string","enum":["general","social media","it","science","news"]},"engines":{"type":"array","items":{"type":"string"}},` +
				`"page":{"type":"integer"},"time_range":{"type":"string","enum":["day","week","month","year"]}`),
		},
		only: "query",
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			query := in.text("query", "q")
			if query == "" {
				return gather.Results{}, lacks("web_search", "query", "length of the bridge")
			}
			if query = a.search.Task.Sendable(query); query == "" {
				return gather.Results{}, gather.ErrWithheld
			}
			q := gather.WebQuery{
				Text: query, N: in.number("max_results", results, 1, 20), Page: in.number("page", a.nextPage(query), 1, 10),
				Since: in.oneOf("time_range", contract.TimeRanges...), Category: in.oneOf("categories", categories...),
			}
			h := a.search.SearchWith(ctx, q, a.engines(in.texts("engines")))
			h.Shown = plain.Plural(len(h.Leads), "result", "results")
			h.Told = a.tellSearch(h, query)
			if len(h.Leads) == 0 && len(h.Engines) > 0 && h.Engines[0].Err != nil {
				return h, h.Engines[0].Err
			}
			return h, ctx.Err()
		},
	}
}

func fileSearchTool() tool {
	return tool{
		Tool: llm.Tool{
			Name: "file_search", Description: "Searches the reader's own files.",
			Schema: object(`"query":{"type":"string"}`),
		},
		only: "query",
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			query := in.text("query", "q")
			if query == "" {
				return gather.Results{}, lacks("file_search", "query", "cost of the bridge")
			}
			h, err := a.search.SearchFiles(ctx, query, a.search.Task.Settings.Agent.FileSearchMax, a.search.Task.Settings.Agent.FileSearchThreshold)
			h.Shown = plain.Plural(len(h.Found), "passage", "passages")
			h.Told = tellFound(h.Found)
			return h, err
		},
	}
}

func pageTool() tool {
	return tool{
		Tool: llm.Tool{
			Name: "url_summarization", Description: "Reads one page that a search found or the reader named.",
			Schema: object(`"url":{"type":"string"},"question":{"type":"string","description":"what to look for in it"}`),
		},
		only: "url",
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			address := in.text("url", "address", "link")
			if address == "" {
				return gather.Results{}, lacks("url_summarization", "url", "https://example.org/page")
			}
			return a.readNamedPage(ctx, address, cmp.Or(in.text("question", "query"), a.search.Plan.Standalone))
		},
	}
}

func wikipediaTool() tool {
	return tool{
		Tool: llm.Tool{
			Name: "wikipedia_search", Description: "Gives the text of the Wikipedia article that fits best.",
			Schema: object(`"query":{"type":"string","description":"a name or a term"}`),
		},
		only: "query",
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			query := in.text("query", "q")
			if query == "" {
				return gather.Results{}, lacks("wikipedia_search", "query", "Lorne bridge")
			}
			if query = a.search.Task.Sendable(query); query == "" {
				return gather.Results{}, gather.ErrWithheld
			}
			return a.readArticle(ctx, query)
		},
	}
}

func pictureTool() tool {
	return tool{
		Tool: llm.Tool{
			Name: "image_search", Description: "Finds pictures, each with the page it stands on.",
			Schema: object(`"query":{"type":"string"}`),
		},
		only: "query",
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			query := in.text("query", "q")
			if query == "" {
				return gather.Results{}, lacks("image_search", "query", "Lorne bridge")
			}
			if query = a.search.Task.Sendable(query); query == "" {
				return gather.Results{}, gather.ErrWithheld
			}
			h := gather.Results{Engines: a.search.Ask(ctx, gather.WebQuery{Text: query, N: a.search.Task.Settings.Web.Results, Page: 1, Category: "images"}, a.search.Task.WebEngines())}
			var lines []string
			for _, r := range h.Engines {
				for _, lead := range r.Leads {
					if lead.Image != "" && len(h.Leads) < mostPictures {
						h.Leads = append(h.Leads, lead)
						lines = append(lines, fmt.Sprintf("Picture: %s\nPage: %s\nTitle: %s\n---", lead.Image, lead.Source.Address, plain.OneLine(lead.Source.Title, 200)))
					}
				}
			}
			h.Shown, h.Told = plain.Plural(len(h.Leads), "picture", "pictures"), strings.Join(lines, "\n")
			return h, ctx.Err()
		},
	}
}

func clarifyTool() tool {
	return tool{
		Tool: llm.Tool{
			Name: "ask_clarification", Description: "Asks the reader one question back, only when the question has several meanings that searching cannot settle. Once at most.",
			Schema: object(`"question":{"type":"string"},"options":{"type":"array","items":{"type":"string"}}`),
		},
		only: "question", waits: true,
		run: func(ctx context.Context, a *agent, in toolInput) (gather.Results, error) {
			question := plain.OneLine(in.text("question", "text"), 400)
			if question == "" {
				return gather.Results{}, lacks("ask_clarification", "question", "Which of the two bridges do you mean?")
			}
			return a.askBack(ctx, question, in.texts("options"))
		},
	}
}

// tellSearch is what a model reads of a search: for each result its title and
// address, and what the page says on the query as far as it was read.
func (a *agent) tellSearch(h gather.Results, query string) string {
	var blocks []string
	for _, lead := range h.Leads {
		text := plain.OneLine(lead.Snippet, gather.CardSnippet)
		for _, doc := range h.Documents {
			if doc.Source.Address == lead.Source.Address {
				text = a.search.Excerpt(doc, query, gather.ExcerptRunes)
			}
		}
		blocks = append(blocks, fmt.Sprintf("Title: %s\nAddress: %s\nText: %s\n---", plain.OneLine(lead.Source.Title, 200), lead.Source.Address, text))
	}
	return strings.Join(blocks, "\n")
}

func tellFound(found []evidence.Found) string {
	var blocks []string
	for _, f := range found {
		blocks = append(blocks, fmt.Sprintf("File: %s\nText: %s\n---", plain.OneLine(f.Source.Title, 200), plain.OneLine(f.Passage.Text, gather.ExcerptRunes)))
	}
	return strings.Join(blocks, "\n")
}
