package cite

// speaksOfOther reports whether the passage says number i of the claim, at each
// of its places, of another subject: a sentence that opens with one and has
// nothing of the claim's, while another sentence has it.
func (p *pair) speaksOfOther(i int, places []place) bool {
	subject := p.subject(i)
	if subject == nil {
		return false
	}
	for _, at := range places {
		if p.mentions(subject, at.j) || !p.opensWithOther(at) {
			return false
		}
	}
	for j := range p.sentences {
		if p.saysAll(subject, j) {
			return true
		}
	}
	return false
}

// subject is what the claim opens with before its number i: a name, or two words
// that stand together; nil when it opens otherwise.
func (p *pair) subject(i int) []*token {
	var words []*token
	for k := 0; k < i; k++ {
		t := &p.claim.tokens[k]
		if t.number() || k == 0 && pointsBack[t.lower] || t.stop && len(words) > 0 {
			break
		}
		if !t.stop {
			words = append(words, t)
		}
	}
	if len(words) == 0 || len(words) == 1 && !words[0].entity {
		return nil
	}
	return words[:min(len(words), 2)]
}

// pointsBack are words that take up what was said before.
var pointsBack = setOf([]string{"it", "this", "these", "they", "he", "she", "its", "their", "that", "those", "there", "such",
	"his", "her", "one", "both", "each", "some", "all", "we", "our"}, nil)

// opensWithOther reports whether the first word of content of a sentence is no
// word of the claim and stands before a place in it.
func (p *pair) opensWithOther(at place) bool {
	s := &p.sentences[at.j]
	for x := 0; x < at.x; x++ {
		switch t := &s.tokens[x]; {
		case pointsBack[t.lower]:
			return false
		case !t.stop && !t.number():
			return matchIn(t, &p.claim) == 0
		}
	}
	return false
}

func (p *pair) mentions(words []*token, j int) bool {
	for _, w := range words {
		if matchIn(w, &p.sentences[j]) > 0 {
			return true
		}
	}
	return false
}

func (p *pair) saysAll(words []*token, j int) bool {
	for _, w := range words {
		if matchIn(w, &p.sentences[j]) == 0 {
			return false
		}
	}
	return true
}
