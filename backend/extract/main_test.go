package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// workerSwitch makes the test binary a worker, as `footnote extract-worker` is.
const workerSwitch = "FOOTNOTE_TEST_WORKER"

func TestMain(m *testing.M) {
	switch os.Getenv(workerSwitch) {
	case "":
		os.Exit(m.Run())
	case "serve":
		if err := ServeWorker(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "unconfined": // as where the system has no sandbox
		if err := serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	case "crash":
		panic("a crash that no one catches")
	case "hang":
		time.Sleep(time.Minute)
	case "garbage":
		fmt.Print("\xff\xff\xff\xffnot a frame")
	case "environment":
		for _, e := range os.Environ() {
			fmt.Fprintln(os.Stderr, e)
		}
		os.Exit(3)
	}
}

// testPool is a pool whose children are this test binary in a mode.
func testPool(t *testing.T, mode string, size int, lim Limits) *Pool {
	t.Helper()
	t.Setenv(workerSwitch, mode)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool([]string{exe}, size, func() Limits { return lim })
	t.Cleanup(p.Close)
	return p
}

// shared finds a file of the shared test material, or skips the test.
func shared(t *testing.T, parts ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, parts...)...)
			if _, err := os.Stat(path); err != nil {
				t.Skip("the shared test material is not here")
			}
			return path
		}
	}
	t.Skip("not inside the module")
	return ""
}

func extractString(t *testing.T, name, content string) evidence.Document {
	t.Helper()
	data := []byte(content)
	doc, err := Extract(context.Background(), MediaType(name, data[:min(len(data), sniffed)]), name, data, DefaultLimits())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkDocument(t, doc)
	return doc
}

func extractCode(name string, data []byte, lim Limits) string {
	_, err := Extract(context.Background(), MediaType(name, data[:min(len(data), sniffed)]), name, data, lim)
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// checkDocument holds what every document promises.
func checkDocument(t *testing.T, doc evidence.Document) {
	t.Helper()
	if !utf8.ValidString(doc.Text) {
		t.Fatal("the text is not UTF-8")
	}
	end := 0
	for _, b := range doc.Blocks {
		if b.Start < end || b.End <= b.Start || b.End > len(doc.Text) {
			t.Fatalf("block %+v after %d of %d", b, end, len(doc.Text))
		}
		if b.Kind == evidence.Heading && (b.Level < 1 || b.Level > 6) {
			t.Fatalf("heading level %d", b.Level)
		}
		if strings.TrimSpace(doc.Text[end:b.Start]) != "" {
			t.Fatalf("text outside blocks: %q", doc.Text[end:b.Start])
		}
		end = b.End
	}
	if end != len(doc.Text) {
		t.Fatalf("text after the last block")
	}
}

// outline writes blocks one a line: kind, level and line or page, text.
func outline(doc evidence.Document) string {
	var out strings.Builder
	for _, b := range doc.Blocks {
		fmt.Fprintf(&out, "%s%d@%d %s\n", b.Kind, b.Level, max(b.Line, b.Page), doc.Text[b.Start:b.End])
	}
	return out.String()
}

func wantOutline(t *testing.T, doc evidence.Document, want string) {
	t.Helper()
	if got := outline(doc); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// zipOf makes an archive of entries, name and content in turn.
func zipOf(t testing.TB, entries ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := 0; i+1 < len(entries); i += 2 {
		f, err := w.Create(entries[i])
		if err == nil {
			_, err = f.Write([]byte(entries[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// pdfOf makes a PDF with one page for each content stream, in Helvetica (F1)
// and its bold (F2).
func pdfOf(pages ...string) []byte {
	var out bytes.Buffer
	var offsets []int
	obj := func(body string) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	out.WriteString("%PDF-1.4\n")
	widths := "/FirstChar 32/LastChar 126/Widths[" + strings.Repeat("500 ", 95) + "]"
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 6+2*i)
	}
	obj("<</Type/Catalog/Pages 2 0 R>>")
	obj(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>", len(pages), kids.String()))
	obj("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding" + widths + ">>")
	obj("<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding" + widths + ">>")
	obj("<</Title(A useful title)/CreationDate(D:20230405)>>")
	for _, p := range pages {
		obj(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R>>", len(offsets)+2))
		obj(fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(p), p))
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes()
}

// at shows text in a font of a size at a place.
func at(font string, size, x, y float64, text string) string {
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, strings.NewReplacer("(", `\(`, ")", `\)`).Replace(text))
}
