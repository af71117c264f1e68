package contract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/plain"
)

// Said is a turn of a conversation that the asking program keeps itself.
type Said struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// TimeRanges are how old what an engine finds may be.
var TimeRanges = []string{"day", "week", "month", "year"}

const (
	mostDomains = 20
	mostEarlier = 200   // turns
	turnRunes   = 20000 // of one side of a turn; more of it is cut
)

// checkBounds brings domains into one form and refuses what is no bound. The
// faults are invalid-request and invalid-focus-mode.
func (q *Question) checkBounds() error {
	if q.Since != "" && !slices.Contains(TimeRanges, q.Since) {
		return fault.New(fault.InvalidRequest, "“"+plain.OneLine(q.Since, 20)+"” is no time range.", "Use day, week, month or year.")
	}
	if len(q.Domains) > mostDomains {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("%d domains are named; %d are allowed.", len(q.Domains), mostDomains), "Name fewer.")
	}
	for i, named := range q.Domains {
		domain := canonicalDomain(named)
		if domain == "" {
			return fault.New(fault.InvalidRequest, "“"+plain.OneLine(named, 80)+"” is no domain.", "Write it like example.org, or -example.org to leave it out.")
		}
		q.Domains[i] = domain
	}
	for _, f := range q.Beside {
		if _, err := ParseFocus(string(f)); err != nil {
			return err
		}
	}
	q.Earlier = q.Earlier[max(0, len(q.Earlier)-mostEarlier):]
	for i, t := range q.Earlier {
		q.Earlier[i] = Said{plain.Cut(t.Question, turnRunes), plain.Cut(t.Answer, turnRunes)}
	}
	return nil
}

// canonicalDomain is a host in lower case, with a dash before it where it is to
// be left out; empty when it is none.
func canonicalDomain(named string) string {
	named = strings.ToLower(strings.TrimSpace(named))
	host, out := strings.CutPrefix(named, "-")
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	u, err := url.Parse(host)
	if err != nil || u.User != nil || !strings.Contains(u.Hostname(), ".") || strings.ContainsAny(u.Hostname(), " \t:\"'") {
		return ""
	}
	host = strings.TrimPrefix(u.Hostname(), "www.")
	if out {
		return "-" + host
	}
	return host
}

// earlier gives the turns that came with the question.
func (q Question) EarlierTurns() []Turn {
	turns := make([]Turn, 0, len(q.Earlier))
	for _, t := range q.Earlier {
		turns = append(turns, Turn{Question: t.Question, Answer: t.Answer, Files: q.Focus == FocusLocal || q.Focus == FocusAll})
	}
	return turns
}
