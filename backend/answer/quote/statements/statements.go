// Package statements cuts passages into what may be quoted of them.
package statements

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// Statement is what may be quoted of a passage: a sentence, or a row of a table
// as printed, with the heading that stands above it inside the passage, or the
// question or label that its line opens with.
type Statement struct {
	evidence.Span
	Row   bool
	Under evidence.Span // empty when there is none
	Opens bool          // Under stands at the beginning of its line
	Leads bool          // a question with its reply behind it, or a label
}

// Of cuts a passage into sentences and, where a line has columns, rows.
func Of(text string) (all []Statement) {
	var under, opening evidence.Span
	opened := 0 // where the line ends that has an opening
	take := func(start, end int) {
		for _, s := range evidence.Sentences(text[start:end]) {
			s = evidence.Span{Start: start + s.Start, End: start + s.End}
			switch {
			case !strings.ContainsFunc(text[s.Start:s.End], unicode.IsLetter) || HasLeaders(text[s.Start:s.End]):
			case isHeading(text, s.Start, s.End):
				under = s
			case opensLine(text, s):
				opening, opened = s, lineEnd(text, s.End)
				all = append(all, Statement{Span: s, Under: under, Leads: true})
			case s.Start < opened:
				all = append(all, Statement{Span: s, Under: opening, Opens: true})
			default:
				all = append(all, Statement{Span: s, Under: under})
			}
		}
	}
	from, rows := 0, 0 // of the table so far
	for start := 0; start < len(text); {
		end := lineEnd(text, start)
		switch line := text[start:end]; {
		case isRow(line):
			take(from, start)
			if (rows > 0 || !isHeads(line)) && !HasLeaders(line) && strings.ContainsFunc(line, unicode.IsLetter) { // figures alone say nothing without their heads
				lead := len(line) - len(strings.TrimLeft(line, " \t"))
				all = append(all, Statement{Span: evidence.Span{Start: start + lead, End: start + len(strings.TrimRight(line, " \t\r"))}, Row: true, Under: under})
			}
			from = end
			rows++
		case strings.Trim(line, "|-: \t=+\r") != "": // no rule below the heads
			rows = 0
		}
		start = end + 1
	}
	take(min(from, len(text)), len(text))
	return all
}

var leaders = pattern.New(`(?:\. ?){5}|…{2}`)

// HasLeaders reports whether a line has the dots of a table of contents, between a
// heading and its page.
func HasLeaders(line string) bool { return leaders.MatchString(line) }

const openingWords = 3 // of a label that a line opens with, at most

// saysSomething tells a short sentence from a label.
var saysSomething = pattern.New(`(?i)\b(?:is|are|was|were|has|have|had|do|does|did|can|will|may|must|i|it|he|she|they|we|you|this|that|there|yes|no|not|none)\b`)

// opensLine reports whether a sentence is a question or a label ("Gallery railing.",
// "2 February.") at the beginning of a line, with more behind it.
func opensLine(text string, s evidence.Span) bool {
	sentence := text[s.Start:s.End]
	begins := !strings.ContainsFunc(text[strings.LastIndexByte(text[:s.Start], '\n')+1:s.Start], unicode.IsLetter)
	if !begins || strings.TrimSpace(text[s.End:lineEnd(text, s.End)]) == "" {
		return false
	}
	if last, _ := utf8.DecodeLastRuneInString(sentence); strings.ContainsRune("?？؟", last) {
		return true
	}
	short := strings.HasSuffix(sentence, ".") && len(strings.Fields(sentence)) <= openingWords && !saysSomething.MatchString(sentence)
	return short && !strings.ContainsAny(answertype.WithoutDates(sentence), "0123456789")
}

// lineEnd is where the line ends that has the character at a place.
func lineEnd(text string, at int) int { return at + strings.IndexByte(text[at:]+"\n", '\n') }

var (
	numbering = pattern.New(`^(?:(?i:item|part|section|chapter|note|article|appendix|annex|schedule|step) )?(?:\d+(?:\.\d+)*[A-Z]?[.):]?|[A-Z][.)]|[IVXLC]+[.)])\s+`)
	bareYear  = pattern.New(`\b(?:1[0-9]|20)\d\d\b`)
)

const headingWords = 10

// isHeading reports whether a sentence is or belongs to a short line of its own
// between empty lines, without a stop or a number but years and the one it is
// counted by: it says what follows is about. A line that ends in a colon leads in
// what follows.
func isHeading(text string, start, end int) bool {
	start = strings.LastIndexByte(text[:start], '\n') + 1
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(text)
	}
	line := strings.TrimSpace(text[start:end])
	alone := (start == 0 || strings.HasSuffix(strings.TrimRight(text[:start-1], " \t\r"), "\n")) && strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r"), "\n\n")
	line = bareYear.ReplaceAllString(numbering.ReplaceAllString(line, ""), "")
	return alone && !strings.ContainsFunc(line, stops) && !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, "：") && WordCount(line) <= headingWords
}

// stops reports whether no heading has a character: what ends a sentence in any script, and digits.
func stops(r rune) bool {
	return unicode.In(r, unicode.STerm) || strings.ContainsRune(";；…", r) || unicode.IsDigit(r)
}

var columns = pattern.New(`\t|[^.!?:;,\s] {2,}\S|\|.*\|`)

// isRow reports whether a line has columns and something to say. Two spaces
// after a stop are a typist's habit.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return columns.MatchString(line) && strings.Trim(line, "|-: \t=+") != ""
}

// isHeads reports whether a row only says what stands in the columns below it.
func isHeads(line string) bool {
	cells := evidence.Cells(line)
	return len(strings.Fields(line)) <= max(12, 4*len(cells)) && !slices.ContainsFunc(cells, evidence.IsFigure)
}

// WordCount is the number of words of a text; in scripts without spaces two
// characters are taken for one.
func WordCount(text string) int {
	unspaced := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			unspaced++
		}
	}
	return len(strings.Fields(text)) + unspaced/2
}
