package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/disk"
)

// verify compares the files of a snapshot with their checksums: about a
// gigabyte a second. Damage inside postings would otherwise be found by nobody,
// or by a panic in the middle of a search.
func verify(r bleve.IndexReader) error {
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil
	}
	for _, s := range snapshot.Segments() {
		file, ok := s.Segment().(interface{ Path() string })
		if !ok {
			continue // not on disk yet
		}
		if err := verifyFile(file.Path()); err != nil {
			return err
		}
	}
	return nil
}

// verifyFile checks one file, which ends with the CRC-32 of all before it.
func verifyFile(path string) (err error) {
	f, info, err := disk.OpenRegular(path)
	if err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const tail = 4
	if info.Size() < tail {
		return fmt.Errorf("read segment %s: cut short", filepath.Base(path))
	}
	sum := crc32.NewIEEE()
	r := bufio.NewReaderSize(f, 1<<18)
	if _, err := io.CopyN(sum, r, info.Size()-tail); err != nil {
		return fmt.Errorf("read segment %s: %w", filepath.Base(path), err)
	}
	var want uint32
	if err := binary.Read(r, binary.BigEndian, &want); err != nil {
		return fmt.Errorf("read segment %s: %w", filepath.Base(path), err)
	}
	if sum.Sum32() != want {
		return fmt.Errorf("read segment %s: damaged", filepath.Base(path))
	}
	return nil
}
