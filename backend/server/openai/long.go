package openai

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/plain"
)

const questionMarks = "?？؟;⸮"

// fit makes a question of a message: one that is longer than most characters is
// asked by its paragraph that asks, and goes along whole as text to read.
func fit(message string, most int) (question, context string) {
	message = strings.TrimSpace(message)
	if most <= 0 || utf8.RuneCountInString(message) <= most {
		return message, ""
	}
	return asking(paragraphs(message), most), message
}

func paragraphs(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// asking is the paragraph that asks: the last one, where it ends as a question,
// else the first, else any that does. A task ("Summarise this:") mostly comes
// first.
func asking(all []string, most int) string {
	fits := func(i int) bool { return utf8.RuneCountInString(all[i]) <= most }
	order := []int{len(all) - 1, 0}
	for i := len(all) - 2; i > 0; i-- {
		order = append(order, i)
	}
	for _, i := range order {
		if last, _ := utf8.DecodeLastRuneInString(all[i]); fits(i) && strings.ContainsRune(questionMarks, last) {
			return all[i]
		}
	}
	for _, i := range []int{0, len(all) - 1} {
		if fits(i) {
			return all[i]
		}
	}
	return strings.TrimSuffix(plain.Cut(all[0], most-1), "…")
}
