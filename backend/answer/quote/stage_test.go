package quote

import (
	"context"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// tariff is a text with a table, read and split.
type tariff struct{ doc evidence.Document }

func newTariff() tariff {
	text := "Tickets\n\nTicket  Price\nAdult  9.50 euro\nFamily  22.00 euro\nThe desk sells them until five."
	src := evidence.Source{ID: "s", Kind: evidence.File, Title: "Guide", Digest: "d"}
	doc := evidence.Document{Source: src, Text: text}
	at := 0
	for line := range strings.Lines(text) {
		b := evidence.Block{Start: at, End: at + len(strings.TrimRight(line, "\n")), Kind: evidence.Paragraph}
		if strings.Contains(line, "  ") {
			b.Kind = evidence.TableRow
		}
		doc.Blocks = append(doc.Blocks, b)
		at += len(line)
	}
	return tariff{doc}
}

func (f tariff) Document(context.Context, evidence.Source) (evidence.Document, bool) {
	return f.doc, true
}

func (f tariff) Split(_ context.Context, c rank.Candidate) []rank.Candidate {
	c.Passage = evidence.Passage{ID: "p", Source: f.doc.Source.ID, Text: f.doc.Text, At: evidence.Locator{End: len([]rune(f.doc.Text))}}
	return []rank.Candidate{c}
}

func TestAStageTakesValuesAndGivesValues(t *testing.T) {
	texts := newTariff()
	deps := Deps{Checker: checkerForTest(t), Rows: &RowCache{}, Texts: texts}
	pool := []rank.Candidate{{Source: texts.doc.Source, Passage: evidence.Passage{ID: "q", Text: "The desk sells them until five.", At: evidence.Locator{Start: 60, End: 91}}}}
	question := "How much does a family ticket cost?"
	rows := FindRows(t.Context(), question, pool, RowSources, deps)
	if len(rows) != 1 || rows[0].Label != "Family" {
		t.Fatalf("%+v", rows)
	}
	pool = WithPassages(pool, rows)
	chosen, rows := RowsFirst(rows, pool, pool, rank.MaxPassages)
	if len(chosen) != 2 || chosen[0].Passage.ID != "p" || len(rows) != 1 {
		t.Fatalf("%+v", chosen)
	}
	var passages []Passage
	for _, c := range chosen {
		passages = append(passages, Passage{ID: c.Passage.ID, Digest: c.Source.Digest, Start: c.Passage.At.Start, N: 1, Title: c.Source.Title, Text: c.Passage.Text, BM: 1})
	}
	r := Compose(t.Context(), question, passages, rows, deps)
	if r.State != Answer || r.Text(lang.English) != "Family: Price: 22.00 euro [1]" {
		t.Errorf("%s %q", r.State, r.Text(lang.English))
	}
	if s, ok := r.Proof("Family: Price: 22.00 euro", 0, 1); !ok || s.Text != "Family  22.00 euro" {
		t.Errorf("%v %+v", ok, s)
	}
	if none, _ := RowsFirst(rows, nil, chosen[1:], 1); len(none) != 1 || none[0].Passage.ID != "q" {
		t.Errorf("%+v", none)
	}
}
