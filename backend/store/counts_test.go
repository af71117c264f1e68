package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
	"footnote/backend/store/tally"
)

// atHand are the counts as they were added up, asRows those of the rows.
func atHand(t testing.TB, db *DB) (all tally.Classes) {
	t.Helper()
	must(t, db.counts.Read(t.Context(), db.r, func(c tally.Classes) { all = c }))
	return all
}

func asRows(t testing.TB, db *DB) (all tally.Classes) {
	t.Helper()
	must(t, new(tally.Tally).Read(t.Context(), db.r, func(c tally.Classes) { all = c }))
	return all
}

var errUndone = errors.New("undone")

// change does one thing that a library does, of a few files.
func change(t testing.TB, db *DB, rnd *rand.Rand) {
	t.Helper()
	path := fmt.Sprintf("/docs/%d.txt", rnd.IntN(6))
	f := library.File{ID: evidence.ID("fil", path), Path: path, Root: []string{"", "rot_1", "rot_2"}[rnd.IntN(3)], Listed: rnd.IntN(2) == 0, State: library.Waiting}
	f.Stamp.Size = rnd.Int64N(100)
	switch rnd.IntN(8) {
	case 0, 1:
		must(t, db.PutFiles(t.Context(), []library.File{f}))
	case 2, 3:
		doc, passages := document(evidence.File, path, fmt.Sprintf("text %d", rnd.IntN(4)), "one more")
		read := fileOf(path, doc)
		read.Root, read.Listed, read.Stamp = f.Root, f.Listed, f.Stamp
		must(t, db.Commit(t.Context(), []library.Intake{{File: read, Document: &doc, Passages: passages}}))
	case 4:
		must(t, db.DropFiles(t.Context(), []string{f.ID, "fil_none"}))
	case 5:
		placed, err := db.Unvectored(t.Context(), "e1", 9)
		must(t, err)
		ids, vectors := []evidence.PassageID{}, [][]float32{}
		for _, p := range placed {
			ids, vectors = append(ids, p.Passage.ID), append(vectors, []float32{1, 2})
		}
		must(t, db.PutVectors(t.Context(), "e1", false, ids, vectors))
	case 6:
		_, err := db.w.ExecContext(t.Context(), `UPDATE texts SET indexed = ? WHERE shelved = 1`, rnd.IntN(2))
		must(t, err)
	case 7:
		err := db.w.Write(t.Context(), "fail", func(tx *sqlite.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE files SET size = 7, state = 'failed'`)
			must(t, err)
			_, err = tx.ExecContext(t.Context(), `DELETE FROM texts`)
			return errors.Join(err, errUndone)
		})
		if !errors.Is(err, errUndone) {
			t.Fatal(err)
		}
	}
}

func TestCountsAreThoseOfTheRows(t *testing.T) {
	db := open(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		change(t, db, rnd)
		if got, want := atHand(t, db), asRows(t, db); !reflect.DeepEqual(got, want) {
			t.Fatalf("after %d changes %v, the rows say %v", i+1, got, want)
		}
	}
}

func TestCountsAreThoseOfTheRowsAfterARestart(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		change(t, db, rnd)
	}
	must(t, db.Close())
	again := openIn(t, dir)
	change(t, again, rnd) // before anybody has asked
	if got, want := atHand(t, again), asRows(t, again); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, the rows say %v", got, want)
	}
}

// What is counted while somebody writes is not kept as what stands.
func TestCountsHoldWhileOthersWrite(t *testing.T) {
	db := open(t)
	var writing, reading sync.WaitGroup
	for w := range 3 {
		writing.Go(func() {
			rnd := rand.New(rand.NewPCG(5, uint64(w)))
			for range 60 {
				path := fmt.Sprintf("/docs/%d-%d.txt", w, rnd.IntN(9))
				f := library.File{ID: evidence.ID("fil", path), Path: path, Root: "rot_1", Listed: true, State: library.Waiting}
				if err := db.PutFiles(t.Context(), []library.File{f}); err != nil {
					t.Error(err)
				}
				if err := db.w.Write(t.Context(), "fail", func(tx *sqlite.Tx) error {
					_, err := tx.ExecContext(t.Context(), `UPDATE files SET state = 'failed'`)
					return errors.Join(err, errUndone)
				}); !errors.Is(err, errUndone) {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	reading.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			totals, err := db.Totals(t.Context(), "e1")
			if err != nil || totals.Failed > 0 || totals.Files != totals.Waiting {
				t.Errorf("%+v, %v", totals, err)
			}
		}
	})
	writing.Wait()
	close(done)
	reading.Wait()
	if got, want := atHand(t, db), asRows(t, db); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, the rows say %v", got, want)
	}
}

// BenchmarkStatus counts a library of 13,000 files of which one was just written, as
// GET /api/library does while files are read.
func BenchmarkStatus(b *testing.B) {
	db := open(b)
	files := make([]library.File, 13_000)
	for i := range files {
		path := fmt.Sprintf("/docs/of a folder/%d.html", i)
		files[i] = library.File{ID: evidence.ID("fil", path), Path: path, Root: "rot_1", Listed: true, State: library.Ready}
	}
	must(b, db.PutFiles(b.Context(), files))
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		f := files[i%len(files)]
		f.State = library.Waiting
		must(b, db.PutFiles(b.Context(), []library.File{f}))
		b.StartTimer()
		_, err := db.Totals(b.Context(), "e1")
		must(b, err)
		_, err = db.RootCounts(b.Context(), "rot_1")
		must(b, err)
	}
}
