package pdf

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

var (
	bfSection = regexp.MustCompile(`(?s)begin(bfchar|bfrange)(.*?)end(?:bfchar|bfrange)`)
	bfToken   = regexp.MustCompile(`<([0-9A-Fa-f\s]*)>|\[|\]`)
	dupPut    = regexp.MustCompile(`dup\s+(\d{1,3})\s*/([A-Za-z0-9._]+)\s+put`)
)

// glyph is one code of a shown string.
type glyph struct {
	text  string
	width float64 // in glyph units
	space bool    // the one-byte code 32, which word spacing widens
}

// glyphs reads the codes of a shown string.
func (f *pdfFont) glyphs(s string, yield func(glyph)) {
	switch {
	case f.multi != nil:
		f.multiByte(s, yield)
	case f.wide:
		for i := 0; i+1 < len(s); i += 2 {
			code := int(s[i])<<8 | int(s[i+1])
			yield(glyph{text: f.wideText(code), width: f.widthOf(code)})
		}
	default:
		for i := 0; i < len(s); i++ {
			code := int(s[i])
			text, ok := f.unicode[code]
			if !ok {
				text = f.simple[code]
			}
			yield(glyph{text: text, width: f.widthOf(code), space: code == 32})
		}
	}
}

func (f *pdfFont) widthOf(code int) float64 {
	if w, ok := f.widths[code]; ok {
		return w
	}
	return f.width
}

func (f *pdfFont) wideText(code int) string {
	if f.utf16 {
		return string(rune(code))
	}
	if text, ok := f.unicode[code]; ok {
		return text
	}
	if f.unicode == nil && code != 0 {
		return "\uFFFD" // a picture of a letter: nobody said which
	}
	return ""
}

// multiByte reads the old East Asian encodings, one or two bytes a letter.
func (f *pdfFont) multiByte(s string, yield func(glyph)) {
	for i := 0; i < len(s); {
		n := 1
		if _, plain := f.multi.(jis7); plain || s[i] >= 0x80 {
			n = min(2, len(s)-i)
		}
		raw := []byte(s[i : i+n])
		i += n
		e := f.multi
		if _, plain := e.(jis7); plain {
			e = japanese.EUCJP
			for j := range raw {
				raw[j] |= 0x80
			}
		}
		text, err := e.NewDecoder().Bytes(raw)
		if err != nil {
			text = []byte("\uFFFD")
		}
		yield(glyph{text: string(text), width: float64(n) * 500})
	}
}

// glyphText spells out a glyph's name: a letter, uniXXXX, uXXXXX, parts joined
// by _, a suffix after a dot dropped. Other names give "".
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if strings.Contains(name, "_") {
		all := ""
		for part := range strings.SplitSeq(name, "_") {
			all += glyphText(part)
		}
		return all
	}
	if len(name) == 1 {
		return name
	}
	if text, ok := namedGlyph(name); ok {
		return text
	}
	for _, prefix := range []string{"uni", "u"} {
		digits, ok := strings.CutPrefix(name, prefix)
		if !ok || len(digits) < 4 || len(digits) > 6 {
			continue
		}
		if n, err := strconv.ParseUint(digits, 16, 32); err == nil && utf8.ValidRune(rune(n)) {
			return string(rune(n))
		}
	}
	return ""
}

// namedGlyph knows the names that text is mostly made of.
func namedGlyph(name string) (string, bool) {
	switch name {
	case "ff", "fi", "fl", "ffi", "ffl":
		return name, true
	case "space":
		return " ", true
	case "hyphen", "minus":
		return "-", true
	case "period":
		return ".", true
	case "comma":
		return ",", true
	case "quoteright":
		return "’", true
	case "quoteleft":
		return "‘", true
	case "quotedblleft":
		return "“", true
	case "quotedblright":
		return "”", true
	case "endash":
		return "–", true
	case "emdash":
		return "—", true
	case "bullet":
		return "•", true
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine":
		digits := map[string]string{"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}
		return digits[name], true
	}
	return "", false
}
