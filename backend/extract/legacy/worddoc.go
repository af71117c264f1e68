package legacy

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// Places in the first bytes of a document of Word 97 to 2003.
const (
	wordFlags    = 0x0A
	wordLengths  = 0x4C // characters of the text, then of its notes, headers …
	wordPieces   = 0x1A2
	wordHeadSize = 0x1AA

	wordEncrypted = 1 << 8
	wordTable1    = 1 << 9
	word97        = 193 // the oldest version whose text lies in pieces
)

// errPieces marks a document whose table of pieces leads nowhere.
var errPieces = errors.New("read table of pieces")

// readWordDoc reads a document of the old Word: paragraphs and rows of tables,
// then notes and text boxes. What fields compute is read, not how; headers,
// footers and comments are left out.
func readWordDoc(b *format.Builder, c *format.Container) error {
	main := c.Streams["WordDocument"]
	if len(main) < wordHeadSize {
		return format.Fail(format.Malformed, "The file is damaged: its text cannot be found.", errPieces)
	}
	flags := binary.LittleEndian.Uint16(main[wordFlags:])
	if flags&wordEncrypted != 0 {
		return format.Fail(format.Encrypted, "The file is protected with a password; save it without one and add that.", nil)
	}
	if binary.LittleEndian.Uint16(main[2:]) < word97 {
		from, to := binary.LittleEndian.Uint32(main[0x18:]), binary.LittleEndian.Uint32(main[0x1C:])
		if from > to || int64(to) > int64(len(main)) {
			return format.Fail(format.Malformed, "The file is damaged: its text cannot be found.", errPieces)
		}
		writeWordText(b, fromWindows(main[from:to]))
		titled(b, c)
		return nil
	}
	table := c.Streams["0Table"]
	if flags&wordTable1 != 0 {
		table = c.Streams["1Table"]
	}
	text, err := wordText(main, table)
	if err != nil && len(text) == 0 {
		return format.Fail(format.Malformed, "The file is damaged: its text cannot be found.", err)
	}
	if err != nil {
		b.Partly("The file is damaged; it was read up to there.")
	}
	for _, part := range wordParts(main, len(text)) {
		writeWordText(b, string(utf16.Decode(text[part[0]:part[1]])))
	}
	titled(b, c)
	return nil
}

// wordParts are the ranges of the text to be read: all but headers and comments.
func wordParts(main []byte, total int) (parts [][2]int) {
	at := 0
	for i := range 7 { // text, footnotes, headers, macros, comments, endnotes, text boxes
		n := int(int32(binary.LittleEndian.Uint32(main[wordLengths+4*i:])))
		if n < 0 || n > total-at {
			n = total - at
		}
		if i != 2 && i != 3 && i != 4 && n > 0 {
			parts = append(parts, [2]int{at, at + n})
		}
		at += n
	}
	return parts
}

// wordText puts the pieces of a document together: UTF-16 units.
func wordText(main, table []byte) (text []uint16, err error) {
	at, size := binary.LittleEndian.Uint32(main[wordPieces:]), binary.LittleEndian.Uint32(main[wordPieces+4:])
	if uint64(at)+uint64(size) > uint64(len(table)) {
		return nil, errPieces
	}
	pieces := table[at : at+size]
	for len(pieces) > 3 && pieces[0] == 1 { // formats that pieces share
		skip := 3 + int(binary.LittleEndian.Uint16(pieces[1:]))
		pieces = pieces[min(skip, len(pieces)):]
	}
	if len(pieces) < 5 || pieces[0] != 2 {
		return nil, errPieces
	}
	pieces = pieces[5:]
	n := (len(pieces) - 4) / 12
	for i := range max(0, n) {
		from, to := binary.LittleEndian.Uint32(pieces[4*i:]), binary.LittleEndian.Uint32(pieces[4*i+4:])
		where := binary.LittleEndian.Uint32(pieces[4*(n+1)+8*i+2:])
		if from > to {
			return text, errPieces
		}
		size, start := 2*uint64(to-from), uint64(where)
		narrow := where&(1<<30) != 0
		if narrow {
			size, start = size/2, uint64(where&^(1<<30))/2
		}
		if start+size > uint64(len(main)) || len(text)+int(to-from) > len(main) {
			return text, errPieces
		}
		raw := main[start : start+size]
		if narrow {
			text = append(text, utf16.Encode([]rune(fromWindows(raw)))...)
			continue
		}
		for j := 0; j+1 < len(raw); j += 2 {
			text = append(text, binary.LittleEndian.Uint16(raw[j:]))
		}
	}
	return text, nil
}

func fromWindows(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		out.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return out.String()
}

// writeWordText writes a range of text. Marks inside it end paragraphs, cells and
// rows, and surround fields.
func writeWordText(b *format.Builder, text string) {
	var words strings.Builder
	var cells []string
	fields, last := []bool{}, rune(0) // open fields: whether their result has begun
	flush := func() {
		if s := words.String(); strings.TrimSpace(s) != "" {
			b.Add(evidence.Block{Kind: evidence.Paragraph}, s)
		}
		words.Reset()
	}
	for _, r := range text {
		hidden := false
		for _, shown := range fields {
			hidden = hidden || !shown
		}
		switch {
		case r == 0x13:
			fields = append(fields, false)
		case r == 0x14 && len(fields) > 0:
			fields[len(fields)-1] = true
		case r == 0x15:
			fields = fields[:max(0, len(fields)-1)]
		case hidden:
		case r == 0x07 && last == 0x07: // the end of a row follows that of its last cell
			b.AddRow(evidence.Block{}, cells)
			cells = nil
		case r == 0x07:
			cells = append(cells, words.String())
			words.Reset()
		case r == '\r' || r == '\f':
			if len(cells) > 0 { // paragraphs of a cell stay in it
				words.WriteByte(' ')
			} else {
				flush()
			}
		case r == 0x0B || r == '\t':
			words.WriteByte(' ')
		case r == 0x1E:
			words.WriteByte('-')
		case r >= ' ':
			words.WriteRune(r)
		}
		last = r
	}
	if len(cells) > 0 {
		b.AddRow(evidence.Block{}, append(cells, words.String()))
		return
	}
	flush()
}
