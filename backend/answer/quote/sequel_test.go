package quote

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
)

func TestWhatFollowsIsQuotedWhereOneSentenceDoesNotTell(t *testing.T) {
	const text = "The pump has three valves. Bleed the pump before winter:\n\n- Close the red valve.\n- Open the tap.\n- Wait for a minute.\n\nThe tap is made of brass. It froze in March because the cellar door stood open. The door has a new lock now. It is green. Paint is in the shed."
	passages := []Passage{{N: 1, Title: "Pump", Text: text}}
	for _, c := range []struct {
		question, best string
		state          State
		confidence     float64
		want           []string
	}{
		{"How is the pump bled?", "Bleed the pump before winter:", Answer, 0.9, []string{"- Close the red valve.", "- Open the tap.", "- Wait for a minute."}},
		{"How is the pump bled?", "Bleed the pump before winter:", None, 0.1, nil},
		{"Why did the tap freeze?", "It froze in March because the cellar door stood open.", Answer, 0.9, []string{"The door has a new lock now.", "It is green."}},
		{"When did the tap freeze?", "It froze in March because the cellar door stood open.", Answer, 0.9, nil},
		{"When did the tap freeze?", "It froze in March because the cellar door stood open.", Answer, 0.5, []string{"The door has a new lock now."}},
		{"Why did the tap freeze?", "It froze in March because the cellar door stood open.", Closest, 0.2, []string{"The door has a new lock now."}},
		{"What is the difference between the pump and the tap?", "The pump has three valves.", Answer, 0.9, []string{"Bleed the pump before winter:", "- Close the red valve.", "- Open the tap.", "- Wait for a minute."}},
	} {
		all := statements.Of(text)
		at := slices.IndexFunc(all, func(s statements.Statement) bool { return text[s.Start:s.End] == c.best })
		if at < 0 {
			t.Fatalf("%q is no statement of %v", c.best, all)
		}
		best := Sentence{N: 1, Span: all[at].Span, Text: c.best, Order: at}
		r := Query{text: c.question}.withSequel(Result{State: c.state, Confidence: c.confidence, Sentences: []Sentence{best}}, passages)
		var got []string
		for _, s := range r.Sentences[1:] {
			got = append(got, s.Text)
		}
		if !slices.Equal(got, c.want) && strings.Join(got, "|") != strings.ReplaceAll(strings.Join(c.want, "|"), "- ", "") {
			t.Errorf("%s (%s): %q, want %q", c.question, c.state, got, c.want)
		}
	}
}

func TestARepliesQuestionIsReadWithIt(t *testing.T) {
	const text = "How long is the warranty? Two years from the day of sale. Is there more? Ask the shop."
	passages := []Passage{{N: 1, Text: text}}
	var pool []Sentence
	for k, s := range statements.Of(text) {
		pool = append(pool, Sentence{N: 1, Span: s.Span, Text: text[s.Start:s.End], Order: k})
	}
	var got []string
	for _, s := range withReplies(pool, passages) {
		got = append(got, s.weighed())
	}
	if want := []string{"How long is the warranty? Two years from the day of sale.", "Is there more? Ask the shop."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestALineThatEndsAsNoSentenceDoesIsNotQuotedAlong(t *testing.T) {
	const text = "A rest is entered like a note; its name is r.\n\\relative { c d r }\nRests may be long."
	all := statements.Of(text)
	best := Sentence{N: 1, Span: all[0].Span, Text: text[all[0].Start:all[0].End]}
	if r := (Query{text: "What is a rest called?"}).withSequel(Result{State: Closest, Sentences: []Sentence{best}}, []Passage{{Text: text}}); len(r.Sentences) != 1 {
		t.Errorf("%+v", r.Sentences[1:])
	}
}

func TestWhatATermMeansStandsInItsOwnRow(t *testing.T) {
	for question, want := range map[string]bool{"What are engravers?": false, "What is a key engraver?": true, "What does the engraver do?": false, "Which engraver makes accidentals?": true} {
		q := NewQuery(checkerForTest(t), question)
		if got := q.bound(evidence.Row{Label: "Key engraver", Values: []string{"Makes accidentals"}}); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
