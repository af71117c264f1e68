package cite

import (
	"cmp"
	"context"
	"math"
	"slices"

	"footnote/backend/embed/simd"
)

// Reading is a sentence as a sentence encoder reads it.
type Reading struct {
	Sum    []float32 // over its tokens; its direction is the meaning of the sentence
	Tokens []float32 // unit vectors of len(Sum) components, one behind the other
	Words  []Word    // of the sentence, in order
}

// Word is a word and how many tokens the encoder makes of it.
type Word struct {
	Text   string
	Tokens int
}

// Readings are sentences by the texts that Wants gave.
type Readings map[string]Reading

// Reader reads sentences with a sentence encoder; ok is false when it cannot, or
// is not done with all in time.
type Reader interface {
	Read(ctx context.Context, sentences []string) (readings []Reading, ok bool)
}

// Add has those of texts read that are not known yet, each once. It reports
// whether all of them are known then.
func (r Readings) Add(ctx context.Context, reader Reader, texts []string) bool {
	var unread []string
	for _, text := range texts {
		if _, known := r[text]; !known && !slices.Contains(unread, text) {
			unread = append(unread, text)
		}
	}
	if len(unread) == 0 {
		return true
	}
	read, ok := reader.Read(ctx, unread)
	for i := range read {
		if ok {
			r[unread[i]] = read[i]
		}
	}
	return ok
}

// mostRead is how many sentences of a passage the encoder reads: those with the
// highest recall.
const mostRead = 40

// Wants lists the texts that CheckEncoded needs to be read: the claim, then
// sentences of the passage.
func (c *Checker) Wants(claim string, passage *Passage) []string {
	texts := []string{normaliseClaim(claim)}
	if len(passage.sentences) > mostRead {
		return append(texts, c.pair(claim, "", passage.sentences).wanted()...)
	}
	for i := range passage.sentences {
		texts = append(texts, passage.sentences[i].text)
	}
	return texts
}

func (p *pair) wanted() (texts []string) {
	for _, j := range p.mostRecalled() {
		texts = append(texts, p.sentences[j].text)
	}
	return texts
}

// mostRecalled are the sentences that the encoder reads, in order.
func (p *pair) mostRecalled() []int {
	order := p.everywhere()
	if len(order) <= mostRead {
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.recall[b], p.recall[a]) })
	order = order[:mostRead]
	slices.Sort(order)
	return order
}

// encoded is a pair as the encoder reads it.
type encoded struct {
	claim   Reading
	weights []float64 // of the claim's tokens
	heavy   float64   // their sum
	at      []int     // sentences that were read, in order
	read    []Reading
	nearest [][]float64 // [read sentence][claim token]: cosine of its nearest token
	recall  []float64   // of each read sentence, weighed by nearest
}

// encoded joins a pair with its readings; nil when one of them is missing.
func (c *Checker) encoded(p *pair, readings Readings) *encoded {
	claim, ok := readings[p.claim.text]
	if !ok || len(claim.Tokens) == 0 || p.best < 0 {
		return nil
	}
	e := &encoded{claim: claim, at: p.mostRecalled()}
	e.weights = c.tokenWeights(claim)
	for _, w := range e.weights {
		e.heavy += w
	}
	for _, j := range e.at {
		r, ok := readings[p.sentences[j].text]
		if !ok {
			return nil
		}
		nearest := r.nearestTo(claim)
		e.read, e.nearest = append(e.read, r), append(e.nearest, nearest)
		e.recall = append(e.recall, e.weighed(nearest))
	}
	return e
}

// tokenWeights spreads the weight of each word over its tokens; words that carry
// no content have none. All are alike when none has any.
func (c *Checker) tokenWeights(r Reading) []float64 {
	n := len(r.Tokens) / len(r.Sum)
	weights := make([]float64, 0, n)
	any := false
	for _, word := range r.Words {
		w := c.wordWeight(word.Text) / float64(max(1, word.Tokens))
		any = any || w > 0
		for range word.Tokens {
			weights = append(weights, w)
		}
	}
	weights = weights[:min(n, len(weights))]
	if any && len(weights) == n {
		return weights
	}
	weights = make([]float64, n)
	for i := range weights {
		weights[i] = 1
	}
	return weights
}

func (c *Checker) wordWeight(word string) float64 {
	s, heaviest := c.read(word), 0.0
	for _, i := range s.content {
		heaviest = max(heaviest, s.tokens[i].weight)
	}
	return heaviest
}

// nearestTo gives for each token of a claim the cosine of the sentence's nearest.
func (r Reading) nearestTo(claim Reading) []float64 {
	dim := len(claim.Sum)
	nearest := make([]float64, len(claim.Tokens)/dim)
	for i := range nearest {
		nearest[i] = float64(closest(claim.Tokens[i*dim:][:dim], r.Tokens))
	}
	return nearest
}

// closest is the greatest cosine of a token with any of tokens, 0 without any.
func closest(token, tokens []float32) float32 {
	best := float32(0)
	for at := 0; at < len(tokens); at += len(token) {
		best = max(best, simd.Dot(token, tokens[at:][:len(token)]))
	}
	return best
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	ab, aa, bb := float64(simd.Dot(a, b)), float64(simd.Dot(a, a)), float64(simd.Dot(b, b))
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// weighed is the mean of a value a claim token, by weight.
func (e *encoded) weighed(nearest []float64) float64 {
	sum := 0.0
	for i, w := range e.weights {
		sum += w * nearest[i]
	}
	return sum / e.heavy
}

// together takes of several sentences the better value for each claim token.
func together(nearest ...[]float64) []float64 {
	out := slices.Clone(nearest[0])
	for _, other := range nearest[1:] {
		for i, v := range other {
			out[i] = max(out[i], v)
		}
	}
	return out
}

// lowest is the weighed mean of the worst tokens that make up a quarter of the
// weight, at least one.
func (e *encoded) lowest(nearest []float64) float64 {
	order := make([]int, 0, len(nearest))
	for i := range nearest {
		if e.weights[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nearest[a], nearest[b]) })
	sum, weight := 0.0, 0.0
	for _, i := range order {
		if weight > 0 && weight+e.weights[i] > e.heavy/4 {
			break
		}
		sum += e.weights[i] * nearest[i]
		weight += e.weights[i]
	}
	return sum / weight
}

// measure adds what the encoder table asks to the features of the words.
func (e *encoded) measure(f *features) {
	all := together(e.nearest...)
	best := 0
	for k := range e.read {
		if e.recall[k] > e.recall[best] {
			best = k
		}
		f.c1 = max(f.c1, cosine(e.claim.Sum, e.read[k].Sum))
	}
	f.cw3 = max(f.c1, e.windows())
	f.a6p, f.a6w2 = e.weighed(all), e.recall[best]
	for k := 1; k < len(e.read); k++ {
		if e.at[k] == e.at[k-1]+1 {
			f.a6w2 = max(f.a6w2, e.weighed(together(e.nearest[k-1], e.nearest[k])))
		}
	}
	f.a6lo, f.a6los = e.lowest(all), e.lowest(e.nearest[best])
	f.a6pr = e.precision(e.read[best])
}

// windows is the best cosine of two or three sentences in a row.
func (e *encoded) windows() float64 {
	most := 0.0
	for k := range e.read {
		sum := slices.Clone(e.read[k].Sum)
		for n := 1; n < 3 && k+n < len(e.read) && e.at[k+n] == e.at[k]+n && len(e.read[k+n].Sum) == len(sum); n++ {
			for i, x := range e.read[k+n].Sum {
				sum[i] += x
			}
			most = max(most, cosine(e.claim.Sum, sum))
		}
	}
	return most
}

// precision is the mean over a sentence's tokens of the nearest claim token.
func (e *encoded) precision(s Reading) float64 {
	dim := len(e.claim.Sum)
	if len(s.Tokens) == 0 {
		return 0
	}
	sum := 0.0
	for at := 0; at < len(s.Tokens); at += dim {
		sum += float64(closest(s.Tokens[at:][:dim], e.claim.Tokens))
	}
	return sum / float64(len(s.Tokens)/dim)
}

// rank orders the sentences for the highlight: by recall, the shorter of two
// equals first, and where an encoder read them by what it recalls, too.
func (e *encoded) rank(p *pair) []float64 {
	rank := slices.Clone(p.recall)
	if p.best >= 0 {
		rank[p.best] += 2 * tiny
	}
	if e != nil {
		for k, j := range e.at {
			rank[j] += 2 * e.recall[k]
		}
	}
	return rank
}
