package paper

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// file is a PDF in the making: objects by number.
type file struct {
	objects [][]byte // of number i+1
}

// reserve gives the number of an object that is written later.
func (f *file) reserve() int {
	f.objects = append(f.objects, nil)
	return len(f.objects)
}

func (f *file) put(number int, format string, args ...any) {
	f.objects[number-1] = fmt.Appendf(nil, format, args...)
}

func (f *file) add(format string, args ...any) int {
	n := f.reserve()
	f.put(n, format, args...)
	return n
}

// stream adds packed data with more entries of its dictionary.
func (f *file) stream(entries string, data []byte) (int, error) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(data); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return f.add("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", entries, packed.Len(), packed.Bytes()), nil
}

// bytes is the whole file.
func (f *file) bytes(catalog, info int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	at := make([]int, len(f.objects))
	for i, object := range f.objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	id, start := sha256.Sum256(b.Bytes()), b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(f.objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R /ID [<%x> <%x>] >>\nstartxref\n%d\n%%%%EOF\n", len(f.objects)+1, catalog, info, id[:16], id[:16], start)
	return b.Bytes()
}

// hex is a text as PDF has those of all languages.
func hex(text string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	b.WriteString(units(text))
	b.WriteByte('>')
	return b.String()
}

func units(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	return b.String()
}

// literal is an address as a string of PDF.
func literal(text string) string {
	return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", "", "\n", "").Replace(text) + ")"
}

func date(t time.Time) string { return t.UTC().Format("(D:20060102150405Z)") }

// embed writes a font and gives its object.
func (f *file) embed(v *face) (int, error) {
	name := fmt.Sprintf("%s+%s", tagOf(v.number), v.name)
	program, err := f.stream("/Subtype /CIDFontType0C", compact(name, v.shapes))
	if err != nil {
		return 0, err
	}
	names, err := f.stream("", []byte(v.toUnicode()))
	if err != nil {
		return 0, err
	}
	var widths strings.Builder
	for _, s := range v.shapes {
		fmt.Fprintf(&widths, "%d ", s.width)
	}
	ascent, descent := v.extent()
	descriptor := f.add("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [-1000 %d 2000 %d] /ItalicAngle 0 /Ascent %d /Descent %d /CapHeight 700 /StemV 80 /FontFile3 %d 0 R >>", name, descent, ascent, ascent, descent, program)
	descendant := f.add("<< /Type /Font /Subtype /CIDFontType0 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 0 /W [0 [%s]] /FontDescriptor %d 0 R >>", name, strings.TrimSpace(widths.String()), descriptor)
	return f.add("<< /Type /Font /Subtype /Type0 /BaseFont /%s-Identity-H /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, descendant, names), nil
}

// tagOf are the six letters before the name of a font of which a part is embedded.
func tagOf(n int) string {
	tag := []byte("FNAAAA")
	for i := len(tag) - 1; i > 1; i-- {
		tag[i] += byte(n % 26)
		n /= 26
	}
	return string(tag)
}

// toUnicode says what text each shape stands for.
func (v *face) toUnicode() string {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	for from := 1; from < len(v.texts); from += 100 {
		to := min(from+100, len(v.texts))
		fmt.Fprintf(&b, "%d beginbfchar\n", to-from)
		for id := from; id < to; id++ {
			fmt.Fprintf(&b, "<%04X> <%s>\n", id, units(v.texts[id]))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.String()
}
