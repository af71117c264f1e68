//go:build unix

package postgres

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/settings"
	"footnote/backend/store/quantize"
)

// leakWorld is a team whose every word tells its collection: what a route gives
// names where it comes from.
type leakWorld struct {
	*DB
	people, groups []int64
	collections    []int
	ids            map[int][]evidence.PassageID
	digests        map[int][]string
}

// leakCases is also given by  go test ./backend/postgres -run Leaks -args -leaks 100000
var leakCases = flag.Int("leaks", 150, "random cases of each leak test")

const (
	leakCollections = 8
	leakPeople      = 6
	leakGroups      = 3
)

func newLeakWorld(t *testing.T, db *DB) *leakWorld {
	w := &leakWorld{DB: db, ids: map[int][]evidence.PassageID{}, digests: map[int][]string{}}
	for i := range leakPeople {
		id, err := db.AddPerson(t.Context(), fmt.Sprint("person", i))
		must(t, err)
		w.people = append(w.people, id)
	}
	for i := range leakGroups {
		id, err := db.AddGroup(t.Context(), fmt.Sprint("group", i))
		must(t, err)
		w.groups = append(w.groups, id)
	}
	for i := range leakCollections {
		c := collection(t, db, fmt.Sprint("collection", i))
		w.collections = append(w.collections, c)
		for j := range 3 {
			mark := fmt.Sprintf("mark%dx", c)
			name := fmt.Sprintf("%s %d", mark, j)
			w.ids[c] = append(w.ids[c], fill(t, db, c, name, mark+" the common lamp "+strings.Repeat("and ", j), mark+" rock and tower", mark+" oil")...)
		}
		files, _, err := db.Collection(House, c).Files(t.Context(), library.FileQuery{})
		must(t, err)
		for _, f := range files {
			w.digests[c] = append(w.digests[c], f.Digest)
		}
		must(t, db.Collection(House, c).PutRoot(t.Context(), library.Root{ID: fmt.Sprintf("rot_mark%dx", c), Path: fmt.Sprintf("/mark%dx", c), Reachable: true}))
		must(t, db.Collection(House, c).PutCollection(t.Context(), library.Collection{ID: fmt.Sprintf("col_mark%dx", c), Name: fmt.Sprintf("mark%dx", c)}))
	}
	return w
}

// change gives, takes or moves a right at random.
func (w *leakWorld) change(ctx context.Context, r *rand.Rand) error {
	person, group, c := w.people[r.IntN(len(w.people))], w.groups[r.IntN(len(w.groups))], w.collections[r.IntN(len(w.collections))]
	level := []Level{Reader, Editor, Owner}[r.IntN(3)]
	switch r.IntN(8) {
	case 0, 1:
		return w.Grant(ctx, c, Grantee{Person: person}, level)
	case 2:
		return w.Revoke(ctx, c, Grantee{Person: person})
	case 3:
		return w.Grant(ctx, c, Grantee{Group: group}, level)
	case 4:
		return w.Revoke(ctx, c, Grantee{Group: group})
	case 5:
		return w.Join(ctx, group, person)
	case 6:
		return w.Leave(ctx, group, person)
	}
	return w.Block(ctx, person, r.IntN(2) == 0)
}

// allowed are the collections of a person by the tables of grants alone, worked out
// here and not by what is tested.
func (w *leakWorld) allowed(ctx context.Context, person int64) (map[int]bool, error) {
	rows, err := w.owner.Query(ctx, `SELECT collection FROM grants g WHERE (g.person = $1 OR EXISTS (SELECT 1 FROM members m WHERE m.grp = g.grp AND m.person = $1))
		AND EXISTS (SELECT 1 FROM people p WHERE p.id = $1 AND NOT p.blocked)`, person)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	may := map[int]bool{}
	for rows.Next() {
		var c int
		if err := rows.Scan(&c); err != nil {
			return nil, err
		}
		may[c] = true
	}
	return may, rows.Err()
}

// route asks in one way and gives all that came back as text, and how much a person
// who may read these collections is owed; owed is -1 where that is not counted.
type route struct {
	name string
	ask  func(ctx context.Context, w *leakWorld, v *View, about int, may map[int]bool) (told string, got, owed int, err error)
}

func tell[T any](values []T, err error) (string, int, error) {
	return fmt.Sprintf("%+v", values), len(values), err
}

func each(may map[int]bool, n int) int { return n * len(may) }

func one(may map[int]bool, c, n int) int {
	if may[c] {
		return n
	}
	return 0
}

var routes = []route{
	{"files", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		files, _, err := v.Files(ctx, library.FileQuery{Unlisted: true, Hidden: true})
		told, n, err := tell(files, err)
		return told, n, each(may, 3), err
	}},
	{"files of a digest", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		files, _, err := v.Files(ctx, library.FileQuery{Digests: w.digests[c], Sort: "name", Limit: 9})
		told, n, err := tell(files, err)
		return told, n, one(may, c, 3), err
	}},
	{"holders", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Holders(ctx, w.digests[c]))
		return told, n, one(may, c, 3), err
	}},
	{"totals", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		t, err := v.Totals(ctx, "e1")
		return "", t.Files + t.Chunks + t.Indexed + t.Vectors, each(may, 3+9+9+9), err
	}},
	{"passages", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Passages(ctx, w.ids[c]))
		return told, n, one(may, c, 9), err
	}},
	{"openings", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Openings(ctx, w.digests[c]))
		return told, n, one(may, c, 3), err
	}},
	{"where", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		where, err := v.Where(ctx, w.ids[c])
		return "", len(where), one(may, c, 9), err
	}},
	{"known", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		known, err := v.Known(ctx, w.digests[c])
		return "", len(known), one(may, c, 3), err
	}},
	{"text", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		text, _, err := v.Text(ctx, w.digests[c][0])
		if fault.CodeOf(err) == fault.NotFound {
			err = nil
		}
		return text, strings.Count(text, "\n"), one(may, c, 2), err
	}},
	{"digests", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		found, err := v.Digests(ctx, nil, nil)
		return "", len(found), each(may, 3), err
	}},
	{"roots", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Roots(ctx))
		return told, n, each(may, 1), err
	}},
	{"named sets", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Collections(ctx))
		return told, n, each(may, 1), err
	}},
	{"topics", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		n, err := v.TopicTexts(ctx)
		return "", n, each(may, 3), err
	}},
	{"stored vectors", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		n := 0
		err := v.EachVector(ctx, "e1", func(ids []evidence.PassageID, _ []string, _ []quantize.Steps) error { n += len(ids); return nil })
		return "", n, each(may, 9), err
	}},
	{"words", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Index().Words(ctx, library.Query{Text: "common lamp", N: 100}))
		return told, n, each(may, 3), err
	}},
	{"words of a collection", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Index().Words(ctx, library.Query{Text: fmt.Sprintf("mark%dx", c), Must: []string{fmt.Sprintf("mark%dx", c)}, N: 100}))
		return told, n, one(may, c, 9), err
	}},
	{"a word half typed", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Index().Words(ctx, library.Query{Text: fmt.Sprintf("mark%d", c), Prefix: true, N: 100}))
		if !may[c] { // then letters are taken off, and it stands for other words
			return told, n, n, err
		}
		return told, n, 9, err
	}},
	{"a word mistyped", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Index().Words(ctx, library.Query{Text: "towr", N: 100}))
		return told, n, each(may, 3), err
	}},
	{"all of some texts", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		within := map[string]bool{}
		for _, d := range w.digests[c] {
			within[d] = true
		}
		told, n, err := tell(v.Index().Words(ctx, library.Query{All: true, Within: within, N: 100}))
		return told, n, one(may, c, 9), err
	}},
	{"nearest", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		told, n, err := tell(v.Index().Vectors(ctx, []float32{1, 1, 1}, nil, 100))
		return told, n, each(may, 9), err
	}},
	{"a search of the library", func(ctx context.Context, w *leakWorld, v *View, c int, may map[int]bool) (string, int, int, error) {
		l := library.New(library.Config{Catalog: v, Index: v.Index(), Settings: settings.Default, Now: time.Now, Log: quiet})
		found, err := l.Search(ctx, fmt.Sprintf("mark%dx rock", c), evidence.Scope{}, 50)
		told, _, err := tell(found, err)
		return told, -1, -1, err
	}},
	{"a count of the library", func(ctx context.Context, w *leakWorld, v *View, _ int, may map[int]bool) (string, int, int, error) {
		l := library.New(library.Config{Catalog: v, Index: v.Index(), Settings: settings.Default, Now: time.Now, Log: quiet})
		m, err := l.Mentions(ctx, "oil", evidence.Scope{})
		return fmt.Sprintf("%+v", m), m.Files, each(may, 3), err
	}},
}

// leaks asks at random what may be seen, while rights change between the cases, and
// in its second half beside them.
func leaks(t *testing.T, db *DB, unchecked bool) {
	w := newLeakWorld(t, db)
	w.unchecked = unchecked
	r := rand.New(rand.NewPCG(18, 63))
	full, leaked := 0, 0
	for n := range *leakCases {
		if n%2 == 0 {
			must(t, w.change(t.Context(), r))
		}
		person, c, way := w.people[r.IntN(len(w.people))], w.collections[r.IntN(len(w.collections))], routes[r.IntN(len(routes))]
		may, err := w.allowed(t.Context(), person)
		must(t, err)
		told, got, owed, err := way.ask(t.Context(), w, w.View(person), c, may)
		if err != nil {
			t.Fatalf("%s: %v", way.name, err)
		}
		if got != owed {
			leaked++
			t.Errorf("%s of person %d, who may %v: %d instead of %d", way.name, person, may, got, owed)
		}
		for _, other := range w.collections {
			if !may[other] && w.tells(told, other) {
				leaked++
				t.Errorf("%s of person %d, who may %v, tells of collection %d: %.200s", way.name, person, may, other, told)
			}
		}
		if len(may) > 0 && got > 0 {
			full++
		}
		w.trespass(t, person, c, may)
	}
	if full < *leakCases/5 {
		t.Errorf("only %d of %d cases had something to tell", full, *leakCases)
	}
	w.whileRightsChange(t, r)
	t.Logf("%d cases, %d with an answer, %d leaks", *leakCases, full, leaked)
}

// tells reports whether a text names a collection, or a passage or text of it.
func (w *leakWorld) tells(told string, c int) bool {
	if strings.Contains(told, fmt.Sprintf("mark%dx", c)) {
		return true
	}
	for _, id := range w.ids[c] {
		if strings.Contains(told, string(id)) {
			return true
		}
	}
	return false
}

// trespass writes to a collection that the person may not even read, and reads it
// by its number.
func (w *leakWorld) trespass(t *testing.T, person int64, c int, may map[int]bool) {
	t.Helper()
	if may[c] {
		return
	}
	v := w.Collection(person, c)
	if files, _, err := v.Files(t.Context(), library.FileQuery{}); err != nil || len(files) > 0 {
		t.Errorf("person %d reads collection %d: %d files, %v", person, c, len(files), err)
	}
	if err := v.SetNote(t.Context(), "trespass", "here"); fault.CodeOf(err) != fault.PathNotAllowed {
		t.Errorf("person %d writes to collection %d: %v", person, c, err)
	}
}

// whileRightsChange: whoever asks after a right was taken away sees nothing of it,
// however many ask and whatever changes for others meanwhile.
func (w *leakWorld) whileRightsChange(t *testing.T, r *rand.Rand) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	anna := w.people[0]
	var asking sync.WaitGroup
	asking.Go(func() { // others' rights, all the while
		other := rand.New(rand.NewPCG(1, 1))
		for ctx.Err() == nil {
			c := w.collections[other.IntN(len(w.collections))]
			to := Grantee{Person: w.people[1+other.IntN(len(w.people)-1)]}
			if err := w.Grant(ctx, c, to, Reader); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			if err := w.Revoke(ctx, c, to); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	for _, group := range w.groups {
		must(t, w.Leave(t.Context(), group, anna))
	}
	must(t, w.Block(t.Context(), anna, false))
	for range 20 {
		c := w.collections[r.IntN(len(w.collections))]
		must(t, w.Grant(t.Context(), c, Grantee{Person: anna}, Reader))
		if hits, err := w.View(anna).Passages(t.Context(), w.ids[c]); err != nil || len(hits) != 9 {
			t.Errorf("granted, and sees %d: %v", len(hits), err)
		}
		must(t, w.Revoke(t.Context(), c, Grantee{Person: anna}))
		if hits, err := w.View(anna).Passages(t.Context(), w.ids[c]); err != nil || len(hits) > 0 {
			t.Errorf("revoked, and sees %d: %v", len(hits), err)
		}
	}
	cancel()
	asking.Wait()
}
