package extract

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/formattest"
)

func packed(t *testing.T, content string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readPacked(name string, data []byte, lim Limits) (evidence.Document, error) {
	return Extract(context.Background(), MediaType(name, data[:min(len(data), sniffed)]), name, data, lim)
}

func TestPackedFilesAreReadAsWhatTheyHold(t *testing.T) {
	for name, want := range map[string][2]string{
		"changelog.Debian.gz": {"tool (1.2) unstable\n\n  * The door opens at nine.", "The door opens at nine."},
		"guide.html.gz":       {"<title>Guide</title><p>The door opens at nine.</p>", "The door opens at nine."},
		"paper.pdf.gz":        {string(formattest.PDFOf(formattest.At("F1", 10, 72, 700, "The door opens at nine."))), "The door opens at nine."},
	} {
		data := packed(t, want[0])
		doc, err := readPacked(name, data, DefaultLimits())
		if err != nil || !strings.Contains(doc.Text, want[1]) || strings.Contains(doc.Text, "<p>") || doc.Source.Digest != evidence.Digest(data) {
			t.Errorf("%s: %+v %q %v", name, doc.Source, doc.Text, err)
		}
	}
}

func TestPackedArchivesAreNotRead(t *testing.T) {
	tar := "notes.txt" + strings.Repeat("\x00", 248) + "ustar\x00" + strings.Repeat("\x00", 249) + strings.Repeat("words of a note ", 400)
	for name, content := range map[string]string{"notes.tar.gz": tar, "notes.gz": tar, "font.ttf.gz": "\x7fELF" + strings.Repeat("\x01\x02", 99), "twice.txt.gz.gz": "words"} {
		if got := MediaType(name, packed(t, content)); got != "" {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestPackedFilesKeepToLimits(t *testing.T) {
	lim := DefaultLimits()
	lim.Entry = 1000
	whole := packed(t, strings.Repeat("words of a long text. ", 4000))
	for want, data := range map[string][]byte{TooLarge: whole, Malformed: whole[:len(whole)/2]} {
		var e *Error
		if _, err := readPacked("long.txt.gz", data, map[bool]Limits{true: lim, false: DefaultLimits()}[want == TooLarge]); !errors.As(err, &e) || e.Code != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
