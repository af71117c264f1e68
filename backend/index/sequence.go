package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/disk"
)

// When the newest state of the postings cannot be read, scorch opens an older
// one and says nothing: passages would be missing for good. So each batch carries
// a number, a file beside the postings holds the number of the last batch that
// was durable, and an opened index may not be behind it.

const sequenceBytes = 64 // of its file: a number

var sequenceKey = []byte("footnote-sequence")

// readSequence finds the number of the last batch in the postings. It is an
// error when the file knows of a later one.
func (x *Index) readSequence(r bleve.IndexReader) error {
	in, err := r.GetInternal(sequenceKey)
	if err != nil {
		return fmt.Errorf("read sequence of index: %w", err)
	}
	if x.sequence, err = parseSequence(in); err != nil {
		return err
	}
	marked, err := disk.ReadRegular(x.sequenceFile(), sequenceBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read sequence of index: %w", err)
	}
	last, err := parseSequence(marked)
	if err != nil {
		return err
	}
	if x.sequence < last {
		return fmt.Errorf("read sequence of index: batch %d is lost, only %d is there", last, x.sequence)
	}
	return nil
}

func parseSequence(text []byte) (uint64, error) {
	if len(text) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read sequence of index: %w", err)
	}
	return n, nil
}

// markSequence writes the number of a batch that is on disk. A crash in between
// leaves an older number, which is no error.
func (x *Index) markSequence() error {
	next := x.sequenceFile() + ".new"
	if err := os.WriteFile(next, strconv.AppendUint(nil, x.sequence, 10), 0o600); err != nil {
		return fmt.Errorf("write sequence of index: %w", err)
	}
	if err := os.Rename(next, x.sequenceFile()); err != nil {
		return fmt.Errorf("write sequence of index: %w", err)
	}
	return nil
}

func (x *Index) sequenceFile() string { return filepath.Join(x.dir, "sequence") }
