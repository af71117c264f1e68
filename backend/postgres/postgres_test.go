//go:build unix

package postgres

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/librarytest"
	"footnote/backend/postgres/pgtest"
	"footnote/backend/records/recordstest"
)

var quiet = slog.New(slog.DiscardHandler)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// team is a prepared database.
func newTeam(t testing.TB, s *pgtest.Server, name string) *DB {
	t.Helper()
	url := s.Database(name)
	must(t, Init(t.Context(), url, quiet))
	db, err := Open(t.Context(), url, quiet)
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

func collection(t testing.TB, db *DB, name string) int {
	t.Helper()
	id, err := db.AddCollection(t.Context(), name)
	must(t, err)
	return id
}

func person(t testing.TB, db *DB, name string) int64 {
	t.Helper()
	id, err := db.AddPerson(t.Context(), name)
	must(t, err)
	return id
}

// TestServer shares one server among all that does not kill it.
func TestServer(t *testing.T) {
	s := pgtest.Start(t)
	t.Run("catalog", func(t *testing.T) {
		db := newTeam(t, s, "catalog")
		n := 0
		librarytest.Catalog(t, func(t *testing.T) library.Catalog {
			n++
			return db.Collection(House, collection(t, db, fmt.Sprint("c", n)))
		})
	})
	t.Run("index", func(t *testing.T) {
		db := newTeam(t, s, "index")
		n := 0
		librarytest.Index(t, func(t *testing.T) library.Index {
			n++
			return db.Collection(House, collection(t, db, fmt.Sprint("c", n))).Index()
		})
	})
	t.Run("records", func(t *testing.T) {
		db := newTeam(t, s, "records")
		n := 0
		recordstest.Run(t, func(t *testing.T) recordstest.Store {
			n++
			return db.Own(person(t, db, fmt.Sprint("p", n)), func() time.Time { return recordstest.Start })
		})
	})
	t.Run("several processes prepare a database at once", func(t *testing.T) { preparing(t, s) })
	t.Run("rights", func(t *testing.T) { rights(t, newTeam(t, s, "rights")) })
	t.Run("what is not seen weighs nothing", func(t *testing.T) { unseen(t, newTeam(t, s, "unseen")) })
	t.Run("who is nobody may nothing", func(t *testing.T) { nobody(t, newTeam(t, s, "nobody")) })
	t.Run("bytes that PostgreSQL has not", func(t *testing.T) { oddBytes(t, newTeam(t, s, "bytes")) })
}

// TestNothingLeaks asks at random what may be seen: of the library, of what people
// keep, and of what they share (sharing_leaks_test.go); by the program's checks and
// row-level security, and then by the latter alone.
func TestNothingLeaks(t *testing.T) {
	s := pgtest.Start(t)
	t.Run("nothing leaks", func(t *testing.T) { leaks(t, newTeam(t, s, "leaks"), false) })
	t.Run("what one keeps does not leak", func(t *testing.T) { ownLeaks(t, newTeam(t, s, "own"), false) })
	t.Run("what one keeps does not leak through row-level security alone", func(t *testing.T) { ownLeaks(t, newTeam(t, s, "ownalone"), true) })
	t.Run("nothing leaks through row-level security alone", func(t *testing.T) { leaks(t, newTeam(t, s, "leaksalone"), true) })
}

func preparing(t *testing.T, s *pgtest.Server) {
	url := s.Database("twice")
	if _, err := Open(t.Context(), url, quiet); fault.CodeOf(err) != fault.DataLocked {
		t.Errorf("an empty database opens: %v", err)
	}
	var both sync.WaitGroup
	for range 3 {
		both.Go(func() {
			if err := Init(t.Context(), url, quiet); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	db, err := Open(t.Context(), url, quiet)
	must(t, err)
	defer db.Close()
	_, err = db.owner.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)`)
	must(t, err)
	for what, err := range map[string]error{"init": Init(t.Context(), url, quiet), "open": func() error { _, err := Open(t.Context(), url, quiet); return err }()} {
		if fault.CodeOf(err) != fault.DataLocked {
			t.Errorf("%s with the schema of a newer Footnote: %v", what, err)
		}
	}
	for _, wrong := range []string{"nonsense://x", "postgres://nobody@127.0.0.1:1/x?connect_timeout=1"} {
		if _, err := Open(t.Context(), wrong, quiet); fault.CodeOf(err) != fault.InvalidSetting && fault.CodeOf(err) != fault.Busy {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func rights(t *testing.T, db *DB) {
	ctx := t.Context()
	a := collection(t, db, "Contracts")
	if _, err := db.AddCollection(ctx, "contracts"); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a name twice: %v", err)
	}
	anna, err := db.AddPerson(ctx, "Anna")
	must(t, err)
	staff, err := db.AddGroup(ctx, "Staff")
	must(t, err)
	fill(t, db, a, "lease", "The rent is due in May.")
	sees := func() bool {
		t.Helper()
		files, _, err := db.View(anna).Files(ctx, library.FileQuery{})
		must(t, err)
		return len(files) > 0
	}
	writes := func() bool {
		t.Helper()
		err := db.Collection(anna, a).SetNote(ctx, "k", "v")
		if err != nil && fault.CodeOf(err) != fault.PathNotAllowed {
			t.Fatal(err)
		}
		return err == nil
	}
	want := func(what string, see, write bool) {
		t.Helper()
		if sees() != see || writes() != write {
			t.Errorf("%s: sees %v, writes %v", what, !see, !write)
		}
	}
	want("no right", false, false)
	must(t, db.Grant(ctx, a, Grantee{Group: staff}, Reader))
	want("right of a group she is not in", false, false)
	must(t, db.Join(ctx, staff, anna))
	want("reader by group", true, false)
	must(t, db.Grant(ctx, a, Grantee{Person: anna}, Editor))
	want("editor herself", true, true)
	if level, err := db.Level(ctx, anna, a); err != nil || level != Editor {
		t.Errorf("level %q %v", level, err)
	}
	must(t, db.Block(ctx, anna, true))
	want("blocked", false, false)
	must(t, db.Block(ctx, anna, false))
	must(t, db.Revoke(ctx, a, Grantee{Person: anna}))
	want("reader by group again", true, false)
	if err := db.View(anna).SetNote(ctx, "k", "v"); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("written to the whole library: %v", err)
	}
	must(t, db.Leave(ctx, staff, anna))
	want("no right any more", false, false)
	must(t, db.DropCollection(ctx, a))
	if totals, err := db.View(House).Totals(ctx, ""); err != nil || totals.Files+totals.Chunks > 0 {
		t.Errorf("left of a collection: %+v %v", totals, err)
	}
}

// fill adds a file of lines to a collection, with words and vectors.
func fill(t testing.TB, db *DB, collection int, name string, lines ...string) []evidence.PassageID {
	t.Helper()
	v := db.Collection(House, collection)
	doc, passages := librarytest.Document("/docs/"+name+".txt", lines...)
	vectors := make([][]float32, len(passages))
	var ids []evidence.PassageID
	var entries []library.Entry
	for i, p := range passages {
		vectors[i] = []float32{1, float32(len(lines[i]) % 7), float32(i)}
		ids = append(ids, p.ID)
		entries = append(entries, library.Entry{ID: p.ID, Digest: doc.Source.Digest, Name: name, Heading: p.At.Heading, Body: p.Text})
	}
	must(t, v.Commit(t.Context(), []library.Intake{{File: librarytest.FileOf("/docs/"+name+".txt", doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: vectors}}))
	must(t, v.Index().Put(t.Context(), entries))
	must(t, v.MarkIndexed(t.Context(), []string{doc.Source.Digest}, true))
	return ids
}

// unseen: the scores of what a person finds are those that the collection has where
// it is the only one.
func unseen(t *testing.T, db *DB) {
	ctx := t.Context()
	mine, others := collection(t, db, "mine"), collection(t, db, "others")
	fill(t, db, mine, "a", "the lamp of the tower", "the tower stands on rock", "oil for the lamp")
	anna, err := db.AddPerson(ctx, "Anna")
	must(t, err)
	must(t, db.Grant(ctx, mine, Grantee{Person: anna}, Reader))
	q := library.Query{Text: "lamp tower", N: 10}
	before, err := db.View(anna).Index().Words(ctx, q)
	must(t, err)
	for i := range 30 {
		fill(t, db, others, fmt.Sprint("b", i), fmt.Sprintf("a lamp and a lamp in house %d", i))
	}
	after, err := db.View(anna).Index().Words(ctx, q)
	must(t, err)
	if len(before) != 3 || !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

// nobody: a connection that names nobody sees no row of any table, and cannot add
// one.
func nobody(t *testing.T, db *DB) {
	fill(t, db, collection(t, db, "a"), "a", "one", "two")
	tables, err := collect(t.Context(), db.owner, pgx.RowTo[string], `SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'footnote' AND column_name = 'collection'
		AND table_name NOT IN ('grants', 'rights')`)
	must(t, err)
	if len(tables) < 12 {
		t.Fatalf("tables: %v", tables)
	}
	for _, table := range append(tables, "collections") {
		var n int
		must(t, db.member.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
		if n > 0 {
			t.Errorf("%s: %d rows", table, n)
		}
	}
	if _, err := db.member.Exec(t.Context(), `INSERT INTO notes (collection, key, value) SELECT 1, 'a', 'b'`); !hasCode(err, codeDenied) {
		t.Errorf("added: %v", err)
	}
	for _, table := range []string{"people", "groups", "members", "grants"} {
		if _, err := db.member.Exec(t.Context(), `SELECT 1 FROM `+table); !hasCode(err, codeDenied) {
			t.Errorf("%s: %v", table, err)
		}
	}
	var n int
	if must(t, db.member.QueryRow(t.Context(), `SELECT count(*) FROM candidates(ARRAY['one'], NULL)`).Scan(&n)); n > 0 {
		t.Errorf("%d candidates", n)
	}
}

func oddBytes(t *testing.T, db *DB) {
	v := db.Collection(House, collection(t, db, "a"))
	path := "/docs/\xff\xfe ü\x00.txt"
	doc, passages := librarytest.Document(path, "nul \x00 here", "next")
	must(t, v.Commit(t.Context(), []library.Intake{{File: librarytest.FileOf(path, doc), Document: &doc, Passages: passages}}))
	files, _, err := v.Files(t.Context(), library.FileQuery{Under: []string{path}})
	must(t, err)
	if len(files) != 1 || files[0].Path != path {
		t.Errorf("%d files: %+v", len(files), files)
	}
	text, _, err := v.Text(t.Context(), doc.Source.Digest)
	if must(t, err); text != "nul   here\nnext" {
		t.Errorf("%q", text)
	}
}
