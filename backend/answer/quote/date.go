package quote

import "footnote/backend/answer/answertype"

// The only short answer is a date: numbers, names and places are right too
// seldom to stand alone.

// leadOfShort is how far ahead of the next the best sentence must be for its
// date to stand alone.
const leadOfShort = 0.05

// shortDate is the date that answers a when-question: the only one in the best
// sentence that the question does not have. Empty when in doubt.
func shortDate(question string, best []Sentence) string {
	if !answertype.AsksWhen(question) {
		return ""
	}
	if len(best) > 1 && best[0].Score-best[1].Score < leadOfShort {
		return ""
	}
	return answertype.OnlyDate(question, best[0].Text)
}
