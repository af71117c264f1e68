// Package selection chooses what an answer may rest on from what was gathered, and what of
// it is quoted where no model writes.
package selection

import (
	"cmp"
	"context"
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

// Deps are the ports of choosing passages and quoting them.
type Deps struct {
	Texts     gather.Texts
	Checker   *cite.Checker
	Meaning   gather.Meaning
	Models    llm.ModelSource
	TableRows *quote.RowCache
	MayNotSee func(context.Context, llm.ResolvedModel) bool // whether text of files is withheld from a model
}

// Selector chooses what the answer may rest on.
type Selector struct {
	Deps      Deps
	Tell      *journal.Teller
	Task      *gather.Task
	Models    *llm.RoleModels
	Scorer    *gather.Scorer
	Plan      gather.Plan
	Evidence  gather.Evidence
	Selection Selection
}

// Select ranks what was gathered and numbers the sources of what the
// answer may rest on.
func (s *Selector) Select(ctx context.Context) (Selection, error) {
	s.Tell.Begin(contract.StageSelect)
	pool := s.withOverview(ctx, s.Pool(ctx))
	if s.Selection.overview == nil {
		s.Selection.Rows = quote.FindRows(ctx, s.asks(), pool, quote.RowSources+len(s.Evidence.Documents), s.Quoting())
		pool = quote.WithPassages(pool, s.Selection.Rows)
	}
	s.Selection.Ranked = rank.Rank(s.Plan.Standalone, pool, s.Plan.RankBy, s.Tell.Now(), s.Task.RankOptions())
	s.Selection.Pool = s.rerank(ctx, rank.DedupAbove(s.Selection.Ranked, s.Task.Settings.Rank.Jaccard))
	capped := rank.CapDomains(s.byFacets(ctx, s.Selection.Pool), s.Task.Settings.Rank.MaxPerDomain*(1+len(s.Evidence.Facets)))
	s.Selection.Chosen = s.rowsFirst(s.definitionsFirst(rank.Balance(rank.Spread(capped), s.Places(), s.Task.Settings.Rank.Floor)))
	switch {
	case s.Selection.overview != nil:
		s.chooseOverview()
	case s.Models.Chat.Model == nil:
		s.orderByQuotation(ctx)
	default:
		s.findNeighbours(ctx)
	}
	s.Number()
	s.Tell.Timing.Select = s.Tell.Finish(len(pool), len(s.Selection.Chosen))
	return s.Selection, ctx.Err()
}

// rowsFirst puts the passages of the rows before the chosen ones, beside them as
// far as a model may be given more, unless the reader said how many.
func (s *Selector) rowsFirst(chosen []rank.Candidate) (all []rank.Candidate) {
	most := max(len(chosen), rank.MaxPassages)
	if s.Task.Question.K > 0 {
		most = s.Plan.RankBy.K
	}
	all, s.Selection.Rows = quote.RowsFirst(s.Selection.Rows, s.Selection.Pool, chosen, most)
	return all
}

const definitions = 3 // passages that say what a term is, before the others

// definitionsFirst puts passages that say what the term of a question is before
// the chosen ones, unless the reader said how many.
func (s *Selector) definitionsFirst(chosen []rank.Candidate) []rank.Candidate {
	m, ok := lang.AsksMeaning(s.asks())
	if !ok {
		return chosen
	}
	var first []rank.Candidate
	for _, c := range s.Selection.Pool {
		if len(first) < definitions && gather.Defines(m, c.Passage.Text) {
			first = append(first, c)
		}
	}
	most := max(len(chosen), rank.MaxPassages)
	if s.Task.Question.K > 0 {
		most = s.Plan.RankBy.K
	}
	others := slices.DeleteFunc(slices.Clone(chosen), func(c rank.Candidate) bool {
		return slices.ContainsFunc(first, func(f rank.Candidate) bool { return f.Passage.ID == c.Passage.ID })
	})
	all := append(first, others...)
	return all[:min(most, len(all))]
}

// Pool makes candidates of everything: passages of files, of pages read, and
// snippets of leads whose pages were not read.
func (s *Selector) Pool(ctx context.Context) []rank.Candidate {
	var pool []rank.Candidate
	for i, f := range s.Evidence.Found {
		c := rank.Candidate{Source: f.Source, Passage: f.Passage, Via: f.Via, EngineRank: i + 1, Score: f.Score, Coverage: 1}
		if f.Score.Partial {
			c.Coverage = 0.5
		}
		pool = append(pool, c)
	}
	web := append(s.webCandidates(ctx), s.Task.EarlierCandidates(s.Evidence.Found)...)
	s.preferred(web)
	s.Scorer.ScoreWeb(ctx, s.Plan.Standalone, web)
	pool = append(pool, web...)
	pool = s.Task.FocusPool(pool)
	s.Scorer.Encode(ctx, s.Plan.Standalone, pool)
	return s.bearing(pool)
}

func (s *Selector) webCandidates(ctx context.Context) []rank.Candidate {
	web := s.Task.CandidatesOf(s.Evidence.Documents, s.Scorer.CandidateLeads(ctx, s.Plan.Standalone, s.Evidence.Leads, &s.Evidence))
	for i, c := range web {
		if !c.Snippet {
			web[i].Via = s.viaOf(c.Source)
		}
	}
	return web
}

func (s *Selector) viaOf(src evidence.Source) string {
	if src.Kind == evidence.Pasted {
		return "question"
	}
	want := rank.NormalizeURL(src.Address)
	for _, l := range s.Evidence.Leads {
		if rank.NormalizeURL(l.Source.Address) == want {
			return l.Via
		}
	}
	if len(s.Evidence.Engines) > 0 {
		return s.Evidence.Engines[0]
	}
	return "web"
}

// gates decides which vectors the question can be trusted to.
func (s *Selector) gates() rank.Gates { return s.Scorer.GatesOf(s.Plan.Standalone) }

// Number gives every source of the chosen passages its number, in order of its
// best passage, and makes its card.
func (s *Selector) Number() {
	s.Selection.Numbers = map[evidence.SourceID]int{}
	s.Selection.Cards = nil
	selected := contract.Selected{Passages: []contract.SelectedPassage{}, Budget: contract.TokenBudget{Window: s.Tell.Window()}}
	for _, c := range s.Selection.Chosen {
		n, known := s.Selection.Numbers[c.Source.ID]
		if !known {
			n = len(s.Selection.Cards) + 1
			s.Selection.Numbers[c.Source.ID] = n
			s.Selection.Cards = append(s.Selection.Cards, s.card(n, c))
		}
		card := &s.Selection.Cards[n-1]
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
	selected.Sources = plain.Full(s.Selection.Cards)
	s.Tell.Emit(selected)
}

func (s *Selector) card(n int, c rank.Candidate) contract.SourceCard {
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
		card.Reason = s.Evidence.Priorities[rank.NormalizeURL(c.Source.Address)].Reason
	}
	card.Reason = cmp.Or(card.Reason, s.Task.LensReason(c.Source))
	if c.Snippet {
		card.Flags = append(card.Flags, "snippet")
	}
	if c.Score.Partial {
		card.Flags = append(card.Flags, "partly-read")
	}
	for _, doc := range s.Evidence.Documents {
		if doc.Source.ID == c.Source.ID {
			card.Flags = append(card.Flags, doc.Flags...)
		}
	}
	return card
}

func tokensOf(c rank.Candidate) int { return llm.EstimateTokens(c.Passage.Text) }

// preferred sets what prioritising says of web candidates.
func (s *Selector) preferred(web []rank.Candidate) {
	for i, c := range web {
		web[i].AuthorityBonus = s.Evidence.Priorities[rank.NormalizeURL(c.Source.Address)].Bonus
		if c.Source.Kind == evidence.Pasted {
			web[i].AuthorityBonus++ // the reader put it there
		}
	}
}

// Selection is what the answer may rest on.
type Selection struct {
	Ranked     []rank.Candidate                 // everything gathered, best first
	Pool       []rank.Candidate                 // of these, none that repeats another
	Chosen     []rank.Candidate                 // what the answer may rest on, best first
	Rows       []quote.FoundRow                 // rows of tables that answer, best first; their passages are chosen
	Neighbours map[evidence.PassageID]Neighbour // what follows a chosen passage
	overview   map[evidence.PassageID]int       // passages of the file that an overview is asked of, with their order; nil for other questions
	Proofs     map[int]evidence.Mention         // of counted files, by number of their source
	Quotation  *quote.Result                    // what the answer quotes; nil until it is chosen, or when a model writes
	Numbers    map[evidence.SourceID]int
	Cards      []contract.SourceCard
}
