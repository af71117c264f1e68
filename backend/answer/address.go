package answer

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	mostNamed   = 5                // pages of one question that are read
	namedWait   = 15 * time.Second // for pages that the reader asked for
	summaryAsks = "Summarize this page."
)

var address = regexp.MustCompile(`(?i)https?://[^\s<>"'“”‘’]+`)

// addressesIn takes the web addresses out of a question. rest is what else it
// says.
func addressesIn(text string) (addresses []string, rest string) {
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
	rest = strings.Join(strings.Fields(strings.Trim(address.ReplaceAllString(text, " "), " :;,.-–()[]{}")), " ")
	return addresses[:min(len(addresses), mostNamed)], rest
}

// planNamed plans to read the pages that a question names instead of searching.
func (p *planner) planNamed(addresses []string, rest string) {
	p.plan.Pages, p.plan.Shelf = addresses, false
	p.plan.Reason = "the page in the question is read, nothing is searched"
	p.plan.Standalone = rest
	if rest == "" {
		p.plan.Standalone, p.plan.Summary = summaryAsks, true
	}
}

// readNamed reads the pages a question names, in every mode. Where none can be
// read, what else the question says is searched for.
func (p *retriever) readNamed(ctx context.Context) {
	p.tell.begin(StageRead)
	for _, a := range p.plan.Pages {
		p.evidence.Leads = append(p.evidence.Leads, evidence.Lead{Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, a, ""), Kind: evidence.Web, Title: domainOf(a), Address: a, Seen: p.tell.now(),
		}, Via: "you"})
	}
	p.readAll(ctx, p.evidence.Leads, namedWait)
	switch {
	case len(p.evidence.Documents) > 0 && p.plan.Summary:
		p.plan.Standalone = p.evidence.Documents[0].Source.Title
	case len(p.evidence.Documents) == 0 && !p.plan.Summary && len(rank.Terms(p.plan.Standalone)) >= 3:
		p.tell.notice(Notice{Code: "page-unread", Level: "warn", Message: "The page in your question could not be read, so the web was searched."})
		p.plan.Search, p.plan.Queries = true, []string{queryByRules(p.plan.Standalone, p.tell.now())}
		p.searchWeb(ctx)
		p.readAll(ctx, p.bestLeads(ctx, p.task.Settings.Web.ReadPages), p.task.readWait())
	}
	p.tell.counters.Sources = len(p.evidence.Leads)
	p.tell.emit(p.tell.counters)
	p.tell.timing.Read = p.tell.finish(len(p.evidence.Leads), len(p.evidence.Documents))
}
