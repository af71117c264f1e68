package gather

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// CandidatesOf are the passages of pages, and the snippets of leads whose pages
// are not among them.
func (t *Task) CandidatesOf(pages []evidence.Document, leads []evidence.Lead) []rank.Candidate {
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

// webVectors is how long an embedder may take for the passages of the web: a
// model on a server can be slow.
const webVectors = 2 * time.Second

// ScoreWeb gives web candidates what the index gives local ones for a query:
// BM25 over what was read and the cosine of the embedder.
func (s *Scorer) ScoreWeb(ctx context.Context, query string, web []rank.Candidate) {
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
	if s.GatesOf(query).Index == rank.WordsOnly {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, webVectors)
	defer cancel()
	vectors, err := s.Deps.Embedder.Embed(ctx, append([]string{query}, texts...))
	if err != nil || vectors[0] == nil {
		s.Tell.Log.Warn("embed web passages", "err", err)
		return
	}
	for i := range web {
		if v := vectors[i+1]; v != nil {
			web[i].Score.Cosine, web[i].Score.Vector = dot(vectors[0], v), true
		}
	}
}

func (s *Scorer) GatesOf(query string) rank.Gates {
	if s.Deps.Embedder == nil {
		return rank.Gates{}
	}
	return rank.GatesOf(query, s.Deps.Embedder)
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

// enginePrior is what the first place in an engine's list is worth against the
// likeness of title and snippet to the question.
const enginePrior = 0.3

// ScoreDeps are the encoders that score.
type ScoreDeps struct {
	Embedder llm.Embedder
	Meaning  Meaning
}

// Scorer says how well candidates fit a query.
type Scorer struct {
	Deps ScoreDeps
	Task *Task
	Tell *journal.Teller
}

// CandidateLeads are the leads whose snippets are candidates beside the pages
// that were read.
func (s *Scorer) CandidateLeads(ctx context.Context, query string, leads []evidence.Lead, in *Evidence) []evidence.Lead {
	unread := slices.DeleteFunc(slices.Clone(leads), func(lead evidence.Lead) bool {
		_, read := in.PageAt(lead.Source.Address)
		return read || strings.TrimSpace(lead.Snippet) == ""
	})
	return s.fitting(ctx, query, unread, maxSnippets*(1+len(in.Facets)))
}

// fitting are the n of leads that fit a query best, in the order they came.
func (s *Scorer) fitting(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	if len(leads) <= n {
		return leads
	}
	order := byFit(s.snippetsOf(ctx, query, leads))[:n]
	slices.Sort(order)
	return pick(leads, order)
}

// bestOf are the n of leads whose title and snippet fit a query best, best first,
// as far as the engines do not know better.
func (s *Scorer) bestOf(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	if len(leads) <= n {
		return leads
	}
	return pick(leads, copiesLast(leads, byFit(s.snippetsOf(ctx, query, leads)))[:n])
}

// headline is a title without the name of its site; empty where it is too short to tell
// one page from another.
func headline(title string) string {
	for _, mark := range []string{" | ", " – ", " — ", " - "} {
		if at := strings.LastIndex(title, mark); at > 0 {
			title = title[:at]
			break
		}
	}
	if len(title) < shortHeadline {
		return ""
	}
	return strings.ToLower(strings.Join(strings.Fields(title), " "))
}

const shortHeadline = 20 // bytes

// copiesLast puts what other sites print under the headline of an earlier lead behind the
// rest: reading it brings nothing new.
func copiesLast(leads []evidence.Lead, order []int) []int {
	of := map[string]string{} // the first site with a headline
	first, copies := make([]int, 0, len(order)), []int(nil)
	for _, at := range order {
		head, site := headline(leads[at].Source.Title), evidence.Domain(leads[at].Source.Address)
		if other, known := of[head]; head != "" && known && other != site {
			copies = append(copies, at)
			continue
		}
		of[head] = site
		first = append(first, at)
	}
	return append(first, copies...)
}

func pick(leads []evidence.Lead, order []int) []evidence.Lead {
	out := make([]evidence.Lead, len(order))
	for i, at := range order {
		out[i] = leads[at]
	}
	return out
}

// snippetsOf are the snippets of leads as candidates, scored for a query.
func (s *Scorer) snippetsOf(ctx context.Context, query string, leads []evidence.Lead) []rank.Candidate {
	cands := make([]rank.Candidate, len(leads))
	for i, lead := range leads {
		cands[i] = snippetCandidate(lead, lead.Snippet, i)
	}
	s.ScoreWeb(ctx, query, cands)
	return cands
}

// byFit lists the places of snippets, best first: by S1, or S2 where the
// sentence encoder spoke for them, and by the order of the engines.
func byFit(cands []rank.Candidate) []int {
	best, encoded := 0.0, false
	for _, c := range cands {
		best, encoded = max(best, c.Score.BM25), encoded || c.Score.Encoded
	}
	scores, order := make([]float64, len(cands)), make([]int, len(cands))
	for i, c := range cands {
		words := c.Score.BM25 / max(best, math.SmallestNonzeroFloat64)
		scores[i], order[i] = enginePrior*(1-float64(i)/float64(len(cands))), i
		switch {
		case encoded && !c.Score.Encoded: // its cosine is another model's
		case encoded:
			scores[i] += rank.S2(words, c.Score.Cosine)
		case best > 0:
			scores[i] += rank.S1(words, c.Score.Cosine)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
