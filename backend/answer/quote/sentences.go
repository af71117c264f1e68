package quote

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// State says what an answer made of quotations is worth.
type State string

// The three states.
const (
	Answer  State = "answer"
	Closest State = "weak" // the closest passages; they may not answer
	None    State = "none" // the sources do not answer
)

// Constants of the choice by words (no vectors).
const (
	passageWeight = 0.85 // weight of the passage's rank
	wordDelta     = 0.25 // how far below the best a sentence may score
	mostSentences = 6    // sentences
	wordNoneAt    = 0.70 // evidence below which there is no answer
	wordWeakAt    = 0.85
)

// Passage is a passage that may be quoted.
type Passage struct {
	ID     evidence.PassageID
	Digest string // of the text it stands in
	Start  int    // where in that, in code points

	N     int    // number of its source
	Title string // page title, or file name and headings
	versions.Version
	Of   string // what its file says of itself: its name in words and how its text opens; empty for short texts
	Text string
	BM   float64 // BM25 of the passage divided by the best one's, 0 to 1

	S2, Cosine float64   // by the sentence encoder; meaningful beside a matcher
	Encoded    rank.Text // as the sentence encoder knows it
}

// named is what names the file of a passage, and how it opens.
func (p Passage) named() string { return strings.TrimSpace(p.Title + " " + p.Of) }

// Sentence is a chosen sentence, verbatim.
type Sentence struct {
	Passage int           // index of the passage
	N       int           // number of its source
	Also    []int         // other sources with the same sentence
	Span    evidence.Span // bytes of the passage's text
	Text    string        // as it stands in the passage
	Row     bool          // a row of a table
	Score   float64
	Order   int    // position among the sentences of its passage
	Clauses int    // of it that stand behind the first one, each in a place of its own
	Heading string // that stands above it inside the passage
	Under   int    // sentences since that heading, or since the passage begins
	Leads   bool   // a question with its reply behind it, or a label
	Told    string // a row in words; empty when it is shown as it stands
	apart   bool   // it begins a line of its own
	asked   string // the question right before it in its passage, which it may reply to

	shares
	foundRow

	words int   // content words, repeats included
	found found // of each word of the question
}

// foundRow says how a sentence that is a row was found.
type foundRow struct {
	label   string // its own, if it was found by that
	aside   bool   // it is about another thing
	overlap bool   // its cells found it
}

// shares say how much of the question a sentence has, and what stands around it.
type shares struct {
	recp     float64 // in the passage
	own      float64 // in the sentence and what its line opens with, without its title
	titled   float64 // and with it
	plain    float64 // the same by stems alone
	opening  float64 // that only the opening of its line has
	evidence float64 // in the sentence and in the passage, irregular forms alike
}

// Result is an answer made of quotations, in reading order.
type Result struct {
	State      State
	Evidence   float64
	Sentences  []Sentence // the closest ones even when State is None
	Short      string     // a date that answers a when-question by itself, or what was worked out of a row; else empty
	Worked     bool       // Short is a cell of the first sentence, a row, or was worked out of such
	Sides      bool       // the sentences tell of two things that the question weighs: they differ and do not disagree
	Lead       string     // a line above the quotations; empty for none
	Confidence float64    // that the first sentence answers, calibrated
	Trace      *Trace     // what decided; nil where nothing was weighed
	Open       []string   // what the question asks besides and nothing was found about
	Late       bool       // an encoder was off or late, so that less was weighed than is possible

	pool  []Sentence // every candidate, best first
	scale scale      // of their scores
}

// extract composes an answer from the sentences that fit the question best,
// without a model. encoder may be nil: then words alone decide.
func extract(ctx context.Context, c *cite.Checker, question string, passages []Passage, encoder Encoder) Result {
	q := NewQuery(c, question)
	all, evidence := q.Candidates(passages)
	scale := wordScale
	if better, ok := q.byEncoder(ctx, passages, all, encoder); ok {
		evidence, scale = better, encoderScale
	}
	r := Result{State: scale.state(evidence), Evidence: evidence, scale: scale}
	if len(all) == 0 {
		return r
	}
	r.pool = slices.Clone(all)
	slices.SortStableFunc(r.pool, ByScore)
	if r.State == Answer {
		r.Short = shortDate(question, r.pool)
	}
	r.Sentences = inReadingOrder(choose(r.pool, scale.delta))
	return r
}

// ByScore orders sentences, the best first.
func ByScore(a, b Sentence) int { return compareFloat(b.Score, a.Score) }

// Query is a question broken into its terms.
type Query struct {
	checker *cite.Checker
	terms   []cite.Term // no repeats
	weight  float64
	text    string
	said    string          // as it was asked, with the words that say which version of a text is meant
	asking  map[string]bool // stems of words that only ask: how many, what … cost
	ofFile  [][]float64     // what the file of each passage has of the terms
	meaning *lang.Meaning   // the term whose meaning is asked for; nil for other questions
	version versions.Asked  // of texts that have several
	costs   []float64       // how much less likely, in log-odds, what each passage says answers, as it is of another
}

// NewQuery takes a question apart; the checker weighs its words.
func NewQuery(c *cite.Checker, question string) Query {
	q := Query{checker: c, text: question, said: question, asking: map[string]bool{}}
	var term []cite.Term
	if m, ok := lang.AsksMeaning(question); ok {
		q.meaning, term = &m, c.Terms(m.Term)
	}
	words := slices.DeleteFunc(answertype.AskedWords(question), func(w string) bool { return !askingWords[w] })
	if answertype.AsksPrice(question) {
		words = append(words, lang.MoneyIn(lang.Spoken(question), lang.Price, question)...)
	}
	for _, w := range words {
		for _, t := range c.Terms(w) {
			q.asking[t.Stem] = true
		}
	}
	seen := map[string]bool{}
	for _, t := range c.Terms(lang.Matter(question)) {
		if len(term) > 0 && !slices.ContainsFunc(term, func(of cite.Term) bool { return of.Stem == t.Stem }) {
			continue // the rest of such a question only asks
		}
		if !seen[t.Stem] && t.Stem != "whom" { // no stop word, but it asks only
			seen[t.Stem] = true
			q.terms = append(q.terms, t)
			q.weight += t.Weight
		}
	}
	return q
}

// Candidates scores every sentence and says how well the passages answer at all.
func (q Query) Candidates(passages []Passage) (all []Sentence, best float64) {
	for i, p := range passages {
		title := q.reached(q.checker.Terms(p.Title), reach{})
		above, opened, under := title, reach{}, evidence.Span{} // with the heading inside the passage
		whole := title
		first, headed := len(all), 0
		for k, s := range statements.Of(p.Text) {
			text := p.Text[s.Start:s.End]
			if s.Under != under {
				under, opened, headed = s.Under, reach{}, k
				heading := q.checker.Terms(p.Text[under.Start:under.End])
				if above = q.reached(heading, title); s.Opens {
					opened = q.reached(heading, reach{})
				}
			}
			terms := q.checker.Terms(text)
			with, itself := q.reached(terms, above), q.reached(terms, reach{})
			alone, own := q.share(itself.forms), q.share(itself.or(opened).forms)
			whole = whole.or(with)
			all = append(all, Sentence{
				Passage: i, N: p.N, Span: s.Span, Text: text, Row: s.Row, Order: k, Heading: p.Text[s.Under.Start:s.Under.End], Under: k - headed, Leads: s.Leads, words: len(terms),
				shares: shares{own: own, opening: own - alone, titled: q.recall(with.forms), plain: q.recall(with.stems)}, Score: passageWeight*p.BM + q.recall(with.stems), found: found{alone: itself.forms, with: with.forms},
			})
		}
		recp, recf := q.recall(whole.stems), q.recall(whole.forms)
		for k := range all[first:] {
			s := &all[first+k]
			s.recp, s.evidence = recp, s.titled+recf
			best = max(best, s.Score-passageWeight*p.BM+recp)
		}
	}
	return all, best
}

// found says for each term of the question how well the terms have it; also
// gives what stands beside them, nil for nothing.
func (q Query) found(terms []cite.Term, also []float64) []float64 {
	m := make([]float64, len(q.terms))
	copy(m, also)
	for i, want := range q.terms {
		for _, t := range terms {
			if m[i] >= 1 {
				break
			}
			m[i] = max(m[i], want.Alike(t))
		}
	}
	return m
}

// reach is what was found of a question's terms, 0 to 1 each: as stems, and with
// irregular forms ("child", "children") taken for one word.
type reach struct{ stems, forms []float64 }

func (q Query) reached(terms []cite.Term, also reach) reach {
	r := reach{stems: q.found(terms, also.stems), forms: q.found(terms, also.forms)}
	for i, want := range q.terms {
		if r.forms[i] < 1 && slices.ContainsFunc(terms, want.IsForm) {
			r.forms[i] = 1
		}
	}
	return r
}

func (r reach) or(other reach) reach {
	return reach{stems: higher(r.stems, other.stems), forms: higher(r.forms, other.forms)}
}

func higher(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, v := range b {
		out[i] = max(out[i], v)
	}
	return out
}

// share is recall without the words that only ask.
func (q Query) share(found []float64) float64 {
	sum, weight := 0.0, 0.0
	for i, t := range q.terms {
		if !q.asking[t.Stem] {
			sum += t.Weight * found[i]
			weight += t.Weight
		}
	}
	if weight == 0 {
		return q.recall(found)
	}
	return sum / weight
}

// Touches reports whether a text has any word of the question.
func (q Query) Touches(text string) bool {
	return q.recall(q.found(q.checker.Terms(text), nil)) > 0
}

// recall is the share of the question's weight that was found.
func (q Query) recall(found []float64) float64 {
	if q.weight == 0 {
		return 0
	}
	sum := 0.0
	for i, t := range q.terms {
		sum += t.Weight * found[i]
	}
	return sum / q.weight
}

// choose takes the best sentences; one that says the same as a chosen one, however
// far down, gives it its source.
func choose(best []Sentence, delta float64) []Sentence {
	var chosen []Sentence
	seen := map[string]int{}
	for _, s := range best {
		key := cite.Same(s.Text)
		if at, ok := seen[key]; ok {
			if first := &chosen[at]; first.N != s.N && !slices.Contains(first.Also, s.N) {
				first.Also = append(first.Also, s.N)
			}
			continue
		}
		if s.Score >= best[0].Score-delta && len(chosen) < mostSentences {
			seen[key] = len(chosen)
			chosen = append(chosen, s)
		}
	}
	return chosen
}

// inReadingOrder puts the passages by their best chosen sentence, and the
// sentences of a passage as they stand.
func inReadingOrder(chosen []Sentence) []Sentence {
	place := map[int]int{}
	for i, s := range chosen {
		if _, ok := place[s.Passage]; !ok {
			place[s.Passage] = i
		}
	}
	slices.SortStableFunc(chosen, func(a, b Sentence) int {
		if d := place[a.Passage] - place[b.Passage]; d != 0 {
			return d
		}
		return a.Order - b.Order
	})
	return chosen
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
