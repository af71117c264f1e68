package quote

import (
	"footnote/backend/answer/quote/statements"
	"footnote/backend/lang"
	"footnote/backend/plain"

	"strings"
	"testing"
)

func TestALongSentenceIsQuotedWholeUnderOneMarker(t *testing.T) {
	long := "If the gate was shut before the flood came, then either the keeper had closed it by hand (perhaps in the night, when nobody saw it), or else the float had dropped " +
		"after the pumps were stopped in the lower chamber (then you are lucky: you do not even need that old winch, which nobody has turned since the summer of the great repairs)."
	text := long + " The winch stands in the shed."
	clauses := statements.Of(text)
	if len(clauses) != 3 {
		t.Fatalf("%d clauses", len(clauses))
	}
	of := func(order int) Sentence {
		at := clauses[order].Span
		return Sentence{N: 1, Span: at, Text: text[at.Start:at.End], Order: order}
	}
	passages := []Passage{{N: 1, Text: text}}
	for _, chosen := range [][]Sentence{{of(0)}, {of(1)}, {of(0), of(1)}, {of(1), of(0)}} {
		r := withWhole(Result{State: Answer, Sentences: chosen}, passages)
		if want := plain.EscapeMarkdown(long) + " [1]"; r.Text(lang.English) != want {
			t.Errorf("%q", r.Text(lang.English))
		}
		if s, ok := r.Proof(plain.EscapeMarkdown(long), 0, 1); !ok || s.Text != long {
			t.Errorf("%v %+v", ok, s)
		}
	}
	if r := withWhole(Result{State: Answer, Sentences: []Sentence{of(0), of(2)}}, passages); strings.Contains(r.Text(lang.English), " ... ") || !strings.HasSuffix(r.Text(lang.English), "repairs). [1] The winch stands in the shed. [1]") {
		t.Errorf("%q", r.Text(lang.English))
	}
}

func TestAnEndlessSentenceIsQuotedByItsClause(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("the keeper counts one more gull on the rail and writes it down, ", 20))
	clauses := statements.Of(text)
	s := Sentence{N: 1, Span: clauses[1].Span, Text: text[clauses[1].Start:clauses[1].End], Order: 1}
	if r := withWhole(Result{State: Answer, Sentences: []Sentence{s}}, []Passage{{N: 1, Text: text}}); r.Sentences[0].Span != s.Span {
		t.Errorf("%+v", r.Sentences[0])
	}
}
