package library_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// plant writes n files of which some have planted words, and tells how many
// files, passages and places have "marigold" and how many files "net income".
func plant(t testing.TB, dir string, n int) (want [4]int) {
	for i := range n {
		text := fmt.Sprintf("Note %d. Marigolds are not counted here, nor is the income, which is net.\n", i)
		for k := range i % 7 * ((i + 1) % 2) {
			text += strings.Repeat("\nFiller that says nothing at all about it and goes on for a while. ", 15*(k%2)) + "\nA MARIGOLD stands here. "
		}
		if i%11 == 0 {
			text += "\nThe Net-Income was high."
			want[3]++
		}
		text += strings.Repeat("\nAnother line that is long enough to fill the passage with words of no meaning. ", i%30)
		for range i % 3 * (i % 2) {
			text += "A marigold grows at the märigold’s end. "
		}
		must(t, os.WriteFile(dir+"/"+strconv.Itoa(i)+[]string{".txt", ".md"}[i%2], []byte(text), 0o600))
		if places := strings.Count(text, "MARIGOLD") + strings.Count(text, "marigold ") + strings.Count(text, "märigold"); places > 0 {
			want[0]++
			want[2] += places
		}
		doc := evidence.Document{Text: text, Source: evidence.Source{Digest: evidence.Digest([]byte(text))}}
		for _, p := range splitAsRead(doc) {
			if low := strings.ToLower(p.Text); strings.Contains(low, "marigold ") || strings.Contains(low, "märigold") {
				want[1]++
			}
		}
	}
	return want
}

// splitAsRead cuts a text as a library over plain files does.
func splitAsRead(doc evidence.Document) []evidence.Passage {
	at := 0
	for line := range strings.SplitAfterSeq(doc.Text, "\n") {
		if end := at + len(strings.TrimRight(line, "\n")); end > at {
			doc.Blocks = append(doc.Blocks, evidence.Block{Start: at, End: end, Kind: evidence.Paragraph})
		}
		at += len(line)
	}
	return evidence.Split(doc, evidence.SplitOptions{})
}

func TestPlantedCountsAreExact(t *testing.T) {
	n := 500
	if os.Getenv("FOOTNOTE_LARGE") != "" {
		n = 10_000
	}
	docs := t.TempDir()
	want := plant(t, docs, n)
	l := realHouse(t, t.TempDir())
	addTree(t, l, docs)

	m, err := l.Mentions(t.Context(), "marigold", evidence.Scope{})
	must(t, err)
	got := [4]int{m.Files, m.Passages, m.Times}
	m, err = l.Mentions(t.Context(), `"net income"`, evidence.Scope{})
	must(t, err)
	if got[3] = m.Files; got != want || m.Searched != n || m.Unread != 0 {
		t.Errorf("counted files, passages, places, phrases %v, want %v; %d of %d files", got, want, m.Searched, n)
	}
	t.Logf("%d files: %v", n, got)
}

func TestACountIsOfExactWords(t *testing.T) {
	h := realHouse(t, t.TempDir())
	docs := t.TempDir()
	write := func(name, text string) {
		must(t, os.MkdirAll(docs+"/old", 0o700))
		must(t, os.WriteFile(docs+"/"+name, []byte(text), 0o600))
	}
	write("a.txt", "The tax is due. The TAX, and the tax again.")
	write("b.md", "Taxes are due, and so is the taxi.")
	write("c.md", "The café pays tax.")
	write("old/d.txt", "A tax of the café's own. To be or not to be.")
	write("old/copy.txt", "A tax of the café's own. To be or not to be.")
	write("e.txt", "東京都の税")
	addTree(t, h, docs)
	for _, c := range []struct {
		query                 string
		files, passages, many int
	}{
		{"tax", 4, 4, 6},
		{"Taxes", 1, 1, 1},
		{"cafe", 3, 3, 3},
		{"tax cafe", 3, 3, 6},
		{`"the tax"`, 1, 1, 3},
		{`"to be or not to be"`, 2, 2, 2},
		{"tax -café", 1, 1, 3},
		{"tax type:md", 1, 1, 1},
		{"tax folder:old", 2, 2, 2},
		{"京", 1, 1, 1},
		{"東京", 1, 1, 1},
		{"submarine", 0, 0, 0},
		{"submarine tax", 0, 0, 0},
	} {
		m, err := h.Mentions(t.Context(), c.query, evidence.Scope{})
		must(t, err)
		if m.Files != c.files || m.Passages != c.passages || m.Times != c.many || len(m.In) != c.files {
			t.Errorf("%s: %d files, %d passages, %d places, want %d, %d, %d", c.query, m.Files, m.Passages, m.Times, c.files, c.passages, c.many)
		}
	}
	m, err := h.Mentions(t.Context(), "tax", evidence.Scope{Folders: []string{docs + "/old"}})
	must(t, err)
	if m.Files != 2 {
		t.Errorf("below the folder: %d files", m.Files)
	}
	for by, want := range map[string][]string{"folder": {docs, docs + "/old"}, "type": {"txt", "md"}, "": {docs + "/a.txt", docs + "/c.md", docs + "/old/copy.txt", docs + "/old/d.txt"}} {
		counted, err := h.Count(t.Context(), "tax", by)
		must(t, err)
		var names []string
		for _, g := range counted.Groups {
			names = append(names, g.Name)
		}
		if !slices.Equal(names, want) || counted.Total != 4 {
			t.Errorf("by %q: %q, want %q", by, names, want)
		}
	}
	if _, err := h.Count(t.Context(), "tax", "moon"); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("by the moon: %v", err)
	}
	if _, err := h.Count(t.Context(), " ?", ""); fault.CodeOf(err) != fault.QuestionEmpty {
		t.Errorf("no word: %v", err)
	}
}

func TestFilesAreListedByTheirEnds(t *testing.T) {
	h := newHouse(t).open()
	for i, name := range []string{"a.txt", "b.md", "c.txt"} {
		path := h.write(name, strings.Repeat("word ", []int{30, 10, 20}[i]))
		must(t, os.Chtimes(path, time.Now(), time.Date(2024, time.Month(1+i), 5, 12, 0, 0, 0, time.Local)))
	}
	h.addAll()
	for _, c := range []struct {
		query, by string
		files     int
		first     string
	}{{"", "", 3, "a.txt"}, {"", "largest", 3, "a.txt"}, {"", "smallest", 3, "b.md"}, {"", "newest", 3, "c.txt"}, {"type:txt", "oldest", 2, "a.txt"}, {"after:2024-02-01 before:2024-03-01", "", 1, "b.md"}} {
		m, err := h.Inventory(t.Context(), c.query, c.by, false, evidence.Scope{}, 2)
		must(t, err)
		if m.Files != c.files || len(m.In) != min(2, c.files) || filepath.Base(m.In[0].Source.Address) != c.first || !strings.HasPrefix(m.In[0].Passage.Text, "word") || m.In[0].Passage.Source != m.In[0].Source.ID {
			t.Errorf("%+v: %+v", c, m)
		}
	}
	if m, err := h.Inventory(t.Context(), "", "", true, evidence.Scope{}, 2); err != nil || m.Files != 0 {
		t.Errorf("all of them were read: %+v, %v", m, err)
	}
}
