package figures

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"footnote/backend/embed"
	"footnote/backend/research/headings"
)

// TestFiguresOfTheSameThing holds the bars on pairs of our own: a pair differs where
// both sentences count the same.
func TestFiguresOfTheSameThing(t *testing.T) {
	encoder, err := embed.NewMultilingual()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("no kernel of the encoders runs on this processor")
	}
	if err != nil {
		t.Fatal(err)
	}
	cross, err := embed.NewCrossEncoder()
	if err != nil {
		t.Fatal(err)
	}
	answers := func(ctx context.Context, question string, texts []string) (out []float64, ok bool) {
		scores, err := cross.Score(ctx, question, texts)
		for _, s := range scores {
			out = append(out, float64(s))
		}
		return out, err == nil
	}
	text, err := os.ReadFile("testdata/figures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	found, wrong, differ := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		subject := strings.Fields(strings.ToLower(row[1]))
		says := differing(t, subject, row[2], row[3], encoder, answers)
		switch {
		case row[0] == "1":
			if differ++; says {
				found++
			} else {
				t.Logf("missed: %s | %s", row[2], row[3])
			}
		case says:
			wrong++
			t.Logf("not the same: %s | %s", row[2], row[3])
		}
	}
	t.Logf("found %d of %d, %d wrong", found, differ, wrong)
	if float64(found) < 0.8*float64(differ) || float64(found) < 0.9*float64(found+wrong) {
		t.Errorf("found %d of %d, %d wrong", found, differ, wrong)
	}
}

func differing(t *testing.T, subject []string, a, b string, encoder *embed.Encoder, answers func(context.Context, string, []string) ([]float64, bool)) bool {
	t.Helper()
	vectors, err := headings.BareVectors(t.Context(), encoder, []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	all := []Sentence{{Statement: Read(a, subject), Text: a, Vector: vectors[0]}, {Statement: Read(b, subject), Text: b, Vector: vectors[1], Source: 1}}
	same, ok := ofTheSame(t.Context(), pairsOf(all, subject, encoder.Nearness), answers)
	return ok && slices.ContainsFunc(same, func(p Pair) bool { return p.X != p.Y })
}

func TestTheSignOfAFootnoteIsNoFigure(t *testing.T) {
	for text, want := range map[string]int{"The wheel is kept in the hall [23].": 0, `The wheel is kept in the hall \[23].`: 0, "The hall has 23 wheels.": 1} {
		if got := len(Read(text, nil).counts); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
