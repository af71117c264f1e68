package format

import (
	"context"
	"fmt"
	"time"
)

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

// TooLargeFile says that a file has more bytes than the limit.
func TooLargeFile(size, limit int64) *Error {
	return Fail(TooLarge, fmt.Sprintf("The file has %d MB; up to %d MB are read.", size>>20, limit>>20), nil)
}

// RunningOut reports that four fifths of a file's time are gone: a reader that
// can stop half-way does, and says so, before all is lost.
func RunningOut(ctx context.Context, lim Limits) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < lim.Time/5
}
