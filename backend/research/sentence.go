package research

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

// namelike is the share of words in capitals from which a line without an end is a
// caption, a signature or a running head.
const namelike = 0.6

// states reports whether a sentence can stand in a report by itself: it states
// something, in whole words.
func states(s quote.Sentence) bool {
	switch {
	case s.Row:
		return true
	case s.Leads, s.CutOff(), strings.HasSuffix(s.Text, "?"), evidence.Instructs(s.Text), rank.CountWords(sentenceKey(s.Text)) < fewestWords:
		return false
	}
	return ends(s.Text) || !isCaption(s.Text)
}

// ends reports whether a text ends as sentences do.
func ends(text string) bool {
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

// fewestOfForm are sources that say a sentence with other dates each, from which it
// belongs to the form that they fill in.
const fewestOfForm = 3

var period = pattern.New(`(?i)^(?:(?:1[0-9]|20)\d\d|Q[1-4]|first|second|third|fourth)$`)

// formKey is equal for sentences that differ in nothing but dates.
func formKey(sentence string) string {
	words := strings.Fields(sentenceKey(sentence))
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

// withoutForms leaves out the sentences that several sources say alike but for their
// own dates, as declarations at the end of filings.
func withoutForms(all []*finding) []*finding {
	sources := map[string]map[string]int{} // by form, by wording: a source that says it
	for _, f := range all {
		key := formKey(f.Text)
		if sources[key] == nil {
			sources[key] = map[string]int{}
		}
		sources[key][sentenceKey(f.Text)] = f.N
	}
	return slices.DeleteFunc(all, func(f *finding) bool { return len(sources[formKey(f.Text)]) >= fewestOfForm })
}
