package index

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"footnote/backend/library"
)

// sorted gives what a query finds, in order of ids.
func sorted(t *testing.T, x *Index, q library.Query) []string {
	t.Helper()
	got := words(t, x, q)
	slices.Sort(got)
	return got
}

func TestNeededAndUnwantedWords(t *testing.T) {
	x := openAt(t, t.TempDir())
	put(t, x,
		entry("psg_a", "a", "", "net income and tax"), entry("psg_b", "b", "", "net taxes"), entry("psg_c", "c", "draft", "income, net"),
		entry("psg_d", "d", "", "nothing of it"), entry("psg_e", "a", "", "Der Nettogewinn ist mit den Steuern und den Brücken nicht zu verrechnen"))
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

func TestManyNeededWords(t *testing.T) {
	x := openAt(t, t.TempDir())
	text, must := "", []string{}
	for i := range 400 {
		must = append(must, fmt.Sprint("word", i))
		text += " " + must[i]
	}
	put(t, x, entry("psg_a", "a", "", text), entry("psg_b", "b", "", "word1 word2"))
	if got := words(t, x, library.Query{Text: text, Must: must}); !slices.Equal(got, []string{"psg_a"}) {
		t.Errorf("%q", got)
	}
}
