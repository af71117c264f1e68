//go:build unix

package postgres

import (
	"fmt"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/library/librarytest"
	"footnote/backend/postgres/pgtest"
)

// TestNothingAcknowledgedIsLostWhenTheServerDies kills the server while files come
// in and are indexed: what was said to be stored is there, whole, and once.
func TestNothingAcknowledgedIsLostWhenTheServerDies(t *testing.T) {
	s := pgtest.Start(t)
	db := newTeam(t, s, "kill")
	v := db.Collection(House, collection(t, db, "a"))
	stored, failures := []string{}, 0
	for round := range 3 {
		killed := make(chan struct{})
		for n := 0; ; n++ {
			if n == 3 { // some are stored, and the next is on its way
				time.AfterFunc(time.Duration(7*round)*time.Millisecond, func() { s.Kill(); close(killed) })
			}
			name := fmt.Sprintf("%d-%d", round, n)
			if err := intake(t, v, name); err != nil {
				failures++
				break
			}
			stored = append(stored, name)
		}
		<-killed
		s.Run()
		reachable(t, v)
		wantStored(t, v, stored)
	}
	if failures != 3 || len(stored) == 0 {
		t.Errorf("%d failures, %d stored", failures, len(stored))
	}
}

// intake stores a file and indexes what waits, as the library does.
func intake(t *testing.T, v *View, name string) error {
	path := "/docs/" + name + ".txt"
	doc, passages := librarytest.Document(path, "word "+name, "another "+name)
	if err := v.Commit(t.Context(), []library.Intake{{File: librarytest.FileOf(path, doc), Document: &doc, Passages: passages}}); err != nil {
		return err
	}
	return learnDue(t, v)
}

func learnDue(t *testing.T, v *View) error {
	due, err := v.Unindexed(t.Context(), 100)
	if err != nil || len(due) == 0 {
		return err
	}
	var entries []library.Entry
	var digests []string
	for _, p := range due {
		entries = append(entries, library.Entry{ID: p.Passage.ID, Digest: p.Digest, Body: p.Passage.Text})
		digests = append(digests, p.Digest)
	}
	if err := v.Index().Put(t.Context(), entries); err != nil {
		return err
	}
	return v.MarkIndexed(t.Context(), digests, true)
}

func reachable(t *testing.T, v *View) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := learnDue(t, v)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func wantStored(t *testing.T, v *View, stored []string) {
	t.Helper()
	hits, err := v.Index().Words(t.Context(), library.Query{Text: "word another", N: 1 << 20})
	must(t, err)
	found := map[evidence.PassageID]bool{}
	for _, h := range hits {
		if found[h.ID] {
			t.Errorf("%s is found twice", h.ID)
		}
		found[h.ID] = true
	}
	for _, name := range stored {
		_, passages := librarytest.Document("/docs/"+name+".txt", "word "+name, "another "+name)
		for _, p := range passages {
			if !found[p.ID] {
				t.Errorf("a passage of %s is lost", name)
			}
		}
	}
	totals, err := v.Totals(t.Context(), "")
	must(t, err)
	var counted int
	must(t, v.db.owner.QueryRow(t.Context(), `SELECT coalesce(sum(passages), 0) FROM measures`).Scan(&counted))
	if totals.Chunks != len(hits) || counted != len(hits) || totals.Files < len(stored) || totals.Files > len(stored)+3 {
		t.Errorf("%d files of %d, %d passages, %d found, %d counted", totals.Files, len(stored), totals.Chunks, len(hits), counted)
	}
}
