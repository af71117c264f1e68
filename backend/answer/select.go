package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// SelectDeps are the ports of choosing passages and quoting them.
type SelectDeps struct {
	Texts     Texts
	Checker   *cite.Checker
	Meaning   Meaning
	tableRows *quote.RowCache
}

// selector chooses what the answer may rest on.
type selector struct {
	deps      SelectDeps
	tell      *journal.Teller
	task      *Task
	models    *llm.RoleModels
	scorer    *scorer
	kept      *keeper
	plan      Plan
	evidence  Evidence
	selection Selection
}

// selectPassages ranks what was gathered and numbers the sources of what the
// answer may rest on.
func (s *selector) selectPassages(ctx context.Context) (Selection, error) {
	s.tell.Begin(contract.StageSelect)
	pool := s.withOverview(ctx, s.pool(ctx))
	if s.selection.Overview == nil {
		s.selection.Rows = quote.FindRows(ctx, s.asks(), pool, quote.RowSources+len(s.evidence.Documents), s.quoting())
		pool = quote.WithPassages(pool, s.selection.Rows)
	}
	s.selection.Ranked = rank.Rank(s.plan.Standalone, pool, s.plan.RankBy, s.tell.Now(), s.task.RankOptions())
	s.selection.Pool = rank.DedupAbove(s.selection.Ranked, s.task.Settings.Rank.Jaccard)
	capped := rank.CapDomains(s.byFacets(ctx, s.selection.Pool), s.task.Settings.Rank.MaxPerDomain*(1+len(s.evidence.Facets)))
	s.selection.Chosen = s.rowsFirst(rank.Balance(rank.Spread(capped), s.places(), s.task.Settings.Rank.Floor))
	switch {
	case s.selection.Overview != nil:
		s.chooseOverview()
	case s.models.Chat.Model == nil:
		s.orderByQuotation(ctx)
	default:
		s.findNeighbours(ctx)
	}
	s.number()
	s.keepBeside(ctx)
	s.tellPartial()
	s.tell.Timing.Select = s.tell.Finish(len(pool), len(s.selection.Chosen))
	return s.selection, ctx.Err()
}

// rowsFirst puts the passages of the rows before the chosen ones, beside them as
// far as a model may be given more, unless the reader said how many.
func (s *selector) rowsFirst(chosen []rank.Candidate) (all []rank.Candidate) {
	most := max(len(chosen), rank.MaxPassages)
	if s.task.Question.K > 0 {
		most = s.plan.RankBy.K
	}
	all, s.selection.Rows = quote.RowsFirst(s.selection.Rows, s.selection.Pool, chosen, most)
	return all
}

// RankOptions are the settings of ranking.
func (t *Task) RankOptions() rank.Options {
	r := t.Settings.Rank
	authority := rank.DefaultAuthority()
	a := r.Authority
	authority.Base, authority.Trusted, authority.Edu, authority.Gov = a.Base, a.Trusted, a.Edu, a.Gov
	authority.HTTPS, authority.Words500, authority.Words1500, authority.Domains = a.HTTPS, a.Words500, a.Words1500, a.Domains
	return rank.Options{
		Measure: rank.Measure(r.Measure), Authority: authority,
		Freshness: rank.Freshness{HalfLife: time.Duration(r.HalfLifeDays * 24 * float64(time.Hour)), Unknown: r.UnknownFreshness},
	}
}

// pool makes candidates of everything: passages of files, of pages read, and
// snippets of leads whose pages were not read.
func (s *selector) pool(ctx context.Context) []rank.Candidate {
	var pool []rank.Candidate
	for i, f := range s.evidence.Found {
		c := rank.Candidate{Source: f.Source, Passage: f.Passage, Via: f.Via, EngineRank: i + 1, Score: f.Score, Coverage: 1}
		if f.Score.Partial {
			c.Coverage = 0.5
		}
		pool = append(pool, c)
	}
	web := append(s.webCandidates(ctx), s.task.earlierCandidates(s.evidence.Found)...)
	s.preferred(web)
	s.scorer.scoreWeb(ctx, s.plan.Standalone, web)
	pool = append(pool, web...)
	pool = s.task.focusPool(pool)
	s.scorer.encode(ctx, s.plan.Standalone, pool)
	return pool
}

func (s *selector) webCandidates(ctx context.Context) []rank.Candidate {
	web := s.task.candidatesOf(s.evidence.Documents, s.scorer.candidateLeads(ctx, s.plan.Standalone, s.evidence.Leads, &s.evidence))
	for i, c := range web {
		if !c.Snippet {
			web[i].Via = s.viaOf(c.Source)
		}
	}
	return web
}

// candidatesOf are the passages of pages, and the snippets of leads whose pages
// are not among them.
func (t *Task) candidatesOf(pages []evidence.Document, leads []evidence.Lead) []rank.Candidate {
	read := map[string]bool{}
	var web []rank.Candidate
	for i, doc := range pages {
		read[rank.NormalizeURL(doc.Source.Address)] = true
		words := rank.CountWords(doc.Text)
		for _, passage := range evidence.Split(doc, t.Settings.Library.Split()) {
			web = append(web, rank.Candidate{Source: doc.Source, Passage: passage, EngineRank: i + 1, Words: words, Coverage: doc.Coverage.Share()})
		}
	}
	for i, lead := range leads {
		text := strings.TrimSpace(lead.Snippet)
		if read[rank.NormalizeURL(lead.Source.Address)] || text == "" {
			continue
		}
		web = append(web, snippetCandidate(lead, text, i))
	}
	return web
}

// snippetCandidate turns what an engine quoted of a page into a passage of its
// own: the snippet is the text that was read, and it is marked as such.
func snippetCandidate(lead evidence.Lead, text string, position int) rank.Candidate {
	src := lead.Source
	src.Digest = evidence.PageDigest(src.Address, text)
	src.MediaType = "text/plain"
	src.ID = evidence.NewSourceID(src.Kind, src.Address, src.Digest)
	n := utf8.RuneCountInString(text)
	passage := evidence.Passage{
		ID: evidence.NewPassageID(src.Digest, 0, n), Source: src.ID, Text: text, At: evidence.Locator{End: n},
	}
	return rank.Candidate{Source: src, Passage: passage, Snippet: true, Via: lead.Via, EngineRank: position + 1, Words: rank.CountWords(text), Coverage: 0}
}

func (s *selector) viaOf(src evidence.Source) string {
	if src.Kind == evidence.Pasted {
		return "question"
	}
	want := rank.NormalizeURL(src.Address)
	for _, l := range s.evidence.Leads {
		if rank.NormalizeURL(l.Source.Address) == want {
			return l.Via
		}
	}
	if len(s.evidence.Engines) > 0 {
		return s.evidence.Engines[0]
	}
	return "web"
}

// webVectors is how long an embedder may take for the passages of the web: a
// model on a server can be slow.
const webVectors = 2 * time.Second

// scoreWeb gives web candidates what the index gives local ones for a query:
// BM25 over what was read and the cosine of the embedder.
func (s *scorer) scoreWeb(ctx context.Context, query string, web []rank.Candidate) {
	if len(web) == 0 {
		return
	}
	texts := make([]string, len(web))
	for i, c := range web {
		texts[i] = RankText(c)
	}
	for i, score := range rank.NewBM25(texts).Scores(query) {
		web[i].Score.BM25 = score
	}
	if s.gatesOf(query).Index == rank.WordsOnly {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, webVectors)
	defer cancel()
	vectors, err := s.deps.Embedder.Embed(ctx, append([]string{query}, texts...))
	if err != nil || vectors[0] == nil {
		s.tell.Log.Warn("embed web passages", "err", err)
		return
	}
	for i := range web {
		if v := vectors[i+1]; v != nil {
			web[i].Score.Cosine, web[i].Score.Vector = dot(vectors[0], v), true
		}
	}
}

// gates decides which vectors the question can be trusted to.
func (s *selector) gates() rank.Gates { return s.scorer.gatesOf(s.plan.Standalone) }

func (s *scorer) gatesOf(query string) rank.Gates {
	if s.deps.Embedder == nil {
		return rank.Gates{}
	}
	return rank.GatesOf(query, s.deps.Embedder)
}

// RankText is a candidate as it is ranked: under its title and heading.
func RankText(c rank.Candidate) string {
	prefix := evidence.Prefix(c.Source, c.Passage.At)
	if prefix == "" {
		return c.Passage.Text
	}
	return prefix + "\n" + c.Passage.Text
}

func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := float64(0)
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// number gives every source of the chosen passages its number, in order of its
// best passage, and makes its card.
func (s *selector) number() {
	s.selection.Numbers = map[evidence.SourceID]int{}
	s.selection.Cards = nil
	selected := contract.Selected{Passages: []contract.SelectedPassage{}, Budget: contract.TokenBudget{Window: s.tell.Window()}}
	for _, c := range s.selection.Chosen {
		n, known := s.selection.Numbers[c.Source.ID]
		if !known {
			n = len(s.selection.Cards) + 1
			s.selection.Numbers[c.Source.ID] = n
			s.selection.Cards = append(s.selection.Cards, s.card(n, c))
		}
		card := &s.selection.Cards[n-1]
		card.Passages = append(card.Passages, contract.PlacedPassage{ID: c.Passage.ID, At: c.Passage.At})
		if c.Source.Kind == evidence.File || c.Source.Kind == evidence.Pasted {
			selected.Local++
		} else {
			selected.Web++
		}
		selected.Budget.Tokens += tokensOf(c)
		selected.Passages = append(selected.Passages, contract.SelectedPassage{
			ID: c.Passage.ID, Source: c.Source.ID, N: n, RankBefore: c.Before, RankAfter: c.After, Scores: trace.ScoresOf(c),
		})
	}
	selected.Sources = plain.Full(s.selection.Cards)
	s.tell.Emit(selected)
}

func (s *selector) card(n int, c rank.Candidate) contract.SourceCard {
	card := contract.SourceCard{
		N: n, ID: c.Source.ID, Kind: c.Source.Kind, Title: c.Source.Title, Locator: c.Passage.At, Passages: []contract.PlacedPassage{}, Engine: c.Via,
		Snippet: plain.OneLine(c.Passage.Text, CardSnippet), Coverage: c.Coverage, Flags: []string{}, Scores: trace.ScoresOf(c),
		RankBefore: c.Before, RankAfter: c.After, AlsoIn: c.Score.AlsoIn,
	}
	if d := dateOf(c.Source.Published); d != "" {
		card.Published = &d
	}
	if c.Source.Kind == evidence.File {
		card.Path = c.Source.Address
	} else {
		card.URL, card.Domain = c.Source.Address, DomainOf(c.Source.Address)
		card.Reason = s.evidence.Priorities[rank.NormalizeURL(c.Source.Address)].reason
	}
	card.Reason = cmp.Or(card.Reason, s.task.lensReason(c.Source))
	if c.Snippet {
		card.Flags = append(card.Flags, "snippet")
	}
	if c.Score.Partial {
		card.Flags = append(card.Flags, "partly-read")
	}
	for _, doc := range s.evidence.Documents {
		if doc.Source.ID == c.Source.ID {
			card.Flags = append(card.Flags, doc.Flags...)
		}
	}
	return card
}

func tokensOf(c rank.Candidate) int { return llm.EstimateTokens(c.Passage.Text) }

// keep stores what the answer may cite, before a word of it is shown, so that
// every footnote can be opened from the first moment.
func (s *selector) keep(ctx context.Context) error {
	s.keepBeside(ctx)
	return s.kept.settled()
}

// keepBeside is keep beside what comes next. Whoever shows text waits for it with
// settled.
func (s *selector) keepBeside(ctx context.Context) {
	if s.task.Question.Private || len(s.selection.Chosen) == 0 {
		return
	}
	texts, kept := s.citableTexts(), make(chan error, 1)
	s.kept.done = kept
	go func() { kept <- s.kept.archive.Keep(ctx, texts...) }()
}

// keeper stores what may be cited beside what comes next.
type keeper struct {
	archive Archive
	done    <-chan error // tells once that the passages are stored; nil when nothing is being stored
}

// settled returns when everything is kept that was to be.
func (k *keeper) settled() error {
	if k.done == nil {
		return nil
	}
	err := <-k.done
	k.done = nil
	if err != nil {
		return fmt.Errorf("keep sources: %w", err)
	}
	return nil
}

// citableTexts are the texts of the chosen passages, with what stands beside
// them.
func (s *selector) citableTexts() []Kept {
	byID := map[evidence.SourceID]evidence.Document{}
	for _, doc := range s.evidence.Documents {
		byID[doc.Source.ID] = doc
	}
	kept := map[evidence.SourceID][]evidence.Passage{}
	for _, c := range s.selection.Chosen {
		kept[c.Source.ID] = append(kept[c.Source.ID], c.Passage)
		if n, ok := s.selection.Neighbours[c.Passage.ID]; ok {
			kept[c.Source.ID] = append(kept[c.Source.ID], n.Passage)
		}
	}
	var texts []Kept
	for _, c := range s.selection.Chosen {
		passages, ok := kept[c.Source.ID]
		if !ok {
			continue
		}
		delete(kept, c.Source.ID)
		doc, read := byID[c.Source.ID]
		if !read {
			doc = evidence.Document{Source: c.Source, Coverage: evidence.Coverage{}}
			if c.Snippet {
				doc.Text, doc.Flags = c.Passage.Text, []string{"snippet"}
			}
		}
		texts = append(texts, Kept{doc, passages})
	}
	return texts
}

// tellPartial names files that were read only in part, once each.
func (s *selector) tellPartial() {
	for _, card := range s.selection.Cards {
		if slices.Contains(card.Flags, "partly-read") {
			s.tell.Notice(contract.Notice{Code: "partly-read", Level: "warn", Message: card.Title + " was read only in part."})
		}
	}
}
