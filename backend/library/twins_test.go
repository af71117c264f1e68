package library_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/library"
)

const minutes = "The board met in the old hall above the river and spoke of boats, nets, ropes, lamps, sails, oars, hooks, barrels, salt, tar, flags, drums and bells until the evening came. "

func TestOneOfAlmostEqualFilesIsShownAndTheOthersNamed(t *testing.T) {
	l, docs := shelved(t, map[string]string{
		"minutes.txt": minutes + "It paid 200 pounds.", "minutes copy.txt": strings.Replace(minutes, "spoke", "talked", 1) + "It paid 200 pounds.",
		"minutes same.txt": minutes + "It paid 200 pounds.", "minutes new.txt": minutes + "It paid 300 pounds.", "other.txt": "A board of oak.",
	})
	m, err := l.SearchWords(t.Context(), "board hall", 20)
	must(t, err)
	var shown, also []string
	for _, i := range m.Items {
		shown = append(shown, filepath.Base(i.Path))
		for _, path := range i.AlsoIn {
			also = append(also, filepath.Base(path))
		}
	}
	slices.Sort(also)
	if len(shown) != 3 || !slices.Contains(shown, "minutes new.txt") || !slices.Contains(shown, "other.txt") || len(also) != 2 {
		t.Errorf("shown %q, also in %q", shown, also)
	}
	found, err := l.Search(t.Context(), "What did the board speak of in the hall?", contract.Scope{}, 24)
	must(t, err)
	named := []string{}
	for _, f := range found {
		named = append(append(named, f.Source.Address), f.Score.AlsoIn...)
	}
	if len(found) != 3 || len(named) != 5 {
		t.Errorf("%d found, of %q", len(found), named)
	}
	for _, name := range []string{"minutes.txt", "minutes copy.txt", "minutes same.txt"} {
		w, err := l.Why(t.Context(), docs+"/"+name, "What did the board speak of in the hall?", 24)
		must(t, err)
		if path := docs + "/" + name; slices.ContainsFunc(m.Items, func(i library.Match) bool { return i.Path == path }) == strings.Contains(w.CutBy, "shown for both") {
			t.Errorf("%s: %q", name, w.CutBy)
		}
	}
}

func TestASnippetMarksThePhrase(t *testing.T) {
	l, _ := shelved(t, map[string]string{"a.txt": strings.Repeat("Income of another kind, net of tax. ", 20) + "Then the NET income – of all – rose. " + strings.Repeat("Nothing more. ", 30)})
	m, err := l.SearchWords(t.Context(), `"net income" ros`, 5)
	must(t, err)
	var marked []string
	for _, at := range m.Items[0].Marks {
		marked = append(marked, string([]rune(m.Items[0].Snippet)[at[0]:at[1]]))
	}
	if !slices.Equal(marked, []string{"NET income", "rose"}) {
		t.Errorf("marked %q in %q", marked, m.Items[0].Snippet)
	}
}

// A name or a heading outweighs the same word in a text.
func TestNamesAndHeadingsCountMore(t *testing.T) {
	l, _ := shelved(t, map[string]string{
		"harvest.md": "Nothing to see in a text as long as this one is here.", "b.md": "# Harvest\nQuite another thing is told in a text of such a size.",
		"c.md": "The harvest is in a text as long as this one is here and not.", "d.md": "Other things are in it.",
	})
	m, err := l.SearchWords(t.Context(), "harv", 5)
	must(t, err)
	var order []string
	for _, i := range m.Items {
		order = append(order, filepath.Base(i.Path))
	}
	if len(order) != 3 || order[2] != "c.md" {
		t.Errorf("in the order %q", order)
	}
}
