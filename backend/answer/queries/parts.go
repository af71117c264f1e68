package queries

import (
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Parts cuts a question that asks several things into the things. A
// part that names nothing itself is asked about what the part before names:
// "How high is the tower, and when was it built?" gives two questions about the
// tower.
func Parts(question string) []string {
	var parts []string
	code := lang.Spoken(question)
	for _, s := range evidence.Sentences(question) {
		parts = append(parts, code.CutJoints(question[s.Start:s.End])...)
	}
	parts = withMatter(code, parts)
	for i := 1; i < len(parts); i++ {
		if named := Names(parts[i-1]); lastName(parts[i]) == "" && len(named) > 0 {
			parts[i] += " " + strings.Join(named, " ")
		} else if len(named) == 0 && lastName(parts[i]) == "" && code.PointsBack(parts[i]) {
			parts[i] = strings.TrimSpace(parts[i] + " " + topicOf(parts[i-1]))
		}
	}
	return parts
}

// withMatter gives a part that only asks the matter of the part beside it: "When
// and where was it built?", "When was it built, and by whom?".
func withMatter(code lang.Code, parts []string) []string {
	matter := func(part string) string {
		return strings.TrimRight(code.CutAsk(part), "?!.؟ ")
	}
	bare := func(part string) string { return strings.TrimRight(part, "?!. ") }
	for i := len(parts) - 2; i >= 0; i-- {
		if code.OnlyAsks(parts[i]) && !code.OnlyAsks(parts[i+1]) {
			parts[i] = bare(parts[i]) + " " + matter(parts[i+1]) + "?"
		}
	}
	for i := 1; i < len(parts); i++ {
		if code.OnlyAsks(parts[i]) && !code.OnlyAsks(parts[i-1]) {
			parts[i] = bare(parts[i]) + " " + matter(parts[i-1]) + "?"
		}
	}
	return parts
}
