package library_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/settings"
	"footnote/backend/store"
)

// coined makes a word of syllables.
func coined(rnd *rand.Rand, syllables int) string {
	var b strings.Builder
	for range syllables {
		b.WriteByte("bdfgklmnprstvz"[rnd.IntN(14)])
		b.WriteString([]string{"a", "e", "i", "o", "u", "an", "el", "or"}[rnd.IntN(8)])
	}
	return b.String()
}

// ownWords writes files of common and rarer words, and gives three rarer ones of each.
func ownWords(t *testing.T, dir string, files int) map[string]string {
	rnd := rand.New(rand.NewPCG(17, 18))
	words := func(n, syllables int) (list []string) {
		for range n {
			list = append(list, coined(rnd, syllables))
		}
		return list
	}
	common, rarer := words(400, 2), words(12*files, 4)
	asked := map[string]string{}
	for i := range files {
		var text, own []string
		for n := range 100 {
			word := common[rnd.IntN(len(common))]
			if n%3 == 0 {
				word = rarer[rnd.IntN(len(rarer))]
				own = append(own, word)
			}
			if text = append(text, word); n%11 == 10 {
				text = append(text, "the. And")
			}
		}
		path := filepath.Join(dir, fmt.Sprintf("file %03d.txt", i))
		must(t, os.WriteFile(path, []byte(strings.Join(text, " ")+".\n"), 0o600))
		rnd.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
		asked[path] = strings.Join(own[:3], " ")
	}
	return asked
}

// TestReadyMeansSearchable asks for each file by three of its own words in the
// moment in which the library first calls it ready.
func TestReadyMeansSearchable(t *testing.T) {
	files := 500
	if testing.Short() {
		files = 100
	}
	dir, data, log := t.TempDir(), t.TempDir(), slog.New(slog.DiscardHandler)
	asked := ownWords(t, dir, files)
	db, err := store.Open(t.Context(), data, log, time.Now)
	must(t, err)
	x, err := index.Open(t.Context(), filepath.Join(data, "index"), log)
	must(t, err)
	l := library.New(library.Config{Catalog: db, Index: x, Settings: settings.Default, Now: time.Now, Log: log, Extract: (&reader{}).extract})
	must(t, l.Start(t.Context()))
	t.Cleanup(func() { must(t, l.Close()); must(t, x.Close()); must(t, db.Close()) })
	if _, err := l.Add(t.Context(), []string{dir}, false); err != nil {
		t.Fatal(err)
	}
	seen, found, behind := map[string]bool{}, 0, 0
	for late := time.Now().Add(5 * time.Minute); len(seen) < files && time.Now().Before(late); time.Sleep(2 * time.Millisecond) {
		page, _, err := l.Files(t.Context(), library.FileQuery{States: []library.State{library.Ready}})
		must(t, err)
		for _, f := range page {
			if f.State != library.Ready || seen[f.Path] {
				continue
			}
			seen[f.Path] = true
			got, err := l.SearchWords(t.Context(), asked[f.Path], 5)
			must(t, err)
			if slices.ContainsFunc(got.Items, func(m library.Match) bool { return m.Path == f.Path }) {
				found++
			}
			if got.Behind != nil {
				behind++
			}
		}
	}
	t.Logf("%d of %d files among the first five; %d searches said that more was to come", found, len(seen), behind)
	if len(seen) < files || found*100 < 97*files {
		t.Errorf("%d of %d files ready, %d found; want 0.97 of them", len(seen), files, found)
	}
	must(t, l.Rest(t.Context()))
	if got, err := l.SearchWords(t.Context(), "lamp", 5); err != nil || got.Behind != nil {
		t.Errorf("at rest: %+v, %v", got.Behind, err)
	}
}

func TestASearchSaysWhatItCannotFindYet(t *testing.T) {
	h := newHouse(t)
	h.reader.slow = 50 * time.Millisecond
	h.open()
	h.write("0first.txt", "early bird")
	h.addAll()
	for i := range 40 {
		h.write(fmt.Sprintf("f%d.txt", i), fmt.Sprintf("word%d", i))
	}
	must(t, h.Rescan(t.Context()))
	got, err := h.SearchWords(t.Context(), "word39", 5)
	must(t, err)
	if got.Behind == nil || got.Behind.Files == 0 || !strings.Contains(got.Behind.String(), "still to be read") {
		t.Errorf("while files wait: %+v", got.Behind)
	}
	h.wait()
}
