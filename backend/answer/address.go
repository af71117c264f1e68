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
	NamedWait   = 15 * time.Second // for pages that the reader asked for
	summaryAsks = "Summarize this page."
)

var address = regexp.MustCompile(`(?i)https?://[^\s<>"'“”‘’]+`)

// addressesIn takes the web addresses out of a question. rest is what else it
// says.
func AddressesIn(text string) (addresses []string, rest string) {
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
func (p *Retriever) readNamed(ctx context.Context) {
	p.Tell.Begin(StageRead)
	for _, a := range p.Plan.Pages {
		p.Evidence.Leads = append(p.Evidence.Leads, evidence.Lead{Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, a, ""), Kind: evidence.Web, Title: DomainOf(a), Address: a, Seen: p.Tell.Now(),
		}, Via: "you"})
	}
	p.ReadAll(ctx, p.Evidence.Leads, NamedWait)
	switch {
	case len(p.Evidence.Documents) > 0 && p.Plan.Summary:
		p.Plan.Standalone = p.Evidence.Documents[0].Source.Title
	case len(p.Evidence.Documents) == 0 && !p.Plan.Summary && len(rank.Terms(p.Plan.Standalone)) >= 3:
		p.Tell.Notice(Notice{Code: "page-unread", Level: "warn", Message: "The page in your question could not be read, so the web was searched."})
		p.Plan.Search, p.Plan.Queries = true, []string{QueryByRules(p.Plan.Standalone, p.Tell.Now())}
		p.searchWeb(ctx)
		p.ReadAll(ctx, p.bestLeads(ctx, p.Task.Settings.Web.ReadPages), p.Task.ReadWait())
	}
	p.Tell.Counters.Sources = len(p.Evidence.Leads)
	p.Tell.Emit(p.Tell.Counters)
	p.Tell.Timing.Read = p.Tell.Finish(len(p.Evidence.Leads), len(p.Evidence.Documents))
}
