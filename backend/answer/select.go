package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// SelectDeps are the ports of choosing passages and quoting them.
type SelectDeps struct {
	Texts     Texts
	Checker   *cite.Checker
	Meaning   gather.Meaning
	Models    llm.ModelSource
	tableRows *quote.RowCache
	mayNotSee func(context.Context, llm.ResolvedModel) bool // whether text of files is withheld from a model
}

// selector chooses what the answer may rest on.
type selector struct {
	deps      SelectDeps
	tell      *journal.Teller
	task      *gather.Task
	models    *llm.RoleModels
	scorer    *gather.Scorer
	kept      *keeper
	plan      gather.Plan
	evidence  gather.Evidence
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
	s.selection.Pool = s.rerank(ctx, rank.DedupAbove(s.selection.Ranked, s.task.Settings.Rank.Jaccard))
	capped := rank.CapDomains(s.byFacets(ctx, s.selection.Pool), s.task.Settings.Rank.MaxPerDomain*(1+len(s.evidence.Facets)))
	s.selection.Chosen = s.rowsFirst(s.definitionsFirst(rank.Balance(rank.Spread(capped), s.places(), s.task.Settings.Rank.Floor)))
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

const definitions = 3 // passages that say what a term is, before the others

// definitionsFirst puts passages that say what the term of a question is before
// the chosen ones, unless the reader said how many.
func (s *selector) definitionsFirst(chosen []rank.Candidate) []rank.Candidate {
	m, ok := lang.AsksMeaning(s.asks())
	if !ok {
		return chosen
	}
	var first []rank.Candidate
	for _, c := range s.selection.Pool {
		if len(first) < definitions && gather.Defines(m, c.Passage.Text) {
			first = append(first, c)
		}
	}
	most := max(len(chosen), rank.MaxPassages)
	if s.task.Question.K > 0 {
		most = s.plan.RankBy.K
	}
	others := slices.DeleteFunc(slices.Clone(chosen), func(c rank.Candidate) bool {
		return slices.ContainsFunc(first, func(f rank.Candidate) bool { return f.Passage.ID == c.Passage.ID })
	})
	all := append(first, others...)
	return all[:min(most, len(all))]
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
	web := append(s.webCandidates(ctx), s.task.EarlierCandidates(s.evidence.Found)...)
	s.preferred(web)
	s.scorer.ScoreWeb(ctx, s.plan.Standalone, web)
	pool = append(pool, web...)
	pool = s.task.FocusPool(pool)
	s.scorer.Encode(ctx, s.plan.Standalone, pool)
	return pool
}

func (s *selector) webCandidates(ctx context.Context) []rank.Candidate {
	web := s.task.CandidatesOf(s.evidence.Documents, s.scorer.CandidateLeads(ctx, s.plan.Standalone, s.evidence.Leads, &s.evidence))
	for i, c := range web {
		if !c.Snippet {
			web[i].Via = s.viaOf(c.Source)
		}
	}
	return web
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

// gates decides which vectors the question can be trusted to.
func (s *selector) gates() rank.Gates { return s.scorer.GatesOf(s.plan.Standalone) }

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
		for _, address := range c.Score.AlsoIn {
			if !slices.Contains(card.AlsoIn, address) {
				card.AlsoIn = append(card.AlsoIn, address)
			}
		}
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
		Snippet: plain.Excerpt(c.Passage.Text, gather.CardSnippet), Coverage: c.Coverage, Flags: []string{}, Scores: trace.ScoresOf(c),
		RankBefore: c.Before, RankAfter: c.After,
	}
	if d := gather.DateOf(c.Source.Published); d != "" {
		card.Published = &d
	}
	if c.Source.Kind == evidence.File {
		card.Path = c.Source.Address
	} else {
		card.URL, card.Domain = c.Source.Address, evidence.Domain(c.Source.Address)
		card.Reason = s.evidence.Priorities[rank.NormalizeURL(c.Source.Address)].Reason
	}
	card.Reason = cmp.Or(card.Reason, s.task.LensReason(c.Source))
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

// preferred sets what prioritising says of web candidates.
func (s *selector) preferred(web []rank.Candidate) {
	for i, c := range web {
		web[i].AuthorityBonus = s.evidence.Priorities[rank.NormalizeURL(c.Source.Address)].Bonus
		if c.Source.Kind == evidence.Pasted {
			web[i].AuthorityBonus++ // the reader put it there
		}
	}
}
