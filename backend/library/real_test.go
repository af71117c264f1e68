package library_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/settings"
	"footnote/backend/store"
)

// realHouse is a library over the real index, embedder and extractor.
func realHouse(t testing.TB, data string) *library.Library {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	db, err := store.Open(t.Context(), data, log, time.Now)
	must(t, err)
	x, err := index.Open(t.Context(), data+"/index", log)
	must(t, err)
	static, err := embed.NewStatic()
	must(t, err)
	l := library.New(library.Config{
		Catalog: db, Index: x, Embedder: static, Settings: settings.Default, Now: time.Now, Log: log,
		Extract: func(ctx context.Context, path string) (evidence.Document, error) {
			file, err := os.ReadFile(path)
			must(t, err)
			return extract.Extract(ctx, extract.MediaType(path, file), filepath.Base(path), file, extract.DefaultLimits())
		},
	})
	must(t, l.Start(t.Context()))
	t.Cleanup(func() {
		must(t, l.Close())
		must(t, x.Close())
		must(t, db.Close())
	})
	return l
}

func addTree(t testing.TB, l *library.Library, dir string) {
	t.Helper()
	added, err := l.Add(t.Context(), []string{dir}, false)
	must(t, err)
	must(t, l.Wait(t.Context(), added.Paths, func(library.File) {}))
}

func TestTheWholeShelfWorksAndComesBackTheSameAfterARestart(t *testing.T) {
	docs, data := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"Bridge.md":          "# Opening\n\nThe bridge was opened in March 1932 after eight years of work.\n\n# Cost\n\nIt cost about ten million pounds.",
		"gardening.txt":      "Tomatoes need at least six hours of sun. Water the plants in the morning.",
		"astronomy.txt":      "The moon circles the earth in about twenty-seven days.",
		"report Q1 2024.txt": "Revenue rose by four percent in the quarter.",
		"report Q2 2024.txt": "Revenue fell by two percent in the quarter.",
	} {
		must(t, os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644))
	}
	queries := map[string]string{
		"when was the bridge opened": "Bridge.md", "how much sunlight do tomato plants want": "gardening.txt",
		"lunar orbit duration": "astronomy.txt", "revenue in the second quarter": "report Q2 2024.txt", "bridge": "Bridge.md",
	}
	ask := func(l *library.Library) map[string][]evidence.Found {
		all := map[string][]evidence.Found{}
		for query, want := range queries {
			found, err := l.Search(t.Context(), query, contract.Scope{}, 5)
			must(t, err)
			if len(found) == 0 || filepath.Base(found[0].Source.Address) != want {
				t.Errorf("%q: %+v", query, found)
			}
			all[query] = found
		}
		return all
	}
	var before map[string][]evidence.Found
	t.Run("first", func(t *testing.T) {
		l := realHouse(t, data)
		addTree(t, l, docs)
		before = ask(l)
		m, err := l.SearchWords(t.Context(), "toma", 3)
		must(t, err)
		if len(m.Items) != 1 || len(m.Items[0].Marks) != 1 {
			t.Errorf("as you type: %+v", m)
		}
	})
	t.Run("again", func(t *testing.T) {
		for query, found := range ask(realHouse(t, data)) {
			same := slices.EqualFunc(found, before[query], func(a, b evidence.Found) bool { return a.Passage.ID == b.Passage.ID && a.Score.Fused == b.Score.Fused })
			if !same {
				t.Errorf("%q: another order after the restart", query)
			}
		}
	})
	must(t, os.RemoveAll(data+"/index"))
	t.Run("rebuilt", func(t *testing.T) {
		l := realHouse(t, data)
		addTree(t, l, docs)
		ask(l)
		must(t, l.Remove(t.Context(), filepath.Join(docs, "Bridge.md")))
		m, err := l.SearchWords(t.Context(), "bridge", 3)
		must(t, err)
		if len(m.Items) != 0 {
			t.Errorf("a removed file is found: %+v", m.Items)
		}
	})
}

// corpus writes n small files of a few made-up sentences.
func corpus(t testing.TB, dir string, n int) {
	t.Helper()
	words := strings.Fields("river stone market engine letter garden winter copper harbour signal paper bridge museum window forest council library school weather island farmer doctor painter bottle")
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "Document number%d.\n\n", i)
		for s := range 12 {
			fmt.Fprintf(&b, "The %s of the %s was moved to the %s in %d. ", words[(i*7+s)%24], words[(i*5+s*3)%24], words[(i+s*11)%24], 1500+(i*s)%500)
		}
		sub := fmt.Sprintf("%s/%02d", dir, i%50)
		must(t, os.MkdirAll(sub, 0o755))
		must(t, os.WriteFile(fmt.Sprintf("%s/doc%05d.txt", sub, i), []byte(b.String()), 0o644))
	}
}

// TestFiveThousandFiles prints throughput and latencies; run it with
// FOOTNOTE_MEASURE=1.
func TestFiveThousandFiles(t *testing.T) {
	if os.Getenv("FOOTNOTE_MEASURE") == "" {
		t.Skip("a measurement: set FOOTNOTE_MEASURE=1")
	}
	docs, data := t.TempDir(), t.TempDir()
	corpus(t, docs, 5000)
	l := realHouse(t, data)
	began := time.Now()
	added, err := l.Add(t.Context(), []string{docs}, false)
	must(t, err)
	t.Logf("queued %d files in %v", added.Files, time.Since(began))
	n := 0
	var stored time.Duration
	must(t, l.Wait(t.Context(), added.Paths, func(library.File) {
		if n++; n == 5000 {
			stored = time.Since(began)
		}
	}))
	t.Logf("stored after %v (%.0f files/s), words and vectors after %v", stored, 5000/stored.Seconds(), time.Since(began))
	began = time.Now()
	addTree(t, l, docs)
	t.Logf("looked through again, nothing changed: %v", time.Since(began))
	queries := []string{"when was the stone of the river moved to the market", "number4711", "painter of the island museum 1600", "what happened to the copper engine"}
	measure := func(name string, search func(string)) {
		var took []time.Duration
		for i := range 200 {
			began := time.Now()
			search(queries[i%len(queries)])
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		t.Logf("%s: p50 %v p95 %v", name, took[100], took[190])
	}
	measure("search", func(q string) {
		_, err := l.Search(t.Context(), q, contract.Scope{}, 12)
		must(t, err)
	})
	measure("as you type", func(q string) {
		_, err := l.SearchWords(t.Context(), q, 20)
		must(t, err)
	})
}
