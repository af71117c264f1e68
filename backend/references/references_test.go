package references

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// Tables of Zotero 7, as far as they are read.
const zoteroTables = `
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP, dateModified TIMESTAMP, clientDateModified TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL, version INT DEFAULT 0, synced INT DEFAULT 0);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1, orderIndex INT NOT NULL DEFAULT 0);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, charsetID INT, path TEXT, syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT, lastProcessedModificationTime INT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INTEGER NOT NULL, authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL, position TEXT NOT NULL, isExternal INT NOT NULL);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT DEFAULT NULL, clientDateModified TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL, version INT DEFAULT 0, synced INT DEFAULT 0);
CREATE TABLE collectionItems (collectionID INT NOT NULL, itemID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
INSERT INTO itemTypes VALUES (1, 'journalArticle'), (2, 'attachment'), (3, 'note'), (4, 'annotation'), (5, 'book');
INSERT INTO fields VALUES (1, 'title', 0), (2, 'date', 0), (3, 'DOI', 0), (4, 'extra', 0), (5, 'url', 0);
INSERT INTO items (itemID, itemTypeID, libraryID, key) VALUES (10, 1, 1, 'AAAA1111'), (11, 2, 1, 'BBBB2222'), (12, 4, 1, 'CCCC3333'), (13, 4, 1, 'DDDD4444'), (14, 3, 1, 'EEEE5555'),
  (20, 5, 1, 'FFFF6666'), (21, 2, 1, 'GGGG7777'), (30, 1, 1, 'HHHH8888'), (31, 2, 1, 'IIII9999'), (40, 2, 1, 'JJJJ0000'), (41, 4, 1, 'KKKK0000');
INSERT INTO itemDataValues VALUES (1, 'Bridges of the north'), (2, '1999-04-00 April 1999'), (3, '10.1000/xyz_1'), (4, 'tex.ids: x
Citation Key: roeBridges1999'), (5, 'A book that is lent'), (6, 'Thrown away');
INSERT INTO itemData VALUES (10, 1, 1), (10, 2, 2), (10, 3, 3), (10, 4, 4), (20, 1, 5), (30, 1, 6);
INSERT INTO creators VALUES (1, 'Ann', 'Roe', 0), (2, '', 'Bridge Society', 1);
INSERT INTO itemCreators (itemID, creatorID, orderIndex) VALUES (10, 2, 1), (10, 1, 0);
INSERT INTO itemAttachments (itemID, parentItemID, linkMode, path) VALUES (11, 10, 0, 'storage:roe.pdf'), (21, 20, 2, '/nowhere/lent.pdf'), (31, 30, 0, 'storage:old.pdf'), (40, NULL, 0, 'storage:../../alone.pdf');
INSERT INTO itemAnnotations VALUES (13, 11, 1, '', 'It cost 4.2 million pounds.', '', '#ff0', '13', '00012|1', '{}', 0), (12, 11, 1, '', 'The bridge was
opened in 1932.', 'Compare with the county record.', '#ff0', '12', '00011|1', '{}', 0), (41, 11, 4, '', NULL, NULL, '#ff0', '14', '00013|1', '{}', 0);
INSERT INTO itemNotes VALUES (14, 10, '<div><p>Read &amp; <b>checked</b></p><p>twice</p></div>', 'Read');
INSERT INTO collections (collectionID, collectionName, parentCollectionID, libraryID, key) VALUES (1, 'Thesis', NULL, 1, 'X'), (2, 'Bridges', 1, 1, 'Y'), (3, 'Empty', NULL, 1, 'Z');
INSERT INTO collectionItems VALUES (2, 10, 0), (1, 30, 0), (1, 20, 1);
INSERT INTO deletedItems (itemID) VALUES (30);`

func zoteroLibrary(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, at := range []string{"BBBB2222/roe.pdf", "IIII9999/old.pdf"} {
		path := filepath.Join(dir, "storage", filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("%PDF-1.4"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, zoteroFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(zoteroTables); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestZoterosWorksAreReadWithTheirFilesAnnotationsAndCollections(t *testing.T) {
	dir := zoteroLibrary(t)
	before, err := os.ReadFile(filepath.Join(dir, zoteroFile))
	if err != nil {
		t.Fatal(err)
	}
	z, err := ReadZotero(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(z.Items) != 1 {
		t.Fatalf("%+v", z.Items)
	}
	it := z.Items[0]
	if it.CiteKey != "roeBridges1999" || it.DOI != "10.1000/xyz_1" || !slices.Equal(it.Creators, []string{"Ann Roe", "Bridge Society"}) || !slices.Equal(it.Files, []string{filepath.Join(dir, "storage", "BBBB2222", "roe.pdf")}) {
		t.Errorf("%+v", it)
	}
	const want = "# Bridges of the north\n\nAnn Roe; Bridge Society, April 1999, cited as @roeBridges1999\n\n> The bridge was opened in 1932.\n\nCompare with the county record.\n\n(marked in roe.pdf, page 12)\n\n> It cost 4.2 million pounds.\n\n(marked in roe.pdf, page 13)\n\nRead & checked\n\ntwice\n"
	if got := it.Text(); got != want {
		t.Errorf("%q", got)
	}
	if it.Name() != "Bridges of the north (notes AAAA1111).md" {
		t.Error(it.Name())
	}
	if len(z.Collections) != 2 || z.Collections[1].Name != "Thesis / Bridges" || !slices.Equal(z.Collections[1].Items, []int64{10}) {
		t.Errorf("%+v", z.Collections)
	}
	if !slices.Equal(z.Missing, []string{"lent.pdf"}) {
		t.Errorf("%v", z.Missing)
	}
	after, err := os.ReadFile(filepath.Join(dir, zoteroFile))
	if names, _ := os.ReadDir(dir); err != nil || string(before) != string(after) || len(names) != 2 {
		t.Errorf("the library was changed: %v %v", names, err)
	}
}

func TestZoteroIsReadWhileItRuns(t *testing.T) {
	dir := zoteroLibrary(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, zoteroFile))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer db.Close()
	for _, step := range []string{`PRAGMA locking_mode = EXCLUSIVE`, `PRAGMA journal_mode = WAL`, `UPDATE itemDataValues SET value = 'Bridges, renamed' WHERE valueID = 1`} {
		if _, err := db.Exec(step); err != nil {
			t.Fatal(err)
		}
	}
	z, err := ReadZotero(t.Context(), dir)
	if err != nil || len(z.Items) != 1 || z.Items[0].Title != "Bridges, renamed" {
		t.Errorf("%v %+v", err, z.Items)
	}
}

func TestWhatIsNoLibraryOfZoteroIsSaid(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadZotero(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "no library of Zotero") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, zoteroFile), []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadZotero(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "none that Footnote knows") {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := ReadZotero(stopped, zoteroLibrary(t)); err != context.Canceled {
		t.Error(err)
	}
}

const bib = `% a comment with @ in it
@comment{ignored {nested}}
@string{jan = "January"}
@article{roe_1999,
  title = {The {Lorne} bridge at hundred},
  doi = {10.1000/XYZ\_1},
  month = jan # " 3",
  file = {Full Text:files/12/roe.pdf:application/pdf;C\:\\Papers\\roe.pdf}
}
@book(two2001, title = "A book of {"}quotes{"} in three", url = "https://example.org/two/")
@misc{nothing}
`

func TestCiteKeysComeFromBibTeX(t *testing.T) {
	entries, err := ParseBibTeX(bib)
	if err != nil || len(entries) != 3 || entries[0].Key != "roe_1999" || entries[0].Fields["month"] != "jan 3" || entries[1].Type != "book" {
		t.Fatalf("%v %+v", err, entries)
	}
	k := Keys{}
	if n, err := k.AddBibTeX(bib, filepath.FromSlash("/papers")); err != nil || n != 2 {
		t.Errorf("%d %v %+v", n, err, k)
	}
	for key, w := range map[string]Work{
		"roe_1999": {DOI: "https://doi.org/10.1000/xyz_1"}, "two2001": {URL: "http://Example.org/two#page"}, "": {Title: "The bridge"},
	} {
		if got := k.Of(w); got != key {
			t.Errorf("%+v: %q, not %q", w, got, key)
		}
	}
	if k.Of(Work{Title: "the lorne bridge at hundred"}) != "roe_1999" || k.Of(Work{Path: filepath.FromSlash("/papers/files/12/roe.pdf")}) != "roe_1999" {
		t.Errorf("%+v", k)
	}
	k.Add("other", Work{Title: "The Lorne Bridge at Hundred"})
	if got := k.Of(Work{Title: "The Lorne Bridge at Hundred"}); got != "" {
		t.Errorf("a title of two works has the key %q", got)
	}
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := SaveKeys(path, k); err != nil {
		t.Fatal(err)
	}
	if again, err := LoadKeys(path); err != nil || len(again) != len(k) {
		t.Errorf("%v %v", again, err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKeys(path); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("a file of a terabyte: %v", err)
	}
	if _, err := ParseBibTeX("@article{broken, title = {no end"); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
}

func FuzzParseBibTeX(f *testing.F) {
	f.Add(bib)
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := ParseBibTeX(text)
		if err == nil && len(entries) > strings.Count(text, "@") {
			t.Errorf("%d entries", len(entries))
		}
	})
}

func TestAViewInThePlaceOfATableIsNotRead(t *testing.T) {
	dir := zoteroLibrary(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, zoteroFile))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`DROP TABLE collections; CREATE VIEW collections AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS collectionID, 'x' AS collectionName, 0 AS parentCollectionID FROM n`)
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := ReadZotero(ctx, dir); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("read until %v", err)
	}
}

// FuzzReadZotero reads any bytes as the database of another program: what comes of
// them is what a person can be told, or works that have something.
func FuzzReadZotero(f *testing.F) {
	whole, err := os.ReadFile(filepath.Join(zoteroLibrary(f), zoteroFile))
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("SQLite format 3\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, zoteroFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		z, err := ReadZotero(t.Context(), dir)
		if err != nil {
			if code := fault.CodeOf(err); code == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		for _, it := range z.Items {
			if len(it.Files)+len(it.Annotations)+len(it.Notes) == 0 {
				t.Fatalf("%+v has nothing", it)
			}
		}
	})
}
