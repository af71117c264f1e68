package pack

import (
	"fmt"
	"unicode/utf8"
)

// PartChars is the length in code points of the parts in which a text is stored:
// long enough to pack well, short enough to be unpacked for one passage. A text
// notes the length that its parts have, since older ones are longer.
const PartChars = 4096

// BlocksPart is the part in which the blocks of a text stand, before the first.
const BlocksPart = -1

// Ruler finds the bytes of code points. Steps from one place to a near one are
// short, whichever way they go.
type Ruler struct {
	text  string
	ascii bool
	cp    int // where it stands
	at    int
}

// NewRuler is the ruler of a text.
func NewRuler(text string) *Ruler {
	return &Ruler{text: text, ascii: utf8.RuneCountInString(text) == len(text)}
}

// Text is what is measured.
func (r *Ruler) Text() string { return r.text }

// byteAt gives the byte at which a code point begins; -1 when there is none.
func (r *Ruler) byteAt(cp int) int {
	if r.ascii {
		if cp > len(r.text) {
			return -1
		}
		return cp
	}
	for r.cp < cp && r.at < len(r.text) {
		_, size := utf8.DecodeRuneInString(r.text[r.at:])
		r.cp, r.at = r.cp+1, r.at+size
	}
	for r.cp > cp {
		_, size := utf8.DecodeLastRuneInString(r.text[:r.at])
		r.cp, r.at = r.cp-1, r.at-size
	}
	if r.cp != cp {
		return -1
	}
	return r.at
}

// Slice gives the code points from..to; ok is false when there are none such.
func (r *Ruler) Slice(from, to int) (s string, ok bool) {
	if from < 0 || to < from {
		return "", false
	}
	start := r.byteAt(from)
	end := r.byteAt(to)
	if start < 0 || end < 0 {
		return "", false
	}
	return r.text[start:end], true
}

// Parts cuts and packs a text. There is always one part.
func (p *Packer) Parts(text string) ([][]byte, error) {
	r := NewRuler(text)
	var packed [][]byte
	for start, cp := 0, PartChars; ; cp += PartChars {
		end := r.byteAt(cp)
		last := end < 0 || end == len(text)
		if last {
			end = len(text)
		}
		part, err := p.Pack([]byte(text[start:end]))
		if err != nil {
			return nil, fmt.Errorf("pack text: %w", err)
		}
		packed = append(packed, part)
		if last {
			return packed, nil
		}
		start = end
	}
}
