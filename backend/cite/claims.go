package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// MarkerAt is a marker and where it stands.
type MarkerAt struct {
	N    int
	Span evidence.Span // of "[n]", in bytes of the canonical text
}

// Markers finds the markers [n] of a canonical text with n from 1 to sources, or
// all when sources is 0, in order. Code, links, definitions, array indexes and
// years such as [2024] are no markers.
func Markers(canonical string, sources int) []MarkerAt {
	var found []MarkerAt
	at := 0
	for _, piece := range Pieces(canonical) {
		end := at + len(piece.Text)
		if piece.Kind == Marker && (sources == 0 || 1 <= piece.N && piece.N <= sources) {
			found = append(found, MarkerAt{piece.N, evidence.Span{Start: at, End: end}})
		}
		at = end
	}
	return found
}

// Pieces cuts a text that is canonical already into text and markers, changing
// nothing: for answers that code composed, whose quotations may hold what a
// Parser would take for a model's mark.
func Pieces(canonical string) []Piece {
	p := NewParser(0)
	p.strict = true
	return append(p.Feed(canonical), p.Close()...)
}

// Claim is what one marker, or several side by side, stand for: the sentence
// that carries them, or the part of it since the marker before.
type Claim struct {
	Sentence evidence.Span // of the claim, in bytes of the canonical text, without the markers at its ends
	Whole    evidence.Span // of the whole sentence with its markers
	Text     string        // the claim to check: without markers and markup; a table cell with its row's name
	Markers  []int         // sources, in order, each once
	At       []MarkerAt    // the markers as they stand
}

// Claims lists the cited claims of a canonical text in order. A marker after the
// full stop belongs to the sentence before it; a table cell that holds nothing
// but markers belongs to its row.
func Claims(canonical string) []Claim {
	marks := Markers(canonical, 0)
	var claims []Claim
	for _, u := range units(canonical, marks) {
		claims = append(claims, u.claims(canonical)...)
	}
	return claims
}

// unit is a sentence or table cell with its markers.
type unit struct {
	span  evidence.Span // with markers
	marks []MarkerAt
	row   evidence.Span // of the table row; empty outside tables
	head  string        // name of the table row, for every cell but the first
}

// claims cuts a unit at its markers.
func (u unit) claims(text string) []Claim {
	var claims []Claim
	start := u.span.Start
	for i := 0; i < len(u.marks); {
		j := i + 1
		for j < len(u.marks) && strings.TrimSpace(text[u.marks[j-1].Span.End:u.marks[j].Span.Start]) == "" {
			j++
		}
		end := u.marks[i].Span.Start
		if j == len(u.marks) && wordsIn(text[u.marks[j-1].Span.End:u.span.End]) > 0 {
			end = u.span.End // one marker amid a sentence speaks for all of it
		}
		from := start
		if wordsIn(text[from:end]) < 3 {
			from = u.span.Start
		}
		c := Claim{Sentence: tidy(text, evidence.Span{Start: from, End: end}), Whole: u.span, Markers: numbers(u.marks[i:j]), At: u.marks[i:j]}
		if wordsIn(text[c.Sentence.Start:c.Sentence.End]) == 0 && u.row != (evidence.Span{}) {
			c.Sentence = tidy(text, u.row)
		}
		c.Text = Plain(text[c.Sentence.Start:c.Sentence.End])
		if u.head != "" && !strings.Contains(c.Text, u.head) {
			c.Text = u.head + ": " + c.Text
		}
		claims = append(claims, c)
		start, i = u.marks[j-1].Span.End, j
	}
	return claims
}

// numbers lists the sources of markers, each once.
func numbers(marks []MarkerAt) []int {
	var list []int
	for _, m := range marks {
		seen := false
		for _, n := range list {
			seen = seen || n == m.N
		}
		if !seen {
			list = append(list, m.N)
		}
	}
	return list
}

// tidy takes markers, white space and joining punctuation off the ends of a span.
func tidy(text string, s evidence.Span) evidence.Span {
	for {
		part := text[s.Start:s.End]
		if n := markLen(part); n > 0 {
			s.Start += n
			continue
		}
		if open := strings.LastIndexByte(part, '['); open >= 0 && open+markLen(part[open:]) == len(part) {
			s.End = s.Start + open
			continue
		}
		left := strings.TrimLeft(part, " \t\n\r,;|")
		right := strings.TrimRight(left, " \t\n\r,;|")
		if len(right) == len(part) {
			return s
		}
		s.Start += len(part) - len(left)
		s.End = s.Start + len(right)
	}
}

// Plain is text without markers and the commonest markup.
func Plain(s string) string {
	s = dropMarks(s)
	s = strings.NewReplacer("**", "", "__", "", "`", "", "|", " ").Replace(s)
	return collapse(strings.ReplaceAll(strings.ReplaceAll(s, " .", "."), " ,", ","))
}

// wordsIn counts words and numbers, marks left out.
func wordsIn(s string) int {
	n, in := 0, false
	for _, r := range dropMarks(s) {
		word := unicode.IsLetter(r) || unicode.IsNumber(r)
		if word && (!in || isUnspaced(r)) {
			n++
		}
		in = word || in && (r == '\'' || r == '’' || unicode.IsMark(r))
	}
	return n
}

// units cuts a text into sentences and table cells and hands out the markers.
func units(text string, marks []MarkerAt) []unit {
	masked, rows := mask(text, marks)
	var all []unit
	for _, at := range evidence.WholeSentences(masked) {
		at = widen(text, at)
		u := unit{span: at}
		for len(marks) > 0 && marks[0].Span.Start < at.End {
			if marks[0].Span.Start >= at.Start { // others stand in what is no prose
				u.marks = append(u.marks, marks[0])
			}
			marks = marks[1:]
		}
		if len(rows) > 0 {
			u.row, u.head = rowOf(rows, at)
		}
		bare := wordsIn(text[at.Start:at.End]) == 0
		if n := len(all); bare && len(u.marks) > 0 && n > 0 && u.row == all[n-1].row && u.row == (evidence.Span{}) {
			all[n-1].marks = append(all[n-1].marks, u.marks...)
			all[n-1].span.End = at.End
			continue
		}
		if !bare || len(u.marks) > 0 {
			all = append(all, u)
		}
	}
	return all
}

// widen lets a sentence keep the character whose first byte ends its mask.
func widen(text string, s evidence.Span) evidence.Span {
	for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
		s.End++
	}
	return s
}
