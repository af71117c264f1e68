package format

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Archive is a zip file read within absolute limits: sizes are counted while
// unpacking, nothing is allocated by a declared size, no name is ever a path.
type Archive struct {
	entries map[string]*zip.File
	packed  int64
	read    int64 // bytes unpacked so far
	lim     Limits
	until   context.Context // no more is unpacked once it is done; nil for no end
}

// Hurry ends unpacking while there is still time to give what was read.
func (a *Archive) Hurry(ctx context.Context) context.CancelFunc {
	until, cancel := context.WithTimeout(ctx, a.lim.Time*2/3)
	a.until = until
	return cancel
}

// Late is the reason once hurry's time is over.
func (a *Archive) Late() error {
	if a.until == nil || a.until.Err() == nil {
		return nil
	}
	return TooSlow()
}

// TooSlow is the reason of a file whose first part was read in time.
func TooSlow() *Error {
	return Fail(Timeout, "Only the first part was read: the whole file takes too long.", nil)
}

// OLEMagic opens the container that password-protected office files are in.
var OLEMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// OpenArchive opens a zip file within limits.
func OpenArchive(data []byte, lim Limits) (*Archive, error) {
	if bytes.HasPrefix(data, OLEMagic) {
		return nil, RefuseContainer(data)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, Fail(Malformed, "The file is damaged: it cannot be unpacked.", err)
	}
	if len(r.File) > lim.Parts {
		return nil, Fail(TooLarge, fmt.Sprintf("The file has %d parts inside; up to %d are read.", len(r.File), lim.Parts), nil)
	}
	a := &Archive{entries: make(map[string]*zip.File, len(r.File)), packed: int64(len(data)), lim: lim}
	for _, f := range r.File {
		if _, twice := a.entries[f.Name]; !twice {
			a.entries[f.Name] = f
		}
	}
	if overlaps(r.File) {
		return nil, Fail(Malformed, "The file is damaged: its parts lie on each other.", nil)
	}
	return a, nil
}

// overlaps finds parts that share their packed bytes, which no writer makes.
func overlaps(files []*zip.File) bool {
	begins := make(map[int64]bool, len(files))
	for _, f := range files {
		at, err := f.DataOffset()
		if err != nil || f.CompressedSize64 == 0 {
			continue
		}
		if begins[at] {
			return true
		}
		begins[at] = true
	}
	return false
}

// Has reports whether there is an entry of this name.
func (a *Archive) Has(name string) bool { return a.entries[name] != nil }

// Under gives the entries whose names begin with prefix, in order.
func (a *Archive) Under(prefix string) []string {
	var names []string
	for name := range a.entries {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ReadPart unpacks an entry.
func ReadPart(a *Archive, name string) ([]byte, error) {
	rc, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	data, err := io.ReadAll(rc)
	var limit *Error
	if err != nil && !errors.As(err, &limit) {
		err = Fail(Malformed, "The file is damaged: a part of it cannot be unpacked.", err)
	}
	return data, err
}

// Skippable reports whether a part can be left out of its document: it is
// damaged or missing, and no limit was reached.
func Skippable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == Malformed
}

// Open gives the bytes of an entry; reading past a limit gives an *Error.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	f := a.entries[name]
	if f == nil {
		return nil, Fail(Malformed, "The file is damaged: a part of it is missing.", fmt.Errorf("no entry %q", name))
	}
	if f.Flags&1 != 0 {
		return nil, Fail(Encrypted, "The file is protected with a password.", nil)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, Fail(Malformed, "The file is damaged: a part of it cannot be unpacked.", err)
	}
	return &countedEntry{a: a, rc: rc}, nil
}

type countedEntry struct {
	a    *Archive
	rc   io.ReadCloser
	read int64
}

// Read counts what is unpacked against every limit of the archive.
func (c *countedEntry) Read(p []byte) (int, error) {
	if err := c.a.Late(); err != nil {
		return 0, err
	}
	n, err := c.rc.Read(p)
	c.read += int64(n)
	c.a.read += int64(n)
	lim := c.a.lim
	if c.read > lim.Entry || c.a.read > lim.Archive || (c.a.read > lim.RatioFrom && c.a.read > lim.Ratio*c.a.packed) {
		return 0, Fail(TooLarge, "The file unpacks to far more than a document holds.", nil)
	}
	return n, err
}

// Close closes the entry.
func (c *countedEntry) Close() error { return c.rc.Close() }

// Measure unpacks every part once to hold the archive to its limits before a
// library that believes sizes does it. A part with a document type is refused.
func (a *Archive) Measure() error {
	for name := range a.entries {
		if err := a.measurePart(name); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) measurePart(name string) error {
	rc, err := a.Open(name)
	if err != nil {
		return err
	}
	defer rc.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(rc, head)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // a short part
		err = nil
	}
	if bytes.Contains(head[:n], []byte("<!DOCTYPE")) {
		return Fail(Malformed, "The file holds a document type definition, which no document needs.", nil)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, rc)
	}
	var limit *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limit):
		return limit
	}
	return Fail(Malformed, "The file is damaged: a part of it cannot be unpacked.", err)
}
