package answer

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// What a question may say about the web it wants to be answered from, and about
// a conversation that is kept elsewhere: other programs ask with these.

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

// bound narrows what an engine is asked to what the question allows. One wanted
// domain is named to the engine; whatever it answers, the leads are held against
// the bounds as well.
func (q Question) bound(w WebQuery) WebQuery {
	if w.Since == "" {
		w.Since = q.Since
	}
	if wanted := q.wantedDomains(); len(wanted) == 1 && !strings.Contains(w.Text, "site:") {
		w.Text += " site:" + wanted[0]
	}
	return w
}

func (q Question) wantedDomains() []string {
	return slices.DeleteFunc(slices.Clone(q.Domains), func(d string) bool { return strings.HasPrefix(d, "-") })
}

// allowed gives the leads that lie within the question's domains; a domain means
// its subdomains too.
func (q Question) allowed(leads []evidence.Lead) []evidence.Lead {
	if len(q.Domains) == 0 {
		return leads
	}
	wanted := q.wantedDomains()
	var kept []evidence.Lead
	for _, l := range leads {
		host := DomainOf(l.Source.Address)
		within := func(domain string) bool {
			return host == domain || strings.HasSuffix(host, "."+domain)
		}
		refused := slices.ContainsFunc(q.Domains, func(d string) bool { return strings.HasPrefix(d, "-") && within(d[1:]) })
		if !refused && (len(wanted) == 0 || slices.ContainsFunc(wanted, within)) {
			kept = append(kept, l)
		}
	}
	return kept
}

// askBeside asks the engines of the further focuses while those of the question's
// own are asked; the returned function waits for what they found.
func (r *Retriever) askBeside(ctx context.Context) (wait func() [][]EngineResult) {
	if len(r.Task.Question.Beside) == 0 || len(r.Plan.Queries) == 0 {
		return func() [][]EngineResult { return nil }
	}
	results := make([][]EngineResult, len(r.Task.Question.Beside))
	var asked sync.WaitGroup
	for i, focus := range r.Task.Question.Beside {
		asked.Go(func() { results[i] = r.Ask(ctx, r.Task.WebQuery(r.Plan.Queries[0], 1), r.Task.enginesOf(focus)) })
	}
	return func() [][]EngineResult { asked.Wait(); return results }
}

// earlier gives the turns that came with the question.
func (q Question) earlier() []Turn {
	turns := make([]Turn, 0, len(q.Earlier))
	for _, t := range q.Earlier {
		turns = append(turns, Turn{Question: t.Question, Answer: t.Answer, Files: q.Focus == FocusLocal || q.Focus == FocusAll})
	}
	return turns
}
