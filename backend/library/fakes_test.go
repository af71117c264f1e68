package library_test

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/store/quantize"
)

// memoryIndex is an index as simple as the contract allows.
type memoryIndex struct {
	mu      sync.Mutex
	entries map[evidence.PassageID]library.Entry
	fail    atomic.Bool
	puts    atomic.Int64
}

func newMemoryIndex() *memoryIndex {
	return &memoryIndex{entries: map[evidence.PassageID]library.Entry{}}
}

func (x *memoryIndex) Put(_ context.Context, entries []library.Entry) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fail.Load() {
		return errors.New("index broken")
	}
	for _, e := range entries {
		x.puts.Add(1)
		if e.Vector == nil {
			e.Vector = x.entries[e.ID].Vector
		}
		x.entries[e.ID] = e
	}
	return nil
}

func (x *memoryIndex) PutVectors(_ context.Context, ids []evidence.PassageID, digests []string, vectors [][]float32) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, id := range ids {
		e := x.entries[id]
		e.ID, e.Digest, e.Vector = id, digests[i], vectors[i]
		x.entries[id] = e
	}
	return nil
}

func (x *memoryIndex) PutStored(ctx context.Context, ids []evidence.PassageID, digests []string, stored []quantize.Steps) error {
	return x.PutVectors(ctx, ids, digests, quantize.Vectors(stored))
}

func (x *memoryIndex) ResetVectors() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, e := range x.entries {
		e.Vector = nil
		x.entries[id] = e
	}
}

func (x *memoryIndex) Drop(_ context.Context, ids []evidence.PassageID) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		delete(x.entries, id)
	}
	return nil
}

func (x *memoryIndex) Words(_ context.Context, q library.Query) ([]library.Hit, error) {
	words := strings.Fields(strings.ToLower(q.Text))
	return x.best(q.Within, q.N, func(e library.Entry) float64 {
		text := " " + strings.Join(strings.Fields(strings.ToLower(e.Name+" "+e.Heading+" "+e.Body)), " ") + " "
		score := 0.0
		for i, w := range words {
			if q.Prefix && i == len(words)-1 && strings.Contains(text, " "+w) || strings.Contains(text, " "+w+" ") {
				score++
			}
		}
		return score
	})
}

func (x *memoryIndex) Vectors(_ context.Context, v []float32, within map[string]bool, n int) ([]library.Hit, error) {
	return x.best(within, n, func(e library.Entry) float64 {
		sum := 0.0
		for i := range e.Vector {
			sum += float64(e.Vector[i]) * float64(v[i])
		}
		return sum
	})
}

func (x *memoryIndex) best(within map[string]bool, n int, score func(library.Entry) float64) ([]library.Hit, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fail.Load() {
		return nil, errors.New("index broken")
	}
	var hits []library.Hit
	for id, e := range x.entries {
		if within != nil && !within[e.Digest] {
			continue
		}
		if s := score(e); s > 0 {
			hits = append(hits, library.Hit{ID: id, Score: s})
		}
	}
	slices.SortFunc(hits, func(a, b library.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(n, len(hits))], nil
}

func (x *memoryIndex) Generation() string { return "g1" }

func (x *memoryIndex) Count() (words, vectors int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range x.entries {
		if e.Body != "" {
			words++
		}
		if e.Vector != nil {
			vectors++
		}
	}
	return words, vectors
}

// text is all that the index holds.
func (x *memoryIndex) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for _, e := range x.entries {
		b.WriteString(e.Body + "\n")
	}
	return b.String()
}

// bagOfWords embeds a text by hashing its words into 64 places, or as many as length says.
type bagOfWords struct {
	texts, length atomic.Int64
	sends         func(context.Context) // nil, or called with each request
}

func (b *bagOfWords) ID() string { return "bag-64" }

func (b *bagOfWords) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if b.sends != nil {
		b.sends(ctx)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		b.texts.Add(1)
		v, norm := make([]float32, cmp.Or(b.length.Load(), 64)), 0.0
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			h := fnv.New32a()
			h.Write([]byte(word))
			v[h.Sum32()%uint32(len(v))]++
		}
		for _, x := range v {
			norm += float64(x) * float64(x)
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(norm) + 1e-9)
		}
		out[i] = v
	}
	return out, nil
}

// counting is bagOfWords as an embedder that counts word pieces: a built-in one.
type counting struct{ *bagOfWords }

func (counting) Pieces(text string) (n, unknown int) { return len(strings.Fields(text)), 0 }

// reader extracts plain text, refuses what begins with "!code", and counts.
type reader struct {
	files atomic.Int64
	slow  time.Duration
	gate  chan struct{} // nil, or one token a file
}

func (r *reader) extract(ctx context.Context, path string) (evidence.Document, error) {
	r.files.Add(1)
	if r.gate != nil {
		select {
		case <-r.gate:
		case <-ctx.Done():
			return evidence.Document{}, ctx.Err()
		}
	}
	time.Sleep(r.slow)
	data, err := os.ReadFile(path)
	if err != nil {
		return evidence.Document{}, &extract.Error{Code: extract.Unreadable, Reason: "gone"}
	}
	text := string(data)
	if code, ok := strings.CutPrefix(text, "!"); ok {
		return evidence.Document{}, &extract.Error{Code: strings.TrimSpace(code), Reason: "because " + code}
	}
	doc := evidence.Document{Text: text, Source: evidence.Source{MediaType: "text/plain", Digest: evidence.Digest(data)}}
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if end := at + len(strings.TrimRight(line, "\n")); end > at {
			doc.Blocks = append(doc.Blocks, evidence.Block{Start: at, End: end, Kind: evidence.Paragraph})
		}
		at += len(line)
	}
	if strings.HasPrefix(text, "saved") {
		doc.Source.MediaType = evidence.SavedAnswer
	}
	if strings.HasPrefix(text, "half") {
		doc.Coverage = evidence.Coverage{Pages: 2, Read: 1}
	}
	return doc, nil
}

// house is a library with all it needs, over a data directory and a folder.
type house struct {
	*library.Library
	t        testing.TB
	data     string
	docs     string
	db       *store.DB
	index    *memoryIndex
	embedder *bagOfWords
	here     bool // the embedder is one of this process
	meaning  library.Meaning
	reader   *reader
	ability  func(context.Context) string
	watch    bool
	paused   atomic.Bool
	refused  func(path string) bool // nil, or the folders that may not be looked into
}

func newHouse(t testing.TB) *house {
	t.Helper()
	docs, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return &house{t: t, data: t.TempDir(), docs: docs, index: newMemoryIndex(), embedder: &bagOfWords{}, reader: &reader{}}
}

// open starts the library; it can be closed and opened again.
func (h *house) open() *house {
	h.t.Helper()
	db, err := store.Open(h.t.Context(), h.data, slog.New(slog.DiscardHandler), time.Now)
	must(h.t, err)
	h.db = db
	embedder := llm.Embedder(h.embedder)
	if h.here {
		embedder = counting{h.embedder}
	}
	h.Library = library.New(library.Config{
		Catalog: db, Index: h.index, Embedder: embedder, Meaning: h.meaning, Extract: h.reader.extract, Ability: h.ability, Settings: h.settings,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Private: []string{h.data}, Watch: h.watch,
	})
	if h.refused != nil {
		h.ShutOut(h.refused)
	}
	must(h.t, h.Start(h.t.Context()))
	h.t.Cleanup(h.close)
	return h
}

func (h *house) close() {
	if h.db != nil {
		must(h.t, h.Library.Close())
		must(h.t, h.db.Close())
		h.db = nil
	}
}

func (h *house) write(name, text string) string {
	h.t.Helper()
	path := h.docs + "/" + name
	must(h.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(h.t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// addAll adds the folder and waits; it returns the states by relative name.
func (h *house) settings() settings.Settings {
	s := settings.Default()
	s.Library.Paused = h.paused.Load()
	return s
}

func (h *house) addAll() map[string]library.State {
	h.t.Helper()
	_, err := h.Add(h.t.Context(), []string{h.docs}, true)
	must(h.t, err)
	return h.wait()
}

func (h *house) wait() map[string]library.State {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 2*time.Minute)
	defer cancel()
	must(h.t, h.Wait(ctx, []string{h.docs}, func(library.File) {}))
	return h.states()
}

func (h *house) states() map[string]library.State {
	h.t.Helper()
	states := map[string]library.State{}
	for _, f := range h.files() {
		states[strings.TrimPrefix(f.Path, h.docs+"/")] = f.State
	}
	return states
}

func (h *house) files() []library.File {
	h.t.Helper()
	files, _, err := h.Files(h.t.Context(), library.FileQuery{})
	must(h.t, err)
	return files
}

// finds gives the base names of the files in which a word is found.
func (h *house) finds(word string) []string {
	h.t.Helper()
	return h.findsIn(word, contract.Scope{})
}

func (h *house) findsIn(word string, scope contract.Scope) []string {
	h.t.Helper()
	found, err := h.Search(h.t.Context(), word, scope, 20)
	must(h.t, err)
	names := []string{}
	for _, f := range found {
		if f.Score.BM25 > 0 {
			names = append(names, filepath.Base(f.Source.Address))
		}
	}
	slices.Sort(names)
	return names
}

// eventually waits until a condition holds.
func (h *house) eventually(what string, holds func() bool) {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("never: %s", what)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantNames(t testing.TB, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
