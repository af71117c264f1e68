package check

import (
	"regexp"
	"strings"
)

var (
	// listedSource is a line of a list of sources as models write one: a marker,
	// perhaps a title, an address.
	listedSource = regexp.MustCompile(`^\s*(?:[-*•]\s+)?\[\^?\d+\]:?\s.*https?://\S`)
	// listHeading is a line that may stand over such a list.
	listHeading = regexp.MustCompile(`^\s*(?:#+\s.*|\*\*.*\*\*:?|.*:)\s*$`)
)

const headingWords = 4 // of the line over a list of sources, at most

// withoutOwnList takes the list of sources off the end of a text: a model writes
// down addresses that it may have made up, and what was really read is listed
// beside every answer.
func withoutOwnList(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \n"), "\n")
	end := len(lines)
	for end > 0 && (listedSource.MatchString(lines[end-1]) || end < len(lines) && strings.TrimSpace(lines[end-1]) == "") {
		end--
	}
	if end == len(lines) {
		return text
	}
	if end > 0 && listHeading.MatchString(lines[end-1]) && len(strings.Fields(lines[end-1])) <= headingWords {
		end--
	}
	if kept := strings.TrimRight(strings.Join(lines[:end], "\n"), " \n"); kept != "" {
		return kept
	}
	return text
}
