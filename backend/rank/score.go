package rank

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"footnote/backend/evidence"
)

// Weights of the four scores; they sum to 1.
type Weights struct {
	Semantic  float64 `json:"semantic"`
	Keyword   float64 `json:"keyword"`
	Freshness float64 `json:"freshness"`
	Authority float64 `json:"authority"`
}

// Candidate is a passage (or the snippet of an unread lead) that may support an
// answer. Files, read pages and leads go through the same functions.
type Candidate struct {
	Source         evidence.Source
	Passage        evidence.Passage
	Snippet        bool   // only the engine's words are known
	Via            string // engine, or empty for files
	EngineRank     int    // from 1; 0 = none
	Score          evidence.Score
	Words          int     // length of the whole source
	Coverage       float64 // share of the source that was read, 0 to 1
	Pinned         bool    // file or folder the user raised
	AuthorityBonus float64 // from prioritising, RANK-27
	Scores         Scores
	Before, After  int // ranks from 1, set by Rank
}

// Local reports whether the candidate is one of the user's files.
func (c Candidate) Local() bool { return c.Source.Kind == evidence.File }

// Scores are what the order goes by, each in [0,1]. Semantic is nil when no
// vector speaks for the question. Relevance is semantic and keyword with their
// weights scaled to sum 1.
type Scores struct {
	Semantic                                            *float64
	Keyword, Freshness, Authority, Composite, Relevance float64
}

// Measure says how the semantic score is made of vectors.
type Measure string

// Measures of likeness.
const (
	Cosine    Measure = "cosine"    // max(0, cosine)
	Dot       Measure = "dot"       // dot product, scaled to [0,1] over the candidates
	Euclidean Measure = "euclidean" // 1 / (1 + distance)
)

// Authority holds the points of RANK-13, 14 and 17.
type Authority struct {
	Base, Trusted, Edu, Gov, HTTPS, Words500, Words1500 float64
	Domains                                             []string
	Pinned, Whole                                       float64 // files only
}

// Freshness holds the constants of RANK-12.
type Freshness struct {
	HalfLife time.Duration
	Unknown  float64 // of a source without a date
}

// Options of Rank. Zero fields mean the defaults.
type Options struct {
	Measure   Measure
	Freshness Freshness
	Authority Authority
	// Question and Vectors, when given, replace the cosine of Candidate.Score;
	// they need not be unit vectors.
	Question []float32
	Vectors  map[evidence.PassageID][]float32
}

// DefaultAuthority are the points of a fresh installation.
func DefaultAuthority() Authority {
	return Authority{
		Base: 0.5, Trusted: 0.2, Edu: 0.15, Gov: 0.15, HTTPS: 0.05, Words500: 0.05, Words1500: 0.05, Pinned: 0.2, Whole: 0.05,
		Domains: []string{
			"wikipedia.org", "arxiv.org", "nature.com", "science.org", "github.com", "stackoverflow.com", "docs.python.org",
			"developer.mozilla.org", "nist.gov", "nih.gov", "reuters.com", "apnews.com", "bbc.com",
		},
	}
}

func (o Options) filled() Options {
	if o.Measure == "" {
		o.Measure = Cosine
	}
	if o.Freshness.HalfLife <= 0 {
		o.Freshness = Freshness{90 * 24 * time.Hour, 0.5}
	}
	if o.Authority.Domains == nil && o.Authority.Base == 0 {
		o.Authority = DefaultAuthority()
	}
	return o
}

// Rank scores candidates for question and returns them best first; the input is
// left as it is. Ties go by engine rank, then by id. A candidate without a
// vector takes the lowest semantic score of the others; when no candidate has
// one, the semantic score is absent and the other weights are scaled to sum 1.
func Rank(question string, cands []Candidate, p Preset, now time.Time, opt Options) []Candidate {
	opt = opt.filled()
	out := slices.Clone(cands)
	semantic := semantics(out, opt)
	keyword := keywords(question, out)
	for i := range out {
		c := &out[i]
		c.Before = i + 1
		c.Scores = Scores{
			Keyword:   keyword[i],
			Freshness: opt.Freshness.of(c.date(), now),
			Authority: opt.Authority.of(*c),
		}
		if semantic != nil {
			c.Scores.Semantic = &semantic[i]
		}
		c.Scores.Composite, c.Scores.Relevance = compose(c.Scores, p.Weights)
	}
	slices.SortStableFunc(out, compare)
	for i := range out {
		out[i].After = i + 1
	}
	return out
}

func compare(a, b Candidate) int {
	return cmp.Or(
		cmp.Compare(b.Scores.Composite, a.Scores.Composite),
		cmp.Compare(engineRank(a), engineRank(b)),
		cmp.Compare(a.Passage.ID, b.Passage.ID),
		cmp.Compare(a.Source.ID, b.Source.ID),
	)
}

func engineRank(c Candidate) int {
	if c.EngineRank <= 0 {
		return math.MaxInt
	}
	return c.EngineRank
}

// compose gives the composite and, from its first two parts alone, relevance.
func compose(s Scores, w Weights) (composite, relevance float64) {
	if s.Semantic == nil {
		rest := w.Keyword + w.Freshness + w.Authority
		if rest <= 0 {
			return s.Keyword, s.Keyword
		}
		return (w.Keyword*s.Keyword + w.Freshness*s.Freshness + w.Authority*s.Authority) / rest, s.Keyword
	}
	matched := w.Semantic**s.Semantic + w.Keyword*s.Keyword
	if both := w.Semantic + w.Keyword; both > 0 {
		relevance = matched / both
	}
	return matched + w.Freshness*s.Freshness + w.Authority*s.Authority, relevance
}

// date is that of the content: when a file was read says nothing of it.
func (c Candidate) date() time.Time {
	if !c.Source.Published.IsZero() || !c.Local() {
		return c.Source.Published
	}
	return c.Score.Changed
}

func (f Freshness) of(date, now time.Time) float64 {
	if date.IsZero() {
		return f.Unknown
	}
	age := max(0, now.Sub(date).Hours()/f.HalfLife.Hours())
	return math.Exp2(-age)
}

func (a Authority) of(c Candidate) float64 {
	points := a.Base + c.AuthorityBonus
	if c.Local() {
		if c.Pinned {
			points += a.Pinned
		}
		if c.Coverage >= 1 {
			points += a.Whole
		}
	} else if u, err := url.Parse(c.Source.Address); err == nil {
		points += a.host(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."))
		if strings.EqualFold(u.Scheme, "https") {
			points += a.HTTPS
		}
	}
	if c.Words > 500 {
		points += a.Words500
	}
	if c.Words > 1500 {
		points += a.Words1500
	}
	return min(max(points, 0), 1)
}

func (a Authority) host(host string) (points float64) {
	for _, d := range a.Domains {
		if host == d || strings.HasSuffix(host, "."+d) {
			points += a.Trusted
			break
		}
	}
	if strings.HasSuffix(host, ".edu") {
		points += a.Edu
	}
	if strings.HasSuffix(host, ".gov") {
		points += a.Gov
	}
	return points
}

// CountWords is the length of a text in words, as the authority score counts it.
// Characters of scripts without word marks count as half a word.
func CountWords(text string) int {
	words, grammedRunes, inside := 0, 0, false
	for _, r := range text {
		switch {
		case r >= 0x0E00 && unicode.In(r, grammed...):
			grammedRunes++
			inside = false
		case unicode.IsSpace(r):
			inside = false
		case !inside:
			words, inside = words+1, true
		}
	}
	return words + grammedRunes/2
}
