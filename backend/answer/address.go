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
func (p *pipeline) planNamed(addresses []string, rest string) {
	p.plan.named, p.plan.Shelf = addresses, false
	p.plan.Reason = "the page in the question is read, nothing is searched"
	p.plan.Standalone = rest
	if rest == "" {
		p.plan.Standalone, p.plan.summary = summaryAsks, true
		p.q.Instructions = strings.TrimSpace(summaryAsks + "\n" + p.q.Instructions)
	}
}

// readNamed reads the pages a question names, in every mode. Where none can be
// read, what else the question says is searched for.
func (p *pipeline) readNamed(ctx context.Context) {
	p.begin(StageRead)
	for _, a := range p.plan.named {
		p.leads = append(p.leads, evidence.Lead{Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, a, ""), Kind: evidence.Web, Title: domainOf(a), Address: a, Seen: p.now(),
		}, Via: "you"})
	}
	p.readAll(ctx, p.leads, namedWait)
	switch {
	case len(p.pages) > 0 && p.plan.summary:
		p.plan.Standalone = p.pages[0].Source.Title
	case len(p.pages) == 0 && !p.plan.summary && len(rank.Terms(p.plan.Standalone)) >= 3:
		p.notice(Notice{Code: "page-unread", Level: "warn", Message: "The page in your question could not be read, so the web was searched."})
		p.plan.Search, p.plan.Queries = true, []string{queryByRules(p.plan.Standalone, p.now())}
		p.searchWeb(ctx)
		p.readAll(ctx, p.bestLeads(ctx, p.s.Web.ReadPages), p.readWait())
	}
	p.counters.Sources = len(p.leads)
	p.emit(p.counters)
	p.timing.Read = p.finish(len(p.leads), len(p.pages))
}
