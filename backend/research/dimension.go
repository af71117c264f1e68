package research

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
	"footnote/backend/research/facets"
	"footnote/backend/research/report"
	"footnote/backend/research/sides"
	"footnote/backend/research/subject"
)

// dimension is one subquestion being looked into, with a pipeline of its own.
type dimension struct {
	p         *answer.Pipeline
	r         *research
	out       contract.Explored
	extracted map[evidence.SourceID]bool
	relevant  map[evidence.SourceID]bool // by the verdict of their extraction

	told, toldQuotes int // facts and quotes that were published
}

const (
	sparePages    = 3               // read beside those that are extracted
	deepResults   = 5               // of each search of a depth pass
	deepReadWaits = 2               // how many times longer than quick modes pages are waited for
	deepGrace     = 3 * time.Second // for later ones, after as many as are extracted
	enoughSources = 2               // below this a dimension is weak
	enoughFound   = 3               // facts and quotes, likewise
)

// explore looks into one subquestion: gather → extract → rank → assess, once more
// in depth when what was found is weak, then compress.
func (r *research) explore(ctx context.Context, question string, index, total int) *dimension {
	d := &dimension{p: r.p.Branch(question), r: r, extracted: map[evidence.SourceID]bool{}, relevant: map[evidence.SourceID]bool{}}
	d.out = contract.Explored{Question: question, Index: index, Facts: []contract.Fact{}, Quotes: []contract.Excerpt{}, Evidence: []rank.Candidate{}}
	r.p.Tell.Emit(contract.DimensionBegun{Index: index, Total: total, Dimension: question, Iteration: r.study.Pass})
	d.gather(ctx, d.firstSearches(), r.study.Warm)
	d.readAndExtract(ctx)
	if d.assess(); (d.out.Weak || r.wantsDeeper(question)) && ctx.Err() == nil {
		d.out.Deepened = true
		d.gather(ctx, d.depthSearches(), nil)
		d.readAndExtract(ctx)
		d.assess()
	}
	d.compress(ctx)
	return d
}

// wanted is one search of a dimension.
type wanted struct {
	gather.WebQuery
	engine string // "web", "wikipedia", "library", or "shelf" for the files of folders called after the subject
}

// firstSearches are the searches for a subquestion: the web, page n in pass n; the
// topic with it in further categories; Wikipedia; the reader's files.
func (d *dimension) firstSearches() []wanted {
	question, pass := d.out.Question, max(1, d.r.study.Pass)
	var all []wanted
	if d.r.p.Plan.Shelf {
		all = append(all, wanted{gather.WebQuery{Text: question}, "library"})
		if bare := facets.Without(subject.Names(question), question); bare != question && bare != "" {
			all = append(all, wanted{gather.WebQuery{Text: bare}, "shelf"})
		}
		if d.p.Task.Question.SubMode == contract.DueDiligence && d.out.Index == 0 {
			for _, about := range sides.Queries(d.r.code(), d.r.study.Topic) {
				all = append(all, wanted{gather.WebQuery{Text: about}, "library"})
			}
		}
	}
	if !d.r.p.Plan.Search {
		return all
	}
	query := d.query()
	all = append(all, wanted{gather.WebQuery{Text: query, N: d.p.Task.Settings.Deep.ResultsPerDimension, Page: pass}, "web"})
	if pass > 1 && d.out.Index == 0 { // what the warm-up did not reach
		all = append(all, wanted{gather.WebQuery{Text: d.r.p.Plan.Queries[0], N: d.p.Task.Settings.Deep.WarmupResults, Page: pass}, "web"})
	}
	if d.p.Task.Question.SubMode == contract.DueDiligence && d.out.Index == 0 {
		for _, against := range sides.Against(d.r.code()) { // what speaks against a thing is seldom on pages that praise it
			all = append(all, wanted{gather.WebQuery{Text: strings.TrimSpace(d.r.study.Topic + " " + against), N: d.p.Task.Settings.Deep.ResultsPerDimension, Page: pass}, "web"})
		}
	}
	if d.p.Task.Question.Engines == nil && (d.p.Task.Question.Focus == contract.FocusAll || d.p.Task.Question.Focus == contract.FocusWeb) {
		for _, category := range []string{"social media", "it"} {
			all = append(all, wanted{gather.WebQuery{Text: withTopic(d.r.study.Topic, query), N: d.p.Task.Settings.Deep.ResultsPerDimension, Page: pass, Category: category}, "web"})
		}
	}
	if d.p.Task.Question.Engines == nil && pass == 1 {
		all = append(all, wanted{gather.WebQuery{Text: query, N: 3, Page: 1}, "wikipedia"})
	}
	return all
}

// query is what engines are asked for a subquestion: its matter, in its words. One that
// does not name the topic says too little by itself.
func (d *dimension) query() string {
	asked := d.out.Question
	query := strings.ReplaceAll(queries.ByRules(asked, d.p.Tell.Now()), ": ", " ")
	if thing, ok := subject.ThingOf(asked); ok {
		query = queries.WithoutArticle(lang.Spoken(asked), thing)
	}
	if d.r.study.By != "rules" {
		return query
	}
	return withTopic(d.r.study.Topic, query)
}

// weighty are kinds of source that carry more weight, each with the words that ask for it.
var weighty = []struct {
	asks *pattern.Regexp
	more string
}{
	{pattern.New(`(?i)\b(?:government|official|public (?:body|bodies|authority|authorities)|regulations?|legislation)\b`), "site:gov"},
	{pattern.New(`(?i)\b(?:university|universities|academic|academics|scholars?)\b`), "site:edu"},
	{pattern.New(`(?i)\b(?:pdf|white ?papers?)\b`), "filetype:pdf"},
	{pattern.New(`(?i)\b(?:methods?|methodology|stud(?:y|ies)|trials?|surveys?|statistics|data)\b`), "methodology data"},
}

// depthSearches look further: at the next page of what was found, with the whole
// subquestion, and for sources that carry more weight where an English question asks for
// such.
func (d *dimension) depthSearches() []wanted {
	query := withTopic(d.r.study.Topic, d.query())
	var all []wanted
	if d.r.p.Plan.Shelf {
		all = append(all, wanted{gather.WebQuery{Text: query}, "library"})
	}
	if !d.r.p.Plan.Search {
		return all
	}
	all = append(all, wanted{gather.WebQuery{Text: query, N: deepResults, Page: max(1, d.r.study.Pass) + 1}, "web"})
	if _, worded := subject.ThingOf(d.out.Question); !worded && !sides.Is(d.r.code(), d.out.Question) && d.out.Question != query {
		all = append(all, wanted{gather.WebQuery{Text: d.out.Question, N: deepResults, Page: 1}, "web"})
	}
	if asked := d.r.p.Plan.Standalone; lang.Spoken(asked) == lang.English {
		for _, w := range weighty {
			if w.asks.MatchString(asked) {
				all = append(all, wanted{gather.WebQuery{Text: query + " " + w.more, N: deepResults, Page: 1}, "web"})
			}
		}
	}
	return all
}

// withTopic names the topic before a query that has less than half of it and something else.
func withTopic(topic, query string) string {
	about, has := rank.Terms(topic), rank.Terms(query)
	named, other := 0, 0
	for _, term := range about {
		if slices.Contains(has, term) {
			named++
		}
	}
	for _, term := range has {
		if !slices.Contains(about, term) {
			other++
		}
	}
	if 2*named >= len(about) || named > 0 && other == 0 {
		return query
	}
	return strings.TrimSpace(topic + " " + query)
}

// gather makes searches side by side and adds what was known before to their
// results. What fails fails alone.
func (d *dimension) gather(ctx context.Context, searches []wanted, known []evidence.Lead) {
	all := make([]gather.Results, len(searches))
	var together sync.WaitGroup
	for i, w := range searches {
		together.Go(func() { all[i] = d.search(ctx, w) })
	}
	together.Wait()
	var sets [][]evidence.Lead
	for _, h := range all {
		sets = append(sets, d.p.Search.Take(h.Engines)...)
		d.p.Search.Add(gather.Results{Found: h.Found})
	}
	sets = append(sets, known)
	for _, lead := range d.p.Task.Unblocked(rank.DedupLeads(gather.Interleave(sets))) {
		d.p.Search.Add(gather.Results{Leads: []evidence.Lead{lead}})
	}
}

// search makes one search and tells of it.
func (d *dimension) search(ctx context.Context, w wanted) gather.Results {
	defer calls.Contain(d.r.p.Tell.Log, d.out.Question)
	if w.engine == "library" || w.engine == "shelf" {
		h, err := d.p.Search.SearchFiles(ctx, w.Text, gather.ShelfPassages, d.p.Task.Settings.Agent.FileSearchThreshold)
		if err != nil {
			d.p.Tell.Log.Info("search of files for a dimension", "err", err)
		}
		if w.engine == "shelf" {
			h.Found = subject.Shelved(d.out.Question, h.Found)
		}
		d.r.searchedOnce(addressesOf(nil, h.Found))
		return gather.Results{Found: h.Found}
	}
	w.Text = plain.OneLine(d.p.Task.Sendable(w.Text), d.p.Task.Settings.Web.QueryChars)
	d.p.Tell.Emit(contract.Searching{Query: w.Text, Engine: w.engine, Category: w.Category, Page: w.Page, Dimension: d.p.Task.Part})
	names := d.p.Task.WebEngines()
	if w.engine == "wikipedia" {
		names = []string{"wikipedia"}
	}
	h := gather.Results{Engines: d.p.Search.Ask(ctx, w.WebQuery, names)}
	for _, result := range h.Engines {
		h.Leads = append(h.Leads, result.Leads...)
	}
	d.r.searchedOnce(addressesOf(h.Leads, nil))
	return h
}

// readAndExtract reads the best pages that were not read yet, ranks what there is
// and has the best sources extracted.
func (d *dimension) readAndExtract(ctx context.Context) {
	d.readBest(ctx)
	ranked := d.rankAll(ctx)
	d.r.readOf(ctx, d.p, ranked)
	d.extractBest(ctx, ranked)
	if d.out.Sources == 0 && len(d.out.Quotes)+len(d.out.Facts) == 0 {
		d.extractByScorer(ctx, ranked)
	}
	d.choose(ranked)
}

// readBest reads the pages of the best leads that were not read yet.
func (d *dimension) readBest(ctx context.Context) {
	unread := slices.DeleteFunc(slices.Clone(d.p.Search.Evidence.Leads), func(l evidence.Lead) bool {
		_, read := d.p.Search.Evidence.PageAt(l.Source.Address)
		return read || d.failedBefore(l.Source.Address)
	})
	picked := d.p.Search.BestOf(ctx, d.out.Question, unread, d.p.Task.Settings.Deep.Pages+sparePages)
	d.p.Search.ReadEnough(ctx, picked, d.deepWait(), d.p.Task.Settings.Deep.Pages, deepGrace)
	d.r.pagesRead(d.p.Search.Evidence.Documents, d.p.Search.Evidence.Failed)
}

func (d *dimension) failedBefore(address string) bool {
	return d.r.unreadable(address) || slices.ContainsFunc(d.p.Search.Evidence.Failed, func(u contract.Unread) bool { return u.Address == address })
}

// rankAll orders all passages by the subquestion.
func (d *dimension) rankAll(ctx context.Context) []rank.Candidate {
	d.p.Evidence = d.p.Search.Evidence
	pool := d.p.Pool(context.WithoutCancel(ctx))
	ranked := rank.Rank(d.out.Question, pool, d.p.Plan.RankBy, d.p.Tell.Now(), d.p.Task.RankOptions())
	return rank.DedupAbove(d.r.texts(ranked), d.p.Task.Settings.Rank.Jaccard)
}

// choose puts together what may be cited: passages with facts and quotes first,
// then the best ranked ones of sources that bear on the subquestion or were read
// beside those.
func (d *dimension) choose(ranked []rank.Candidate) {
	carries := map[evidence.PassageID]int{}
	stating := map[evidence.SourceID]bool{}
	for _, f := range d.out.Facts {
		for _, id := range f.Passages {
			carries[id]++
		}
		stating[f.Source] = true
	}
	for _, q := range d.out.Quotes {
		carries[q.Passage]++
		stating[q.Source] = true
	}
	d.out.Sources = len(stating)
	chosen := slices.DeleteFunc(slices.Clone(ranked), func(c rank.Candidate) bool {
		judged := d.extracted[c.Source.ID]
		return len(d.relevant) > 0 && !d.relevant[c.Source.ID] && (judged || c.Snippet || c.Scores.Relevance < d.p.Task.Settings.Rank.Floor)
	})
	slices.SortStableFunc(chosen, func(a, b rank.Candidate) int {
		return cmp.Compare(min(carries[b.Passage.ID], 1), min(carries[a.Passage.ID], 1))
	})
	chosen = rank.Spread(chosen)
	d.out.Evidence = chosen[:min(len(chosen), report.MostEvidence)]
}

// assess says whether what was found is weak.
func (d *dimension) assess() {
	d.out.Weak = d.out.Sources < enoughSources || len(d.out.Facts)+len(d.out.Quotes) < enoughFound
}

var compressSchema = json.RawMessage(`{"type":"object","properties":{"summary":{"type":"string"},"key_finding":{"type":"string"}},"required":["summary","key_finding"]}`)

// compress shortens what was found to a summary and a key finding; an excerpt of
// it stands in where no model can.
func (d *dimension) compress(ctx context.Context) {
	x := &d.out
	if x.Sources == 0 {
		d.p.Tell.Emit(contract.Compressed{Dimension: x.Question, Weak: true})
		return
	}
	d.p.Tell.Emit(contract.Compressing{Dimension: x.Question})
	material := plain.Cut(allOf(*x), d.p.Task.Settings.Deep.CompressChars)
	var notes struct {
		Summary string `json:"summary"`
		Key     string `json:"key_finding"`
	}
	asked := "Question: " + x.Question + "\n\n" + calls.Quotation("What was found", calls.Fit(material, d.r.calls.Room(500)))
	err := d.r.calls.Consult(ctx, calls.Request{Phase: phaseAnalyze, Purpose: "compress", Template: "deep_compress", Asked: asked, Schema: compressSchema, Tokens: 500}, &notes)
	x.Summary, x.KeyFinding = strings.TrimSpace(notes.Summary), plain.OneLine(notes.Key, 300)
	if err != nil || x.Summary == "" {
		x.Summary, x.Fallback = plain.Cut(material, d.p.Task.Settings.Deep.ExcerptChars), true
	}
	if x.KeyFinding == "" {
		x.KeyFinding = firstFound(*x)
	}
	for _, c := range x.Evidence {
		if c.Local() {
			d.p.Task.Taint.Tells(c.Passage.ID, x.Summary)
			d.p.Task.Taint.Tells(c.Passage.ID, x.KeyFinding)
		}
	}
	d.p.Tell.Emit(contract.Compressed{Dimension: x.Question, Sources: x.Sources, Weak: x.Weak, NoteLength: utf8.RuneCountInString(x.Summary), Fallback: x.Fallback})
}

// firstFound is the best fact or quote of a dimension.
func firstFound(x contract.Explored) string {
	switch {
	case len(x.Facts) > 0:
		return x.Facts[0].Text
	case len(x.Quotes) > 0:
		return x.Quotes[0].Text
	}
	return ""
}

// deepWait is how long pages are waited for.
func (d *dimension) deepWait() time.Duration { return deepReadWaits * d.p.Task.ReadWait() }
