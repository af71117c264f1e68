package queries

import (
	"net/url"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

const mostNamed = 5 // pages of one question that are read

var address = pattern.New(`(?i)https?://[^\s<>"'“”‘’]+`)

// Addresses takes the web addresses out of a question. rest is what else it
// says.
func Addresses(text string) (addresses []string, rest string) {
	addresses = AllAddresses(text)
	rest = strings.Join(strings.Fields(strings.Trim(address.ReplaceAllString(text, " "), " :;,.-–()[]{}")), " ")
	return addresses[:min(len(addresses), mostNamed)], rest
}

// AllAddresses are the web addresses in a text, each once.
func AllAddresses(text string) (addresses []string) {
	for _, found := range address.FindAllString(text, -1) {
		trimmed := strings.TrimRight(found, ".,;:!?*_")
		for _, pair := range []string{"()", "[]", "{}"} { // a bracket that is opened inside belongs to the address
			if strings.HasSuffix(trimmed, pair[1:]) && strings.Count(trimmed, pair[1:]) > strings.Count(trimmed, pair[:1]) {
				trimmed = strings.TrimRight(strings.TrimSuffix(trimmed, pair[1:]), ".,;:!?")
			}
		}
		if u, err := url.Parse(trimmed); err == nil && u.Hostname() != "" && !slices.Contains(addresses, trimmed) {
			addresses = append(addresses, trimmed)
		}
	}
	return addresses
}

// IsTask reports whether a text asks for something to be done rather than looked up.
func IsTask(text string) bool {
	_, is := lang.Spoken(text).OpensWith(lang.Tasks, text)
	return is
}

// SurelySearched reports whether a question needs the web whatever a model
// thinks of it: it stands alone, and is neither a task nor about a pasted text.
func SurelySearched(q contract.Question, history []contract.Turn) bool {
	return q.Context == "" && !address.MatchString(q.Text) && !IsSmallTalk(q.Text, history) && !IsTask(q.Text) &&
		(len(history) == 0 || !lang.Spoken(q.Text).PointsBack(q.Text) && Standalone(q.Text, history) == q.Text) && len(rank.Terms(q.Text)) >= 3
}
