// Package sentences tells which sentences of sources can stand in a report by themselves,
// and which of them say the same.
package sentences

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

// Fragment reports whether a sentence of a text is a part of one that goes over the ends of
// lines: it begins small behind words, closes a bracket that it does not open, or ends in
// the middle before small ones.
func Fragment(s quote.Sentence, text string) bool {
	const marks = " \t\r\n#*>|;/"
	before, after := strings.TrimRight(text[:s.Span.Start], marks), strings.TrimLeft(text[s.Span.End:], marks)
	last, _ := utf8.DecodeLastRuneInString(before)
	goesOn := before == "" || (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ',') && strings.Contains(text[len(before):s.Span.Start], "\n")
	if goesOn && beginsSmall(strings.TrimLeft(s.Text, marks)) || closesOther(s.Text) {
		return true
	}
	return !Ends(s.Text) && beginsSmall(after) && strings.Contains(text[s.Span.End:len(text)-len(after)], "\n")
}

// closesOther reports whether a bracket is closed that opens before a text: not that of
// an item, "a)".
func closesOther(text string) bool {
	at := strings.IndexAny(text, "()")
	return at > 3 && text[at] == ')'
}

func beginsSmall(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first)
}

// namelike is the share of words in capitals from which a line without an end is a
// caption, a signature or a running head.
const namelike = 0.6

// FewestWords are those of a sentence that is quoted; of so many letters it may have one
// less, as languages put several words into one.
const (
	FewestWords = 5
	longWords   = 30
)

func isShort(text string) bool {
	words := rank.CountWords(Key(text))
	return words < FewestWords-1 || words < FewestWords && utf8.RuneCountInString(text) < longWords
}

// States reports whether a sentence can stand in a report by itself: it states
// something, in whole words.
func States(s quote.Sentence) bool {
	switch {
	case s.Row:
		return true
	case s.Leads, s.CutOff(), isNote(s.Text), strings.HasSuffix(s.Text, ":"), markup.MatchString(s.Text), strings.HasSuffix(s.Text, "?"), evidence.Instructs(s.Text), isShort(s.Text), isByline(s.Text), lists(s.Text):
		return false
	}
	return Ends(s.Text) || !isCaption(s.Text) && !isCode(s.Text)
}

// note is the sign that a footnote opens with where it stands among the text, "¹See" or "1See",
// or that of a notice of copyright.
var note = pattern.New(`^(?:\d{0,2}[¹²³⁰⁴-⁹]|\d{1,2}\p{Lu}\p{Ll}|\W*©)`)

func isNote(text string) bool { return note.MatchString(text) }

// lists reports whether a text only names things, with commas between them: no word tells
// how they hang together.
func lists(text string) bool {
	code := lang.Spoken(text)
	return strings.Count(text, ",") > 1 && rank.CountWords(text) <= bylineWords && !slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return lang.IsFunctionWord(code, strings.ToLower(strings.Trim(word, ".,;:()")))
	})
}

const bylineWords = 10 // of a line that says who wrote something and when, at most

// isByline reports whether a line ends in a date behind a comma and is short, as what says
// who wrote a text and when: "Prepared by Oban Labs, January 2025."
func isByline(text string) bool {
	at := strings.LastIndexByte(text, ',')
	if at < 0 || rank.CountWords(text) > bylineWords {
		return false
	}
	code, year := lang.Spoken(text), false
	for _, word := range strings.Fields(text[at+1:]) {
		word = strings.Trim(word, ".()")
		_, month := lang.Month(code, word)
		digits := strings.Trim(word, "0123456789") == ""
		year = year || digits && len(word) == 4
		if !month && !digits && !lang.IsFunctionWord(code, strings.ToLower(word)) {
			return false
		}
	}
	return year
}

// markup is a tag that was not read as such, of a page's source.
var markup = pattern.New(`</\pL+>`)

// Breaks reports whether a line without an end is a piece of something: it begins small, as
// an item of a list that its lead is missing of, or hangs on a word that means nothing by itself.
func Breaks(text string) bool {
	if Ends(text) {
		return false
	}
	words := strings.Fields(text)
	return beginsSmall(text) || len(words) > 0 && lang.IsFunctionWord(lang.Spoken(text), strings.ToLower(words[len(words)-1]))
}

// IsListing reports whether a text has no sentence and is mostly marks, as the index of a
// search or data: nothing of it can be quoted.
func IsListing(text string) bool {
	marks, all := 0, 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			all++
		}
		if strings.ContainsRune("\"[]{},:", r) {
			marks++
		}
	}
	return marks >= all/listingMarks && !slices.ContainsFunc(evidence.WholeSentences(text), func(s evidence.Span) bool {
		return Ends(text[s.Start:s.End]) && rank.CountWords(text[s.Start:s.End]) >= FewestWords && !isCode(text[s.Start:s.End])
	})
}

const listingMarks = 8 // one character in so many is a mark in listings

// Ends reports whether a text ends as sentences do.
func Ends(text string) bool {
	text = strings.TrimRight(text, " \t\n”\"’')]»*_")
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!。！…।؟", last)
}

// isCaption reports whether a line is in columns, or mostly names.
func isCaption(line string) bool {
	if strings.ContainsAny(line, "|\t") {
		return true
	}
	words, capital := strings.Fields(line), 0
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "“\"'(/"))
		if unicode.IsUpper(first) || !unicode.IsLetter(first) {
			capital++
		}
	}
	return float64(capital) >= namelike*float64(len(words))
}

// codelike is the share of a line's characters that only code has, from which a line
// without an end is no sentence.
const codelike = 0.1

// isCode reports whether a line is of a program, a formula or a configuration.
func isCode(line string) bool {
	signs := 0
	for _, r := range line {
		if strings.ContainsRune("()[]{}<>=_/\\|$#@^~`+*;", r) {
			signs++
		}
	}
	return float64(signs) >= codelike*float64(utf8.RuneCountInString(line))
}

var period = pattern.New(`(?i)^(?:(?:1[0-9]|20)\d\d|Q[1-4]|first|second|third|fourth)$`)

// Form is equal for sentences that differ in nothing but dates.
func Form(sentence string) string {
	words := strings.Fields(Key(sentence))
	bare := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return strings.Trim(words[i], ".,;:()")
	}
	isMonth := func(i int) bool {
		_, month := lang.Month(lang.English, bare(i))
		return month
	}
	masked := make([]string, len(words))
	for i, w := range words {
		masked[i] = w
		day := len(bare(i)) <= 2 && strings.Trim(bare(i), "0123456789") == "" && (isMonth(i-1) || isMonth(i+1))
		if day || isMonth(i) || period.MatchString(bare(i)) {
			masked[i] = "#"
		}
	}
	return strings.Join(masked, " ")
}

// Key is equal for sentences that say the same, word for word.
func Key(sentence string) string {
	return strings.Join(strings.Fields(strings.Trim(cite.Same(sentence), " .!?-*•")), " ")
}

// remark is what stands in brackets behind the end of a sentence: "… is fixed. (CVE-2024-1)".
var remark = pattern.New(`^[ \t]?[ \t\n]?\([^()\n]{3,60}\)(?:\n|$)`)

// WithRemark is a sentence with the remark that ends its paragraph.
func WithRemark(s quote.Sentence, text string) quote.Sentence {
	if said := strings.TrimRight(remark.FindString(text[s.Span.End:]), "\n"); said != "" && !s.Row && text[s.Span.Start:s.Span.End] == s.Text {
		s.Span.End += len(said)
		s.Text = text[s.Span.Start:s.Span.End]
	}
	return s
}

// item is the mark of an item of a list in plain text.
var item = pattern.New(`^(?:[-*•◦▪‣·–+] +)+`)

// WithoutMark is a sentence without the mark of the list that it is an item of.
func WithoutMark(s quote.Sentence) quote.Sentence {
	if mark := item.FindString(s.Text); mark != "" && !s.Row {
		s.Span.Start += len(mark)
		s.Text = s.Text[len(mark):]
	}
	return s
}

// Placed is a considered sentence where it stands in a passage.
func Placed(c quote.Considered, passages []quote.Passage) (quote.Sentence, bool) {
	at := slices.IndexFunc(passages, func(p quote.Passage) bool { return p.ID == c.Passage })
	if at < 0 {
		return quote.Sentence{}, false
	}
	start := strings.Index(passages[at].Text, c.Text)
	return quote.Sentence{Passage: at, N: passages[at].N, Span: evidence.Span{Start: start, End: start + len(c.Text)}, Text: c.Text, Score: c.Right}, start >= 0
}

// Likely is how likely a sentence must be an answer to have a voice.
const Likely = 0.2
