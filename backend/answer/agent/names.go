package agent

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

const (
	followed    = 6    // names that are searched for besides
	followKept  = 3    // of those, whose pages are taken
	followPages = 3    // pages whose names count
	followRunes = 3000 // of each
)

// followNames goes the second step for a model that searched for one thing only:
// questions often hang on a name that just the first results tell, or on several
// that they name themselves. A name counts when there is a page on it. Names
// that files tell are not searched for, and none where the question is answered.
func (a *agent) followNames(ctx context.Context) {
	if len(a.search.Evidence.Facets) > 1 || !a.search.Task.WantsWeb() || len(a.search.Evidence.Documents) == 0 || a.search.Tell.CutShort() ||
		a.search.Settled(ctx, a.search.Plan.Standalone, a.search.Evidence) {
		return
	}
	queries := a.namesToFollow()
	all := make([]gather.Results, len(queries))
	var together sync.WaitGroup
	for i, query := range queries {
		together.Go(func() { all[i] = a.pageOn(ctx, query) })
	}
	together.Wait()
	kept, picked := 0, []evidence.Lead{}
	for i, h := range all {
		if kept == followKept {
			h = gather.Results{Engines: h.Engines}
		}
		if a.search.Add(h); len(h.Leads) > 0 {
			kept++
			if _, read := a.search.Evidence.PageAt(h.Leads[0].Source.Address); !read {
				picked = append(picked, all[i].Leads[0])
			}
		}
	}
	a.search.ReadAll(ctx, picked, a.search.Task.ReadWait())
}

// pageOn searches for a name and keeps the page that is on it.
func (a *agent) pageOn(ctx context.Context, name string) gather.Results {
	h := gather.Results{Engines: a.search.Ask(ctx, gather.WebQuery{Text: name, N: a.search.Task.Settings.Web.Results, Page: 1}, a.search.Task.WebEngines())}
	wanted := plain.Distinct(rank.Terms(name))
	for _, r := range h.Engines {
		for _, lead := range r.Leads {
			title := plain.Distinct(rank.Terms(lead.Source.Title))
			if len(h.Leads) == 0 && common(wanted, title) == len(wanted) && len(title) <= len(wanted)+2 {
				h.Leads, h.Query = []evidence.Lead{lead}, name
			}
		}
	}
	return h
}

// namesToFollow are the names in the question, where there are several, and
// those in the best pages that stand near its words.
func (a *agent) namesToFollow() []string {
	asked := plain.Distinct(rank.Terms(a.search.Plan.Standalone))
	var out []string
	if inQuestion := parted(queries.Names(a.search.Plan.Standalone)); len(inQuestion) > 1 {
		out = slices.Clone(inQuestion[:min(len(inQuestion), followKept)])
	}
	weights := map[string]float64{}
	pages := a.pagesByFit()
	whole := wholeNames(pages)
	for i, doc := range pages {
		weighNames(doc, asked, 1/float64(i+1), whole, weights)
	}
	found := slices.SortedFunc(maps.Keys(weights), func(x, y string) int {
		return cmp.Or(cmp.Compare(weights[y], weights[x]), cmp.Compare(x, y))
	})
	for _, name := range found {
		if len(out) < followed && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// pagesByFit are the pages that were read and fit the question best.
func (a *agent) pagesByFit() []evidence.Document {
	texts := make([]string, len(a.search.Evidence.Documents))
	for i, doc := range a.search.Evidence.Documents {
		texts[i] = doc.Source.Title + "\n" + doc.Source.Title + "\n" + plain.Cut(doc.Text, followRunes)
	}
	scores := rank.NewBM25(texts).Scores(a.search.Plan.Standalone)
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[y], scores[x]) })
	var out []evidence.Document
	for _, at := range order[:min(len(order), followPages)] {
		out = append(out, a.search.Evidence.Documents[at])
	}
	return out
}

// parted takes names that an "and" joins apart.
func parted(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, strings.Split(name, " and ")...)
	}
	return out
}

// wholeNames tells which names of pages are whole: no abbreviation, more than a word
// that only begins sentences, and no word of a longer name that the pages have.
func wholeNames(pages []evidence.Document) func(name string) bool {
	within := map[string]bool{} // names inside sentences
	for _, doc := range pages {
		text := plain.Cut(doc.Text, followRunes)
		for _, span := range evidence.Sentences(text) {
			sentence := strings.TrimLeft(text[span.Start:span.End], " \t#*>-–•“\"'(")
			for _, name := range parted(queries.Names(sentence)) {
				within[name] = within[name] || !strings.HasPrefix(sentence, name) || strings.Contains(name, " ")
			}
		}
	}
	return func(name string) bool {
		if !within[name] || strings.Contains(name, ".") {
			return false
		}
		for longer := range within {
			if longer != name && !strings.Contains(name, " ") && strings.Contains(" "+longer+" ", " "+name+" ") {
				return false
			}
		}
		return true
	}
}

// weighNames adds up how near the whole names of a page stand to the words of a
// question. Names that the question or the page's title has are no news.
func weighNames(doc evidence.Document, asked []string, share float64, whole func(string) bool, weights map[string]float64) {
	title := plain.Distinct(rank.Terms(doc.Source.Title))
	text := plain.Cut(doc.Text, followRunes)
	for _, span := range evidence.Sentences(text) {
		sentence := text[span.Start:span.End]
		near := 0.2 + float64(common(plain.Distinct(rank.Terms(sentence)), asked))/float64(1+len(asked))
		here := parted(queries.Names(sentence))
		slices.Sort(here)
		for _, name := range slices.Compact(here) {
			terms := plain.Distinct(rank.Terms(name))
			fresh := len(terms) - common(terms, asked)
			if fresh == 0 || common(terms, title) == len(terms) || !whole(name) {
				continue
			}
			weight := share * near * float64(fresh) / float64(len(terms))
			if strings.Contains(name, " ") {
				weight *= 1.5
			}
			weights[name] += weight
		}
	}
}

func common(a, b []string) int {
	n := 0
	for _, s := range a {
		if slices.Contains(b, s) {
			n++
		}
	}
	return n
}
