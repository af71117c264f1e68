package extract

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"footnote/backend/evidence"
)

// gzipType is one file that gzip packed: it is read as what it holds, under its name
// without the ending.
const gzipType = "application/gzip"

// gzipped is the media type of a packed file of which the inside is read; empty for
// all others, archives among them.
func gzipped(name string, head []byte) string {
	if !strings.EqualFold(filepath.Ext(name), ".gz") || !bytes.HasPrefix(head, []byte("\x1f\x8b\x08")) {
		return ""
	}
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return ""
	}
	inside, _ := io.ReadAll(io.LimitReader(z, sniffed)) // the head ends before the file does
	if len(inside) == 0 || isTar(inside) || innerType(name, inside) == "" {
		return ""
	}
	return gzipType
}

func isTar(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }

// innerType is the media type of what a packed file holds; empty for one that is
// packed again.
func innerType(name string, inside []byte) string {
	inner := unpackedName(name)
	if strings.EqualFold(filepath.Ext(inner), ".gz") {
		return ""
	}
	return MediaType(inner, inside[:min(len(inside), sniffed)])
}

func unpackedName(name string) string { return name[:len(name)-len(filepath.Ext(name))] }

// extractGzip reads what a packed file holds.
func extractGzip(ctx context.Context, name string, data []byte, lim Limits, slow func()) (evidence.Document, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return evidence.Document{}, fail(Malformed, "The file is damaged: it cannot be unpacked.", err)
	}
	inside, err := io.ReadAll(io.LimitReader(z, lim.Entry+1))
	switch {
	case err != nil:
		return evidence.Document{}, fail(Malformed, "The file is damaged: it cannot be unpacked.", err)
	case int64(len(inside)) > lim.Entry:
		return evidence.Document{}, fail(TooLarge, fmt.Sprintf("The file has more than %d MB when it is unpacked.", lim.Entry>>20), nil)
	}
	doc, err := extractFile(ctx, innerType(name, inside), unpackedName(name), inside, lim, slow)
	if err != nil {
		return evidence.Document{}, err
	}
	doc.Source.MediaType, doc.Source.Digest = gzipType, evidence.Digest(data)
	return doc, nil
}
