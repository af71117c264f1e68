package cite

// negatedBefore reports whether a negator stands within n tokens before token i.
func negatedBefore(s *sentence, i, n int) bool {
	for j := max(0, i-n); j < i; j++ {
		if s.tokens[j].denies {
			return true
		}
	}
	return false
}

// measurePolarity compares negation, antonyms and directions.
func (p *pair) measurePolarity(f *features) {
	best := &p.sentences[p.best]
	for i := range best.tokens {
		if best.tokens[i].denies {
			f.negB = 1
		}
	}
	if f.negC != f.negB {
		f.negMis = 1
	}
	f.polFlip = p.flips(best)
	for i := range p.claim.tokens {
		f.antn += p.antonymNear(i)
		f.dirc += p.directionTurned(i)
	}
	f.antn, f.dirc = min(f.antn, 2), min(f.dirc, 2)
	f.xNeg, f.xAnt, f.xDir = p.negationConflict().strength, p.antonymConflict().strength, p.directionConflict().strength
}

// flips is the share of shared content words that are negated on one side only.
func (p *pair) flips(best *sentence) float64 {
	shared, flipped := 0, 0
	for _, i := range p.content {
		t := &p.claim.tokens[i]
		if t.number() {
			continue
		}
		here, found, same := negatedBefore(&p.claim, i, 4), false, false
		for j := range best.tokens {
			if best.tokens[j].stem == t.stem {
				found = true
				same = same || negatedBefore(best, j, 4) == here
			}
		}
		if found {
			shared++
			if !same {
				flipped++
			}
		}
	}
	if shared == 0 {
		return 0
	}
	return float64(flipped) / float64(shared)
}

// inWindow reports whether a stem stands in the window.
func (p *pair) inWindow(stem string) bool {
	return p.contains(p.window, func(t *token) bool { return t.stem == stem })
}

// antonymNear is 1 when the window lacks claim token i and says its antonym in
// the same company.
func (p *pair) antonymNear(i int) float64 {
	t := &p.claim.tokens[i]
	opposite := p.lex.antonyms[t.stem]
	if opposite == nil || p.inWindow(t.stem) {
		return 0
	}
	near := around(&p.claim, i, 4, 4)
	for _, j := range p.window {
		s := &p.sentences[j]
		for x := range s.tokens {
			if stem := s.tokens[x].stem; opposite[stem] && !p.claimHas[stem] && overlap(near, around(s, x, 4, 4)) {
				return 1
			}
		}
	}
	return 0
}

// direction is the sign of a direction word with its negation, 0 for other words.
func direction(s *sentence, i int) int8 {
	course := s.tokens[i].course
	if course != 0 && negatedBefore(s, i, 4) {
		return -course
	}
	return course
}

// directionTurned is 1 when every direction word of the window in the company of
// claim token i points the other way.
func (p *pair) directionTurned(i int) float64 {
	sign := direction(&p.claim, i)
	if sign == 0 {
		return 0
	}
	near, met := around(&p.claim, i, 4, 4), false
	for _, j := range p.window {
		s := &p.sentences[j]
		for x := range s.tokens {
			other := direction(s, x)
			if other == 0 || !overlap(near, around(s, x, 4, 4)) {
				continue
			}
			if other == sign {
				return 0
			}
			met = true
		}
	}
	if met {
		return 1
	}
	return 0
}

// conflict is a place where claim and passage disagree.
type conflict struct {
	strength       float64 // idf recall of the rest of the claim in that sentence
	sentence       int
	claim, passage string // the two words or numbers, as they stand
	loose          bool   // both can be true, so that it is a doubt and no contradiction
}

// stronger keeps the stronger of two conflicts.
func (c *conflict) stronger(other conflict) {
	if other.strength > c.strength {
		*c = other
	}
}

// antonymConflict finds a claim token whose antonym stands in its place.
func (p *pair) antonymConflict() conflict {
	var found conflict
	for i := range p.claim.tokens {
		t := &p.claim.tokens[i]
		opposite := p.lex.antonyms[t.stem]
		if opposite == nil || p.lex.vague[t.stem] || negatedBefore(&p.claim, i, 4) {
			continue
		}
		for j := range p.sentences {
			s := &p.sentences[j]
			if hasStem(s, t.stem) {
				continue
			}
			for x := range s.tokens {
				if p.opposed(i, s, x, opposite) {
					found.stronger(conflict{p.rest(t, j), j, t.text, s.tokens[x].text, repeated(&p.claim) || repeated(s)})
				}
			}
		}
	}
	return found
}

// opposed reports whether token x of s is an antonym in the place of claim token i.
func (p *pair) opposed(i int, s *sentence, x int, opposite set) bool {
	stem := s.tokens[x].stem
	return opposite[stem] && !p.lex.vague[stem] && !p.claimHas[stem] && !negatedBefore(s, x, 4) &&
		(overlap(lastContent(&p.claim, i, 3), lastContent(s, x, 4)) || overlap(nextContent(&p.claim, i, 3), nextContent(s, x, 4)))
}

func hasStem(s *sentence, stem string) bool {
	for i := range s.tokens {
		if s.tokens[i].stem == stem {
			return true
		}
	}
	return false
}

// directionVerb returns the only direction verb of a sentence, -1 when there is
// none or several.
func directionVerb(s *sentence) int {
	at := -1
	for i := range s.tokens {
		if s.tokens[i].verb == 0 {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// directionConflict finds a sentence that only says the other direction of the
// claim's one direction verb, about the same thing.
func (p *pair) directionConflict() conflict {
	var found conflict
	at := directionVerb(&p.claim)
	if at < 0 || negatedBefore(&p.claim, at, 5) {
		return found
	}
	t := &p.claim.tokens[at]
	object := nextContent(&p.claim, at, 2)
	for j := range p.sentences {
		s := &p.sentences[j]
		if saysDirection(s, t.verb) {
			continue
		}
		for x := range s.tokens {
			if s.tokens[x].verb == -t.verb && overlap(object, nextContent(s, x, 3)) && !negatedBefore(s, x, 5) {
				found.stronger(conflict{strength: p.rest(t, j), sentence: j, claim: t.text, passage: s.tokens[x].text})
			}
		}
	}
	return found
}

func saysDirection(s *sentence, verb int8) bool {
	for i := range s.tokens {
		if s.tokens[i].verb == verb {
			return true
		}
	}
	return false
}

var notNegating = setOf([]string{"only", "necessarily", "just", "merely", "matter", "longer"}, nil)

// realNegators lists the tokens that negate a statement.
func realNegators(s *sentence) []int {
	var at []int
	for i := range s.tokens {
		t := &s.tokens[i]
		if !t.negator || i == 0 && t.lower == "no" && !deniesNext(s) {
			continue
		}
		if i+1 < len(s.tokens) && notNegating[s.tokens[i+1].lower] || doubtBefore(s, i) {
			continue
		}
		at = append(at, i)
	}
	return at
}

// deniesNext reports whether a leading "no" denies the thing named behind it, as
// in "no boats sail", and does not answer someone.
func deniesNext(s *sentence) bool {
	return len(s.tokens) > 1 && !s.tokens[1].stop && s.gap(0) == " "
}

// doubtBefore reports whether why, whether or if stands within six tokens before i.
func doubtBefore(s *sentence, i int) bool {
	for j := max(0, i-6); j < i; j++ {
		if w := s.tokens[j].lower; w == "why" || w == "whether" || w == "if" {
			return true
		}
	}
	return false
}

// negationConflict finds a sentence that says the same with or without a not.
func (p *pair) negationConflict() conflict {
	var found conflict
	inClaim := realNegators(&p.claim)
	if len(inClaim) > 1 {
		return found
	}
	agreeing := 0.0
	for j := range p.sentences {
		s := &p.sentences[j]
		there := realNegators(s)
		if (len(there) > 0) == (len(inClaim) > 0) {
			agreeing = max(agreeing, p.rest(nil, j))
		}
		if len(inClaim)+len(there) != 1 {
			continue
		}
		negated, other, at := &p.claim, s, inClaim
		if len(at) == 0 {
			negated, other, at = s, &p.claim, there
		}
		next := nextContent(negated, at[0], 2)
		if len(next) > 0 && hasAll(other, next) {
			words := negationWords(p, j, negated, at[0])
			words.loose = inTitle(negated, at[0]) || qualified(negated, at[0], other) || denies(other)
			found.stronger(words)
		}
	}
	if agreeing >= found.strength {
		return conflict{}
	}
	return found
}

// denies reports whether a sentence denies something without a not: what fails to
// open does not.
func denies(s *sentence) bool {
	for i := range s.tokens {
		if s.tokens[i].denies || refusals[s.tokens[i].stem] {
			return true
		}
	}
	return false
}

var refusals = setOf([]string{"declin", "refus", "reject", "deni", "avoid", "absenc", "prevent", "forgo", "omit"}, nil)

func negationWords(p *pair, j int, negated *sentence, at int) conflict {
	c := conflict{strength: p.rest(nil, j), sentence: j}
	end := at + 1
	for end < len(negated.tokens)-1 && negated.tokens[end].stop {
		end++
	}
	phrase := negated.text[negated.tokens[at].start:negated.tokens[min(end, len(negated.tokens)-1)].end]
	plain := negated.tokens[min(end, len(negated.tokens)-1)].text
	if c.claim, c.passage = phrase, plain; negated != &p.claim {
		c.claim, c.passage = plain, phrase
	}
	return c
}

func hasAll(s *sentence, stems []string) bool {
	for _, stem := range stems {
		if !hasStem(s, stem) {
			return false
		}
	}
	return true
}
