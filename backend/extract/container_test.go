package extract

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

const (
	sectorBytes = 512
	smallSector = 64
	smallStream = 4096 // shorter streams lie in small sectors
	chainEnd    = 0xFFFFFFFE
	noEntry     = 0xFFFFFFFF
)

// containerOf writes a compound file of streams: path, content, path, content. A
// path that ends in a slash is a folder, which comes before what is in it.
func containerOf(entries ...string) []byte {
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
	if len(content) >= smallStream {
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
	copy(header, oleMagic)
	put(24, 0x0003003E)
	copy(header[28:], []byte{0xFE, 0xFF, 9, 0, 6, 0})
	put(56, smallStream)
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

func utf16Of(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// propsOf writes fixed properties behind a head of some bytes.
func propsOf(head int, props map[int]uint64) string {
	out := make([]byte, head)
	for prop, value := range props {
		out = binary.LittleEndian.AppendUint16(out, 3)
		out = binary.LittleEndian.AppendUint16(out, uint16(prop))
		out = binary.LittleEndian.AppendUint32(out, 0)
		out = binary.LittleEndian.AppendUint64(out, value)
	}
	return string(out)
}

// outlookFile is a message with a file, a picture and another message attached.
func outlookFile() []byte {
	file, picture, inner := attachPrefix+"#00000000", attachPrefix+"#00000001", attachPrefix+"#00000002"
	message := inner + "/__substg1.0_3701000D"
	return containerOf(
		fixedProps, propsOf(32, map[int]uint64{propDelivered: 130291900000000000, propCodePage: 1251}),
		"__substg1.0_0037001F", utf16Of("Fähre 1911"),
		"__substg1.0_0C1A001F", utf16Of("Anna Lorne"),
		"__substg1.0_5D01001F", utf16Of("anna@lorne.example"),
		"__substg1.0_0E04001E", "\xcf\xe5\xf2\xf0", // Петр
		"__substg1.0_1000001F", utf16Of("The ferry sank.\r\nNobody drowned."),
		"__substg1.0_10130102", "<html><body><p>The ferry sank.</p></body></html>",
		file+"/", "", file+"/__substg1.0_3707001F", utf16Of("list.csv"), file+"/__substg1.0_37010102", "name,berth\nLorne,4\n",
		picture+"/", "", picture+"/__substg1.0_3704001F", utf16Of("logo.gif"), picture+"/__substg1.0_37010102", "GIF89a\x00\x01",
		inner+"/", "", message+"/", "",
		message+"/"+fixedProps, propsOf(24, nil),
		message+"/__substg1.0_0037001F", utf16Of("Earlier"),
		message+"/__substg1.0_1000001F", utf16Of("It will sail at noon."),
	)
}

func TestAMessageOfOutlookIsReadWithWhatCameAlong(t *testing.T) {
	doc := extractString(t, "a.msg", string(outlookFile()))
	for _, want := range []string{
		"From: Anna Lorne <anna@lorne.example>", "To: Петр", "Date: 17 November 2013", "The ferry sank.", "Nobody drowned.",
		"Attachment: list.csv", "Lorne", "Not read: logo.gif", "Earlier", "It will sail at noon.",
	} {
		if !strings.Contains(doc.Text, want) {
			t.Errorf("no %q in\n%s", want, doc.Text)
		}
	}
	if doc.Source.Title != "Fähre 1911" || doc.Source.Published.Year() != 2013 {
		t.Errorf("%+v", doc.Source)
	}
	mail := extractString(t, "b.msg", "From: a@example.org\nSubject: Plain\n\nSaved by another program.\n")
	if mail.Source.Title != "Plain" || !strings.Contains(mail.Text, "another program") {
		t.Errorf("%q", mail.Text)
	}
}

// wordFile is a document of two pieces, the first of them in one byte a letter.
func wordFile(text, wide, notes string) []byte {
	main := make([]byte, 1024)
	binary.LittleEndian.PutUint16(main[2:], word97)
	n := len(text) + len([]rune(wide))
	binary.LittleEndian.PutUint32(main[wordLengths:], uint32(n))
	binary.LittleEndian.PutUint32(main[wordLengths+4:], uint32(len([]rune(notes))))
	first, second := uint32(len(main)), uint32(len(main)+len(text))
	main = append(main, text+utf16Of(wide+notes)...)
	main = append(main, make([]byte, smallStream)...)
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
	return containerOf("WordDocument", string(main), "0Table", string(pieces))
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
	if code := extractCode("a.doc", locked, DefaultLimits()); code != Encrypted {
		t.Errorf("a locked one is %s", code)
	}
	if code := extractCode("a.doc", containerOf("WordDocument", "cut"), DefaultLimits()); code != Malformed {
		t.Errorf("a cut one is %s", code)
	}
}

func FuzzExtractContainers(f *testing.F) {
	f.Add(outlookFile())
	f.Add(wordFile("The lease\r", "Größe\r", "n\r"))
	f.Add(containerOf(fixedProps, "", "WordDocument", "x"))
	fuzzTypes(f, outlookType, docType)
}
