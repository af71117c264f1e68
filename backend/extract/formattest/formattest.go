package formattest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

const (
	sectorBytes = 512
	smallSector = 64
	SmallStream = 4096 // shorter streams lie in small sectors
	chainEnd    = 0xFFFFFFFE
	noEntry     = 0xFFFFFFFF
)

// ContainerOf writes a compound file of streams: path, content, path, content. A
// path that ends in a slash is a folder, which comes before what is in it.
func ContainerOf(entries ...string) []byte {
	w := &containerWriter{}
	w.entry("Root Entry", 5, "")
	folders := map[string]int{"": 0}
	for i := 0; i < len(entries); i += 2 {
		path := strings.TrimSuffix(entries[i], "/")
		parent, name := "", path
		if at := strings.LastIndexByte(path, '/'); at >= 0 {
			parent, name = path[:at], path[at+1:]
		}
		kind := byte(2)
		if path != entries[i] {
			kind = 1
			folders[path] = len(w.entries)
		}
		w.hang(folders[parent], len(w.entries))
		w.entry(name, kind, entries[i+1])
	}
	return w.bytes()
}

type containerWriter struct {
	entries   [][]byte
	sectors   []byte
	fat, mini []uint32
	small     []byte
}

// hang puts an entry below another: the first as its child, the others in a row.
func (w *containerWriter) hang(parent, entry int) {
	at, link := parent, 76
	for {
		next := binary.LittleEndian.Uint32(w.entries[at][link:])
		if next == noEntry {
			binary.LittleEndian.PutUint32(w.entries[at][link:], uint32(entry))
			return
		}
		at, link = int(next), 72
	}
}

func (w *containerWriter) entry(name string, kind byte, content string) {
	e := make([]byte, 128)
	for i, u := range utf16.Encode([]rune(name)) {
		binary.LittleEndian.PutUint16(e[2*i:], u)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(name)+2))
	e[66] = kind
	for _, at := range []int{68, 72, 76} {
		binary.LittleEndian.PutUint32(e[at:], noEntry)
	}
	w.entries = append(w.entries, e)
	if kind == 2 {
		binary.LittleEndian.PutUint32(e[116:], w.stream(content))
		binary.LittleEndian.PutUint32(e[120:], uint32(len(content)))
	}
}

func (w *containerWriter) stream(content string) uint32 {
	if len(content) >= SmallStream {
		return w.chain([]byte(content))
	}
	first := uint32(len(w.mini))
	for ; len(content) > 0; content = content[min(smallSector, len(content)):] {
		w.small = append(w.small, make([]byte, smallSector)...)
		copy(w.small[len(w.small)-smallSector:], content)
		w.mini = append(w.mini, uint32(len(w.mini)+1))
	}
	if len(w.mini) > int(first) {
		w.mini[len(w.mini)-1] = chainEnd
	}
	return first
}

// chain writes bytes into sectors of their own and gives the first.
func (w *containerWriter) chain(content []byte) uint32 {
	first := uint32(len(w.fat))
	for part := range slices.Chunk(content, sectorBytes) {
		w.sectors = append(w.sectors, part...)
		w.sectors = append(w.sectors, make([]byte, sectorBytes-len(part))...)
		w.fat = append(w.fat, uint32(len(w.fat)+1))
	}
	w.fat[len(w.fat)-1] = chainEnd
	return first
}

func (w *containerWriter) bytes() []byte {
	header := make([]byte, sectorBytes)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(header[at:], v) }
	copy(header, format.OLEMagic)
	put(24, 0x0003003E)
	copy(header[28:], []byte{0xFE, 0xFF, 9, 0, 6, 0})
	put(56, SmallStream)
	put(60, chainEnd)
	put(68, chainEnd)
	if len(w.small) > 0 {
		binary.LittleEndian.PutUint32(w.entries[0][116:], w.chain(w.small))
		binary.LittleEndian.PutUint32(w.entries[0][120:], uint32(len(w.small)))
		table := make([]byte, 4*len(w.mini))
		for i, n := range w.mini {
			binary.LittleEndian.PutUint32(table[4*i:], n)
		}
		put(60, w.chain(table))
		put(64, uint32((len(table)+sectorBytes-1)/sectorBytes))
	}
	put(48, w.chain(slices.Concat(w.entries...)))
	fat := uint32(len(w.fat))
	w.fat = append(w.fat, 0xFFFFFFFD)
	put(44, 1)
	for i := range 109 {
		put(76+4*i, noEntry)
	}
	put(76, fat)
	table := make([]byte, sectorBytes) // up to 128 sectors: 64 KB
	for i := range 128 {
		binary.LittleEndian.PutUint32(table[4*i:], noEntry)
	}
	for i, n := range w.fat {
		binary.LittleEndian.PutUint32(table[4*i:], n)
	}
	return slices.Concat(header, w.sectors, table)
}

// UTF16Of encodes text in little-endian UTF-16.
func UTF16Of(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// Shared finds a file of the shared test material, or skips the test.
func Shared(t *testing.T, parts ...string) string {
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

// CheckDocument holds what every document promises.
func CheckDocument(t *testing.T, doc evidence.Document) {
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

// Outline writes blocks one a line: kind, level of a heading and line or page, text.
func Outline(doc evidence.Document) string {
	var out strings.Builder
	for _, b := range doc.Blocks {
		level := 0
		if b.Kind == evidence.Heading {
			level = b.Level
		}
		fmt.Fprintf(&out, "%s%d@%d %s\n", b.Kind, level, max(b.Line, b.Page), doc.Text[b.Start:b.End])
	}
	return out.String()
}

// WantOutline compares the outline of a document.
func WantOutline(t *testing.T, doc evidence.Document, want string) {
	t.Helper()
	if got := Outline(doc); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// ZipOf makes an archive of entries, name and content in turn.
func ZipOf(t testing.TB, entries ...string) []byte {
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

// PDFOf makes a PDF with one page for each content stream, in Helvetica (F1)
// and its bold (F2).
func PDFOf(pages ...string) []byte {
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

// At shows text in a font of a size at a place.
func At(font string, size, x, y float64, text string) string {
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, strings.NewReplacer("(", `\(`, ")", `\)`).Replace(text))
}

// WantCode wants an *format.Error with a reason and one of codes.
func WantCode(t *testing.T, err error, codes ...string) {
	t.Helper()
	var e *format.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want %v", err, codes)
	}
	for _, c := range codes {
		if e.Code == c && e.Reason != "" {
			return
		}
	}
	t.Errorf("got %v, want %v", err, codes)
}

// ReadContent reads a file's content, which must be a good document.
func ReadContent(t *testing.T, read format.Reader, name, content string) evidence.Document {
	t.Helper()
	doc, err := format.Read(context.Background(), read, format.File{Name: name, Data: []byte(content)}, format.DefaultLimits(), format.Host{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	CheckDocument(t, doc)
	return doc
}

// Code is the code of the error that reading gives; empty for none.
func Code(read format.Reader, name string, data []byte, lim format.Limits) string {
	_, err := format.Read(context.Background(), read, format.File{Name: name, Data: data}, lim, format.Host{})
	var e *format.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Fuzz reads any bytes: a document that keeps its promises, or an *Error that
// is no parser's panic.
func Fuzz(t *testing.T, read format.Reader, data []byte) {
	t.Helper()
	fuzzedWithin(t, read, data, format.DefaultLimits())
}

func fuzzedWithin(t *testing.T, read format.Reader, data []byte, lim format.Limits) {
	t.Helper()
	doc, err := format.Read(t.Context(), read, format.File{Name: "file", Data: data}, lim, format.Host{})
	if err == nil {
		CheckDocument(t, doc)
	} else if strings.Contains(err.Error(), "parser panic") {
		t.Fatal(err)
	}
}

// FuzzReaders gives any bytes to each of readers.
func FuzzReaders(f *testing.F, readers ...format.Reader) {
	lim := format.DefaultLimits()
	lim.Text, lim.Entry, lim.Archive = 1<<20, 4<<20, 8<<20
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range readers {
			fuzzedWithin(t, read, data, lim)
		}
	})
}
