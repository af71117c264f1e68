package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is a part of a question about the reader's files: some words of it, and
// what they mean there.
type Term struct {
	Start, End int    // bytes of the question
	Means      string // of the tables: "file", "count", "type:pdf", "last-week" …; Filler, or Content
}

// What words of a question mean that stand for nothing of the library.
const (
	Filler  = "filler"  // small words
	Content = "content" // words of the matter itself
	Quoted  = "quoted"  // what stands in quotation marks, without them
)

const longestTerm = 5 // words of one

// Terms cuts a question about files into what its words mean in a language, the
// longest first. What no table has is Content.
func Terms(code Code, question string) []Term {
	var all []Term
	at := 0
	for {
		q, ok := quotation(question[at:])
		if !ok {
			return append(all, termsIn(code, question, at, len(question))...)
		}
		all = append(all, termsIn(code, question, at, at+q.open)...)
		all = append(all, Term{Start: at + q.start, End: at + q.end, Means: Quoted})
		at += q.next
	}
}

var marks = []struct{ open, close string }{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}}

// quoted is where a quotation opens, begins, ends, and where the text goes on.
type quoted struct{ open, start, end, next int }

// quotation finds the first text in quotation marks.
func quotation(text string) (q quoted, ok bool) {
	q.open = len(text)
	for _, m := range marks {
		open := strings.Index(text[:q.open], m.open)
		if open < 0 {
			continue
		}
		start := open + len(m.open)
		if n := strings.Index(text[start:], m.close); n > 0 {
			q, ok = quoted{open, start, start + n, start + n + len(m.close)}, true
		}
	}
	return q, ok
}

func termsIn(code Code, question string, from, to int) []Term {
	if code == Chinese || code == Japanese || code == Korean {
		return unspacedTerms(code, question, from, to)
	}
	return spacedTerms(code, question, from, to)
}

func spacedTerms(code Code, question string, from, to int) (all []Term) {
	w := wordsAt(question, from, to)
	for at := 0; at < len(w); {
		n := min(longestTerm, len(w)-at)
		means := ""
		for ; n > 0; n-- {
			if means = meaning(code, key(question[w[at].Start:w[at+n-1].End])); means != "" {
				break
			}
		}
		if means == "" {
			means, n = Content, 1
		}
		all = append(all, Term{Start: w[at].Start, End: w[at+n-1].End, Means: means})
		at += n
	}
	return all
}

// meaning looks a form up; small words of the language are fillers.
func meaning(code Code, form string) string {
	if means, ok := tables()[code][library][form]; ok {
		return means
	}
	if _, ok := tables()[code][function][form]; ok {
		return Filler
	}
	return ""
}

// wordsAt are the words of a part of a text with their places.
func wordsAt(text string, from, to int) (all []Term) {
	start := -1
	for i, r := range text[from:to] {
		inside := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
		switch {
		case inside && start < 0:
			start = from + i
		case !inside && start >= 0:
			all, start = append(all, Term{Start: start, End: from + i}), -1
		}
	}
	if start >= 0 {
		all = append(all, Term{Start: start, End: to})
	}
	return all
}

// unspacedTerms cuts each run of letters at the longest form that it begins with.
func unspacedTerms(code Code, question string, from, to int) (all []Term) {
	for _, run := range wordsAt(question, from, to) {
		for at := run.Start; at < run.End; {
			n, means := longestForm(code, question[at:to])
			if n == 0 {
				n, means = runeOrName(question[at:run.End]), Content
			}
			all = append(all, Term{Start: at, End: at + n, Means: means})
			at += n
		}
		if n := len(all); n > 0 && all[n-1].End > run.End { // a form of two words
			run.End = all[n-1].End
		}
	}
	return inOrder(all)
}

// inOrder leaves out what a form of several words has covered already.
func inOrder(all []Term) (kept []Term) {
	end := -1
	for _, t := range all {
		if t.Start >= end {
			kept, end = append(kept, t), t.End
		}
	}
	return kept
}

// longestForm is the longest form that a text begins with. One in Latin letters
// is a whole word.
func longestForm(code Code, text string) (n int, means string) {
	low := lower(text)
	if len(low) != len(text) {
		return 0, ""
	}
	for _, k := range []kind{library, function} {
		for form, value := range tables()[code][k] {
			if len(form) <= n || !strings.HasPrefix(low, form) || isLatin(form[len(form)-1]) && len(low) > len(form) && isLatin(low[len(form)]) {
				continue
			}
			if n, means = len(form), value; k == function {
				means = Filler
			}
		}
	}
	return n, means
}

func isLatin(b byte) bool {
	return b < utf8.RuneSelf && unicode.IsLetter(rune(b)) || b >= '0' && b <= '9'
}

// runeOrName is the length of a character, or of a word in Latin letters or digits.
func runeOrName(text string) int {
	n := 0
	for n < len(text) && isLatin(text[n]) {
		n++
	}
	if n > 0 {
		return n
	}
	_, n = utf8.DecodeRuneInString(text)
	return n
}
