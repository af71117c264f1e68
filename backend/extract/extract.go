// Package extract turns the bytes of a file into text with places.
//
//	formats.go          the formats that are read, a line each: a reader is a function of a room below
//	media.go, kinds.go  what a file is, by its first bytes and its name
//	gzip.go             one file that gzip packed is what it holds
//	extract.go          Extract: one file to one evidence.Document, or an Error a person understands
//	worker.go, pool.go  the same work in child processes with a memory cap and a deadline
//
// The rooms below: format has what readers share; markup, office, legacy, mail, pdf
// and ocr read; layout puts words with places in order; tool runs programs.
//
// Nothing here trusts a file: sizes are counted, not believed, and a parser
// that panics gives an Error. What a parser can do beyond that (a huge
// allocation, an endless loop) ends a child, so the program calls Pool and
// only tests and the worker call Extract.
package extract

import (
	"context"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

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
func extractFile(ctx context.Context, mediaType, name string, data []byte, lim Limits, slow func()) (evidence.Document, error) {
	if err := ctx.Err(); err != nil {
		return evidence.Document{}, err
	}
	if int64(len(data)) > lim.File {
		return evidence.Document{}, tooLarge(int64(len(data)), lim.File)
	}
	if mediaType == gzipType {
		return extractGzip(ctx, name, data, lim, slow)
	}
	read := readerOf(mediaType)
	if read == nil {
		return evidence.Document{}, fail(Unsupported, unsupportedReason(name, data), nil)
	}
	return format.Read(ctx, read, format.File{Name: name, MediaType: mediaType, Data: data}, lim, format.Host{Slow: slow, Files: innerFiles{}})
}

// innerFiles reads what lies inside a file as a file of its own.
type innerFiles struct{}

func (innerFiles) MediaType(name string, data []byte) string {
	return MediaType(name, data[:min(len(data), sniffed)])
}

func (innerFiles) Unsupported(name string, data []byte) string { return unsupportedReason(name, data) }

func (innerFiles) Extract(ctx context.Context, mediaType, name string, data []byte, lim Limits) (evidence.Document, error) {
	return Extract(ctx, mediaType, name, data, lim)
}
