package table

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Kept is a table that is stored, with a name.
type Kept struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	Made   time.Time `json:"made"`
	Paused bool      `json:"paused"` // by a person: nothing more is asked
	Filled int       `json:"filled"` // cells that were asked
	Table
}

// Store keeps tables. Cells come in the order in which they were filled, each
// with its number; a table that does not exist is fault not-found.
type Store interface {
	Tables(ctx context.Context) ([]Kept, error) // without cells, newest first
	Table(ctx context.Context, id string, after int) (Kept, error)
	PutTable(ctx context.Context, t Kept) error
	KeepCell(ctx context.Context, id, file, question string, c Cell) (seq int, err error)
	EmptyFailed(ctx context.Context, id string) error
	DropTable(ctx context.Context, id string) error
}

const (
	mostFiles     = 2000
	mostQuestions = 40
	titleChars    = 200
)

// Whole reports whether every cell was asked.
func (k Kept) Whole() bool { return k.Filled >= len(k.Files)*len(k.Questions) }

// check refuses what is no table, and puts its name and questions in order.
func (k *Kept) check() error {
	var questions []string
	for _, q := range k.Questions {
		if q = strings.Join(strings.Fields(q), " "); q != "" && !slices.Contains(questions, q) {
			questions = append(questions, q)
		}
	}
	k.Questions = questions
	seen := map[string]bool{}
	k.Files = slices.DeleteFunc(slices.Clone(k.Files), func(f File) bool { twice := seen[f.ID]; seen[f.ID] = true; return twice })
	if err := k.Check(); err != nil {
		return err
	}
	if len(k.Files) > mostFiles || len(k.Questions) > mostQuestions {
		return fault.New(fault.InvalidRequest, "The table is too large: it may have 2000 files and 40 questions.", "Take fewer, or make two tables.")
	}
	k.Title = strings.Join(strings.Fields(cmp.Or(k.Title, k.Questions[0])), " ")
	if title := []rune(k.Title); len(title) > titleChars {
		k.Title = string(title[:titleChars])
	}
	return nil
}

// unreadable asks no file that cannot be read: the reason stands in its cells.
type unreadable struct {
	Asker
	unread func(ctx context.Context, file string) (string, error)
}

// Ask implements Asker.
func (u unreadable) Ask(ctx context.Context, q contract.Question) (contract.Run, error) {
	why, err := u.unread(ctx, q.Scope.Files[0])
	if err != nil {
		return contract.Run{}, err
	}
	if why != "" {
		return contract.Run{}, fault.New(fault.NotAcceptable, why, "See the file in the library.")
	}
	return u.Asker.Ask(ctx, q)
}
