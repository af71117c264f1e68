package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pair is a claim beside the sentences it is said to rest on.
type pair struct {
	lex       *lexicon
	claim     sentence
	content   []int // claim tokens that count: the content, or all when there is none
	context   set   // stems of the question
	sentences []sentence
	cells     []cell      // of the passage's tables
	match     [][]float64 // [position in content][sentence]
	own       [][]float64 // the same by the words of the sentence alone
	recall    []float64   // rec_i of each sentence
	best      int         // sentence with the highest recall, -1 when there is no sentence
	window    []int       // best sentence and the neighbour that adds to it
	claimHas  set         // stems of the claim
}

func (c *Checker) pair(claim, question string, sentences []sentence) *pair {
	p := &pair{lex: &c.lex, claim: c.read(normaliseClaim(claim)), sentences: sentences, best: -1}
	markListNumber(&p.claim)
	p.content = p.claim.content
	if len(p.content) == 0 {
		p.content = make([]int, len(p.claim.tokens))
		for i := range p.content {
			p.content[i] = i
		}
	}
	p.claimHas = make(set, len(p.claim.tokens))
	for i := range p.claim.tokens {
		p.claimHas[p.claim.tokens[i].stem] = true
	}
	if question != "" {
		p.context = set{}
		for _, t := range c.read(normalise(question)).tokens {
			p.context[t.stem] = true
		}
	}
	p.align()
	return p
}

// markListNumber takes the number of the next list item out of a claim that ends in it.
func markListNumber(s *sentence) {
	n := len(s.tokens)
	if n < 2 || !s.tokens[n-1].number() || !s.tokens[n-1].whole || s.tokens[n-1].value > 99 {
		return
	}
	gap := strings.TrimSpace(s.gap(n - 2))
	if gap == "" || !strings.ContainsAny(gap[len(gap)-1:], ".!?:;") {
		return
	}
	s.tokens[n-1].kind, s.tokens[n-1].stop, s.tokens[n-1].entity = mark, true, false
	if k := len(s.content); k > 0 && s.content[k-1] == n-1 {
		s.content = s.content[:k-1]
	}
}

// align fills in the matches, the recall of each sentence and the window.
func (p *pair) align() {
	p.match, p.own = make([][]float64, len(p.content)), make([][]float64, len(p.content))
	for k, i := range p.content {
		p.match[k], p.own[k] = p.matchRow(&p.claim.tokens[i])
	}
	p.recall = make([]float64, len(p.sentences))
	for j := range p.sentences {
		p.recall[j] = p.recallIn(nil, j)
		if p.best < 0 || p.recall[j] > p.recall[p.best]+tiny ||
			p.recall[j] > p.recall[p.best]-tiny && len(p.sentences[j].tokens) < len(p.sentences[p.best].tokens) {
			p.best = j
		}
	}
	p.window = p.widen()
}

// matchRow says how well each sentence says token t. A passage that spells an
// acronym out says it everywhere; where claim and passage clash only the
// sentence's own words count.
func (p *pair) matchRow(t *token) (match, own []float64) {
	own = make([]float64, len(p.sentences))
	spelled := !t.number() && acronym(t.text)
	least := 0.0
	for j := range p.sentences {
		own[j] = matchIn(t, &p.sentences[j])
		if spelled && strings.Contains(p.sentences[j].initials, t.lower) {
			own[j], least = max(own[j], 0.8), 0.8
		}
	}
	if least == 0 {
		return own, own
	}
	match = make([]float64, len(own))
	for j := range own {
		match[j] = max(least, own[j])
	}
	return match, own
}

// rest is the idf recall, in sentence j alone, of the claim without token t; nil
// leaves nothing out.
func (p *pair) rest(t *token, j int) float64 {
	var got, all float64
	for k, i := range p.content {
		if x := &p.claim.tokens[i]; x != t {
			all += x.weight
			got += x.weight * p.own[k][j]
		}
	}
	if all == 0 {
		return 0
	}
	return got / all
}

const tiny = 1e-9

// widen returns the best sentence and its better neighbour when that adds enough.
func (p *pair) widen() []int {
	if p.best < 0 {
		return nil
	}
	window, most := []int{p.best}, p.recall[p.best]+0.02
	for _, j := range []int{p.best - 1, p.best + 1} {
		if j < 0 || j >= len(p.sentences) {
			continue
		}
		if r := p.recallIn(nil, p.best, j); r > most {
			window, most = []int{min(p.best, j), max(p.best, j)}, r
		}
	}
	return window
}

// recallIn is the idf recall of the claim's content in the given sentences
// together. skip leaves tokens out; nil leaves none out. When nothing is left it
// is 0.
func (p *pair) recallIn(skip func(t *token) bool, sentences ...int) float64 {
	var got, all float64
	for k, i := range p.content {
		t := &p.claim.tokens[i]
		if skip != nil && skip(t) {
			continue
		}
		all += t.weight
		got += t.weight * p.bestMatch(k, sentences)
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// bestMatch is the best match of content token k in the sentences.
func (p *pair) bestMatch(k int, sentences []int) float64 {
	m := 0.0
	for _, j := range sentences {
		m = max(m, p.match[k][j])
	}
	return m
}

// everywhere lists all sentences.
func (p *pair) everywhere() []int {
	all := make([]int, len(p.sentences))
	for j := range all {
		all[j] = j
	}
	return all
}

// matchIn says how well the sentence says token t, 0 to 1.
func matchIn(t *token, s *sentence) float64 {
	m := 0.0
	for i := range s.tokens {
		if x := &s.tokens[i]; t.number() && x.number() {
			m = max(m, numEq(t, x))
		} else if !t.number() && !x.number() {
			if t.stem == x.stem {
				return 1
			}
			if m < 0.6 && similar(t.stem, x.stem) {
				m = 0.6
			}
		}
	}
	return m
}

// similar reports whether two stems share five leading characters and at least
// 70 % of the longer one.
func similar(a, b string) bool {
	if len(a) < 5 || len(b) < 5 || a[0] != b[0] {
		return false
	}
	shared, long := 0, max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	for i, r := range a {
		x, _ := utf8.DecodeRuneInString(b[min(i, len(b)):])
		if x != r {
			break
		}
		shared++
	}
	return shared >= 5 && 10*shared >= 7*long
}

// acronym reports whether s is two to six capitals.
func acronym(s string) bool {
	n := 0
	for _, r := range s {
		if n++; !unicode.IsUpper(r) {
			return false
		}
	}
	return 2 <= n && n <= 6
}

// contains reports whether any of the sentences has a token that passes.
func (p *pair) contains(sentences []int, pass func(t *token) bool) bool {
	for _, j := range sentences {
		for i := range p.sentences[j].tokens {
			if pass(&p.sentences[j].tokens[i]) {
				return true
			}
		}
	}
	return false
}

// around returns the stems of the content tokens within before and after tokens of i.
func around(s *sentence, i, before, after int) []string {
	var stems []string
	for j := max(0, i-before); j < min(len(s.tokens), i+after+1); j++ {
		if j != i && !s.tokens[j].stop {
			stems = append(stems, s.tokens[j].stem)
		}
	}
	return stems
}

// nextContent returns the stems of the n content tokens after i; before is its
// mirror.
func nextContent(s *sentence, i, n int) []string {
	var stems []string
	for j := i + 1; j < len(s.tokens) && len(stems) < n; j++ {
		if !s.tokens[j].stop {
			stems = append(stems, s.tokens[j].stem)
		}
	}
	return stems
}

func lastContent(s *sentence, i, n int) []string {
	var stems []string
	for j := i - 1; j >= 0 && len(stems) < n; j-- {
		if !s.tokens[j].stop {
			stems = append(stems, s.tokens[j].stem)
		}
	}
	return stems
}

// overlap reports whether two lists of stems share one.
func overlap(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
