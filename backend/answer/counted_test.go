package answer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// counter is a shelf that knows how often its files have one phrase.
type counter struct {
	*shelf
	files int
	asked []string
}

func (c *counter) Mentions(_ context.Context, query string, _ contract.Scope) (evidence.Mentions, error) {
	c.asked = append(c.asked, query)
	phrase := strings.Trim(query, `"`)
	m := evidence.Mentions{What: []string{phrase}, Searched: c.files + 2, Unread: 1}
	for i := range c.files {
		text := fmt.Sprintf("A report with a number. It is about %s, and more. File %d.", phrase, i)
		src := evidence.Source{Kind: evidence.File, Address: fmt.Sprintf("/x/report_%d.txt", i), Title: "Report", Digest: evidence.Digest([]byte(text)), Seen: day}
		src.ID = evidence.NewSourceID(src.Kind, src.Address, src.Digest)
		at := strings.Index(text, phrase)
		m.In = append(m.In, evidence.Mention{
			Found: evidence.Found{Source: src, Via: "library", Passage: evidence.Passage{
				ID: evidence.NewPassageID(src.Digest, 0, len(text)), Source: src.ID, Text: text, At: evidence.Locator{End: len(text)},
			}},
			At: evidence.Span{Start: at, End: at + len(phrase)}, Passages: 1, Times: 2,
		})
		m.Files, m.Passages, m.Times = m.Files+1, m.Passages+1, m.Times+2
	}
	return m, nil
}

func countable(t *testing.T, model llm.ModelSource, files int) (*stage, *counter) {
	c := &counter{files: files}
	s := set(t, model, func(s *stage) { c.shelf = s.shelf; s.search = c })
	return s, c
}

func TestAQuestionForACountIsCountedNotRanked(t *testing.T) {
	for name, model := range map[string]llm.ModelSource{"without a model": nil, "with one": oneModel{name: "m", model: llmtest.NewScripted(chat("Three files. [1]"))}} {
		s, c := countable(t, model, 30)
		a := finished(t, s.ask(t, "How many files mention tax?", nil))
		if a.Outcome != contract.Computed || !strings.HasPrefix(a.Answer, "**30 files** mention “tax”, in 30 passages.\n\n- report\\_0.txt: 2 places [1]\n") && !strings.HasPrefix(a.Answer, "**30 files** mention “tax”, in 30 passages.\n\n- report_0.txt: 2 places [1]\n") {
			t.Errorf("%s: %s %q", name, a.Outcome, a.Answer)
		}
		if !strings.Contains(a.Answer, "\n- and 5 more files\n") || !strings.Contains(a.Answer, "in all 32 files that were read. Not counted: 1 file that waits") {
			t.Errorf("%s: %q", name, a.Answer)
		}
		if len(a.Sources) != 25 || len(a.Citations) != 25 || a.Usage.Chat.Calls != 0 || len(c.asked) != 1 || len(s.memory.kept) != 25 {
			t.Errorf("%s: %d sources, %d citations, %d calls, asked %q, kept %d", name, len(a.Sources), len(a.Citations), a.Usage.Chat.Calls, c.asked, len(s.memory.kept))
		}
		for _, cited := range a.Citations {
			if cited.Verdict != contract.Supported || cited.Quote.Text != "It is about tax, and more." {
				t.Errorf("%s: cited %+v", name, cited)
			}
		}
	}
}

func TestAListHasEveryFile(t *testing.T) {
	s, _ := countable(t, nil, 60)
	a := finished(t, s.ask(t, "Which files mention tax?", nil))
	if len(a.Citations) != 60 || strings.Contains(a.Answer, "more file") {
		t.Errorf("%d citations in %q", len(a.Citations), a.Answer)
	}
	s, _ = countable(t, nil, 3)
	if a := finished(t, s.ask(t, "How often is Arden mentioned in my files?", nil)); !strings.HasPrefix(a.Answer, "“Arden” stands **6 times** in 3 files, in 3 passages.") {
		t.Errorf("%q", a.Answer)
	}
}

func TestACountOfNothingSaysSo(t *testing.T) {
	s, c := countable(t, nil, 0)
	a := finished(t, s.ask(t, "How many files mention tea and sugar?", nil))
	if a.Outcome != contract.Computed || !strings.HasPrefix(a.Answer, "**No file** mentions “") || len(a.Citations) != 0 || len(c.asked) != 2 {
		t.Errorf("%s %q, asked %q", a.Outcome, a.Answer, c.asked)
	}
}

func TestAModelIsToldTheFigureWhenMoreIsAsked(t *testing.T) {
	told := ""
	model := llmtest.NewScripted(llmtest.Reply{Text: "It cost 4.2 million pounds. [1]", When: func(c llm.Call) bool {
		if c.Purpose == "chat" {
			told = c.Messages[len(c.Messages)-1].Text
		}
		return c.Purpose == "chat"
	}})
	s, _ := countable(t, oneModel{name: "m", model: model}, 3)
	a := finished(t, s.ask(t, "How many files mention the Lorne, and what did the bridge cost?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if a.Outcome != contract.Answered || !strings.Contains(told, "**3 files** mention “Lorne”, in 3 passages.") {
		t.Errorf("%s %q was told %q", a.Outcome, a.Answer, told)
	}
}
