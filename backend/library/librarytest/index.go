// Package librarytest holds what library.Catalog and library.Index promise, for any
// implementation.
package librarytest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// Index runs the suite of indexes; open gives an empty one.
func Index(t *testing.T, open func(*testing.T) library.Index) {
	contract(t, open)
	t.Run("needed and unwanted words", func(t *testing.T) { needed(t, open(t)) })
	t.Run("many needed words", func(t *testing.T) { manyNeeded(t, open(t)) })
	t.Run("a large scope gives what a small one gives", func(t *testing.T) { largeScope(t, open(t)) })
	t.Run("scores are the reference BM25", func(t *testing.T) { reference(t, open(t)) })
}

// Put adds entries to an index.
func Put(t testing.TB, x library.Index, entries ...library.Entry) {
	t.Helper()
	if err := x.Put(context.Background(), entries); err != nil {
		t.Fatal(err)
	}
}

// Entry is a passage of a text.
func Entry(id, digest, name, body string) library.Entry {
	return library.Entry{ID: evidence.PassageID(id), Digest: digest, Name: name, Body: body}
}

// Words are the passages that a search by words finds, ten where no number is given.
func Words(t testing.TB, x library.Index, q library.Query) []string {
	t.Helper()
	if q.N == 0 {
		q.N = 10
	}
	hits, err := x.Words(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return idsOf(hits)
}

func idsOf(hits []library.Hit) []string {
	ids := []string{}
	for _, h := range hits {
		ids = append(ids, string(h.ID))
	}
	return ids
}

func nearest(t testing.TB, x library.Index, v []float32, within map[string]bool, n int) []string {
	t.Helper()
	hits, err := x.Vectors(context.Background(), v, within, n)
	if err != nil {
		t.Fatal(err)
	}
	return idsOf(hits)
}

func contract(t *testing.T, open func(*testing.T) library.Index) {
	ctx := context.Background()
	same := func(t *testing.T, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	filled := func(t *testing.T) library.Index {
		x := open(t)
		err := x.Put(ctx, []library.Entry{
			{ID: "psg_a", Digest: "one", Name: "garden notes", Heading: "Trees > Apple", Body: "Pruning in late winter keeps the crown open.", Vector: []float32{1, 0, 0}},
			{ID: "psg_b", Digest: "one", Name: "garden notes", Heading: "Roses", Body: "Roses want sun and a deep soil; prune them in spring.", Vector: []float32{0.8, 0.6, 0}},
			{ID: "psg_c", Digest: "two", Name: "kitchen", Body: "Apple cake needs three apples and an hour."},
		})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	t.Run("an empty index finds nothing", func(t *testing.T) {
		x := open(t)
		same(t, Words(t, x, library.Query{Text: "apple"}))
		same(t, nearest(t, x, []float32{1, 0, 0}, nil, 5))
	})
	t.Run("words are found by stem, best first", func(t *testing.T) {
		x := filled(t)
		same(t, Words(t, x, library.Query{Text: "apples"}), "psg_c", "psg_a")
		same(t, Words(t, x, library.Query{Text: "pruned", N: 1}), Words(t, x, library.Query{Text: "pruning"})[0])
		same(t, Words(t, x, library.Query{Text: "the of and"}))
		same(t, Words(t, x, library.Query{Text: ""}))
	})
	t.Run("name and heading are searched", func(t *testing.T) {
		x := filled(t)
		same(t, Words(t, x, library.Query{Text: "kitchen"}), "psg_c")
		same(t, Words(t, x, library.Query{Text: "tree"}), "psg_a")
	})
	t.Run("a scope holds for words and vectors", func(t *testing.T) {
		x := filled(t)
		same(t, Words(t, x, library.Query{Text: "apple", Within: map[string]bool{"one": true}}), "psg_a")
		same(t, Words(t, x, library.Query{Text: "apple", Within: map[string]bool{}}))
		same(t, Words(t, x, library.Query{Text: "apple", Within: map[string]bool{"none": true}}))
		same(t, nearest(t, x, []float32{1, 0, 0}, map[string]bool{"two": true}, 5))
		same(t, nearest(t, x, []float32{1, 0, 0}, map[string]bool{"one": true}, 1), "psg_a")
	})
	t.Run("the last word may be half typed", func(t *testing.T) {
		x := filled(t)
		same(t, Words(t, x, library.Query{Text: "kitc", Prefix: true}), "psg_c")
		same(t, Words(t, x, library.Query{Text: "kitc"}))
		same(t, Words(t, x, library.Query{Text: "garden prunin", Prefix: true, N: 1}), Words(t, x, library.Query{Text: "garden prune", N: 1})...)
		same(t, Words(t, x, library.Query{Text: "kitchen ", Prefix: true}), "psg_c")
	})
	t.Run("one wrong letter is forgiven when nothing else is found", func(t *testing.T) {
		x := filled(t)
		same(t, Words(t, x, library.Query{Text: "kitchin"}), "psg_c")
		same(t, Words(t, x, library.Query{Text: "zzzzzz"}))
	})
	t.Run("vectors come by cosine", func(t *testing.T) {
		x := filled(t)
		same(t, nearest(t, x, []float32{2, 0, 0}, nil, 5), "psg_a", "psg_b")
		same(t, nearest(t, x, []float32{0, 1, 0}, nil, 1), "psg_b")
		if _, err := x.Vectors(ctx, []float32{1, 0}, nil, 5); err == nil {
			t.Error("a vector of another dimension is compared")
		}
	})
	t.Run("vectors may follow later", func(t *testing.T) {
		x := filled(t)
		if err := x.PutVectors(ctx, []evidence.PassageID{"psg_c"}, []string{"two"}, [][]float32{{0, 0, 1}}); err != nil {
			t.Fatal(err)
		}
		same(t, nearest(t, x, []float32{0, 0, 1}, map[string]bool{"two": true}, 5), "psg_c")
	})
	t.Run("put replaces", func(t *testing.T) {
		x := filled(t)
		if err := x.Put(ctx, []library.Entry{Entry("psg_c", "two", "kitchen", "Pear tart.")}); err != nil {
			t.Fatal(err)
		}
		same(t, Words(t, x, library.Query{Text: "apple"}), "psg_a")
		same(t, Words(t, x, library.Query{Text: "pear"}), "psg_c")
	})
	t.Run("drop removes words and vectors", func(t *testing.T) {
		x := filled(t)
		if err := x.Drop(ctx, []evidence.PassageID{"psg_a", "psg_none"}); err != nil {
			t.Fatal(err)
		}
		same(t, Words(t, x, library.Query{Text: "apple"}), "psg_c")
		same(t, nearest(t, x, []float32{1, 0, 0}, nil, 5), "psg_b")
	})
	t.Run("an ended context is obeyed", func(t *testing.T) {
		x := filled(t)
		done, cancel := context.WithCancel(ctx)
		cancel()
		if err := x.Put(done, []library.Entry{Entry("psg_d", "d", "d", "late")}); !errors.Is(err, context.Canceled) {
			t.Errorf("put: %v", err)
		}
		if _, err := x.Words(done, library.Query{Text: "apple", N: 5}); !errors.Is(err, context.Canceled) {
			t.Errorf("words: %v", err)
		}
	})
	t.Run("reading is safe while writing", func(t *testing.T) {
		x := filled(t)
		var wg sync.WaitGroup
		for w := range 3 {
			wg.Go(func() {
				for i := range 15 {
					id := fmt.Sprintf("psg_%d_%d", w, i)
					e := Entry(id, id, "note", "apple number "+id)
					e.Vector = []float32{float32(w) + 1, float32(i), 1}
					if err := x.Put(ctx, []library.Entry{e}); err != nil {
						t.Error(err)
					}
				}
			})
			wg.Go(func() {
				for range 30 {
					Words(t, x, library.Query{Text: "apple num", Prefix: true})
					nearest(t, x, []float32{1, 1, 1}, nil, 5)
				}
			})
		}
		wg.Wait()
		if n := len(Words(t, x, library.Query{Text: "number", N: 100})); n != 45 {
			t.Errorf("%d of 45 passages found", n)
		}
	})
}

// sorted gives what a query finds, in order of ids.
func sorted(t *testing.T, x library.Index, q library.Query) []string {
	t.Helper()
	got := Words(t, x, q)
	slices.Sort(got)
	return got
}

func needed(t *testing.T, x library.Index) {
	Put(t, x,
		Entry("psg_a", "a", "", "net income and tax"), Entry("psg_b", "b", "", "net taxes"), Entry("psg_c", "c", "draft", "income, net"),
		Entry("psg_d", "d", "", "nothing of it"), Entry("psg_e", "a", "", "Der Nettogewinn ist mit den Steuern und den Brücken nicht zu verrechnen"))
	all := []string{"psg_a", "psg_b", "psg_c", "psg_d", "psg_e"}
	for name, c := range map[string]struct {
		q    library.Query
		want []string
	}{
		"two needed":             {library.Query{Text: "net income", Must: []string{"income", "net"}}, []string{"psg_a", "psg_c"}},
		"needed in any form":     {library.Query{Text: "net", Must: []string{"taxes"}}, []string{"psg_a", "psg_b"}},
		"unwanted in any form":   {library.Query{Text: "net", Not: []string{"taxing"}}, []string{"psg_c"}},
		"unwanted in a name":     {library.Query{Text: "net", Not: []string{"draft"}}, []string{"psg_a", "psg_b"}},
		"needed and unwanted":    {library.Query{Text: "net", Must: []string{"income"}, Not: []string{"draft"}}, []string{"psg_a"}},
		"needed and nowhere":     {library.Query{Text: "net incme", Must: []string{"submarine"}}, []string{}},
		"all":                    {library.Query{All: true}, all},
		"all but some":           {library.Query{All: true, Not: []string{"net"}}, []string{"psg_d", "psg_e"}},
		"all of a text":          {library.Query{All: true, Within: map[string]bool{"a": true}}, []string{"psg_a", "psg_e"}},
		"a German form":          {library.Query{Text: "Brücke"}, []string{"psg_e"}},
		"a German word needed":   {library.Query{Text: "Steuer", Must: []string{"brücke"}}, []string{"psg_e"}},
		"a German word by typo":  {library.Query{Text: "Brpcken"}, []string{"psg_e"}},
		"a German word unwanted": {library.Query{All: true, Not: []string{"brücke"}}, all[:4]},
	} {
		if got := sorted(t, x, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if hits, err := x.Words(context.Background(), library.Query{Text: "net", All: true, N: 9}); err != nil || len(hits) != 5 || hits[4].Score >= hits[2].Score {
		t.Errorf("passages without the word come last: %v %v", hits, err)
	}
	if again := sorted(t, x, library.Query{Text: "net"}); len(again) != 3 {
		t.Errorf("conditions outlive their search: %q", again)
	}
}

func manyNeeded(t *testing.T, x library.Index) {
	text, must := "", []string{}
	for i := range 400 {
		must = append(must, fmt.Sprint("word", i))
		text += " " + must[i]
	}
	Put(t, x, Entry("psg_a", "a", "", text), Entry("psg_b", "b", "", "word1 word2"))
	if got := Words(t, x, library.Query{Text: text, Must: must}); !slices.Equal(got, []string{"psg_a"}) {
		t.Errorf("%q", got)
	}
}

func largeScope(t *testing.T, x library.Index) {
	var entries []library.Entry
	within := map[string]bool{}
	for i := range 600 {
		d := fmt.Sprintf("file%03d", i)
		entries = append(entries, Entry("psg_"+d, d, "note", strings.Repeat("apple ", 1+i%7)+d))
		if i%2 == 0 {
			within[d] = true
		}
	}
	Put(t, x, entries...)
	hits, err := x.Words(context.Background(), library.Query{Text: "apple", Within: within, N: 1000})
	if err != nil || len(hits) != 300 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	for _, h := range hits {
		if !within[strings.TrimPrefix(string(h.ID), "psg_")] {
			t.Fatalf("%s is out of scope", h.ID)
		}
	}
}

func reference(t *testing.T, x library.Index) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var entries []library.Entry
	var texts []string
	for i := range 200 {
		e := Entry(fmt.Sprintf("psg_%03d", i), "d", "note", Prose(rnd, 20+rnd.IntN(60)))
		entries = append(entries, e)
		texts = append(texts, "note note "+e.Body)
	}
	for part := range slices.Chunk(entries, 37) { // several segments
		Put(t, x, part...)
	}
	query := entries[7].Body[:60]
	want := rank.NewBM25(texts).Scores(query)
	hits, err := x.Words(context.Background(), library.Query{Text: query, N: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		var i int
		fmt.Sscanf(string(h.ID), "psg_%d", &i)
		if math.Abs(h.Score-want[i]) > 1e-9 {
			t.Errorf("%s scores %.9f, the reference %.9f", h.ID, h.Score, want[i])
		}
	}
}

// Prose makes n words, whose frequencies fall as in a language without its
// stop words.
func Prose(rnd *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(syllables(10+int(math.Exp(rnd.Float64()*10))) + " ")
	}
	return b.String()
}

func syllables(i int) string {
	s := ""
	for ; i > 0; i /= 12 {
		s += "bdfgklmnprtz"[i%12:i%12+1] + "aeiou"[i%5:i%5+1]
	}
	return s
}
