package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Reading is a text as it was read.
type Reading struct {
	Text     string
	Charset  string // its name, in lower case
	Doubtful bool   // it may be another one: letters may be wrong
}

// Decode reads text in any usual character set: a byte order mark decides, then
// valid UTF-8, then what the document declares (when it decodes cleanly), then
// the letters. Bytes that are in no set become U+FFFD.
func Decode(data []byte, declared string) Reading {
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return Reading{Text: string(rest), Charset: "utf-8"}
	}
	if e, name := wide(data); e != nil {
		if out, err := e.NewDecoder().Bytes(data); err == nil {
			return Reading{Text: string(out), Charset: name}
		}
	}
	if r, ok := escaped(data); ok {
		return r
	}
	if isUTF8(data) {
		return Reading{Text: string(data), Charset: "utf-8"}
	}
	if declared = strings.TrimSpace(declared); declared != "" {
		if e, err := htmlindex.Get(declared); err == nil {
			if out, ok := decodesCleanly(e, data); ok {
				return Reading{Text: out, Charset: strings.ToLower(declared)}
			}
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

// escapes are how sets of seven bits say that other characters follow.
var escapes = []struct {
	name, begin string
	enc         encoding.Encoding
}{
	{"iso-2022-jp", "\x1b$B", japanese.ISO2022JP}, {"iso-2022-jp", "\x1b$@", japanese.ISO2022JP}, {"iso-2022-jp", "\x1b(J", japanese.ISO2022JP},
	{"hz-gb-2312", "~{", simplifiedchinese.HZGB2312},
}

// escaped reads sets that are written in ASCII and escapes.
func escaped(data []byte) (Reading, bool) {
	for _, e := range escapes {
		if !bytes.Contains(data, []byte(e.begin)) || bytes.ContainsFunc(data, func(r rune) bool { return r >= utf8.RuneSelf }) {
			continue
		}
		if out, ok := decodesCleanly(e.enc, data); ok && strings.ContainsFunc(out, func(r rune) bool { return r >= utf8.RuneSelf }) && !strings.ContainsRune(out, utf8.RuneError) {
			return Reading{Text: out, Charset: e.name}, true
		}
	}
	return Reading{}, false
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

// IsWide reports whether data is text of UTF-16 or UTF-32, with or without a mark.
func IsWide(data []byte) bool {
	e, _ := wide(data)
	return e != nil
}

// HasWideMark reports whether data begins with the mark of UTF-16 or UTF-32.
func HasWideMark(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff"))
}

// LooksWide recognises UTF-16 without a mark by its NULs: Latin text has one in
// nearly every second byte, other alphabets one beside each space. It gives "le",
// "be" or "".
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
	case even == 0 && odd*30 >= half:
		return besideSpaces(data[:n], 0, "le")
	case odd == 0 && even*30 >= half:
		return besideSpaces(data[:n], 1, "be")
	}
	return ""
}

// besideSpaces gives order where most units whose other byte is NUL are blanks,
// signs and digits.
func besideSpaces(data []byte, at int, order string) string {
	ascii, plain := 0, 0
	for i := 0; i < len(data); i += 2 {
		if data[i+1-at] != 0 {
			continue
		}
		ascii++
		if c := data[i+at]; c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c < 0x7f {
			plain++
		}
	}
	if ascii >= 3 && plain*10 >= ascii*9 { // fewer come about by chance
		return order
	}
	return ""
}

// wide is the encoding of UTF-16 or UTF-32 text, with or without a mark; nil for
// other text.
func wide(data []byte) (encoding.Encoding, string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "utf-32"
	case HasWideMark(data):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16"
	}
	switch LooksWide(data) {
	case "le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le"
	case "be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"
	}
	return nil, ""
}
