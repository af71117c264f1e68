package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
)

// Probe opens the index in dir, searches it once for each of its most frequent
// terms and closes it again. It is the body of a child process: damage may end
// the process in a goroutine that no recover reaches, or keep it from ending, so
// the parent sets a deadline and takes any failure as "throw away and rebuild".
// A folder that is not there is fine.
func Probe(dir string) (err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ctx := context.Background()
	x, err := Open(ctx, dir, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.probe(ctx)
}

// probe reads every part of the postings that a search may touch.
func (x *Index) probe(ctx context.Context) (err error) {
	defer recovered("probe index", &err)
	r, err := x.words.Reader()
	if err != nil {
		return fmt.Errorf("probe index: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s := &search{ctx: ctx, r: r}
	if s.measures, err = s.measure(); err != nil {
		return err
	}
	entries, err := s.entries(func() (bleve.FieldDict, error) { return r.FieldDict(fieldText) })
	if err != nil {
		return err
	}
	terms := frequent(entries)
	for _, t := range terms[:min(len(terms), 8)] {
		if _, err := x.Words(ctx, library.Query{Text: t, N: 20}); err != nil {
			return err
		}
	}
	return nil
}
