package paper

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"footnote/backend/disk"
)

const fontBytes = 256 << 20 // of the largest file of fonts

// face is a font and what is used of it.
type face struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
	name   string
	number int // of the file's fonts, in the order of first use; 0 = not used
	found  map[rune]sfnt.GlyphIndex
	ids    map[glyphUse]int
	shapes []shape
	texts  []string // what each shape stands for
}

// glyphUse is a glyph with the text it stands for: the same one may stand for two.
type glyphUse struct {
	glyph sfnt.GlyphIndex
	text  string
}

// blank is a glyph that draws nothing and takes no room: it stands for a letter that
// another one is drawn together with.
const blank = sfnt.GlyphIndex(math.MaxUint16)

func newFace(f *sfnt.Font) *face {
	name, err := f.Name(nil, sfnt.NameIDPostScript)
	if err != nil || name == "" {
		name = "Font"
	}
	name = strings.Map(func(r rune) rune {
		if r < 'A' && r != '-' && (r < '0' || r > '9') || r > 'z' || strings.ContainsRune(`[\]^_`+"`", r) {
			return -1
		}
		return r
	}, name)
	v := &face{font: f, name: name, found: map[rune]sfnt.GlyphIndex{}, ids: map[glyphUse]int{}}
	v.shapes, v.texts = []shape{{0, drawn(nil, 0, 1)}}, []string{""}
	return v
}

func (f *face) scale() float64 { return 1000 / float64(f.font.UnitsPerEm()) }

func (f *face) em() fixed.Int26_6 { return fixed.Int26_6(f.font.UnitsPerEm()) }

// glyph is the shape of a sign; none when the font has nothing to draw for it.
func (f *face) glyph(r rune) (sfnt.GlyphIndex, bool) {
	if at, asked := f.found[r]; asked {
		return at, at != 0
	}
	at, err := f.font.GlyphIndex(&f.buffer, r)
	if err != nil || at != 0 && !f.draws(at, r) {
		at = 0
	}
	f.found[r] = at
	return at, at != 0
}

// draws reports whether a glyph has an outline, or needs none: fonts of coloured
// pictures have glyphs without.
func (f *face) draws(at sfnt.GlyphIndex, r rune) bool {
	outline, err := f.font.LoadGlyph(&f.buffer, at, f.em(), nil)
	return err == nil && (len(outline) > 0 || unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Mn, unicode.Zs))
}

// width is how far a glyph goes, in thousandths of the type size.
func (f *face) width(at sfnt.GlyphIndex) float64 {
	advance, err := f.font.GlyphAdvance(&f.buffer, at, f.em(), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(advance) * f.scale()
}

// use gives the number of a glyph in the file.
func (f *face) use(at sfnt.GlyphIndex, text string) int {
	key := glyphUse{at, text}
	if id, ok := f.ids[key]; ok {
		return id
	}
	var outline sfnt.Segments
	width := 0
	if at != blank {
		width = int(f.width(at) + .5)
		outline, _ = f.font.LoadGlyph(&f.buffer, at, f.em(), nil) // glyph has drawn it before
	}
	f.ids[key] = len(f.shapes)
	f.shapes = append(f.shapes, shape{width, drawn(outline, width, f.scale())})
	f.texts = append(f.texts, text)
	return f.ids[key]
}

// fonts are those that came with the program, and those of the computer that were
// needed besides.
type fonts struct {
	own     map[string]*face // by style, mono as "M"
	folders []string
	further []*face
	asked   map[rune]bool // of the computer's fonts
}

func newFonts(folders []string) (*fonts, error) {
	f := &fonts{own: map[string]*face{}, folders: folders, asked: map[rune]bool{}}
	for style, data := range map[string][]byte{"": goregular.TTF, "B": gobold.TTF, "I": goitalic.TTF, "BI": gobolditalic.TTF, "M": gomono.TTF} {
		parsed, err := sfnt.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("read the text font: %w", err)
		}
		f.own[style] = newFace(parsed)
	}
	return f, nil
}

// of is the font that draws a sign in an ink, and its glyph; nil when none does.
func (f *fonts) of(r rune, k Ink) (*face, sfnt.GlyphIndex) {
	for _, own := range []*face{f.own[k.style()], f.own[""]} {
		if at, ok := own.glyph(r); ok {
			return own, at
		}
	}
	for _, v := range f.further {
		if at, ok := v.glyph(r); ok {
			return v, at
		}
	}
	return nil, 0
}

// prepare finds fonts for what a text has and those at hand lack.
func (f *fonts) prepare(text string) {
	var missing []rune
	for _, l := range joined([]rune(text)) {
		if known := f.asked[l.sign]; known || hidden(l.sign) || unshaped(l.sign) {
			continue
		}
		f.asked[l.sign] = true
		if v, _ := f.of(l.sign, Ink{}); v == nil {
			missing = append(missing, l.sign)
		}
	}
	if len(missing) == 0 {
		return
	}
	var offers []offer
	for _, path := range fontFiles(f.folders) {
		offers = append(offers, offersOf(path, missing)...)
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(a.rank, b.rank) })
	for len(missing) > 0 {
		best, most := -1, 0
		for i, o := range offers {
			if n := o.covers(missing); n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			return
		}
		o := offers[best]
		offers = slices.Delete(offers, best, best+1)
		v, err := o.open()
		if err != nil {
			continue // it was readable a moment ago; the next best one has it
		}
		f.further = append(f.further, v)
		missing = slices.DeleteFunc(missing, func(r rune) bool { _, ok := v.glyph(r); return ok })
	}
}

// offer is a font of the computer with what it has of the signs that are missing.
type offer struct {
	path  string
	index int // in a collection
	has   map[rune]bool
	rank  int // plain ones before bold, narrow and slanted ones
}

func (o offer) covers(signs []rune) (n int) {
	for _, r := range signs {
		if o.has[r] {
			n++
		}
	}
	return n
}

// offersOf are the fonts of a file that may be embedded and have any of the signs. A
// file that cannot be read offers none.
func offersOf(path string, signs []rune) []offer {
	file, _, err := disk.OpenRegular(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	collection, err := sfnt.ParseCollectionReaderAt(file)
	if err != nil {
		return nil
	}
	var offers []offer
	for i := range collection.NumFonts() {
		parsed, err := collection.Font(i)
		if err != nil || !embeddable(file, i) {
			continue
		}
		v, has := newFace(parsed), map[rune]bool{}
		for _, r := range signs {
			if _, ok := v.glyph(r); ok {
				has[r] = true
			}
		}
		if len(has) > 0 {
			offers = append(offers, offer{path, i, has, rankOf(filepath.Base(path), parsed)})
		}
	}
	return offers
}

func (o offer) open() (*face, error) {
	data, err := disk.ReadRegular(o.path, fontBytes)
	if err != nil {
		return nil, err
	}
	collection, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	parsed, err := collection.Font(o.index)
	if err != nil {
		return nil, err
	}
	return newFace(parsed), nil
}

// rankOf puts upright fonts of normal weight first, of those the ones made to go
// with each other.
func rankOf(file string, f *sfnt.Font) int {
	style, err := f.Name(nil, sfnt.NameIDSubfamily)
	if err != nil {
		style = ""
	}
	rank := 0
	for _, word := range []string{"bold", "italic", "oblique", "light", "thin", "black", "medium", "condensed", "mono", "serif"} {
		if strings.Contains(strings.ToLower(file+" "+style), word) {
			rank += 2
		}
	}
	if !strings.HasPrefix(file, "Noto") {
		rank++
	}
	return rank
}

// embeddable reports whether the maker of a font lets it stand in documents.
func embeddable(file io.ReaderAt, index int) bool {
	word := func(at int64) int64 {
		var b [4]byte
		if _, err := file.ReadAt(b[:], at); err != nil {
			return 0
		}
		return int64(binary.BigEndian.Uint32(b[:]))
	}
	start := int64(0)
	if word(0) == 0x74746366 { // "ttcf"
		start = word(12 + 4*int64(index))
	}
	for i := range word(start+4) >> 16 {
		record := start + 12 + 16*i
		if word(record) == 0x4f532f32 { // "OS/2"
			rights := word(word(record+8)+8) >> 16
			return rights&0xf != 2 && rights&0x200 == 0
		}
	}
	return true
}

// hidden reports whether a sign draws nothing.
func hidden(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector) }

// scriptsShaped are written by more rules than joining and direction, which are not
// done here: half letters, signs that change places.
var scriptsShaped = []string{
	"Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Malayalam", "Mongolian", "Myanmar", "Nko", "Oriya", "Sinhala", "Syriac", "Tamil", "Telugu", "Tibetan", "Javanese", "Balinese",
}

// unshaped reports whether a sign would be drawn wrongly: letters of such scripts,
// and those of Arabic that have no signs for their shapes.
func unshaped(r rune) bool {
	if r < 0x600 {
		return false
	}
	if unicode.Is(unicode.Arabic, r) && unicode.Is(unicode.Lo, r) && r < 0xFB50 {
		return arabicForms[r].count == 0
	}
	for _, script := range scriptsShaped {
		if unicode.Is(unicode.Scripts[script], r) {
			return true
		}
	}
	return false
}

// scriptsOf names what a text is written in: "Han", or the numbers of its signs where
// none belongs to a script of its own.
func scriptsOf(text string) []string {
	var scripts, signs []string
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, r := range text {
		if name := scriptOf(r); name != "" {
			add(&scripts, name)
		} else if !unicode.IsSpace(r) && !hidden(r) {
			add(&signs, fmt.Sprintf("U+%04X", r))
		}
	}
	if len(scripts) > 0 {
		return scripts
	}
	return signs
}

func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return ""
}

// extent is how far signs of a font go up and, below zero, down, in thousandths of
// the type size.
func (f *face) extent() (ascent, descent int) {
	m, err := f.font.Metrics(&f.buffer, f.em(), font.HintingNone)
	if err != nil {
		return 900, -250
	}
	return int(float64(m.Ascent) * f.scale()), -int(float64(m.Descent) * f.scale())
}
