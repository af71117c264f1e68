package legacy

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/office"
)

// Records of drawings.
const (
	shapeGroup  = 0xF003
	shapeOne    = 0xF004
	shapeKind   = 0xF00A
	shapeProps  = 0xF00B
	shapeBox    = 0xF00D
	shapePlace  = 0xF00F
	shapeData   = 0xF011
	shapeProps2 = 0xF121
	shapeProps3 = 0xF122

	shapePicture  = 75    // a kind of shape
	propTable     = 0x39F // of a group whose shapes are the cells of a table
	propNumber    = 0x3FFF
	propertyBytes = 6
)

// Roles of texts on a slide.
const (
	pptTitle       = 0
	pptBody        = 1
	pptNote        = 2
	pptOther       = 4
	pptCenterTitle = 6
	pptHalfBody    = 7
	pptQuarterBody = 8
)

// pptText is the text of a shape: paragraphs end with \r, lines with \v.
type pptText struct {
	role  uint32
	words string
}

// readPptText takes in a record that opens a text or holds its words.
func readPptText(texts []pptText, r pptRecord) []pptText {
	words := ""
	switch r.kind {
	default:
		return texts
	case pptTextHead:
		if len(r.body) >= 4 {
			texts = append(texts, pptText{role: binary.LittleEndian.Uint32(r.body)})
		}
		return texts
	case pptTextWide:
		words = format.FromUTF16(r.body)
	case pptTextBytes: // the lower bytes of Unicode
		units := make([]uint16, len(r.body))
		for i, c := range r.body {
			units[i] = uint16(c)
		}
		words = string(utf16.Decode(units))
	}
	if n := len(texts); n > 0 && texts[n-1].words == "" {
		texts[n-1].words = words
		return texts
	}
	return append(texts, pptText{pptOther, words})
}

// paragraphs are a text's, without blank ones.
func (t pptText) paragraphs() (out []string) {
	for p := range strings.SplitSeq(t.words, "\r") {
		if p = format.Clean(strings.ReplaceAll(p, "\v", " "), false); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// pptShapes gathers what the shapes of a slide, or of its notes, say.
type pptShapes struct {
	office.Slide
	comments []office.SlideBlock
	outline  []pptText // texts in the list of slides that shapes refer to
	used     []bool    // those that one does
	notesID  uint32    // 0 = none
}

// addSlide writes a slide, then its notes and the comments on it.
func (p *presentation) addSlide(b *format.Builder, number int, listed pptListed, notes map[uint32]uint32) error {
	at, ok := p.places[listed.number]
	r := pptAt(p.data, at)
	if !ok || !r.container {
		return fmt.Errorf("find slide %d: %w", number, errPPT)
	}
	s := &pptShapes{outline: listed.texts, used: make([]bool, len(listed.texts))}
	s.walk(r.body, 0)
	drawn := s.Blocks
	s.Blocks = nil
	for i, text := range s.outline {
		if !s.used[i] {
			s.add(text)
		}
	}
	s.Blocks = append(s.Blocks, drawn...)
	said := &pptShapes{Slide: office.Slide{Notes: true}}
	if at, ok := p.places[notes[s.notesID]]; ok {
		said.walk(pptAt(p.data, at).body, 0)
	}
	office.WriteSlide(b, number, &s.Slide, said.Blocks, s.comments)
	return nil
}

// walk looks for shapes and comments in records and in what these contain.
func (s *pptShapes) walk(data []byte, depth int) {
	for r := range pptRecords(data) {
		switch {
		case r.kind == pptSlideAtom && len(r.body) >= 20:
			s.notesID = binary.LittleEndian.Uint32(r.body[16:])
		case depth > pptDepth:
		case r.kind == shapeGroup && isTable(r):
			s.addTable(r)
		case r.kind == shapeOne:
			for _, text := range s.shape(r).texts {
				s.add(text)
			}
		case r.kind == pptComment:
			s.comment(r)
		case r.container, r.kind == pptTagData:
			s.walk(r.body, depth+1)
		}
	}
}

// pptShape is one shape.
type pptShape struct {
	texts     []pptText
	left, top int32 // in its group
}

// shape reads a shape. Dates, numbers and what stands at the edge of every slide
// are left out.
func (s *pptShapes) shape(r pptRecord) (out pptShape) {
	edge := false
	for part := range pptRecords(r.body) {
		switch part.kind {
		case shapeKind:
			s.Pictures = s.Pictures || part.instance == shapePicture
		case shapePlace:
			if len(part.body) >= 8 {
				out.left, out.top = int32(binary.LittleEndian.Uint32(part.body)), int32(binary.LittleEndian.Uint32(part.body[4:]))
			}
		case shapeData:
			for data := range pptRecords(part.body) {
				if data.kind == pptPlaceholder && len(data.body) >= 5 {
					edge = data.body[4] >= 7 && data.body[4] <= 10
				}
			}
		case shapeBox:
			for text := range pptRecords(part.body) {
				if n := len(s.outline); text.kind == pptTextRef && len(text.body) >= 4 && int64(binary.LittleEndian.Uint32(text.body)) < int64(n) {
					i := binary.LittleEndian.Uint32(text.body)
					if !s.used[i] {
						out.texts = append(out.texts, s.outline[i])
					}
					s.used[i] = true
				}
				out.texts = readPptText(out.texts, text)
			}
		}
	}
	if edge {
		out.texts = nil
	}
	return out
}

// add takes in a text by its role.
func (s *pptShapes) add(text pptText) {
	for _, p := range text.paragraphs() {
		switch text.role {
		case pptTitle, pptCenterTitle:
			s.Title = append(s.Title, p)
		case pptBody, pptHalfBody, pptQuarterBody:
			s.Put(evidence.ListItem, p)
		default:
			if !s.Notes || text.role == pptNote {
				s.Put(evidence.Paragraph, p)
			}
		}
	}
}

// isTable reports whether the shapes of a group are the cells of a table.
func isTable(group pptRecord) bool {
	for own := range pptRecords(group.body) { // the first shape stands for the group
		for part := range pptRecords(own.body) {
			if part.kind != shapeProps && part.kind != shapeProps2 && part.kind != shapeProps3 {
				continue
			}
			for n, list := part.instance, part.body; n > 0 && len(list) >= propertyBytes; n, list = n-1, list[propertyBytes:] {
				if binary.LittleEndian.Uint16(list)&propNumber == propTable {
					return true
				}
			}
		}
		return false
	}
	return false
}

// addTable writes the cells of a group as rows: cells of equal height stand in one.
func (s *pptShapes) addTable(group pptRecord) {
	var cells []pptShape
	for r := range pptRecords(group.body) {
		if r.kind == shapeOne {
			cells = append(cells, s.shape(r))
		}
	}
	slices.SortStableFunc(cells, func(a, b pptShape) int {
		return cmp.Or(cmp.Compare(a.top, b.top), cmp.Compare(a.left, b.left))
	})
	var line []string
	for i, c := range cells {
		var words []string
		for _, text := range c.texts {
			words = append(words, text.paragraphs()...)
		}
		line = append(line, strings.Join(words, " "))
		if i+1 == len(cells) || cells[i+1].top != c.top {
			s.PutRow(line)
			line = nil
		}
	}
}

// comment takes in what someone remarked on the slide.
func (s *pptShapes) comment(r pptRecord) {
	author, text, moment := "", "", ""
	for part := range pptRecords(r.body) {
		switch {
		case part.kind == pptString && part.instance == 0:
			author = format.Clean(format.FromUTF16(part.body), false)
		case part.kind == pptString && part.instance == 1:
			text = format.Clean(format.FromUTF16(part.body), false)
		case part.kind == pptCommentAtom && len(part.body) >= 12:
			field := func(at int) uint16 { return binary.LittleEndian.Uint16(part.body[at:]) }
			moment = fmt.Sprintf("%04d-%02d-%02dT", field(4), field(6), field(10))
		}
	}
	if text != "" {
		s.comments = append(s.comments, office.Remark(office.SaidBy(author, moment)+text))
	}
}
