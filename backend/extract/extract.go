// Package extract turns the bytes of a file into text with places.
//
//	media.go            what a file is, by its first bytes and its name
//	extract.go          Extract: one file to one evidence.Document, or an Error a person understands
//	text, markdown, html, notebook, pdf*, mail*  one format each, all writing through builder.go
//	office.go           the office formats and books: docx, pptx, xlsx, odf, rtf, epub, and what to do with older ones
//	container.go        the container of older ones: oldoffice.go sees what is in it, outlook, worddoc, biff* and ppt* read it
//	zip.go, xml.go      archives and XML read within absolute limits
//	worker.go, pool.go  the same work in child processes with a memory cap and a deadline
//
// Nothing here trusts a file: sizes are counted, not believed, and a parser
// that panics gives an Error. What a parser can do beyond that (a huge
// allocation, an endless loop) ends a child, so the program calls Pool and
// only tests and the worker call Extract.
package extract

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
)

// Codes of Error.
const (
	Encrypted   = "encrypted"   // a password is needed
	Malformed   = "malformed"   // damaged, or not what its name says
	TooLarge    = "too-large"   // over one of Limits
	Timeout     = "timeout"     // over Limits.Time
	Memory      = "memory"      // the child reached Limits.Memory
	Crashed     = "crashed"     // the child ended for another reason
	Unsupported = "unsupported" // a format that is not read
	Empty       = "empty"       // no text inside: blank, or pictures of pages
	Unreadable  = "unreadable"  // missing, forbidden, or no regular file
)

// Error says why a file gave no text. Code is one of the constants of this
// package, Reason a sentence for people; the cause is for the log.
type Error struct {
	Code   string
	Reason string
	cause  error
}

func fail(code, reason string, cause error) *Error {
	return &Error{Code: code, Reason: reason, cause: cause}
}

// Error gives code, reason and cause, for the log.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Reason, e.cause)
	}
	return e.Code + ": " + e.Reason
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// Limits bound what one file may cost. All are absolute: nothing that a file
// declares about itself moves them.
type Limits struct {
	File      int64         // bytes of a file
	Text      int           // bytes read of a text format; the rest is left out and said
	Output    int           // bytes of extracted text
	Parts     int           // entries of an archive
	Entry     int64         // bytes of one entry, unpacked
	Archive   int64         // bytes of all entries read, unpacked
	Ratio     int64         // unpacked to packed, of the whole archive …
	RatioFrom int64         // … once this much is unpacked: good files hold single entries of 667:1
	XMLDepth  int           // open elements
	Pages     int           // pages read of a PDF; the rest is left out and said
	Time      time.Duration // of one file
	OCR       time.Duration // of text recognition in one file, after Time; 0 = none
	Memory    int64         // bytes a child may grow by
	Jobs      int           // files a child reads before it is replaced
	Cache     string        // folder for compiled code, which is dear to make; empty = kept in memory
}

// RecognitionTime is the Limits.OCR that the product ships with, where the reader
// has not switched recognition off.
const RecognitionTime = 3 * time.Minute

// DefaultLimits are the limits the product ships with, without recognition.
func DefaultLimits() Limits {
	return Limits{
		File: 256 << 20, Text: 20 << 20, Output: 64 << 20,
		Parts: 2000, Entry: 64 << 20, Archive: 200 << 20, Ratio: 100, RatioFrom: 16 << 20,
		XMLDepth: 200, Pages: 5000,
		Time: 30 * time.Second, Memory: 1 << 30, Jobs: 512,
	}
}

// Extract reads one file's bytes. The Document's Source holds Title, MediaType,
// Digest and Published only. A document that was read in part has
// Coverage.Truncated, its reason, and the flag "partly-read".
//
// Errors are *Error, or the context's when it ended. A panic of a parser is a
// Malformed error; running out of memory is not caught: see Pool.
func Extract(ctx context.Context, mediaType, name string, data []byte, lim Limits) (evidence.Document, error) {
	return extractFile(ctx, mediaType, name, data, lim, func() {})
}

// extractFile is Extract that tells slow when work begins that may take Limits.OCR
// and Time once more: another engine, recognition.
func extractFile(ctx context.Context, mediaType, name string, data []byte, lim Limits, slow func()) (doc evidence.Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = evidence.Document{}, fail(Malformed, "The file is damaged in a way that cannot be read.", fmt.Errorf("parser panic: %v", r))
		}
	}()
	if err := ctx.Err(); err != nil {
		return evidence.Document{}, err
	}
	if int64(len(data)) > lim.File {
		return evidence.Document{}, tooLarge(int64(len(data)), lim.File)
	}
	read := readerOf(mediaType)
	if read == nil {
		return evidence.Document{}, fail(Unsupported, unsupportedReason(name, data), nil)
	}
	b := newBuilder(lim.Output)
	b.slow = func() (context.Context, context.CancelFunc) {
		slow()
		return context.WithTimeout(ctx, lim.OCR+lim.Time)
	}
	quick, cancel := context.WithTimeout(ctx, lim.Time)
	defer cancel()
	if err := read(quick, b, name, data, lim); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = timeoutError(lim)
		}
		return evidence.Document{}, err
	}
	return finish(b, mediaType, name, data)
}

func finish(b *builder, mediaType, name string, data []byte) (evidence.Document, error) {
	doc := b.document()
	doc.Source.MediaType, doc.Source.Digest = mediaType, evidence.Digest(data)
	if doc.Source.Title == "" {
		doc.Source.Title = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	if strings.TrimSpace(doc.Text) == "" {
		return evidence.Document{}, emptyReason(doc)
	}
	return doc, nil
}

// reader reads one format into b.
type reader func(ctx context.Context, b *builder, name string, data []byte, lim Limits) error

func readerOf(mediaType string) reader {
	switch mediaType {
	case "application/pdf":
		return readPDF
	case "text/html":
		return readHTML
	case mailType:
		return readMail
	case outlookType:
		return readOutlook
	case mboxType:
		return readMailbox
	case "image/png", "image/jpeg", "image/tiff", "image/webp":
		return readPicture
	case webType:
		return readWebArchive
	case "text/markdown":
		return readMarkdown
	case "text/csv", "text/tab-separated-values":
		return readTable
	case "application/x-ipynb+json":
		return readNotebook
	case "text/plain":
		return readPlain
	case "application/x-subrip", "text/vtt":
		return readSubtitles
	case "":
		return nil
	}
	if isCodeType(mediaType) {
		return readCode
	}
	return officeReader(mediaType)
}

func tooLarge(size, limit int64) *Error {
	return fail(TooLarge, fmt.Sprintf("The file has %d MB; up to %d MB are read.", size>>20, limit>>20), nil)
}

func emptyReason(doc evidence.Document) *Error {
	switch {
	case doc.Coverage.Reason != "":
		return fail(Empty, doc.Coverage.Reason, nil)
	case slices.Contains(doc.Flags, "recognised"):
		return fail(Empty, "There is no text on it; text recognition found none either.", nil)
	case doc.Coverage.Pages > 0:
		return fail(Empty, "The pages hold no text.", nil)
	}
	return fail(Empty, "The file holds no text.", nil)
}
