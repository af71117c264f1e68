package library

import (
	"context"
	"path/filepath"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library/topics"
	"footnote/backend/library/walk"
	"footnote/backend/store/quantize"
)

// State says where a file stands.
type State string

// States of a file. Reading lives in memory only: after a crash such a file is
// waiting again. Removed keeps the reader's wish that a file of a watched folder
// stays out.
const (
	Waiting      State = "waiting"
	Reading      State = "reading"
	Ready        State = "ready"
	Partial      State = "partial"
	Failed       State = "failed"
	Skipped      State = "skipped"
	NotReachable State = "not-reachable"
	Removed      State = "removed"
)

// Settled reports whether nothing more happens to a file in this state until it
// changes on disk.
func (s State) Settled() bool { return s != Waiting && s != Reading }

func (s State) kept() bool { return s == Ready || s == Partial }

// Root is a folder or a single file that the reader added.
type Root struct {
	ID        string
	Path      string // absolute, links resolved
	Folder    bool
	Watch     bool
	Reachable bool
	Added     time.Time
}

// File is a file that the library knows. Listed is false for files that were
// read for one question only.
type File struct {
	ID       string
	Path     string // absolute
	Root     string // id of its root; empty when not listed
	RootPath string // where that root stands; read only
	Listed   bool
	Digest   string     // hex SHA-256 of the bytes last read; empty before
	Stamp    walk.Stamp // as it was when the bytes were read
	State    State
	Code     string // of a failed or skipped file: encrypted, malformed, unsupported …
	Reason   string // for people; empty when ready
	Title    string // the document's own; empty when it has none
	Media    string
	Topics   []string // one to three words that tell its text from others; none for short texts; read only
	Chunks   int      // passages
	Coverage evidence.Coverage
	Indexed  time.Time // when the text was stored; zero before
	Unworded bool      // its words are not in the index yet; read only
}

// Stored reports whether the file's text is kept for good, whether or not its
// words can be found yet: what is acknowledged is stored.
func (f File) Stored() bool { return f.State.kept() || f.State == Reading && f.Unworded }

// Source is the file as a source of evidence.
func (f File) Source() evidence.Source {
	return evidence.Source{
		ID: evidence.NewSourceID(evidence.File, f.Path, f.Digest), Kind: evidence.File, Title: f.title(),
		Address: f.Path, MediaType: f.Media, Digest: f.Digest, Seen: f.Indexed,
	}
}

// FileQuery selects files; empty fields do not restrict. Under takes a path and
// everything below it. Limit 0 means all, in the order they were added.
type FileQuery struct {
	IDs, Digests, Under []string
	States              []State
	Q, Root             string // Q: part of the path, upper and lower case alike
	Single              bool   // only files that were added by themselves
	Unlisted            bool   // also files read for one question only
	Hidden              bool   // also removed ones
	Limit               int
	After               string
	Sort                string // name, date, size or kind, with - before it for the other way; "": as they were added
}

// Intake is what came of reading one file: its row, and the text when there is
// a new one. A nil Document means that the text of this digest is known, or that
// the file gave none.
type Intake struct {
	File     File
	Document *evidence.Document
	Passages []evidence.Passage
	Words    []topics.Word // frequent ones of a new text, the heaviest first
	Topics   []string      // the first choice among them
	Embedder string        // that made the vectors
	Vectors  [][]float32   // one a passage, nil for one that cannot have any; none when they are made later
}

// Known is what the catalog holds of a text.
type Known struct {
	Title, Media string
	Coverage     evidence.Coverage
	Passages     int
}

// Placed is a stored passage with what the index and a search need beside it.
// Vector is nil unless it was asked for and exists.
type Placed struct {
	Passage evidence.Passage // Source is empty: a text may belong to several files
	Digest  string
	Path    string // of one file with this text; for the ranking prefix
	Vector  []float32
}

// Totals counts the library. Bytes are those of the listed files.
type Totals struct {
	Files    int   `json:"files"`
	Ready    int   `json:"ready"`
	Partial  int   `json:"partial"`
	Failed   int   `json:"failed"`
	Skipped  int   `json:"skipped"`
	Waiting  int   `json:"waiting"`
	Chunks   int   `json:"chunks"`
	Vectors  int   `json:"vectors"`
	Bytes    int64 `json:"bytes"`
	Unread   int64 `json:"bytes_waiting"`
	Indexed  int   `json:"chunks_indexed"` // searchable by word
	Attached int   `json:"attached"`       // files read for one question only
}

// Count adds n files of one state, with their bytes.
func (t *Totals) Count(state State, listed bool, n int, bytes int64) {
	if state == Removed {
		return
	}
	if state == Waiting {
		t.Waiting, t.Unread = t.Waiting+n, t.Unread+bytes
	}
	if !listed {
		t.Attached += n
		return
	}
	t.Files, t.Bytes = t.Files+n, t.Bytes+bytes
	switch state {
	case Ready:
		t.Ready += n
	case Partial:
		t.Partial += n
	case Failed:
		t.Failed += n
	case Skipped:
		t.Skipped += n
	}
}

// Catalog is the truth about the library, behind small books. What a
// method wrote is durable when it returns. Errors are faults: disk-full,
// data-damaged, not-found. Safe for concurrent use; reads never wait for writes.
type Catalog interface {
	ChoiceBook
	FileBook
	ShelfBook
	IndexBook
}

// ShelfBook is what was read, to be written and to be searched.
type ShelfBook interface {
	TextBook
	SearchBook
	TopicBook
}

// ChoiceBook is what the reader chose: what to read, and names for parts of it.
type ChoiceBook interface {
	RootBook
	CollectionBook
}

// RootBook keeps what the reader added.
type RootBook interface {
	PutRoot(ctx context.Context, r Root) error
	DropRoot(ctx context.Context, id string) error // its files stay: drop them first
	Roots(ctx context.Context) ([]Root, error)
}

// FileBook keeps the files and their place in the queue. PutFiles inserts or
// replaces by id; a text that no file holds any more is forgotten in the same
// step, unless an answer cites it. DropFiles skips ids that do not exist. Files
// gives the cursor of the next page, empty at the end.
type FileBook interface {
	PutFiles(ctx context.Context, files []File) error
	DropFiles(ctx context.Context, ids []string) error
	Files(ctx context.Context, q FileQuery) (page []File, next string, err error)
	Totals(ctx context.Context, embedder string) (Totals, error)
}

// TextBook keeps texts and passages by the digest of the bytes they came from.
// Commit stores all of a batch or nothing, and sets vectors to what it kept of them.
type TextBook interface {
	Known(ctx context.Context, digests []string) (map[string]Known, error)
	Commit(ctx context.Context, batch []Intake) error
}

// SearchBook serves searches. Ids that are unknown, or whose text no file has any
// more, are left out. Where tells in which text each passage stands; Holders gives
// the files of texts, with their id, path, digest, state and time only; Passages
// gives the texts, Openings the first passage of each; Digests resolves file ids, paths and folders, and with none of them
// gives the listed library.
type SearchBook interface {
	Where(ctx context.Context, ids []evidence.PassageID) (map[evidence.PassageID]string, error)
	Holders(ctx context.Context, digests []string) ([]File, error)
	Passages(ctx context.Context, ids []evidence.PassageID) ([]Placed, error)
	Openings(ctx context.Context, digests []string) ([]Placed, error)
	Digests(ctx context.Context, files, folders []string) (map[string]bool, error)
}

// TopicBook keeps the frequent words of texts, by the number of the text, and the
// topics chosen among them.
type TopicBook interface {
	TopicTexts(ctx context.Context) (n int, err error)
	TopicWords(ctx context.Context) (map[int64][]topics.Word, error)
	PutTopics(ctx context.Context, chosen map[int64][]string) error
}

// IndexBook tells what the index has still to learn and to forget.
type IndexBook interface {
	WordBook
	VectorBook
	NoteBook
}

// NoteBook keeps small facts about caches; a missing one is empty.
type NoteBook interface {
	Note(ctx context.Context, key string) (string, error)
	SetNote(ctx context.Context, key, value string) error
}

// WordBook is the list of passages that the word index lacks or must drop.
// Unindexed gives whole texts, at least one and about n passages; Dropped gives
// passages to forget, Forgotten ends that.
type WordBook interface {
	Unindexed(ctx context.Context, n int) ([]Placed, error)
	MarkIndexed(ctx context.Context, digests []string, indexed bool) error // nil digests: all
	Dropped(ctx context.Context, n int) ([]evidence.PassageID, error)
	Forgotten(ctx context.Context, ids []evidence.PassageID) error
}

// VectorBook keeps vectors by passage and embedder, at a byte a component, or at
// about half a byte where an embedder of this process made them. Unvectored gives
// at most n passages that have none; PutVectors sets vectors to what it kept, takes
// a nil one as the note that a passage cannot have any, and passes over passages
// that are gone. EachVector walks all of the shelf in batches that the callback may
// keep.
type VectorBook interface {
	Unvectored(ctx context.Context, embedder string, n int) ([]Placed, error)
	PutVectors(ctx context.Context, embedder string, own bool, ids []evidence.PassageID, vectors [][]float32) error
	EachVector(ctx context.Context, embedder string, each func(ids []evidence.PassageID, digests []string, vectors []quantize.Steps) error) error
}

// title is what people read: the document's own title, or the file's name.
func (f File) title() string {
	if f.Title != "" {
		return f.Title
	}
	return filepath.Base(f.Path)
}

func (f File) changed() time.Time { return time.Unix(0, f.Stamp.Modified) }
