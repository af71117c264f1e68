package evidence

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PassageChars is the measured size of a passage, in code points.
const PassageChars = 800

// SplitOptions sizes passages, in code points. The zero value is the measured
// default: 800, no overlap, documents of up to 2,000 in one passage.
type SplitOptions struct {
	Max     int // a passage is filled with whole units up to this; 0 means 800
	Overlap int // at most this much of the end of a passage is repeated in the next
	Whole   int // a document of up to this is one passage; 0 means 2000, negative none
}

func (o SplitOptions) orDefault() SplitOptions {
	if o.Max <= 0 {
		o.Max = PassageChars
	}
	if o.Whole == 0 {
		o.Whole = 2000
	}
	return o
}

// Split cuts a document into passages: the units of retrieval and citation.
//
// Units are sentences, headings, table rows, list items and lines of code. A
// passage is filled with whole units; a heading opens a passage and never ends
// one (but the last of the document), and a table that fits into one is not cut. Only a unit longer than Max is cut, at
// words, and its next part begins a fifth earlier. Every passage is a verbatim
// substring of doc.Text; passages stand in order of their start.
//
// The passage's ids come from doc.Source.Digest and the code points, its Source
// from doc.Source.ID. A document without text gives no passages.
func Split(doc Document, opt SplitOptions) []Passage {
	opt = opt.orDefault()
	units := unitsOf(doc)
	if len(units) == 0 {
		return nil
	}
	s := splitter{doc: doc, opt: opt, units: units}
	if first, last := units[0], units[len(units)-1]; last.cpEnd-first.cpStart <= opt.Whole {
		s.emit(piece{Span{first.Start, last.End}, first.cpStart, last.cpEnd})
	} else {
		s.fill()
	}
	return s.passages()
}

// Prefix is what ranking reads in front of a passage: the file's name without
// extension (for web sources the page's title), then the heading path.
func Prefix(src Source, at Locator) string {
	name := src.Title
	if src.Kind == File || src.Kind == "" {
		if base := filepath.Base(src.Address); src.Address != "" && base != "." {
			name = strings.TrimSuffix(base, filepath.Ext(base))
		}
	}
	switch {
	case at.Heading == "":
		return name
	case name == "":
		return at.Heading
	}
	return name + " > " + at.Heading
}

// piece is a passage to be: its bytes and its code points.
type piece struct {
	Span
	cpStart, cpEnd int
}

type splitter struct {
	doc    Document
	opt    SplitOptions
	units  []unit
	pieces []piece
}

func (s *splitter) emit(p piece) { s.pieces = append(s.pieces, p) }

// fill walks the units and emits pieces of whole units up to Max.
func (s *splitter) fill() {
	for i := 0; i < len(s.units); {
		first := s.units[i]
		open := piece{first.Span, first.cpStart, first.cpEnd}
		onlyHeadings := first.kind == Heading
		if first.cpEnd-first.cpStart > s.opt.Max {
			open = s.cutWords(open, first)
		}
		j := i + 1
		for ; j < len(s.units); j++ {
			u := s.units[j]
			if !onlyHeadings && (u.kind == Heading || s.opensTable(j, open)) {
				break
			}
			if u.cpEnd-open.cpStart > s.opt.Max {
				if onlyHeadings && open.cpEnd-open.cpStart < s.opt.Max {
					open = s.cutWords(piece{Span{open.Start, u.End}, open.cpStart, u.cpEnd}, u)
					onlyHeadings = false
					continue
				}
				break
			}
			open.End, open.cpEnd = u.End, u.cpEnd
			onlyHeadings = onlyHeadings && u.kind == Heading
		}
		s.emit(open)
		i = s.stepBack(open, j)
	}
}

// opensTable reports whether unit j is the first row of a table that has room in
// a passage of its own, but not in what is left of p. A short p is no reason to cut:
// it announces the table.
func (s *splitter) opensTable(j int, p piece) bool {
	if s.units[j].kind != TableRow || s.units[j-1].kind == TableRow || p.cpEnd-p.cpStart < s.opt.Max/4 {
		return false
	}
	end := j
	for end+1 < len(s.units) && s.units[end+1].kind == TableRow {
		end++
	}
	last := s.units[end].cpEnd
	return last-p.cpStart > s.opt.Max && last-s.units[j].cpStart <= s.opt.Max
}

// stepBack gives the unit the next passage begins with: j, or earlier units
// that fit into the overlap and stand inside the passage just made.
func (s *splitter) stepBack(made piece, j int) int {
	if s.opt.Overlap <= 0 || j >= len(s.units) || s.units[j].kind == Heading {
		return j
	}
	for k := j - 1; s.units[k].cpStart > made.cpStart && s.units[k].kind != Heading && made.cpEnd-s.units[k].cpStart <= s.opt.Overlap; k-- {
		j = k
	}
	return j
}

// cutWords emits parts of at most Max from p, whose last unit u is too long,
// and returns the last part, still open. Parts end at words; each next part
// begins a fifth of Max earlier, but never before u.
func (s *splitter) cutWords(p piece, u unit) piece {
	for p.cpEnd-p.cpStart > s.opt.Max {
		cut, cps := s.wordEnd(p.Start, p.End, s.opt.Max)
		s.emit(piece{Span{p.Start, cut}, p.cpStart, p.cpStart + cps})
		next, skipped := s.wordEnd(p.Start, cut, cps-s.opt.Max/5)
		if next < u.Start || next <= p.Start {
			next, skipped = cut, cps
		}
		for next < p.End {
			r, size := utf8.DecodeRuneInString(s.doc.Text[next:])
			if !unicode.IsSpace(r) {
				break
			}
			next, skipped = next+size, skipped+1
		}
		p = piece{Span{next, p.End}, p.cpStart + skipped, p.cpEnd}
	}
	return p
}

// wordEnd finds the end of the last word within max code points of start: the
// byte offset and the code points up to it. A word longer than that is cut.
func (s *splitter) wordEnd(start, end, max int) (at, cps int) {
	n, i := 0, start
	inWord := false
	for i < end && n < max {
		r, size := utf8.DecodeRuneInString(s.doc.Text[i:])
		space := unicode.IsSpace(r)
		if space && inWord {
			at, cps = i, n
		}
		inWord = !space
		i, n = i+size, n+1
	}
	if r, _ := utf8.DecodeRuneInString(s.doc.Text[i:]); cps == 0 || cps < max/2 || i >= end || unicode.IsSpace(r) {
		return i, n
	}
	return at, cps
}

// passages turns the pieces into passages with places.
func (s *splitter) passages() []Passage {
	place := placer{doc: s.doc, paths: headingPaths(s.doc), block: -1}
	columns := columnNames(s.doc)
	out := make([]Passage, 0, len(s.pieces))
	for i, p := range s.pieces {
		at := place.of(p.Start)
		if i > 0 && columns != "" { // the first passage has them
			at.Heading = columns
		}
		at.Start, at.End = p.cpStart, p.cpEnd
		at.Place = place.name(p.End)
		out = append(out, Passage{
			ID:     NewPassageID(s.doc.Source.Digest, p.cpStart, p.cpEnd),
			Source: s.doc.Source.ID,
			Text:   s.doc.Text[p.Start:p.End],
			Index:  i,
			At:     at,
		})
	}
	return out
}

// placer finds the places of ascending bytes of a document in one pass.
type placer struct {
	doc   Document
	paths []string // by block
	block int      // the last block that begins at or before at; -1 for none
	at    int
	lines int // line ends between the block's start and at
}

// of gives page, line and heading path of a byte, which must not be less than
// that of the call before: those of the block it stands in or after, with the
// line ends since the block's start counted.
func (p *placer) of(at int) Locator {
	blocks := p.doc.Blocks
	for p.block+1 < len(blocks) && blocks[p.block+1].Start <= at {
		p.block++
		p.at, p.lines = max(blocks[p.block].Start, 0), 0
	}
	if p.block < 0 {
		return Locator{}
	}
	if p.at < at {
		p.lines += strings.Count(p.doc.Text[p.at:at], "\n")
		p.at = at
	}
	b := blocks[p.block]
	where := Locator{Page: b.Page, Line: b.Line, Heading: p.paths[p.block]}
	if b.Unit == Seconds {
		where.Page = 0
	}
	if b.Line > 0 {
		where.Line += p.lines
	}
	return where
}

// name words the place of what stands from the block of the last call of of up to
// byte end.
func (p *placer) name(end int) string {
	if p.block < 0 {
		return ""
	}
	sheet, _, _ := strings.Cut(p.paths[p.block], " > ")
	return placeOf(p.doc, p.block, end, sheet)
}

// headingPaths gives each block the headings above it, its own included.
func headingPaths(doc Document) []string {
	paths := make([]string, len(doc.Blocks))
	var names [7]string
	path := ""
	for i, b := range doc.Blocks {
		name := ""
		if b.Kind == Heading {
			name = nameOf(doc, b)
		}
		if name != "" {
			level := min(max(b.Level, 1), 6)
			names[level] = name
			clear(names[level+1:])
			path = joinPath(names[:])
		}
		paths[i] = path
	}
	return paths
}

// headingName is a heading as it stands in a path: one line, not endless.
func headingName(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= 120 {
		return text
	}
	cut := strings.LastIndexByte(text[:120], ' ')
	if cut <= 0 {
		cut = 120
	}
	return strings.ToValidUTF8(text[:cut], "") + "…"
}

func joinPath(names []string) string {
	var set []string
	for _, n := range names {
		if n != "" {
			set = append(set, n)
		}
	}
	return strings.Join(set, " > ")
}
