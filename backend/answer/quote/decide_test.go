package quote

import (
	"strings"
	"testing"
	"unicode/utf8"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/cite"
	"footnote/backend/evidence"
)

func TestYesOrNoIsSaidOnlyWhereASentenceDecides(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ title, text, question, says string }{
		{"Coffee machine", "Ground coffee must not be put in: it blocks the mill.", "Can ground coffee be put in the machine?", "No"},
		{"", "The project was officially founded by Ada Orvik in 1993.", "Was the project founded by Ada Orvik?", "Yes"},
		{"", "The project was officially founded by Ada Orvik in 1993.", "Was the project founded by Tomas Brandt?", ""},
		{"", "The project was officially founded by Ada Orvik in 1993.", "Was the project founded by Ada Orvik in 1995?", ""},
		{"", "Ada Orvik defeated Tomas Brandt in the final.", "Did Tomas Brandt defeat Ada Orvik in the final?", ""},
		{"", "The pool is open in winter only if the heating works.", "Is the pool open in winter?", ""},
		{"", "The pool is open in winter, but dogs are not let in.", "Is the pool open in winter?", ""},
		{"", "The pool is open in winter.", "When is the pool open in winter?", ""},
		{"", "The pool is open in winter.", "Isn't the pool open in winter?", ""},
		{"", "Sonderurlaub für einen Umzug wird nicht gewährt.", "Wird für einen Umzug Sonderurlaub gewährt?", "Nein"},
		{"", "Jeder Mitarbeiter hat 28 Tage Urlaub im Jahr.", "Hat jeder Mitarbeiter 28 Tage Urlaub?", "Ja"},
		{"", "Jeder Mitarbeiter hat 28 Tage Urlaub im Jahr.", "Hat jeder Mitarbeiter 30 Tage Urlaub?", ""},
		{"", "Le contrat se termine en mai sans indemnité.", "Est-ce que le contrat se termine en mai ?", ""}, // "sans" denies something
		{"", "La sala se puede usar los domingos.", "¿Se puede usar la sala los domingos?", "Sí"},
		{"", "Договор можно продлить на один год.", "Можно ли продлить договор на один год?", "Да"},
	} {
		q := NewQuery(c, x.question)
		p := Passage{ID: "p", N: 1, Title: x.title, Text: x.text}
		r := q.decided(Result{State: Answer, Sentences: []Sentence{{N: 1, Span: evidence.Span{End: len(x.text)}, Text: x.text}}}, []Passage{p})
		if r.Short != x.says {
			t.Errorf("%s %s: %q, want %q", x.question, x.text, r.Short, x.says)
		}
	}
}

func TestAWayIsQuotedAsAWholeList(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	text := "Descaling\n\nDescale the machine once a month:\n\nEmpty the drip tray.\nFill the tank with water and one sachet of descaler.\nHold the star button for five seconds.\nRinse the tank.\n\nOnly whole beans may be used."
	doc := evidence.Document{Text: text}
	at := 0
	for _, line := range strings.Split(text, "\n") {
		kind := evidence.Paragraph
		if strings.HasPrefix(line, "Empty") || strings.HasPrefix(line, "Fill") || strings.HasPrefix(line, "Hold") || strings.HasPrefix(line, "Rinse") {
			kind = evidence.ListItem
		}
		if line != "" {
			doc.Blocks = append(doc.Blocks, evidence.Block{Start: at, End: at + len(line), Kind: kind})
		}
		at += len(line) + 1
	}
	known := &RowCache{}
	known.Put("d", doc)
	cut := strings.Index(text, "Hold")
	passages := []Passage{{ID: "b", Digest: "d", N: 1, Start: utf8.RuneCountInString(text[:cut]), Text: text[cut:]}, {ID: "a", Digest: "d", N: 1, Text: strings.TrimRight(text[:cut], "\n")}}
	best := func(of int, sentence string) Result {
		start := strings.Index(passages[of].Text, sentence)
		for order, s := range statements.Of(passages[of].Text) {
			if s.Start == start {
				return Result{State: Answer, Sentences: []Sentence{{Passage: of, N: 1, Text: sentence, Span: s.Span, Order: order}}}
			}
		}
		t.Fatalf("no sentence %q", sentence)
		return Result{}
	}
	steps := "Descale the machine once a month:|Empty the drip tray.|Fill the tank with water and one sachet of descaler.|Hold the star button for five seconds.|Rinse the tank."
	for _, x := range []struct {
		question string
		of       int
		sentence string
		want     string
	}{
		{"How do I descale the machine?", 1, "Fill the tank with water and one sachet of descaler.", steps},
		{"How do I descale the machine?", 1, "Descale the machine once a month:", steps},
		{"How do I descale the machine?", 0, "Only whole beans may be used.", ""},
		{"Which jobs come once a month?", 1, "Descale the machine once a month:", steps},
		{"When do I fill the tank?", 1, "Fill the tank with water and one sachet of descaler.", ""},
	} {
		r, ok := NewQuery(c, x.question).withSteps(best(x.of, x.sentence), passages, known)
		var said []string
		for _, s := range r.Sentences {
			said = append(said, s.Text)
		}
		if got := strings.Join(said, "|"); ok != (x.want != "") || ok && got != x.want {
			t.Errorf("%s by %q: %v %q", x.question, x.sentence, ok, got)
		}
	}
}
