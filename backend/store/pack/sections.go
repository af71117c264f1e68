package pack

import (
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// Passages of one section have one heading, and headings of one text begin alike:
// a new text has them packed, in parts before its blocks. Such a part has as many
// lines as SectionsAtOnce, so that one passage is read without all headings.
const (
	SectionsPart   = -2 // and below
	SectionsAtOnce = 64
)

// Sections are the headings of a text by their place, and the parts they stand in.
type Sections struct {
	Place map[string]int
	Parts [][]byte
}

// Sections packs the headings of passages, each once. One of several lines stays
// with its passage, as does an empty one.
func (p *Packer) Sections(passages []evidence.Passage) (s Sections, err error) {
	var lines []string
	for _, q := range passages {
		heading := q.At.Heading
		if _, known := s.Place[heading]; known || heading == "" || strings.Contains(heading, "\n") {
			continue
		}
		if s.Place == nil {
			s.Place = map[string]int{}
		}
		s.Place[heading] = len(lines)
		lines = append(lines, heading)
	}
	for group := range slices.Chunk(lines, SectionsAtOnce) {
		part, err := p.Pack([]byte(strings.Join(group, "\n")))
		if err != nil {
			return Sections{}, err
		}
		s.Parts = append(s.Parts, part)
	}
	return s, nil
}

// SectionPart is the part that the heading at a place stands in.
func SectionPart(place int) int { return SectionsPart - place/SectionsAtOnce }

// Heading gives the heading at a place from its part.
func Heading(part string, place int) (string, bool) {
	for range place % SectionsAtOnce {
		_, rest, more := strings.Cut(part, "\n")
		if !more {
			return "", false
		}
		part = rest
	}
	heading, _, _ := strings.Cut(part, "\n")
	return heading, heading != ""
}
