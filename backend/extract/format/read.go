package format

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// Reader reads one format into b.
type Reader func(ctx context.Context, b *Builder, name string, data []byte, lim Limits) error

// File is what is read.
type File struct {
	Name, MediaType string
	Data            []byte
}

// Host is what a reader may ask of its caller.
type Host struct {
	Slow  func() // told when work begins that may take Limits.OCR and Time once more: another engine, recognition
	Files Files
}

// Read has read make a document of f, in Limits.Time. Errors are *Error, or
// the context's when it ended; a panic of a parser is a Malformed error.
func Read(ctx context.Context, read Reader, f File, lim Limits, h Host) (doc evidence.Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = evidence.Document{}, Fail(Malformed, "The file is damaged in a way that cannot be read.", fmt.Errorf("parser panic: %v", r))
		}
	}()
	b := NewBuilder(lim.Output)
	b.Files = h.Files
	b.Slow = func() (context.Context, context.CancelFunc) {
		if h.Slow != nil {
			h.Slow()
		}
		return context.WithTimeout(ctx, lim.OCR+lim.Time)
	}
	quick, cancel := context.WithTimeout(ctx, lim.Time)
	defer cancel()
	if err := read(quick, b, f.Name, f.Data, lim); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = TimedOut(lim)
		}
		return evidence.Document{}, err
	}
	return finish(b, f.MediaType, f.Name, f.Data)
}

func finish(b *Builder, mediaType, name string, data []byte) (evidence.Document, error) {
	doc := b.Document()
	doc.Source.MediaType, doc.Source.Digest = cmp.Or(doc.Source.MediaType, mediaType), evidence.Digest(data)
	if doc.Source.Title == "" {
		doc.Source.Title = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	if strings.TrimSpace(doc.Text) == "" {
		return evidence.Document{}, emptyReason(doc)
	}
	return doc, nil
}

func emptyReason(doc evidence.Document) *Error {
	switch {
	case doc.Coverage.Reason != "":
		return Fail(Empty, doc.Coverage.Reason, nil)
	case slices.Contains(doc.Flags, "recognised"):
		return Fail(Empty, "There is no text on it; text recognition found none either.", nil)
	case doc.Coverage.Pages > 0:
		return Fail(Empty, "The pages hold no text.", nil)
	}
	return Fail(Empty, "The file holds no text.", nil)
}

// TimedOut says that reading took longer than Limits.Time.
func TimedOut(lim Limits) *Error {
	return Fail(Timeout, fmt.Sprintf("Reading the file took longer than %s.", lim.Time), nil)
}
