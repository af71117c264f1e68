package references

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// Zotero is a library of Zotero as it was read. Deleted things are not in it.
type Zotero struct {
	Items       []Item       // that have files, annotations or notes; by key
	Collections []Collection // by name
	Missing     []string     // names of files that Zotero has not got on this computer
}

// Item is a work with what the reader has of it.
type Item struct {
	ID          int64
	Key         string // of Zotero
	CiteKey     string
	Title       string
	Creators    []string
	Date        string // as it was typed
	DOI, URL    string
	Files       []string // absolute paths
	Annotations []Annotation
	Notes       []string // HTML
}

// Annotation is what was marked in a file, in the order of its pages.
type Annotation struct{ File, Page, Text, Comment string }

// Collection is a named set of works; a name within another is "Physics / Optics".
type Collection struct {
	Name  string
	Items []int64
}

// ZoteroFolder is where Zotero keeps its data unless it was told otherwise.
func ZoteroFolder() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "Zotero")
}

const zoteroFile = "zotero.sqlite"

// triesOfZotero bound how often a database that is being written is read anew.
const triesOfZotero = 3

// ReadZotero reads the library in a data folder of Zotero, which may be running: its
// database is opened read-only and without locks, and read again when it changed
// meanwhile. Faults: not-found without a database, invalid-request of one that is
// none of Zotero's.
func ReadZotero(ctx context.Context, folder string) (Zotero, error) {
	path := filepath.Join(folder, zoteroFile)
	var last error
	for range triesOfZotero {
		before, err := os.Stat(path)
		if err != nil {
			return Zotero{}, fault.Wrap(err, fault.NotFound, "There is no library of Zotero in "+folder+".", "Name the folder that holds "+zoteroFile+"; Zotero shows it under Settings, Advanced, Files and Folders.")
		}
		z, err := readZotero(ctx, path, folder)
		after, statErr := os.Stat(path)
		if statErr == nil && after.ModTime().Equal(before.ModTime()) && after.Size() == before.Size() {
			return z, err
		}
		last = errors.Join(err, statErr)
	}
	return Zotero{}, fault.Wrap(last, fault.Busy, "Zotero is writing its library just now.", "Try again in a moment, or close Zotero.")
}

func readZotero(ctx context.Context, path, folder string) (Zotero, error) {
	path, cleanUp, err := settled(path)
	if err != nil {
		return Zotero{}, err
	}
	defer cleanUp()
	f, _, err := disk.OpenRegular(path) // SQLite would wait for the other end of a pipe
	if err != nil {
		return Zotero{}, notZotero(err)
	}
	defer f.Close()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=ro&immutable=1"}).String())
	if err != nil {
		return Zotero{}, notZotero(err)
	}
	defer db.Close()
	r := &zoteroReader{ctx: ctx, db: db, folder: folder, items: map[int64]*Item{}, files: map[int64]attached{}}
	for _, step := range []func() error{r.tables, r.works, r.fields, r.creators, r.attachments, r.annotations, r.notes, r.collections} {
		if err := step(); err != nil {
			return Zotero{}, notZotero(err)
		}
	}
	return r.result(), nil
}

func notZotero(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fault.Wrap(err, fault.InvalidRequest, "This database is none that Footnote knows of Zotero's.", "Open it with a current Zotero (6 or newer), close Zotero, and try again.")
}

// settled is a database whose whole content is in its file: one with a log beside it
// is copied and the log worked in, for nothing is written beside Zotero's.
func settled(path string) (string, func(), error) {
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "footnote-zotero-")
	if err != nil {
		return "", nil, fmt.Errorf("copy Zotero's library: %w", err)
	}
	cleanUp := func() { os.RemoveAll(dir) }
	at := filepath.Join(dir, zoteroFile)
	err = errors.Join(copied(path, at), copied(path+"-wal", at+"-wal"))
	if err == nil {
		err = workedIn(at)
	}
	if err != nil {
		cleanUp()
		return "", nil, fmt.Errorf("copy Zotero's library: %w", err)
	}
	return at, cleanUp, nil
}

func workedIn(path string) error {
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		return err
	}
	_, err = db.Exec(`PRAGMA journal_mode = DELETE`)
	return errors.Join(err, db.Close())
}

func copied(from, to string) error {
	in, _, err := disk.OpenRegular(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

type zoteroReader struct {
	ctx     context.Context
	db      *sql.DB
	folder  string
	items   map[int64]*Item
	files   map[int64]attached // by the item of the attachment
	sets    []Collection
	missing []string
}

type attached struct {
	item *Item
	name string
}

// each calls row for what a query gives.
func (r *zoteroReader) each(query string, row func(scan func(...any) error) error) error {
	rows, err := r.db.QueryContext(r.ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// tables refuses a database in which something else stands in the place of a table: a
// view may give rows without end.
func (r *zoteroReader) tables() error {
	return r.each(`SELECT name FROM sqlite_schema WHERE (type = 'view' OR sql LIKE '%VIRTUAL%') AND lower(name) IN (
		'items', 'itemtypes', 'itemdata', 'itemdatavalues', 'fields', 'itemcreators', 'creators', 'itemattachments', 'itemannotations', 'itemnotes',
		'collections', 'collectionitems', 'deleteditems')`, func(scan func(...any) error) error {
		var name string
		if err := scan(&name); err != nil {
			return err
		}
		return fmt.Errorf("%s is no plain table", name)
	})
}

const kept = ` AND i.itemID NOT IN (SELECT itemID FROM deletedItems)`

func (r *zoteroReader) works() error {
	return r.each(`SELECT i.itemID, i.key FROM items i JOIN itemTypes t ON t.itemTypeID = i.itemTypeID WHERE t.typeName NOT IN ('attachment', 'note', 'annotation')`+kept, func(scan func(...any) error) error {
		it := &Item{}
		err := scan(&it.ID, &it.Key)
		r.items[it.ID] = it
		return err
	})
}

func (r *zoteroReader) fields() error {
	return r.each(`SELECT d.itemID, f.fieldName, CAST(v.value AS TEXT) FROM itemData d JOIN fields f ON f.fieldID = d.fieldID JOIN itemDataValues v ON v.valueID = d.valueID
		WHERE f.fieldName IN ('title', 'caseName', 'nameOfAct', 'subject', 'date', 'DOI', 'url', 'extra', 'citationKey') ORDER BY d.itemID, f.fieldName`, func(scan func(...any) error) error {
		var id int64
		var name, value string
		if err := scan(&id, &name, &value); err != nil {
			return err
		}
		if it := r.items[id]; it != nil {
			it.field(name, value)
		}
		return nil
	})
}

// sortable stands before a date as it was typed: "2022-06-00 June 2022".
var sortable = regexp.MustCompile(`^\d{4}-\d\d-\d\d ?`)

func (it *Item) field(name, value string) {
	switch name {
	case "date":
		it.Date = value
		if typed := sortable.ReplaceAllString(value, ""); typed != "" {
			it.Date = typed
		}
	case "DOI":
		it.DOI = value
	case "url":
		it.URL = value
	case "citationKey":
		it.CiteKey = value
	case "extra":
		for line := range strings.SplitSeq(value, "\n") {
			label, rest, ok := strings.Cut(line, ":")
			switch label = strings.ToLower(strings.TrimSpace(label)); {
			case !ok:
			case label == "citation key" && it.CiteKey == "":
				it.CiteKey = strings.TrimSpace(rest)
			case label == "doi" && it.DOI == "":
				it.DOI = strings.TrimSpace(rest)
			}
		}
	default:
		it.Title = value
	}
}

func (r *zoteroReader) creators() error {
	return r.each(`SELECT c.itemID, coalesce(p.firstName, ''), coalesce(p.lastName, '') FROM itemCreators c JOIN creators p ON p.creatorID = c.creatorID ORDER BY c.itemID, c.orderIndex`, func(scan func(...any) error) error {
		var id int64
		var first, last string
		if err := scan(&id, &first, &last); err != nil {
			return err
		}
		if it := r.items[id]; it != nil {
			it.Creators = append(it.Creators, strings.TrimSpace(first+" "+last))
		}
		return nil
	})
}

// attachments finds the files of works; one without a work is a work of its own.
func (r *zoteroReader) attachments() error {
	return r.each(`SELECT a.itemID, coalesce(a.parentItemID, 0), i.key, coalesce(a.path, '') FROM itemAttachments a JOIN items i ON i.itemID = a.itemID WHERE true`+kept+` ORDER BY a.itemID`, func(scan func(...any) error) error {
		var id, parent int64
		var key, path string
		if err := scan(&id, &parent, &key, &path); err != nil || path == "" {
			return err
		}
		it := r.items[parent]
		if it == nil && parent != 0 {
			return nil // of a deleted work
		}
		if it == nil {
			it = &Item{ID: id, Key: key}
			r.items[id] = it
		}
		at := path
		if name, ok := strings.CutPrefix(path, "storage:"); ok {
			at = filepath.Join(r.folder, "storage", key, filepath.FromSlash(name))
			if filepath.Base(at) != name {
				return nil // a name that leads elsewhere
			}
		}
		name := filepath.Base(filepath.FromSlash(strings.TrimPrefix(at, "attachments:")))
		r.files[id] = attached{it, name}
		if it.Title == "" {
			it.Title = name
		}
		if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() || !filepath.IsAbs(at) {
			r.missing = append(r.missing, name)
			return nil
		}
		it.Files = append(it.Files, at)
		return nil
	})
}

func (r *zoteroReader) annotations() error {
	return r.each(`SELECT n.parentItemID, coalesce(n.pageLabel, ''), coalesce(n.text, ''), coalesce(n.comment, '') FROM itemAnnotations n JOIN items i ON i.itemID = n.itemID WHERE true`+kept+` ORDER BY n.parentItemID, n.sortIndex, n.itemID`, func(scan func(...any) error) error {
		var parent int64
		var a Annotation
		if err := scan(&parent, &a.Page, &a.Text, &a.Comment); err != nil {
			return err
		}
		if f, ok := r.files[parent]; ok && a.Text+a.Comment != "" {
			a.File = f.name
			f.item.Annotations = append(f.item.Annotations, a)
		}
		return nil
	})
}

func (r *zoteroReader) notes() error {
	return r.each(`SELECT n.itemID, coalesce(n.parentItemID, 0), i.key, coalesce(n.note, ''), coalesce(n.title, '') FROM itemNotes n JOIN items i ON i.itemID = n.itemID WHERE true`+kept+` ORDER BY n.itemID`, func(scan func(...any) error) error {
		var id, parent int64
		var key, note, title string
		if err := scan(&id, &parent, &key, &note, &title); err != nil || note == "" {
			return err
		}
		it := r.items[parent]
		if it == nil && parent != 0 {
			return nil
		}
		if it == nil {
			it = &Item{ID: id, Key: key, Title: title}
			r.items[id] = it
		}
		it.Notes = append(it.Notes, note)
		return nil
	})
}

func (r *zoteroReader) collections() error {
	type set struct {
		name   string
		parent int64
		items  []int64
	}
	sets := map[int64]*set{}
	err := r.each(`SELECT collectionID, collectionName, coalesce(parentCollectionID, 0) FROM collections`, func(scan func(...any) error) error {
		var id int64
		s := &set{}
		err := scan(&id, &s.name, &s.parent)
		sets[id] = s
		return err
	})
	if err != nil {
		return err
	}
	err = r.each(`SELECT c.collectionID, c.itemID FROM collectionItems c ORDER BY c.collectionID, c.orderIndex, c.itemID`, func(scan func(...any) error) error {
		var id, item int64
		err := scan(&id, &item)
		if s := sets[id]; s != nil && r.items[item] != nil {
			s.items = append(s.items, item)
		}
		return err
	})
	for id, s := range sets {
		name, seen := s.name, map[int64]bool{id: true}
		for up := s.parent; sets[up] != nil && !seen[up]; up = sets[up].parent {
			name, seen[up] = sets[up].name+" / "+name, true
		}
		if len(s.items) > 0 {
			r.sets = append(r.sets, Collection{name, s.items})
		}
	}
	return err
}

func (r *zoteroReader) result() Zotero {
	z := Zotero{Collections: r.sets, Missing: r.missing}
	for _, it := range r.items {
		if len(it.Files)+len(it.Annotations)+len(it.Notes) > 0 {
			z.Items = append(z.Items, *it)
		}
	}
	slices.SortFunc(z.Items, func(a, b Item) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(z.Collections, func(a, b Collection) int { return strings.Compare(a.Name, b.Name) })
	return z
}
