package library_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

// census is what a count should give for one file.
type census struct{ marigold, phrase, number int }

// sow writes file i of a tree of folders and types, and tells what stands in it.
func sow(t *testing.T, path string, i, round int) (c census) {
	t.Helper()
	marigolds, phrases, numbers := (i*7+round)%5, (i+2*round)%3, (i*3+round)%4
	var lines []string
	add := func(n int, forms ...string) int {
		for k := range n {
			lines = append(lines, strings.Replace("They noted that ◊ was there, as before.", "◊", forms[k%len(forms)], 1))
		}
		return n
	}
	c.marigold = add(marigolds, "a marigold", "A MARIGOLD", "the märigold’s root", "“Marigold”")
	add(2, "marigolds", "a marigoldy smell", "4,7120", "the net yearly income", "income net") // near misses
	c.phrase = add(phrases, "net income", "the Net  Income", "its NET-INCOME")
	c.number = add(numbers, "4,712", "a sum of 4,712")
	for k := range i % 40 {
		lines = append(lines, fmt.Sprintf("Line %d of file %d, round %d, fills the passage with words that nobody counts.", k, i, round))
	}
	text := strings.Join(lines, "\n\n")
	if filepath.Ext(path) == ".csv" {
		text = "note\n\"" + strings.ReplaceAll(strings.ReplaceAll(text, `"`, `""`), "\n\n", "\"\n\"") + "\"\n"
	}
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return c
}

type field map[string]census

// files are the files of the tree that have something, and how often in all.
func (f field) files(of func(census) int, in func(path string) bool) (n, times int) {
	for path, c := range f {
		if of(c) > 0 && in(path) {
			n, times = n+1, times+of(c)
		}
	}
	return n, times
}

func TestCountsStayExactWhileFilesComeChangeAndGo(t *testing.T) {
	n := 300
	if os.Getenv("FOOTNOTE_LARGE") != "" {
		n = 10_000
	}
	docs := t.TempDir()
	path := func(i int) string {
		return filepath.Join(docs, []string{"a", "b/c", "b/d", "e"}[i%4], fmt.Sprintf("file %d%s", i, []string{".txt", ".md", ".csv"}[i%3]))
	}
	planted := field{}
	for i := range n {
		planted[path(i)] = sow(t, path(i), i, 0)
	}
	l := realHouse(t, t.TempDir())
	addTree(t, l, docs)
	checkCounts(t, l, planted, docs)

	for i := 0; i < n; i += 3 {
		planted[path(i)] = sow(t, path(i), i, 1)
	}
	for i := 1; i < n; i += 7 {
		must(t, os.Remove(path(i)))
		delete(planted, path(i))
	}
	for i := n; i < n+n/10; i++ {
		planted[path(i)] = sow(t, path(i), i, 2)
	}
	must(t, os.Rename(filepath.Join(docs, "b/c"), filepath.Join(docs, "b/moved")))
	for old, c := range planted {
		if rest, in := strings.CutPrefix(old, filepath.Join(docs, "b/c")+"/"); in {
			delete(planted, old)
			planted[filepath.Join(docs, "b/moved", rest)] = c
		}
	}
	must(t, l.Rescan(t.Context()))
	addTree(t, l, docs)
	checkCounts(t, l, planted, docs)
}

func checkCounts(t *testing.T, l *library.Library, planted field, docs string) {
	t.Helper()
	all := func(string) bool { return true }
	for _, c := range []struct {
		query string
		of    func(census) int
		in    func(path string) bool
	}{
		{"marigold", func(c census) int { return c.marigold }, all},
		{`"net income"`, func(c census) int { return c.phrase }, all},
		{"4,712", func(c census) int { return c.number }, all},
		{"marigold type:md", func(c census) int { return c.marigold }, func(p string) bool { return strings.HasSuffix(p, ".md") }},
		{"marigold folder:b", func(c census) int { return c.marigold }, func(p string) bool { return strings.HasPrefix(p, docs+"/b/") }},
	} {
		files, times := planted.files(c.of, c.in)
		m, err := l.Mentions(t.Context(), c.query, evidence.Scope{})
		must(t, err)
		if m.Files != files || m.Times != times || len(m.In) != files {
			t.Errorf("%s: %d files, %d places, want %d, %d", c.query, m.Files, m.Times, files, times)
		}
		for _, in := range m.In {
			if got, want := in.Times, c.of(planted[in.Source.Address]); got != want {
				t.Errorf("%s in %s: %d places, want %d", c.query, in.Source.Address, got, want)
				break
			}
		}
		t.Logf("%s: %d files, %d places", c.query, m.Files, m.Times)
	}
}
