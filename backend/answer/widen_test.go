package answer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/privacy"
)

// chapters is a shelf whose search finds one passage of a text that was split.
type chapters struct {
	*shelf
	find func(evidence.Passage) bool
}

func (c chapters) Search(ctx context.Context, query string, scope contract.Scope, n int) ([]evidence.Found, error) {
	whole, err := c.shelf.Search(ctx, query, scope, n)
	var found []evidence.Found
	for _, f := range whole {
		text, blocks, textErr := c.Text(ctx, f.Source.Digest)
		if textErr != nil {
			return nil, textErr
		}
		for _, f.Passage = range evidence.Split(evidence.Document{Source: f.Source, Text: text, Blocks: blocks}, evidence.SplitOptions{}) {
			if c.find(f.Passage) {
				found = append(found, f)
			}
		}
	}
	return found, err
}

// voyage is a text of several passages under two headings.
func voyage() string {
	var b strings.Builder
	b.WriteString("# The voyage\nThe ship Halcyon left Brannoch on a Tuesday with forty barrels of oil.\n")
	for i := range 40 {
		fmt.Fprintf(&b, "On day %d the crew saw %d whales near the «northern» ice.\n", i+1, 3*i+7)
	}
	b.WriteString("# The return\n")
	for i := range 60 {
		fmt.Fprintf(&b, "In week %d of the return the cook served %d herrings.\n", i+1, 2*i+5)
	}
	return b.String()
}

// readAlong asks about the voyage with a model that says this, and gives the
// answer, the prompt and the passages that were stored.
func readAlong(t *testing.T, said string, find func(evidence.Passage) bool, window int) (contract.Answer, string, []evidence.Passage) {
	t.Helper()
	model := llmtest.NewScripted(chat(said))
	s := set(t, oneModel{name: "test/m", model: wired{model, newWire(t)}, abil: llm.Ability{Window: window}}, func(s *stage) {
		s.shelf, s.web = &shelf{files: map[string]string{"/x/Voyage.txt": voyage()}}, nil
		s.search = chapters{s.shelf, find}
	})
	a := finished(t, s.ask(t, "What did the crew of the Halcyon see?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	var prompt string
	for _, call := range model.Calls() {
		if call.Purpose == "chat" {
			prompt = call.Messages[len(call.Messages)-1].Text
		}
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return a, prompt, s.memory.kept[a.Sources[0].ID]
}

func firstPassage(p evidence.Passage) bool { return p.Index == 0 }

func TestAModelReadsWhatFollowsAPassageAndTheFootnoteIsExact(t *testing.T) {
	text := []rune(voyage())
	a, prompt, kept := readAlong(t, "On day 15 the crew saw 49 whales [1]. The ship Halcyon left Brannoch on a Tuesday [1].", firstPassage, 8000)
	if !strings.Contains(prompt, "On day 15 the crew saw 49 whales") || strings.Contains(prompt, "herrings") {
		t.Fatalf("the prompt has %q", prompt)
	}
	content := prompt[strings.Index(prompt, "Content: ")+9 : strings.LastIndex(prompt, "\n---")]
	if n := len([]rune(content)); n > 1500 || !strings.Contains(string(text), content) || !strings.HasSuffix(content, "ice.") {
		t.Errorf("%d characters are no part of the text that ends with a sentence: %q", n, content)
	}
	if len(a.Citations) != 2 || a.Citations[0].Passage == a.Citations[1].Passage || len(a.Sources[0].Passages) != 2 {
		t.Fatalf("citations %+v of %+v", a.Citations, a.Sources[0].Passages)
	}
	for _, c := range a.Citations {
		at := slices.IndexFunc(kept, func(p evidence.Passage) bool { return p.ID == c.Passage })
		if at < 0 || c.Verdict != contract.Supported {
			t.Fatalf("the passage of %+v is not stored", c)
		}
		p := kept[at]
		if got := string([]rune(p.Text)[c.Quote.Start:c.Quote.End]); got != c.Quote.Text {
			t.Errorf("the quote covers %q, not %q", got, c.Quote.Text)
		}
		if got := string(text[p.At.Start:p.At.End]); got != p.Text {
			t.Errorf("the passage is %q, the text there %q", p.Text, got)
		}
	}
	if q := a.Citations[0].Quote.Text; !strings.Contains(q, "day 15") {
		t.Errorf("the quote is %q", q)
	}
	if at := slices.IndexFunc(a.Ledger, func(e privacy.LedgerEntry) bool { return e.Purpose == "chat" }); at < 0 || len(a.Ledger[at].Sent) != 2 {
		t.Errorf("the ledger tells of %+v", a.Ledger)
	}
}

func TestAQuotationOverTheBorderOfPassagesIsVerbatim(t *testing.T) {
	text := voyage()
	_, _, kept := readAlong(t, "x [1].", firstPassage, 8000)
	last := strings.LastIndex(kept[0].Text, "On day")
	at := strings.Index(text, kept[0].Text[last:])
	over := strings.Join(strings.Fields(text[at:at+110]), " ")
	a, _, _ := readAlong(t, "It says \u201c"+over+"\u201d [1].", firstPassage, 8000)
	if a.Citations[0].Why == "the quoted words are not in the passage" {
		t.Errorf("%q: %+v", over, a.Citations[0])
	}
	wrong, _, _ := readAlong(t, "It says \u201c"+over+" of gold\u201d [1].", firstPassage, 8000)
	if wrong.Citations[0].Verdict != contract.NotFound {
		t.Errorf("%+v", wrong.Citations[0])
	}
}

func TestWhatFollowsUnderAnotherHeadingIsLeftOut(t *testing.T) {
	endOfVoyage := func(p evidence.Passage) bool { return strings.Contains(p.Text, "day 40") }
	_, prompt, kept := readAlong(t, "The crew saw whales [1].", endOfVoyage, 8000)
	if strings.Contains(prompt, "herrings") || len(kept) != 1 {
		t.Errorf("%d passages, %q", len(kept), prompt)
	}
}

func TestASmallWindowKeepsPassagesBeforeTheirNeighbours(t *testing.T) {
	all := func(p evidence.Passage) bool { return p.Index == 0 || p.Index == 4 }
	_, prompt, _ := readAlong(t, "The crew saw whales [1].", all, 1400)
	if strings.Count(prompt, "Content: ") != 2 || strings.Contains(prompt, "day 15") {
		t.Errorf("%q", prompt)
	}
}

func TestNeighboursThatWereChosenThemselvesStandOnce(t *testing.T) {
	_, prompt, _ := readAlong(t, "The crew saw whales [1].", func(p evidence.Passage) bool { return p.Index < 2 }, 16000)
	for day := 1; day <= 27; day += 13 {
		if n := strings.Count(prompt, fmt.Sprintf("On day %d the", day)); n != 1 {
			t.Errorf("day %d stands %d times", day, n)
		}
	}
}
