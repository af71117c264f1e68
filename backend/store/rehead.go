package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

const (
	magic     = "SQLite format 3\x00"
	headBytes = 100
	interior  = 5  // a page of a table that leads to others
	leaf      = 13 // one that holds rows
)

// rehead gives a database whose first bytes are lost, and nothing else of its first
// page, new ones: they say what the rest shows, and without them nothing of it is
// read.
func rehead(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	first := make([]byte, headBytes+8)
	if _, err := io.ReadFull(f, first); err != nil || bytes.HasPrefix(first, []byte(magic)) {
		return nil // too short for one, or it is there
	}
	page := pageSize(first[headBytes:])
	if page == 0 || info.Size()%page != 0 {
		return nil
	}
	if _, err := f.WriteAt(head(page, info.Size()/page), 0); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// pageSize is that of a database whose first page goes on with these bytes, 0 where
// they begin no table. Its cells lie at the end of the page.
func pageSize(page []byte) int64 {
	cells := int64(binary.BigEndian.Uint16(page[5:]))
	switch {
	case page[0] != interior && page[0] != leaf || cells < headBytes || cells > 8192:
		return 0
	case cells > 4096:
		return 8192
	}
	return 4096
}

// head are the first bytes of a database of so many pages, in WAL mode and UTF-8.
func head(page, pages int64) []byte {
	h := append([]byte(magic), make([]byte, headBytes-len(magic))...)
	binary.BigEndian.PutUint16(h[16:], uint16(page))
	copy(h[18:], []byte{2, 2, 0, 64, 32, 32})
	for at, value := range map[int]uint32{24: 1, 28: uint32(pages), 40: 1, 44: 4, 56: 1, 92: 1} {
		binary.BigEndian.PutUint32(h[at:], value)
	}
	return h
}
