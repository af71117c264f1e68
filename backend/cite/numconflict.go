package cite

// measureNumbers compares the numbers of claim and passage.
func (p *pair) measureNumbers(f *features) {
	checked, met := 0, 0
	for k, i := range p.content {
		t := &p.claim.tokens[i]
		switch t.kind {
		case count, year, percent, money, ordinal:
			checked++
			if p.bestMatch(k, p.everywhere()) > 0 {
				met++
			} else if p.otherNumber(t) {
				f.numConf++
			}
		}
		switch t.kind {
		case count, year, percent, money, label:
			if !p.found(i) {
				f.xNM++
			}
		}
	}
	if checked > 0 {
		f.numOK = float64(met) / float64(checked)
	}
	f.numConf, f.xNM = min(f.numConf, 2), min(f.xNM, 3)
	f.xNum = p.numberConflict().strength
}

// otherNumber reports whether the window has another number of the kind of t
// that the claim does not have.
func (p *pair) otherNumber(t *token) bool {
	return p.contains(p.window, func(x *token) bool {
		return x.kind == t.kind && !p.claimHasNumber(x) && (t.kind != count || t.unit != "" && t.unit == x.unit)
	})
}

func (p *pair) claimHasNumber(x *token) bool {
	for i := range p.claim.tokens {
		if t := &p.claim.tokens[i]; t.number() && t.value == x.value {
			return true
		}
	}
	return false
}

// found reports whether the passage has number i of the claim, about the same thing.
func (p *pair) found(i int) bool {
	t := &p.claim.tokens[i]
	near := around(&p.claim, i, 5, 5)
	for j := range p.sentences {
		s := &p.sentences[j]
		for x := range s.tokens {
			if t.kind == label {
				if sameLabel(t, s, x) {
					return true
				}
			} else if s.tokens[x].number() && p.meets(t, near, j, x) {
				return true
			}
		}
	}
	return false
}

// meets reports whether number x of sentence j can be number t of the claim.
func (p *pair) meets(t *token, near []string, j, x int) bool {
	s := &p.sentences[j]
	n := &s.tokens[x]
	dimT, dimN := p.lex.dims[t.unit], p.lex.dims[n.unit]
	switch {
	case numEq(t, n) == 0:
		return false
	case t.kind == count && n.kind == percent, t.kind == percent && n.kind == count && dimN:
		return false
	case dimT && dimN && t.unit != n.unit:
		return false
	case len(near) > 0 && !p.nearSentence(near, j):
		return false
	case t.kind == count && t.whole && t.value <= 31 && len(near) > 0:
		return overlap(near, around(s, x, 8, 8)) || t.unit != "" && t.unit == n.unit
	}
	return true
}

// nearSentence reports whether a stem stands in sentence j or the ones beside it;
// all lines of a table are beside each other.
func (p *pair) nearSentence(stems []string, j int) bool {
	from, to := j, j
	for from > 0 && p.sentences[from].row && p.sentences[from-1].row {
		from--
	}
	for p.sentences[to].row && to+1 < len(p.sentences) && p.sentences[to+1].row {
		to++
	}
	for k := max(0, from-1); k <= min(len(p.sentences)-1, to+1); k++ {
		for _, stem := range stems {
			if hasStem(&p.sentences[k], stem) {
				return true
			}
		}
	}
	return false
}

// sameLabel reports whether token x of s carries the number of label t after the
// same word, or glued to it.
func sameLabel(t *token, s *sentence, x int) bool {
	n := &s.tokens[x]
	if !n.number() {
		return t.holder != "" && n.lower == t.holder+t.lower
	}
	if n.value != t.value || x == 0 {
		return false
	}
	before := s.tokens[x-1].stem
	return before == t.holder || before != "" && t.holder != "" && before[0] == t.holder[0]
}

// numberConflict finds a number that the passage states differently.
func (p *pair) numberConflict() conflict {
	var found conflict
	for _, i := range p.content {
		t := &p.claim.tokens[i]
		if !t.number() || t.kind == label || t.kind == rank || t.kind == single || t.kind == mark || t.kind == ordinal || p.found(i) {
			continue
		}
		near := around(&p.claim, i, 4, 4)
		for j := range p.sentences {
			s := &p.sentences[j]
			for x := range s.tokens {
				n := &s.tokens[x]
				if n.kind == t.kind && n.unit == t.unit && numEq(t, n) == 0 && !p.claimHasNumber(n) && overlap(near, around(s, x, 5, 5)) {
					found.stronger(conflict{strength: p.rest(t, j), sentence: j, claim: t.text, passage: n.text})
				}
			}
		}
	}
	return found
}
