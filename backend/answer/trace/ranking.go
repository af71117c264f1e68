package trace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Traces keeps how the evidence of runs was ranked. A run that has none is fault
// not-found.
type Traces interface {
	KeepRanking(ctx context.Context, run contract.RunID, r Ranking) error
	Ranking(ctx context.Context, run contract.RunID) (Ranking, error)
}

// Ranking is everything that decided which passages an answer may rest on: the
// numbers shown can be computed from it again, also under other weights.
type Ranking struct {
	Question     string            `json:"question"`
	Preset       string            `json:"preset"`
	K            int               `json:"k"`
	Weights      contract.Weights  `json:"weights"`
	Measure      string            `json:"measure"`
	Floor        float64           `json:"floor"`
	MaxPerDomain int               `json:"max_per_domain"`
	Candidates   []TracedCandidate `json:"candidates"`       // by rank
	Answer       *quote.Trace      `json:"answer,omitempty"` // of an answer without a model
}

// TracedCandidate is a passage that was looked at.
type TracedCandidate struct {
	Passage    evidence.PassageID `json:"passage"`
	Source     evidence.SourceID  `json:"source"`
	Kind       evidence.Kind      `json:"kind"`
	Title      string             `json:"title"`
	Address    string             `json:"address"`
	Engine     string             `json:"engine"`
	Snippet    bool               `json:"snippet"`
	EngineRank int                `json:"engine_rank"`
	BM25       float64            `json:"bm25"`
	Cosine     *float64           `json:"cosine"` // null when no vector speaks for it
	Encoded    bool               `json:"encoded"`
	Scores     contract.Scores    `json:"scores"`
	Relevance  float64            `json:"relevance"`
	RankBefore int                `json:"rank_before"`
	RankAfter  int                `json:"rank_after"`
	Alike      []int              `json:"alike"` // earlier candidates, from 0, whose text it repeats
	Chosen     bool               `json:"chosen"`
	Reason     string             `json:"reason"`
}

// Traced is a candidate as it is kept; alike are the earlier ones that it repeats.
func Traced(c rank.Candidate, alike []int) TracedCandidate {
	t := TracedCandidate{
		Passage: c.Passage.ID, Source: c.Source.ID, Kind: c.Source.Kind, Title: c.Source.Title, Address: c.Source.Address, Engine: c.Via, Snippet: c.Snippet,
		EngineRank: c.EngineRank, BM25: c.Score.BM25, Encoded: c.Score.Encoded, Scores: ScoresOf(c), Relevance: c.Scores.Relevance,
		RankBefore: c.Before, RankAfter: c.After, Alike: alike,
	}
	if c.Score.Vector {
		t.Cosine = &c.Score.Cosine
	}
	return t
}

// candidate is what Reweigh and the choice need of a traced candidate.
func (t TracedCandidate) candidate() rank.Candidate {
	c := rank.Candidate{
		Source: evidence.Source{ID: t.Source, Kind: t.Kind, Title: t.Title, Address: t.Address}, Passage: evidence.Passage{ID: t.Passage, Source: t.Source},
		Snippet: t.Snippet, Via: t.Engine, EngineRank: t.EngineRank, Before: t.RankBefore, After: t.RankAfter,
	}
	c.Score.BM25, c.Score.Encoded = t.BM25, t.Encoded
	if t.Cosine != nil {
		c.Score.Cosine, c.Score.Vector = *t.Cosine, true
	}
	for from, to := range map[*float64]*float64{t.Scores.Keyword: &c.Scores.Keyword, t.Scores.Freshness: &c.Scores.Freshness, t.Scores.Authority: &c.Scores.Authority} {
		if from != nil {
			*to = *from
		}
	}
	return c
}

// Replay asks how a ranking had been under other weights, K or measure; what is
// left out stays as it was.
type Replay struct {
	Weights *contract.Weights `json:"weights"`
	K       int               `json:"k"`
	Measure string            `json:"measure"`
}

// Replayed compares two rankings over the same candidates.
type Replayed struct {
	Before []Place `json:"before"`
	After  []Place `json:"after"`
	Moved  int     `json:"moved"` // passages that came, went or stand elsewhere
}

// Place is a chosen passage of a ranking.
type Place struct {
	N       int                `json:"n"` // from 1
	Passage evidence.PassageID `json:"passage"`
	Source  evidence.SourceID  `json:"source"`
	Title   string             `json:"title"`
	Address string             `json:"address"`
	Scores  contract.Scores    `json:"scores"`
}

// Replay chooses again from a kept ranking, without network and without texts.
// The fault is invalid-request.
func (r Ranking) Replay(change Replay) (Replayed, error) {
	other := r
	if change.K != 0 {
		other.K = change.K
	}
	if change.Measure != "" {
		other.Measure = change.Measure
	}
	if change.Weights != nil {
		other.Weights = *change.Weights
	}
	if other.K < 1 || other.K > rank.MaxPassages {
		return Replayed{}, fault.New(fault.InvalidRequest, fmt.Sprintf("K is a number from 1 to %d.", rank.MaxPassages), "Choose one of these.")
	}
	if !slices.Contains([]rank.Measure{rank.Cosine, rank.Dot, rank.Euclidean}, rank.Measure(other.Measure)) {
		return Replayed{}, fault.New(fault.InvalidRequest, "“"+plain.OneLine(other.Measure, 40)+"” is no measure.", "Use cosine, dot or euclidean.")
	}
	out := Replayed{Before: r.choose(), After: other.choose()}
	was := map[evidence.PassageID]int{}
	for _, b := range out.Before {
		was[b.Passage] = b.N
	}
	for _, a := range out.After {
		if was[a.Passage] != a.N {
			out.Moved++
		}
		delete(was, a.Passage)
	}
	out.Moved += len(was)
	return out, nil
}

// choose is the choice that a ranking leads to: the same steps as in a run.
func (r Ranking) choose() []Place {
	cands, index := make([]rank.Candidate, len(r.Candidates)), map[evidence.PassageID]int{}
	for i, c := range r.Candidates {
		cands[i] = c.candidate()
		index[c.Passage] = i
	}
	preset := rank.Preset{Weights: r.Weights, K: r.K}
	ordered := r.withoutRepeats(rank.Reweigh(cands, preset, rank.Measure(r.Measure)), index)
	places := []Place{}
	for _, c := range rank.Balance(rank.Spread(rank.CapDomains(ordered, r.MaxPerDomain)), r.K, r.Floor) {
		places = append(places, Place{N: len(places) + 1, Passage: c.Passage.ID, Source: c.Source.ID, Title: c.Source.Title, Address: c.Source.Address, Scores: ScoresOf(c)})
	}
	return places
}

// withoutRepeats keeps the first of candidates that repeat each other.
func (r Ranking) withoutRepeats(ordered []rank.Candidate, index map[evidence.PassageID]int) []rank.Candidate {
	twins := make([][]int, len(r.Candidates))
	for i, c := range r.Candidates {
		for _, j := range c.Alike {
			twins[i], twins[j] = append(twins[i], j), append(twins[j], i)
		}
	}
	kept := map[int]bool{}
	return slices.DeleteFunc(ordered, func(c rank.Candidate) bool {
		i := index[c.Passage.ID]
		if slices.ContainsFunc(twins[i], func(j int) bool { return kept[j] }) {
			return true
		}
		kept[i] = true
		return false
	})
}

// Span is one stage of a run as its journal tells it.
type Span struct {
	Stage     contract.Stage        `json:"stage"`
	State     string                `json:"state"` // end, error, open
	Began     time.Time             `json:"began"`
	Ms        int64                 `json:"ms"`
	In        int                   `json:"in"`
	Out       int                   `json:"out"`
	Models    []contract.ModelUsage `json:"models"`    // what models used meanwhile, chat and system
	Decisions []contract.Event      `json:"decisions"` // planned, selected, notices and refusals
	Steps     []contract.Event      `json:"steps"`     // searches, pages and tools, in order
	Message   string                `json:"message,omitempty"`
}

var (
	decisionKinds = []contract.Kind{"planned", "clarify", "clarified", "scoped", "selected", "evaluation", "notice", "answering", "dropped", "checked"}
	stepKinds     = []contract.Kind{"searching", "found", "reading", "read", "unread", "tool", "dimension", "finding", "compressing", "compressed"}
)

// Spans reads the stages of a run out of its events. What happened before a
// stage began is told with the next one.
func Spans(events []contract.Event) []Span {
	spans := []Span{}
	next := Span{Models: []contract.ModelUsage{}, Decisions: []contract.Event{}, Steps: []contract.Event{}}
	fresh := next
	open := &next
	var used contract.UsagePair
	for _, e := range events {
		switch b := e.Body.(type) {
		case contract.StageChanged:
			switch b.State {
			case "start":
				next.Stage, next.State, next.Began = b.Stage, "open", e.At
				spans = append(spans, next)
				open, next = &spans[len(spans)-1], fresh
			case "end", "error":
				open.State, open.Ms, open.In, open.Out, open.Message = b.State, b.Ms, b.In, b.Out, b.Message
				open = &next
			}
		case contract.UsageCounted:
			open.Models = append(open.Models, spent(used, b)...)
			used = contract.UsagePair{Chat: b.Chat, System: b.System}
		default:
			if slices.Contains(decisionKinds, e.Kind) {
				open.Decisions = append(open.Decisions, e)
			} else if slices.Contains(stepKinds, e.Kind) {
				open.Steps = append(open.Steps, e)
			}
		}
	}
	return spans
}

// spent is what was used since the sums before.
func spent(before contract.UsagePair, now contract.UsageCounted) []contract.ModelUsage {
	var out []contract.ModelUsage
	for _, pair := range [][2]contract.ModelUsage{{before.Chat, now.Chat}, {before.System, now.System}} {
		was, is := pair[0], pair[1]
		if is.Calls == was.Calls && is.Total == was.Total {
			continue
		}
		is.Prompt, is.Completion, is.Total, is.Calls = is.Prompt-was.Prompt, is.Completion-was.Completion, is.Total-was.Total, is.Calls-was.Calls
		out = append(out, is)
	}
	return out
}

// ScoresOf are the scores of a candidate as they are shown.
func ScoresOf(c rank.Candidate) contract.Scores {
	s := c.Scores
	return contract.Scores{Semantic: s.Semantic, Keyword: &s.Keyword, Freshness: &s.Freshness, Authority: &s.Authority, Composite: &s.Composite}
}
