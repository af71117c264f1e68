package format

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"footnote/backend/charset"
)

// ToUTF8 decodes text of any usual character set, as charset.Decode does. Line
// ends become \n.
func ToUTF8(data []byte, declared string) string {
	return plainLines(charset.Decode(data, declared).Text)
}

// Decode is ToUTF8 for the text of the document itself: where its set is
// doubtful, the document says so.
func (b *Builder) Decode(data []byte, declared string) string {
	r := charset.Decode(data, declared)
	if r.Doubtful {
		b.Doc.Coverage.ReadAs = r.Charset
	}
	return plainLines(r.Text)
}

func plainLines(text string) string {
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// FromUTF16 decodes little-endian text, without the NULs around it.
func FromUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return strings.Trim(string(utf16.Decode(units)), "\x00")
}

// FromCodePage reads a text in a Windows code page; without one it is guessed.
func FromCodePage(raw []byte, n uint64) string {
	if n == 0 {
		return ToUTF8(raw, "")
	}
	text, err := CodePage(int(n)).NewDecoder().Bytes(raw)
	if err != nil {
		return ToUTF8(raw, "")
	}
	return ToUTF8(text, "utf-8")
}

// CodePage is the encoding of a Windows number; that of Western Europe when
// there is none.
func CodePage(n int) encoding.Encoding {
	if e := codePages[n]; e != nil {
		return e
	}
	return charmap.Windows1252
}

// codePages are the encodings by their Windows numbers.
var codePages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855, 858: charmap.CodePage858, 860: charmap.CodePage860,
	862: charmap.CodePage862, 863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874, 1250: charmap.Windows1250,
	1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
	1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic, 932: japanese.ShiftJIS, 936: simplifiedchinese.GBK,
	949: korean.EUCKR, 950: traditionalchinese.Big5, 20127: charmap.Windows1252, 28591: charmap.ISO8859_1, 28592: charmap.ISO8859_2, 65001: unicode.UTF8,
}
