package selection

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// quotable are the chosen passages as they are quoted from.
func (s *Selector) quotable() []quote.Passage {
	texts := make([]string, len(s.Selection.Pool))
	for i, c := range s.Selection.Pool {
		texts[i] = gather.RankText(c)
	}
	scores := rank.NewBM25(texts).Scores(s.Plan.Standalone)
	byID := map[evidence.PassageID]float64{}
	for i, c := range s.Selection.Pool {
		byID[c.Passage.ID] = scores[i]
	}
	best := 0.0
	for _, c := range s.Selection.Chosen {
		best = max(best, byID[c.Passage.ID])
	}
	s2, cosines := s.s2()
	out := make([]quote.Passage, 0, len(s.Selection.Chosen))
	for i, c := range s.Selection.Chosen {
		bm := 0.0
		if best > 0 {
			bm = byID[c.Passage.ID] / best
		}
		out = append(out, quote.Passage{
			ID: c.Passage.ID, Digest: c.Source.Digest, Start: c.Passage.At.Start, N: s.Selection.Numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Version: versionOf(c.Source), Of: s.nameAndOpening(c), Text: c.Passage.Text, BM: bm, S2: s2[i], Cosine: cosines[i], Encoded: rank.TextOf(c.Source, c.Passage),
		})
	}
	return out
}

// versionOf is what a text is called, with its date by that; a page that tells its own date
// needs no name to be newer than another.
func versionOf(src evidence.Source) versions.Version {
	if src.Kind != evidence.File && !src.Published.IsZero() {
		return versions.Version{Dated: versions.OfDay(src.Published)}
	}
	return versions.Version{Called: versions.Called(src.Address, src.Title), Dated: versions.Of(src.Address, src.Title)}
}

// nameAndOpening is what the file of a passage says of itself; empty where its text
// is short, or where nothing was read of it.
func (s *Selector) nameAndOpening(c rank.Candidate) string {
	opening := s.Deps.TableRows.Opening(c.Source.Digest)
	if opening == "" || c.Source.Kind != evidence.File {
		return ""
	}
	return rank.NameInWords(s.asks(), evidence.Prefix(c.Source, evidence.Locator{}), c.Score.Boost) + " " + opening
}

// Extracted chooses the rows and sentences that answer the question.
func (s *Selector) Extracted(ctx context.Context) *quote.Result {
	r := quote.Compose(ctx, s.asks(), s.quotable(), s.Selection.Rows, s.Quoting())
	return &r
}

// Quoting are the ports of a quoted answer of this run.
func (s *Selector) Quoting() quote.Deps {
	d := quote.Deps{Checker: s.Deps.Checker, Parts: queries.Parts, Rows: s.Deps.TableRows, Texts: s}
	if s.Deps.Meaning != nil && slices.ContainsFunc(s.Selection.Chosen, func(c rank.Candidate) bool { return c.Score.Encoded }) && s.gates().Encoder == rank.English {
		d.Encoder = s.Deps.Meaning
	}
	if s.Deps.Meaning != nil {
		d.Scorer, d.Near, d.Joint, d.Windows = s.Deps.Meaning, s.Deps.Meaning, s.Deps.Meaning, s.Deps.Meaning
	}
	return d
}

// orderByQuotation chooses what a quoted answer says and puts the sources that
// it is going to cite first, in the order of the quotations, so that its
// footnotes count up from 1.
//
// More passages are heard than are shown: a model is given few because each costs
// tokens, while reading one more for its sentences costs next to nothing, and words
// and vectors of whole passages often put the one that answers further down.
func (s *Selector) orderByQuotation(ctx context.Context) {
	shown := s.Selection.Chosen
	before := s.heard(shown)
	s.Selection.Chosen = before
	s.Selection.Numbers = map[evidence.SourceID]int{}
	for _, c := range before { // numbers for now: one a source
		if s.Selection.Numbers[c.Source.ID] == 0 {
			s.Selection.Numbers[c.Source.ID] = len(s.Selection.Numbers) + 1
		}
	}
	s.Selection.Quotation = s.Extracted(ctx)
	place := map[evidence.SourceID]int{}
	for _, said := range s.Selection.Quotation.Sentences {
		if id := before[said.Passage].Source.ID; place[id] == 0 {
			place[id] = len(place) + 1
		}
	}
	at := func(c rank.Candidate) int { return cmp.Or(place[c.Source.ID], len(place)+1) }
	s.Selection.Chosen = slices.SortedStableFunc(slices.Values(s.keptOf(before, len(shown))), func(a, b rank.Candidate) int { return at(a) - at(b) })
	s.renumber(before)
}

// How many passages are read for sentences: fewer where the encoder reads each of them
// token by token, which takes longer than all else.
const (
	heardMost    = 12
	heardEncoded = 8
)

// heard are the chosen passages and the next ones, unless the reader said how many.
func (s *Selector) heard(chosen []rank.Candidate) []rank.Candidate {
	if s.Task.Question.K > 0 {
		return chosen
	}
	all, most := slices.Clone(chosen), heardMost
	if s.Quoting().Encoder != nil {
		most = heardEncoded
	}
	for _, c := range s.Selection.Pool {
		if len(all) >= most {
			break
		}
		if !slices.ContainsFunc(all, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
			all = append(all, c)
		}
	}
	return all
}

// keptOf are the first so many of the passages that were heard, and of the others
// those that are quoted or say the same.
func (s *Selector) keptOf(heard []rank.Candidate, first int) (kept []rank.Candidate) {
	for i, c := range heard {
		if i < first && !s.idle(c) || slices.ContainsFunc(s.Selection.Quotation.Sentences, func(said quote.Sentence) bool {
			return said.Passage == i || slices.Contains(said.Also, s.Selection.Numbers[c.Source.ID])
		}) {
			kept = append(kept, c)
		}
	}
	return kept
}

const idleBelow = 0.05 // how likely a sentence of a passage is the answer, at most

// idle reports whether a passage of a file stands beside pages that answer, without a
// sentence of its own that might, for a question that says nothing of the reader's own.
func (s *Selector) idle(c rank.Candidate) bool {
	q := s.Selection.Quotation
	if !c.Local() || lang.HasCue(s.Plan.Standalone, lang.Own) || q.State != quote.Answer || q.Trace == nil || !s.Task.Question.Scope.Empty() || !slices.ContainsFunc(s.Selection.Pool, isPage) {
		return false
	}
	return !slices.ContainsFunc(q.Trace.Considered, func(said quote.Considered) bool { return said.Passage == c.Passage.ID && said.Right >= idleBelow })
}

// renumber brings the quotation in line with a new order of the chosen passages.
func (s *Selector) renumber(before []rank.Candidate) {
	number := map[int]int{}
	final := map[evidence.SourceID]int{}
	for _, c := range s.Selection.Chosen {
		if final[c.Source.ID] == 0 {
			final[c.Source.ID] = len(final) + 1
		}
		number[s.Selection.Numbers[c.Source.ID]] = final[c.Source.ID]
	}
	for i := range s.Selection.Quotation.Sentences {
		said := &s.Selection.Quotation.Sentences[i]
		id := before[said.Passage].Passage.ID
		said.Passage = slices.IndexFunc(s.Selection.Chosen, func(c rank.Candidate) bool { return c.Passage.ID == id })
		said.N = number[said.N]
		for k, n := range said.Also {
			said.Also[k] = number[n]
		}
	}
}

// s2 gives each chosen passage its S2, by the BM25 of its own search.
func (s *Selector) s2() (scores, cosines []float64) {
	best, lowest, any := map[bool]float64{}, 1.0, false
	for _, c := range s.Selection.Pool {
		best[c.Local()] = max(best[c.Local()], c.Score.BM25)
		if c.Score.Encoded {
			lowest, any = min(lowest, c.Score.Cosine), true
		}
	}
	if !any {
		lowest = 0
	}
	for _, c := range s.Selection.Chosen {
		cos, bm := lowest, 0.0
		if c.Score.Encoded {
			cos = c.Score.Cosine
		}
		if top := best[c.Local()]; top > 0 {
			bm = c.Score.BM25 / top
		}
		scores, cosines = append(scores, rank.S2(bm, cos)), append(cosines, cos)
	}
	return scores, cosines
}

// asks is the question that sentences are chosen for. What the rules add to one
// that has a matter of its own helps to find passages; as a part of the question it
// would be answered itself.
func (s *Selector) asks() string {
	added, adds := strings.CutPrefix(s.Plan.Standalone, strings.TrimRight(s.Task.Question.Text, "?!. ")+" ")
	own := slices.DeleteFunc(queries.WordsOf(s.Task.Question.Text), func(w string) bool { return strings.EqualFold(w, "about") })
	if adds && added != "" && len(own) > 1 {
		return s.Task.Question.Text
	}
	return s.Plan.Standalone
}
