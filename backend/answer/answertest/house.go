// Package answertest is what the tests of stages share: a task, someone to tell, and ports
// made of values. None needs an engine.
package answertest

import (
	"context"
	"iter"
	"log/slog"
	"testing"
	"time"

	"footnote/backend/answer/check"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/selection"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/rank"
	"footnote/backend/settings"
)

// Task is a question as a stage is given it.
func Task(text string) *gather.Task {
	s := settings.Default()
	s.Rank.Prioritise = "off"
	return &gather.Task{Question: contract.Question{Text: text, Focus: contract.FocusAll, Mode: contract.ModeBalanced, Web: true}, Settings: s, HasWeb: true, Taint: privacy.NewTaint()}
}

// unwritten is a journal that takes everything and has nothing.
type unwritten struct{}

func (unwritten) Append(context.Context, ...contract.Event) error { return nil }

func (unwritten) Since(context.Context, contract.RunID, int) ([]contract.Event, error) {
	return nil, nil
}

// Teller keeps in memory what it is told.
func Teller(t testing.TB, models *llm.RoleModels) *journal.Teller {
	t.Helper()
	w := journal.NewWriter(unwritten{}, time.Now, slog.New(slog.DiscardHandler))
	return journal.NewTeller(w.Open(contract.Run{ID: "run_1"}), &privacy.Meter{}, settings.Default(), models)
}

// Told are the facts of a kind that a stage told.
func Told[B contract.Body](tell *journal.Teller) (all []B) {
	for _, e := range tell.Facts() {
		if b, ok := e.Body.(B); ok {
			all = append(all, b)
		}
	}
	return all
}

// Saying is a model that always says the same.
type Saying string

// Stream implements llm.Model.
func (s Saying) Stream(context.Context, llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		yield(llm.Delta{Text: string(s), Usage: &llm.Usage{Prompt: 10, Completion: 5}, Finish: llm.Stop}, nil)
	}
}

// Resolve implements llm.ModelSource.
func (s Saying) Resolve(context.Context, string) (llm.ResolvedModel, error) {
	return llm.ResolvedModel{Name: "test/m", Model: s, ID: "m"}, nil
}

// Web is an engine and a reader that know one page.
type Web struct{ Page evidence.Document }

func (w Web) lead() evidence.Lead {
	return evidence.Lead{Source: evidence.Source{Kind: evidence.Web, Title: w.Page.Source.Title, Address: w.Page.Source.Address}, Snippet: "a page", Via: "frozen"}
}

// Search implements gather.WebSearch.
func (w Web) Search(_ context.Context, _ gather.WebQuery, _ []string, each func(gather.EngineResult)) {
	each(gather.EngineResult{Engine: "frozen", Leads: []evidence.Lead{w.lead()}})
}

// Read implements gather.Reader.
func (w Web) Read(context.Context, evidence.Lead) (evidence.Document, bool, error) {
	return w.Page, false, nil
}

// Sentence is what the page says first.
const Sentence = "The Lorne bridge is 503 metres long."

// Page is a page that was read.
func Page() evidence.Document {
	text := Sentence + " It carries a road and two railway tracks."
	src := evidence.Source{Kind: evidence.Web, Title: "Lorne bridge", Address: "https://example.org/lorne", Digest: evidence.Digest([]byte(text))}
	src.ID = evidence.NewSourceID(src.Kind, src.Address, src.Digest)
	return evidence.Document{Source: src, Text: text, Blocks: []evidence.Block{{End: len(text)}}}
}

// Selection has the one passage of the page as source 1.
func Selection() selection.Selection {
	doc := Page()
	n := len(doc.Text)
	c := rank.Candidate{Source: doc.Source, Passage: evidence.Passage{ID: evidence.NewPassageID(doc.Source.Digest, 0, n), Source: doc.Source.ID, Text: doc.Text, At: evidence.Locator{End: n}}}
	return selection.Selection{
		Chosen: []rank.Candidate{c}, Numbers: map[evidence.SourceID]int{doc.Source.ID: 1},
		Cards: []contract.SourceCard{{N: 1, ID: doc.Source.ID, Passages: []contract.PlacedPassage{{ID: c.Passage.ID}}}},
	}
}

// Binder binds claims to the passage of the page.
func Binder(t testing.TB, task *gather.Task) *check.Binder {
	t.Helper()
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	return &check.Binder{Checker: checker, Task: task, Selection: Selection(), Draft: check.NewDraft()}
}
