package library

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/asked"
	"footnote/backend/rank"
)

// Why tells how a file fared in a search for a question, and what kept it out
// of the answer's candidates.
type Why struct {
	File    string `json:"file"`
	Path    string `json:"path"`
	Indexed bool   `json:"indexed"`
	Reason  string `json:"reason"` // why it is not indexed; empty when it is
	Best    *Match `json:"best_passage"`
	Ranks   Ranks  `json:"ranks"`
	CutBy   string `json:"cut_by"` // a sentence; empty when the file is a candidate
}

// Ranks are places in the order of all passages, from 1; nil where the passage
// does not stand in it.
type Ranks struct {
	Keyword *int `json:"keyword"`
	Vector  *int `json:"vector"`
	Fused   *int `json:"fused"`
}

// Why explains why a file is found for a question or not: by the very search
// that answers use, of which they look at the first candidates. The error is
// not-found when the library has no such file; name is an id or a path.
func (l *Library) Why(ctx context.Context, name, question string, candidates int) (Why, error) {
	f, err := l.fileOf(ctx, name)
	if err != nil {
		return Why{}, err
	}
	w := Why{File: f.ID, Path: f.Path, Indexed: true}
	a := asked.Question(question)
	if reason := unindexed(f); reason != "" {
		w.Indexed, w.Reason, w.CutBy = false, reason, "The file is not searchable: "+reason
		return w, nil
	}
	if f.Media == evidence.SavedAnswer {
		w.CutBy = "It is an answer that Footnote saved, and proves no other. Ask this file alone to have it read."
		return w, nil
	}
	if !a.Fits(f.Path, f.changed()) {
		w.CutBy = "The question asks only for other files: type, folder, after or before leave this one out."
		return w, nil
	}
	return w, l.explain(ctx, &w, f, a, candidates)
}

func (l *Library) fileOf(ctx context.Context, name string) (File, error) {
	q := FileQuery{IDs: []string{name}, Unlisted: true}
	if filepath.IsAbs(name) {
		q = FileQuery{Under: []string{name}, Unlisted: true}
	}
	files, _, err := l.Files(ctx, q)
	if err != nil {
		return File{}, err
	}
	at := slices.IndexFunc(files, func(f File) bool { return f.ID == name || f.Path == name })
	if at < 0 {
		return File{}, fault.New(fault.NotFound, "The library has no such file.", "Add it, or the folder it stands in.")
	}
	return files[at], nil
}

// unindexed says why the words of a file cannot be found; empty when they can.
func unindexed(f File) string {
	switch f.State {
	case Waiting, Reading:
		return "it has not been read yet."
	case Failed, Skipped, Partial, NotReachable:
		if f.Digest == "" || f.Chunks == 0 {
			return cmp.Or(f.Reason, "it could not be read.")
		}
	}
	if f.Chunks == 0 {
		return "it has no text."
	}
	return ""
}

// explain finds the best passage of a file and its places.
func (l *Library) explain(ctx context.Context, w *Why, f File, a asked.Search, candidates int) error {
	a, all, err := l.asked(ctx, a, evidence.Scope{})
	if err != nil {
		return err
	}
	own, err := l.order(ctx, a, evidence.Scope{Files: []string{f.ID}})
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all.fused, func(p rank.Fused) bool { return all.shelf.digests[p.ID] == f.Digest })
	switch {
	case at >= 0:
		own.fused = all.fused[at:]
	case len(own.fused) == 0 && a.Exacting():
		w.CutBy = "No passage of the file has the quoted words as they are written, without those to be left out."
		return nil
	case len(own.fused) == 0:
		w.CutBy = "No word of the question stands in the file, and nothing in it could be compared by meaning."
		return nil
	}
	w.Ranks.Fused = place(at)
	if err := l.places(ctx, w, a, own.fused[0].ID); err != nil {
		return err
	}
	if w.CutBy = w.cut(candidates); w.CutBy == "" {
		w.CutBy, err = l.shownInstead(ctx, all, f, candidates)
	}
	if err != nil {
		return err
	}
	w.Best, err = l.bestMatch(ctx, own.fused[0], f, a)
	return err
}

// everything asks an index for all that its words find.
const everything = 1 << 30

// places finds the place of a passage in the whole order of each method.
func (l *Library) places(ctx context.Context, w *Why, a asked.Search, id evidence.PassageID) error {
	within, err := l.within(ctx, evidence.Scope{})
	if err == nil {
		within, err = l.narrow(ctx, a, within)
	}
	if err != nil {
		return err
	}
	words, err := l.Index.Words(ctx, demand(a, within, everything))
	if err != nil {
		return err
	}
	isIt := func(h Hit) bool { return h.ID == id }
	w.Ranks.Keyword = place(slices.IndexFunc(words, isIt))
	if l.gates(a.Text()).Index == rank.WordsOnly {
		return nil
	}
	v, err := l.Embedder.Embed(ctx, []string{a.Text()})
	if err != nil || len(v) != 1 || v[0] == nil {
		return err
	}
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil {
		return err
	}
	near, err := l.Index.Vectors(ctx, v[0], within, totals.Chunks) // room is made for as many
	w.Ranks.Vector = place(slices.IndexFunc(near, isIt))
	return err
}

// place makes a rank of an index; nil when it is -1.
func place(index int) *int {
	if index < 0 {
		return nil
	}
	n := index + 1
	return &n
}

// cut says what kept a passage out of the candidates.
func (w Why) cut(candidates int) string {
	switch fused := w.Ranks.Fused; {
	case fused == nil:
		return fmt.Sprintf("%s: only the first %d by words and by meaning are looked at.", w.Ranks, recall)
	case *fused > candidates:
		return fmt.Sprintf("Rank %d: only %d candidates are looked at.", *fused, candidates)
	}
	return ""
}

// shownInstead names the file that stands in the candidates for another one that
// says the same.
func (l *Library) shownInstead(ctx context.Context, all ordered, f File, candidates int) (string, error) {
	found, err := l.fetch(ctx, all.fused, all.shelf, evidence.Scope{}, candidates)
	for _, shown := range found {
		if shown.Source.Address != f.Path && slices.Contains(shown.Score.AlsoIn, f.Path) {
			return "The same text, or almost, stands in " + shown.Source.Address + ", which is shown for both.", err
		}
	}
	return "", err
}

// String tells the ranks that exist, in words.
func (r Ranks) String() string {
	switch {
	case r.Keyword != nil && r.Vector != nil:
		return fmt.Sprintf("Rank %d by words, %d by meaning", *r.Keyword, *r.Vector)
	case r.Keyword != nil:
		return fmt.Sprintf("Rank %d by words", *r.Keyword)
	case r.Vector != nil:
		return fmt.Sprintf("Rank %d by meaning", *r.Vector)
	}
	return "Not found"
}

func (l *Library) bestMatch(ctx context.Context, p rank.Fused, f File, a asked.Search) (*Match, error) {
	placed, err := l.Catalog.Passages(ctx, []evidence.PassageID{p.ID})
	if err != nil || len(placed) == 0 {
		return nil, err
	}
	m := match(placed[0], []File{f}, a.Marking(), p.Score)
	if p.Vector {
		m.Via = "words and meaning"
	}
	return &m, nil
}
