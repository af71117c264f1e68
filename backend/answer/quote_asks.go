package answer

import (
	"slices"
	"strings"

	"footnote/backend/answer/queries"
)

// asks is the question that sentences are chosen for. What the rules add to one
// that has a matter of its own helps to find passages; as a part of the question it
// would be answered itself.
func (s *selector) asks() string {
	added, adds := strings.CutPrefix(s.plan.Standalone, strings.TrimRight(s.task.Question.Text, "?!. ")+" ")
	own := slices.DeleteFunc(queries.WordsOf(s.task.Question.Text), func(w string) bool { return strings.EqualFold(w, "about") })
	if adds && added != "" && len(own) > 1 {
		return s.task.Question.Text
	}
	return s.plan.Standalone
}
