package legacy

import (
	"encoding/binary"
	"strings"
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// wordFile is a document of two pieces, the first of them in one byte a letter.
func wordFile(text, wide, notes string) []byte {
	main := make([]byte, 1024)
	binary.LittleEndian.PutUint16(main[2:], word97)
	n := len(text) + len([]rune(wide))
	binary.LittleEndian.PutUint32(main[wordLengths:], uint32(n))
	binary.LittleEndian.PutUint32(main[wordLengths+4:], uint32(len([]rune(notes))))
	first, second := uint32(len(main)), uint32(len(main)+len(text))
	main = append(main, text+formattest.UTF16Of(wide+notes)...)
	main = append(main, make([]byte, formattest.SmallStream)...)
	total := uint32(n + len([]rune(notes)))
	pieces := []byte{1, 2, 0, 9, 9, 2}
	pieces = binary.LittleEndian.AppendUint32(pieces, 4*3+8*2)
	for _, at := range []uint32{0, uint32(len(text)), total} {
		pieces = binary.LittleEndian.AppendUint32(pieces, at)
	}
	for _, at := range []uint32{first*2 | 1<<30, second} {
		pieces = append(binary.LittleEndian.AppendUint32(append(pieces, 0, 0), at), 0, 0)
	}
	binary.LittleEndian.PutUint32(main[wordPieces:], 0)
	binary.LittleEndian.PutUint32(main[wordPieces+4:], uint32(len(pieces)))
	return formattest.ContainerOf("WordDocument", string(main), "0Table", string(pieces))
}

func TestAnOldWordDocumentIsRead(t *testing.T) {
	text := "The lease\rIt is \x93quoted\x94, see \x13 REF x \x14page 4\x15.\rRent\x07May\x07\x07Heat\x07June\x07\x07"
	doc := extractString(t, "a.doc", string(wordFile(text, "Größe und Маß\r", "A note.\r")))
	want := "The lease\n\nIt is “quoted”, see page 4.\n\nRent  May\nHeat  June\n\nGröße und Маß\n\nA note."
	if doc.Text != want {
		t.Errorf("got\n%s\nwant\n%s", doc.Text, want)
	}
	locked := wordFile(text, "x", "")
	at := strings.Index(string(locked), string([]byte{word97, 0})) + wordFlags - 2
	locked[at+1] |= 1
	if code := extractCode("a.doc", locked, format.DefaultLimits()); code != format.Encrypted {
		t.Errorf("a locked one is %s", code)
	}
	if code := extractCode("a.doc", formattest.ContainerOf("WordDocument", "cut"), format.DefaultLimits()); code != format.Malformed {
		t.Errorf("a cut one is %s", code)
	}
}

func FuzzExtractWord(f *testing.F) {
	for _, doc := range [][]byte{wordFile("The lease\rRent\x07May\x07\x07", "Größe und Maß\r", "A note.\r"), wordFile("\x13 REF x \x14page 4\x15", "", "")} {
		c, err := format.OpenContainer(doc, format.DefaultLimits())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(c.Streams["WordDocument"], c.Streams["0Table"])
	}
	f.Fuzz(func(t *testing.T, main, table []byte) {
		if len(main)+len(table) < largestStream {
			formattest.Fuzz(t, Reader(nil), formattest.ContainerOf("WordDocument", string(main), "0Table", string(table), "1Table", string(table)))
		}
	})
}
