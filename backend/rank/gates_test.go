package rank

import "testing"

type counting struct{}

func (counting) Pieces(text string) (n, unknown int) { return len(text) / 4, 0 }

func TestEachEmbedderHasItsGate(t *testing.T) {
	for _, c := range []struct {
		query    string
		embedder any
		want     Gates
	}{
		{"what is a lens", nil, Gates{}},
		{"what is a lens", counting{}, Gates{English, English}},
		{"что такое линза", counting{}, Gates{}},
		{"что такое линза", "a model of the reader's choice", Gates{Index: Latin}},
		{"what is a lens", "a model of the reader's choice", Gates{Latin, English}},
		{"1234", "a model of the reader's choice", Gates{}},
	} {
		if got := GatesOf(c.query, c.embedder); got != c.want {
			t.Errorf("%q by %v: %+v, want %+v", c.query, c.embedder, got, c.want)
		}
	}
}
