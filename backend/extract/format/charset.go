package format

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// ToUTF8 decodes text of any usual encoding: a byte order mark decides, then
// valid UTF-8, then what the document declares (when it decodes cleanly), then
// a guess; at last Windows-1252, which never fails. Line ends become \n.
func ToUTF8(data []byte, declared string) string {
	text := decode(data, declared)
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func decode(data []byte, declared string) string {
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return string(rest)
	}
	if e := WideEncoding(data); e != nil {
		if out, err := e.NewDecoder().Bytes(data); err == nil {
			return string(out)
		}
	}
	if isUTF8(data) {
		return string(data)
	}
	if e, err := htmlindex.Get(strings.TrimSpace(declared)); err == nil && declared != "" {
		if out, ok := decodesCleanly(e, data); ok {
			return out
		}
	}
	return guess(data)
}

// isUTF8 allows a few broken bytes in what is otherwise plainly UTF-8.
func isUTF8(data []byte) bool {
	if utf8.Valid(data) {
		return true
	}
	broken, multi := 0, 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			broken++
		} else {
			multi++
		}
		i += size
	}
	return broken*4 <= multi
}

// guess asks the detector about a sample around the first non-ASCII byte.
func guess(data []byte) string {
	from := bytes.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf })
	sample := data[max(0, from-256):]
	found := chardet.Detect(sample[:min(len(sample), 64<<10)])
	name := found.Encoding
	if name == "MacCyrillic" { // the detector's mistake for its far more frequent cousin
		name = "windows-1251"
	}
	if e, err := htmlindex.Get(name); err == nil && found.Confidence >= 0.5 {
		if out, ok := decodesCleanly(e, data); ok {
			return out
		}
	}
	out, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return string(data)
	}
	return string(out)
}

// decodesCleanly decodes and says whether next to nothing was undecodable.
func decodesCleanly(e encoding.Encoding, data []byte) (string, bool) {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	bad := bytes.Count(out, []byte("\uFFFD"))
	return string(out), bad*200 <= len(out)
}

// HasWideMark reports whether data begins with the mark of UTF-16 or UTF-32.
func HasWideMark(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff"))
}

// LooksWide recognises UTF-16 without a mark by its NULs: Latin text has one in
// nearly every second byte. It gives "le", "be" or "".
func LooksWide(data []byte) string {
	n := min(len(data), 2048) &^ 1
	if n < 8 {
		return ""
	}
	even, odd := 0, 0
	for i := 0; i < n; i += 2 {
		if data[i] == 0 {
			even++
		}
		if data[i+1] == 0 {
			odd++
		}
	}
	switch half := n / 2; {
	case odd*10 >= half*7 && even*10 < half:
		return "le"
	case even*10 >= half*7 && odd*10 < half:
		return "be"
	}
	return ""
}

// WideEncoding is the encoding of UTF-16 or UTF-32 text, with or without a mark;
// nil for other text.
func WideEncoding(data []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case HasWideMark(data):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	switch LooksWide(data) {
	case "le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
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
