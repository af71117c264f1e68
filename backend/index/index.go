package index

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/library"
)

var _ library.Index = (*Index)(nil)

// layout is the version of what stands in the folder; a folder of another
// layout is refused and rebuilt.
const layout = "words-4"

// Limits of waiting for the folder's lock and for the last batch at Close.
const (
	lockWait  = "2s"
	closeWait = 15 * time.Second
)

var generationKey = []byte("footnote-generation")

// Index implements library.Index over one folder. Reading and writing may go on
// at the same time; writes wait for each other.
type Index struct {
	dir        string
	words      bleve.Index
	analysis   *bleve.AnalysisQueue
	generation string
	vectors    *vectors
	log        *slog.Logger
	writing    chan struct{} // holds one token: the right to write
	broken     chan struct{} // closed when a goroutine of the postings is gone
	breaking   sync.Once
	sequence   uint64 // of the last batch; belongs to the writer
	closed     sync.Once
	scratch    scratchPool
	last       lastMeasures
	makers     sync.Pool // of *maker
}

// Open opens the index in dir, or makes an empty one. An error means that the
// folder is damaged, of another layout, or in use by another program: the
// caller removes it and rebuilds, but for ErrInUse. Some damage shows only
// later; Probe finds it in a process that may die.
func Open(ctx context.Context, dir string, logger *slog.Logger) (*Index, error) {
	if err := look(ctx, dir, logger); err != nil {
		return nil, err
	}
	return open(ctx, dir, false, logger, (*Index).known)
}

// look checks a folder that holds anything before it is opened for writing: its
// postings are merged then, in goroutines that nothing saves from a file that was
// cut short.
func look(ctx context.Context, dir string, logger *slog.Logger) error {
	if info, err := os.Stat(filepath.Join(dir, "words", "root.bolt")); err != nil || info.Size() == 0 {
		return nil
	}
	x, err := open(ctx, dir, true, logger, (*Index).whole)
	if err != nil {
		return err
	}
	return x.Close()
}

// OpenReading opens the index in a dir that takes no file. Writing to it fails.
func OpenReading(ctx context.Context, dir string, logger *slog.Logger) (*Index, error) {
	return open(ctx, dir, true, logger, (*Index).whole, (*Index).known)
}

func open(ctx context.Context, dir string, reading bool, logger *slog.Logger, checks ...func(*Index, bleve.IndexReader) error) (_ *Index, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer recovered("open index", &err)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file that was cut short is read past its end
	path := filepath.Join(dir, "words")
	queue := bleve.NewAnalysisQueue(2)
	opened := false
	made := &Index{dir: dir, analysis: queue, vectors: newVectors(), log: logger, writing: make(chan struct{}, 1), broken: make(chan struct{})}
	defer func() {
		if !opened {
			queue.Close()
			watched.CompareAndDelete(path, made)
		}
	}()
	made.words, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path":                   path,
		"bolt_timeout":           lockWait,
		"numSnapshotsToKeep":     1,
		"read_only":              reading,
		"asyncErrorCallbackName": watcherName,
	}, queue)
	if err == nil {
		watched.LoadOrStore(path, made)
		err = made.words.Open()
	}
	if err != nil {
		if strings.Contains(err.Error(), "timeout") {
			err = errors.Join(ErrInUse, err)
		}
		return nil, fmt.Errorf("open index: %w", err)
	}
	opened = true
	for _, check := range checks {
		if err := made.check(check); err != nil {
			return nil, errors.Join(err, made.Close())
		}
	}
	return made, nil
}

// check looks at what the folder holds.
func (x *Index) check(is func(*Index, bleve.IndexReader) error) (err error) {
	defer recovered("check index", &err)
	r, err := x.words.Reader()
	if err != nil {
		return fmt.Errorf("read index: %w", err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return is(x, r)
}

// whole makes sure that no file of the folder is damaged.
func (x *Index) whole(r bleve.IndexReader) error {
	if err := verify(r); err != nil {
		return fmt.Errorf("check index: %w", err)
	}
	return nil
}

// known makes sure that the folder is of this layout and has all that was written.
func (x *Index) known(r bleve.IndexReader) error {
	if err := x.readSequence(r); err != nil {
		return err
	}
	return x.readGeneration(r)
}

// ErrInUse means that another program has the folder open.
var ErrInUse = errors.New("index is in use")

// ErrLayout means that another version of the program filled the folder.
var ErrLayout = errors.New("index is of another version")

// readGeneration reads the name of this filling of the folder, or gives a new
// folder one.
func (x *Index) readGeneration(r bleve.IndexReader) error {
	name, err := r.GetInternal(generationKey)
	if err != nil {
		return fmt.Errorf("read generation of index: %w", err)
	}
	n, err := r.DocCount()
	if err != nil {
		return fmt.Errorf("count index: %w", err)
	}
	switch {
	case strings.HasPrefix(string(name), layout+"-"):
		x.generation = string(name)
		return nil
	case len(name) > 0 || n > 0:
		return fmt.Errorf("%w: %q is not of layout %s", ErrLayout, name, layout)
	}
	x.generation = layout + "-" + strings.ToLower(rand.Text())
	batch := bleve.NewBatch()
	batch.SetInternal(generationKey, []byte(x.generation))
	if err := x.write(context.Background(), batch); err != nil {
		return fmt.Errorf("name new index: %w", err)
	}
	return nil
}

// Generation names this filling of the index. A rebuilt index has another one,
// so what was recorded as indexed in an older generation must be put again.
// Vectors are not part of it: they are in memory only and fed at every start.
func (x *Index) Generation() string { return x.generation }

// Count is the number of passages with words and with a vector.
func (x *Index) Count() (words, vectors int) {
	r, err := x.words.Reader()
	if err != nil {
		return 0, x.vectors.count()
	}
	defer r.Close()
	n, err := r.DocCount()
	if err != nil {
		x.log.Warn("count index", "err", err)
	}
	return int(n), x.vectors.count()
}

// Close waits for the running write, closes the folder and ends all goroutines.
// The index must not be used afterwards; closing it again does nothing.
func (x *Index) Close() (err error) {
	x.closed.Do(func() { err = x.close() })
	return err
}

func (x *Index) close() error {
	defer watched.CompareAndDelete(filepath.Join(x.dir, "words"), x)
	select {
	case x.writing <- struct{}{}:
	case <-x.broken:
	case <-time.After(closeWait):
		return errors.New("close index: a write does not end")
	}
	defer x.analysis.Close()
	return x.unlessBroken(context.Background(), func() (err error) {
		defer recovered("close index", &err)
		if err := x.words.Close(); err != nil {
			return fmt.Errorf("close index: %w", err)
		}
		return nil
	})
}

// recovered turns a panic over a damaged folder into an error.
func recovered(doing string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: damaged: %v", doing, r)
	}
}
