package cite

import "strings"

// features are the values of the tables, by the names of their weights.
type features struct {
	recalled
	worded
	opposed
	encodedFeatures
	hedC, fp, q      float64 // of the claim alone
	entMiss, entConf float64 // for the cap only
	misplaced        string  // for the cap only: what the passage says of something else
}

// recalled tell how much of the claim the passage says.
type recalled struct{ r1, r2, r3, rp, dens, urec, urec1, nr, nrb float64 }

// worded tell how alike the words stand in both.
type worded struct{ bi, run, verb, lcs float64 }

// opposed tell of numbers, negations and antonyms that speak against the claim.
type opposed struct {
	numOK, numConf, negC, negB, negMis, polFlip, antn, dirc float64
	xNum, xNM, xNeg, xAnt, xDir                             float64
}

// encodedFeatures are by the sentence encoder.
type encodedFeatures struct{ c1, cw3, a6p, a6w2, a6lo, a6los, a6pr float64 }

// sum is the log-odds that the passage supports the claim.
func (m *model) sum(f *features) float64 {
	w := m.Weights
	return m.Bias +
		w["r1"]*f.r1 + w["r2"]*f.r2 + w["r3"]*f.r3 + w["rp"]*f.rp + w["dens"]*f.dens +
		w["urec"]*f.urec + w["urec1"]*f.urec1 + w["bi"]*f.bi + w["run"]*f.run + w["verb"]*f.verb + w["lcs"]*f.lcs +
		w["num_ok"]*f.numOK + w["num_conf"]*f.numConf +
		w["neg_c"]*f.negC + w["neg_b"]*f.negB + w["neg_mis"]*f.negMis +
		w["pol_flip"]*f.polFlip + w["antn"]*f.antn + w["dirc"]*f.dirc +
		w["x_num"]*f.xNum + w["x_nm"]*f.xNM + w["x_neg"]*f.xNeg + w["x_ant"]*f.xAnt + w["x_dir"]*f.xDir +
		w["hed_c"]*f.hedC + w["fp"]*f.fp + w["q"]*f.q + w["nr"]*f.nr + w["nrb"]*f.nrb +
		w["c1"]*f.c1 + w["cw3"]*f.cw3 + w["a6p"]*f.a6p + w["a6w2"]*f.a6w2 + w["a6lo"]*f.a6lo + w["a6los"]*f.a6los + w["a6pr"]*f.a6pr
}

// measure computes every feature of the pair.
func (p *pair) measure() features {
	f := features{opposed: opposed{numOK: 1}}
	p.measureWording(&f)
	p.measureClaim(&f)
	if p.best < 0 {
		return f
	}
	p.measureRecall(&f)
	p.measureNumbers(&f)
	p.measurePolarity(&f)
	p.measureNames(&f)
	if f.verb == 0 {
		f.misplaced = p.misplaced()
	}
	return f
}

// measureClaim looks at the claim alone.
func (p *pair) measureClaim(f *features) {
	for i := range p.claim.tokens {
		t := &p.claim.tokens[i]
		if p.lex.hedge[t.stem] || t.lower == "may" || t.lower == "might" || t.lower == "could" {
			f.hedC = 1
		}
		if p.lex.firstPerson[t.lower] {
			f.fp = 1
		}
		if t.denies {
			f.negC = 1
		}
	}
	if strings.HasSuffix(strings.TrimRight(p.claim.text, ` "')]*`), "?") {
		f.q = 1
	}
}

func (p *pair) measureRecall(f *features) {
	all := p.everywhere()
	f.r1, f.rp = p.recall[p.best], p.recallIn(nil, all...)
	f.r2, f.r3 = f.r1, f.r1
	for j := range all {
		f.dens += p.recall[j] / float64(len(all))
		f.r2 = max(f.r2, p.recallIn(nil, all[j:min(j+2, len(all))]...))
		f.r3 = max(f.r3, p.recallIn(nil, all[j:min(j+3, len(all))]...))
	}
	f.urec, f.urec1 = p.share(all), p.share(p.window)
	known := func(t *token) bool { return p.context[t.stem] }
	f.nr, f.nrb = f.rp, f.r1
	for _, i := range p.content {
		if !known(&p.claim.tokens[i]) {
			f.nr, f.nrb = p.recallIn(known, all...), p.recallIn(known, p.window...)
			break
		}
	}
}

// share is the part of the content tokens that the sentences say at all.
func (p *pair) share(sentences []int) float64 {
	if len(p.content) == 0 {
		return 0
	}
	n := 0
	for k := range p.content {
		if p.bestMatch(k, sentences) > 0 {
			n++
		}
	}
	return float64(n) / float64(len(p.content))
}

// measureWording compares the order of words.
func (p *pair) measureWording(f *features) {
	n := len(p.claim.tokens)
	if n == 0 || p.best < 0 {
		return
	}
	pairs, longest := 0, 0
	for i := 0; i < n; i++ {
		length := p.longestRun(i)
		longest = max(longest, length)
		if length >= 2 {
			pairs++
		}
	}
	if n > 1 {
		f.bi = float64(pairs) / float64(n-1)
	}
	f.run = float64(longest) / float64(n)
	if longest == n && n >= 3 && !p.runDenied() {
		f.verb = 1
	}
	f.lcs = p.lcs()
}

// longestRun is the length of the longest run of stems from claim token i on
// that stands in one sentence.
func (p *pair) longestRun(i int) int {
	longest := 0
	claim := p.claim.tokens
	for j := range p.sentences {
		tokens := p.sentences[j].tokens
		for a := range tokens {
			n := 0
			for i+n < len(claim) && a+n < len(tokens) && claim[i+n].stem == tokens[a+n].stem {
				n++
			}
			longest = max(longest, n)
		}
	}
	return longest
}

// lcs is the weight of the longest common subsequence of content tokens of the
// claim and its best sentence, as a share of the claim's weight.
func (p *pair) lcs() float64 {
	s := &p.sentences[p.best]
	row := make([]float64, len(s.content)+1)
	all := 0.0
	for _, i := range p.content {
		t := &p.claim.tokens[i]
		all += t.weight
		diagonal := 0.0
		for b, j := range s.content {
			above := row[b+1]
			if t.stem == s.tokens[j].stem {
				row[b+1] = max(above, diagonal+t.weight)
			}
			row[b+1] = max(row[b+1], row[b])
			diagonal = above
		}
	}
	if all == 0 {
		return 0
	}
	return row[len(s.content)] / all
}

// commonWord is the weight below which the first word of a claim is taken for no
// name: Although, Additionally, Well.
const commonWord = 5

// lacksName reports whether token i of the claim, k of its content, is a name that
// the passage does not have. A-769662 and A769662 are one.
func (p *pair) lacksName(k, i int) bool {
	t := &p.claim.tokens[i]
	switch {
	case !t.entity || i == 0 && t.weight < commonWord:
		return false
	case t.kind == label && p.found(i):
		return false
	}
	return p.bestMatch(k, p.everywhere()) == 0
}

// measureNames counts names of the claim that the passage lacks.
func (p *pair) measureNames(f *features) {
	for k, i := range p.content {
		if p.lacksName(k, i) {
			f.entMiss++
		}
	}
	if f.entMiss > 0 && p.contains(p.window, func(t *token) bool { return t.entity && !p.claimHas[t.stem] }) {
		f.entConf = 1
	}
}
