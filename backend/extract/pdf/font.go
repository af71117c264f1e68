package pdf

import (
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	pdf "github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// pdfFont is what layout needs of a font: the text and the width of each code.
type pdfFont struct {
	wide         bool // codes have two bytes
	multi        encoding.Encoding
	unicode      map[int]string // ToUnicode
	simple       [256]string    // codes of one byte, by the font's encoding
	utf16        bool           // codes are UTF-16 themselves
	widths       map[int]float64
	width        float64 // of codes not in widths
	scale        float64 // glyph units to text units
	bold, italic bool
}

// loadFont reads a font once; every look-up after that is in memory.
func loadFont(v pdf.Value) *pdfFont {
	f := &pdfFont{widths: map[int]float64{}, scale: 0.001, width: 500}
	f.style(v)
	if tu := v.Key("ToUnicode"); tu.Kind() == pdf.Stream {
		body, _ := io.ReadAll(io.LimitReader(tu.Reader(), 4<<20)) // a damaged map still has its beginning
		f.unicode = parseToUnicode(string(body))
	}
	if v.Key("Subtype").Name() == "Type0" {
		f.loadComposite(v)
	} else {
		f.loadSimple(v)
	}
	return f
}

func (f *pdfFont) style(v pdf.Value) {
	name := strings.ToLower(v.Key("BaseFont").Name())
	d := v.Key("FontDescriptor")
	if v.Key("Subtype").Name() == "Type0" {
		d = v.Key("DescendantFonts").Index(0).Key("FontDescriptor")
	}
	flags := d.Key("Flags").Int64()
	f.bold = strings.Contains(name, "bold") || strings.Contains(name, "black") || strings.Contains(name, "heavy") ||
		strings.Contains(name, "-demi") || flags&(1<<18) != 0 || d.Key("FontWeight").Float64() >= 600 ||
		strings.HasPrefix(afterPlus(name), "cmbx") || strings.HasPrefix(afterPlus(name), "sfbx")
	f.italic = strings.Contains(name, "italic") || strings.Contains(name, "oblique") || flags&(1<<6) != 0
}

// afterPlus drops the tag of a subset font.
func afterPlus(name string) string {
	if _, rest, ok := strings.Cut(name, "+"); ok {
		return rest
	}
	return name
}

func (f *pdfFont) loadComposite(v pdf.Value) {
	f.wide = true
	d := v.Key("DescendantFonts").Index(0)
	f.width = 1000
	if x := d.Key("DW"); x.Kind() == pdf.Integer || x.Kind() == pdf.Real {
		f.width = x.Float64()
	}
	f.loadRanges(d.Key("W"))
	if name := v.Key("Encoding").Name(); f.unicode == nil {
		switch {
		case strings.Contains(name, "UCS2") || strings.Contains(name, "UTF16"):
			f.utf16 = true
		case strings.Contains(name, "RKSJ"):
			f.multi = japanese.ShiftJIS
		case strings.HasPrefix(name, "EUC-"):
			f.multi = japanese.EUCJP
		case name == "H" || name == "V":
			f.multi = jis7{}
		case strings.HasPrefix(name, "GBK") || strings.HasPrefix(name, "GB-EUC") || strings.HasPrefix(name, "GBpc"):
			f.multi = simplifiedchinese.GBK
		case strings.HasPrefix(name, "ETen") || strings.HasPrefix(name, "B5pc"):
			f.multi = traditionalchinese.Big5
		case strings.HasPrefix(name, "KSC"):
			f.multi = korean.EUCKR
		}
	}
}

// jis7 is plain JIS in two bytes, which is EUC-JP without the high bits.
type jis7 struct{ encoding.Encoding }

// loadRanges reads the widths of a composite font.
func (f *pdfFont) loadRanges(w pdf.Value) {
	for i, n := 0, w.Len(); i+1 < n; {
		first := int(w.Index(i).Int64())
		next := w.Index(i + 1)
		if next.Kind() == pdf.Array {
			for j := range min(next.Len(), 70000) {
				f.widths[first+j] = next.Index(j).Float64()
			}
			i += 2
			continue
		}
		if last := int(next.Int64()); i+2 < n && last-first < 70000 {
			width := w.Index(i + 2).Float64()
			for c := first; c <= last; c++ {
				f.widths[c] = width
			}
		}
		i += 3
	}
}

func (f *pdfFont) loadSimple(v pdf.Value) {
	if v.Key("Subtype").Name() == "Type3" {
		f.width = 0
		if m := v.Key("FontMatrix"); m.Len() == 6 {
			f.scale = m.Index(0).Float64()
		}
	}
	first := int(v.Key("FirstChar").Int64())
	widths := v.Key("Widths")
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64()
	}
	if mw := v.Key("FontDescriptor").Key("MissingWidth").Float64(); mw > 0 && len(f.widths) > 0 {
		f.width = mw
	}
	f.encode(v)
	if len(f.widths) == 0 {
		f.standardise(v.Key("BaseFont").Name())
	}
}

// encode fills the table of a font with codes of one byte.
func (f *pdfFont) encode(v pdf.Value) {
	enc := v.Key("Encoding")
	base := enc.Name()
	if enc.Kind() == pdf.Dict {
		base = enc.Key("BaseEncoding").Name()
	}
	table := charmap.Windows1252
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for c := 32; c < 256; c++ {
		if r := table.DecodeByte(byte(c)); r != utf8.RuneError {
			f.simple[c] = string(r)
		}
	}
	if base == "" || base == "StandardEncoding" {
		f.standard()
	}
	if base == "" && enc.Kind() != pdf.Dict {
		f.builtIn(v)
	}
	if enc.Kind() == pdf.Dict {
		f.differences(v, enc.Key("Differences"))
	}
}

// standard puts in what Adobe's standard encoding has elsewhere.
func (f *pdfFont) standard() {
	for code, text := range map[int]string{
		0x27: "’", 0x60: "‘", 0xa1: "¡", 0xa2: "¢", 0xa3: "£", 0xa4: "⁄", 0xa5: "¥", 0xa6: "ƒ", 0xa7: "§", 0xa8: "¤", 0xa9: "'", 0xaa: "“",
		0xab: "«", 0xac: "‹", 0xad: "›", 0xae: "fi", 0xaf: "fl", 0xb1: "–", 0xb2: "†", 0xb3: "‡", 0xb4: "·", 0xb6: "¶", 0xb7: "•", 0xb8: "‚",
		0xb9: "„", 0xba: "”", 0xbb: "»", 0xbc: "…", 0xbd: "‰", 0xbf: "¿", 0xc1: "`", 0xc2: "´", 0xc3: "ˆ", 0xc4: "˜", 0xd0: "—", 0xe1: "Æ",
		0xe8: "Ł", 0xe9: "Ø", 0xea: "Œ", 0xf1: "æ", 0xf5: "ı", 0xf8: "ł", 0xf9: "ø", 0xfa: "œ", 0xfb: "ß",
	} {
		f.simple[code] = text
	}
}

// differences reads the names that a font gives to its codes. The parser knows
// the usual names; the rest are spelled out (uni20AC, f_i, a.alt).
func (f *pdfFont) differences(v, names pdf.Value) {
	font := pdf.Font{V: v}
	decoder := font.Encoder()
	code := 0
	for i := range min(names.Len(), 2000) {
		x := names.Index(i)
		if x.Kind() == pdf.Integer {
			code = int(x.Int64())
			continue
		}
		if code >= 0 && code < 256 {
			if text := glyphText(x.Name()); text != "" {
				f.simple[code] = text
			} else if text := decoder.Decode(string([]byte{byte(code)})); text != string(rune(code)) {
				f.simple[code] = text
			} else if known := len(x.Name()) == 1; !known && x.Name() == ".notdef" {
				f.simple[code] = ""
			}
		}
		code++
	}
}

func (f *pdfFont) builtIn(v pdf.Value) {
	d := v.Key("FontDescriptor").Key("FontFile")
	if d.Kind() != pdf.Stream {
		return
	}
	head, _ := io.ReadAll(io.LimitReader(d.Reader(), 64<<10)) // the clear part of a Type 1 font
	for _, m := range dupPut.FindAllSubmatch(head, 256) {
		var code int
		for _, c := range m[1] {
			code = code*10 + int(c-'0')
		}
		if text := glyphText(string(m[2])); text != "" && code < 256 {
			f.simple[code] = text
		}
	}
}

// parseToUnicode reads the map from codes to text of a font.
func parseToUnicode(s string) map[int]string {
	m := map[int]string{}
	for _, section := range bfSection.FindAllStringSubmatch(s, -1) {
		tokens := bfToken.FindAllStringSubmatch(section[2], -1)
		if section[1] == "bfchar" {
			for i := 0; i+1 < len(tokens); i += 2 {
				m[codeOf(tokens[i][1])] = utf16Text(tokens[i+1][1])
			}
			continue
		}
		bfRanges(m, tokens)
	}
	return m
}

func bfRanges(m map[int]string, tokens [][]string) {
	for i := 0; i+2 < len(tokens); {
		first, last := codeOf(tokens[i][1]), codeOf(tokens[i+1][1])
		if last-first > 65535 {
			return
		}
		if tokens[i+2][0] == "[" {
			for i += 3; i < len(tokens) && tokens[i][0] != "]"; i++ {
				m[first] = utf16Text(tokens[i][1])
				first++
			}
			i++
			continue
		}
		to := []rune(utf16Text(tokens[i+2][1]))
		for c := first; c <= last && len(to) > 0; c++ {
			m[c] = string(to)
			to[len(to)-1]++
		}
		i += 3
	}
}

func codeOf(digits string) int {
	n := 0
	for _, c := range unhex([]byte(digits)) {
		n = (n<<8 | int(c)) & 0xffffffff
	}
	return n
}

func utf16Text(digits string) string {
	b := unhex([]byte(digits))
	if len(b) == 1 {
		return string(rune(b[0]))
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1])
	}
	return string(utf16.Decode(units))
}
