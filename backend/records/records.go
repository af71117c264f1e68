// Package records has what every store of conversations tells and does alike: how
// threads and runs are listed, which turns were asked in other ways, and how a run
// that was broken off is closed.
//
//	records.go   what lists ask and show     branches.go     turns asked in several ways
//	closing.go   runs that were broken off   preferences.go  personas, lenses and consents
package records

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Types of thread.
const (
	Chat         = "chat"
	DeepResearch = "deep-research"
)

// TypeOf is the type of the thread that a run begins.
func TypeOf(run contract.Run) string {
	if run.Question.Mode == contract.ModeDeep {
		return DeepResearch
	}
	return Chat
}

// TitleOf is what the thread that a run begins is called.
func TitleOf(run contract.Run, title string) string {
	if title == "" {
		return run.Question.Text
	}
	return title
}

// WithinOf is the one collection that a run asks: a thread that it begins belongs
// there. Empty for none.
func WithinOf(run contract.Run) string {
	if s := run.Question.Scope; len(s.Collections) == 1 && len(s.Files)+len(s.Folders) == 0 {
		return s.Collections[0]
	}
	return ""
}

// ThreadInfo is a thread as lists show it.
type ThreadInfo struct {
	ID      contract.ThreadID   `json:"id"`
	Title   string              `json:"title"`
	Type    string              `json:"type"` // chat, deep-research
	Session string              `json:"session_id,omitempty"`
	Pinned  bool                `json:"pinned"`
	Created time.Time           `json:"created"`
	Updated time.Time           `json:"updated"`
	Runs    int                 `json:"runs"`
	Running bool                `json:"running"`
	Fresh   bool                `json:"kept_fresh,omitempty"`     // an answer of it is checked from time to time
	Unseen  bool                `json:"unseen,omitempty"`         // such a check found changes that nobody has looked at
	Within  string              `json:"collection,omitempty"`     // the set of sources that it asks, by id
	Others  []contract.ThreadID `json:"other_versions,omitempty"` // threads that are listed with it: versions of one conversation
	Group   string              `json:"group"`                    // today, yesterday, week, older: by Updated, in the clock's time zone
}

// ThreadDetail is a thread with its runs in order.
type ThreadDetail struct {
	ThreadInfo
	Items    []contract.Run `json:"items"`
	Damaged  int            `json:"damaged"` // records that could not be read and were kept aside
	Versions []Versions     `json:"versions"`
}

// ThreadQuery selects threads, pinned ones first, then the newest; of the versions
// of a conversation the newest. Each word of Q must stand in the title, a question
// or an answer, of whichever version.
type ThreadQuery struct {
	Q, Type    string
	Collection string // id; those of it alone
	Limit      int    // 0 = 50
	After      string // cursor of the page before
}

// RunQuery selects runs, newest first; empty fields do not restrict.
type RunQuery struct {
	Status contract.Status
	Thread contract.ThreadID
	Limit  int    // 0 = 50
	After  string // cursor of the page before
	Aside  bool   // also checks of answers that are kept fresh
}

// SourceInfo is a source with what was noted when it was read.
type SourceInfo struct {
	evidence.Source
	Coverage evidence.Coverage
	Flags    []string
	Image    string
	Chars    int  // code points of its text
	Brought  bool // in a bundle, and never read here: its address is not one of this computer
}

// Counts of the listed files below one root.
type Counts struct{ Files, Ready, Waiting int }

// Threads lists conversations and changes what is said of them. A thread that does
// not exist is fault not-found.
type Threads interface {
	Threads(ctx context.Context, q ThreadQuery) (page []ThreadInfo, next string, err error)
	Thread(ctx context.Context, id contract.ThreadID) (ThreadDetail, error)
	Title(ctx context.Context, id contract.ThreadID) (string, error)
	DeleteThread(ctx context.Context, id contract.ThreadID, erase bool) error
}

// Changes are those of single threads, with the same fault.
type Changes interface {
	Rename(ctx context.Context, id contract.ThreadID, title string) error
	Pin(ctx context.Context, id contract.ThreadID, pinned bool) error
	PutInCollection(ctx context.Context, id contract.ThreadID, collection string) error
	Seen(ctx context.Context, thread contract.ThreadID) error
}

// Branches are threads that leave another one. Repair takes runs out of a thread
// that have no answer to show, and tells how many.
type Branches interface {
	Branch(ctx context.Context, b Branch, thread contract.ThreadID, mint func() contract.RunID) error
	// Conversation gives the threads that are versions of one conversation, of which one
	// is named; none, or not-found, where that one is missing. DropBranch removes a thread that was just
	// made of another one, and no other version.
	Conversation(ctx context.Context, id contract.ThreadID) ([]contract.ThreadID, error)
	DropBranch(ctx context.Context, id contract.ThreadID) error
	Repair(ctx context.Context, thread contract.ThreadID) (int, error)
}

// Sessions are names that clients of other programs give threads.
type Sessions interface {
	BindSession(ctx context.Context, session string, id contract.ThreadID) error
	Session(ctx context.Context, session string) (contract.ThreadID, error)
}

// Runs gives runs as they were asked. A run that does not exist is fault not-found.
type Runs interface {
	Run(ctx context.Context, id contract.RunID) (contract.Run, error)
	Runs(ctx context.Context, q RunQuery) (page []contract.Run, next string, err error)
	Since(ctx context.Context, run contract.RunID, seq int) ([]contract.Event, error)
}

// Sources gives what was read, as it was read. What does not exist, or may not be
// read, is fault not-found.
type Sources interface {
	Source(ctx context.Context, id evidence.SourceID) (SourceInfo, error)
	SourceText(ctx context.Context, id evidence.SourceID) (string, []evidence.Block, error)
	Text(ctx context.Context, digest string) (string, []evidence.Block, error)
	PathOf(ctx context.Context, digest string) (string, error) // of a file of the library that has these bytes
}

// Passages gives passages as they were cited, and those around them.
type Passages interface {
	Passage(ctx context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error)
	Neighbours(ctx context.Context, id evidence.PassageID) ([]evidence.Passage, error)
}

// DayGroup names the part of the list in which a time stands.
func DayGroup(t, now time.Time) string {
	t = t.In(now.Location())
	y, m, day := now.Date()
	today := time.Date(y, m, day, 0, 0, 0, 0, now.Location())
	switch {
	case !t.Before(today):
		return "today"
	case !t.Before(today.AddDate(0, 0, -1)):
		return "yesterday"
	case !t.Before(today.AddDate(0, 0, -6)):
		return "week"
	}
	return "older"
}

// Cursor is where a thread stands in the list.
type Cursor struct {
	Pinned, Updated int64 // ms
	ID              string
}

// CursorOf is the cursor of the page that a thread ends.
func CursorOf(t ThreadInfo) string {
	pinned := 0
	if t.Pinned {
		pinned = 1
	}
	return fmt.Sprintf("%d.%d.%s", pinned, t.Updated.UnixMilli(), t.ID)
}

// ParseCursor reads what CursorOf gave; anything else is fault invalid-request.
func ParseCursor(s string) (Cursor, error) {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) == 3 {
		pinned, err := strconv.ParseInt(parts[0], 10, 64)
		updated, err2 := strconv.ParseInt(parts[1], 10, 64)
		if err == nil && err2 == nil {
			return Cursor{pinned, updated, parts[2]}, nil
		}
	}
	return Cursor{}, BadCursor(nil)
}

// BadCursor is the fault of a cursor that no list gave.
func BadCursor(err error) error {
	return fault.Wrap(err, fault.InvalidRequest, "The cursor \"after\" is not one that a list gave.", "Start the list again without it.")
}

// CursorNumber reads the cursor of a list that is numbered; an empty one is start.
func CursorNumber(s string, start int64) (int64, error) {
	if s == "" {
		return start, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, BadCursor(err)
	}
	return n, nil
}

// LimitOr is a limit, or the standard one where none was given.
func LimitOr(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}

// LikeWords are the words of a search as patterns of LIKE, with \ as escape.
func LikeWords(q string) []string {
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(q)) {
		words = append(words, "%"+LikeEscape.Replace(word)+"%")
	}
	return words
}

// LikeEscape has a text stand for itself in a pattern of LIKE, with \ as escape.
var LikeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
