package store

import (
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// Passages of one section have one heading, and headings of one text begin alike:
// a new text has them packed, in parts before its blocks. Such a part has as many
// lines as sectionsAtOnce, so that one passage is read without all headings.
const (
	sectionsPart   = -2 // and below
	sectionsAtOnce = 64
)

// sections are the headings of a text by their place, and the parts they stand in.
type sections struct {
	place map[string]int
	parts [][]byte
}

// sections packs the headings of passages, each once. One of several lines stays
// with its passage, as does an empty one.
func (p *packer) sections(passages []evidence.Passage) (s sections, err error) {
	var lines []string
	for _, q := range passages {
		heading := q.At.Heading
		if _, known := s.place[heading]; known || heading == "" || strings.Contains(heading, "\n") {
			continue
		}
		if s.place == nil {
			s.place = map[string]int{}
		}
		s.place[heading] = len(lines)
		lines = append(lines, heading)
	}
	for group := range slices.Chunk(lines, sectionsAtOnce) {
		part, err := p.pack([]byte(strings.Join(group, "\n")))
		if err != nil {
			return sections{}, err
		}
		s.parts = append(s.parts, part)
	}
	return s, nil
}

// sectionPart is the part that the heading at a place stands in.
func sectionPart(place int) int { return sectionsPart - place/sectionsAtOnce }

// headingAt gives the heading at a place from its part.
func headingAt(part string, place int) (string, bool) {
	for range place % sectionsAtOnce {
		_, rest, more := strings.Cut(part, "\n")
		if !more {
			return "", false
		}
		part = rest
	}
	heading, _, _ := strings.Cut(part, "\n")
	return heading, heading != ""
}
