package queries

import (
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/followup"
	"footnote/backend/answer/intent"
	"footnote/backend/lang"
)

// Standalone says in full what a question means after the turns before it.
// What was said where nothing was found is no history, and small talk is none.
func Standalone(question string, history []contract.Turn) string {
	var turns []followup.Turn
	for _, t := range history {
		if isTalk(t) {
			continue
		}
		turn := followup.Turn{Question: intent.WithoutCourtesy(t.Question), Answer: t.Answer}
		if near, ok := nearest(t.Answer); ok || isCanned(t.Answer) {
			turn.Answer, turn.Near = "", near
		}
		turns = append(turns, turn)
	}
	if len(turns) == 0 {
		return question
	}
	return followup.Standalone(intent.WithoutCourtesy(question), turns)
}

// isTalk reports whether a turn was small talk: by what was said, or by the reply.
func isTalk(t contract.Turn) bool {
	is, _ := intent.Of(t.Question, true, true, nil)
	return is != intent.Search && is != intent.About || intent.IsReply(t.Answer)
}

// nearest are the passages that were shown where none surely answers.
func nearest(answer string) (passages string, ok bool) {
	head, rest, _ := strings.Cut(answer, "\n")
	head = strings.Trim(head, "* ")
	return rest, slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool { return code.Say("answer-closest") == head })
}

// canned are the beginnings of what is said where there is no answer.
var canned = []string{"The sources do not answer", "**Closest passages", "Nothing found", "I found nothing", "The page could not be read", "There is nothing to read", "These passages come closest", "Ask a question, and the answer", "This looks on the web alone",
	"Writing needs a model", "This could not be computed", "The answer was stopped"}

func isCanned(answer string) bool {
	return slices.ContainsFunc(canned, func(c string) bool { return strings.HasPrefix(answer, c) }) ||
		slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool { return strings.HasPrefix(answer, code.Say("answer-none")) })
}
