package cite

import (
	"slices"
	"strings"
	"unicode"
)

// quantifiers are words whose denial leaves some: "not all areas" denies no area.
var quantifiers = setOf([]string{"all", "every", "each", "always", "everyone", "everybody", "everything", "everywhere", "entirely", "wholly", "completely", "exclusively"}, nil)

// qualified reports whether the negator at i of s denies only how far a thing
// goes, and the other side does not speak of that.
func qualified(s *sentence, i int, other *sentence) bool {
	if i+1 >= len(s.tokens) || !quantifiers[s.tokens[i+1].lower] {
		return false
	}
	for k := range other.tokens {
		if other.tokens[k].lower == s.tokens[i+1].lower {
			return false
		}
	}
	return true
}

// inTitle reports whether the negator at i of s is part of a name, as in “Can't
// Get You Out of My Head” and “Never Let Me Go”: it and the next word are written
// large where no sentence begins.
func inTitle(s *sentence, i int) bool {
	if i+1 >= len(s.tokens) || !titled(s.tokens[i].text) || !titled(s.tokens[i+1].text) {
		return false
	}
	at := s.tokens[i].start
	return i > 0 || at > 0 && s.text[at-1] == '"'
}

// titled reports whether a word has one large letter, its first: warnings in
// capitals are meant.
func titled(word string) bool {
	return word != strings.ToLower(word) && word[1:] == strings.ToLower(word[1:]) && unicode.IsUpper(rune(word[0]))
}

// repeated reports whether a sentence says that something happened more than
// once: then it can have begun and ended, both.
func repeated(s *sentence) bool {
	for i := range s.tokens {
		switch s.tokens[i].stem {
		case "again", "resum", "restart", "reopen", "rejoin":
			return true
		}
	}
	return false
}

// runDenied reports whether the whole claim stands in the passage only behind a
// negator, as "all boats sail" does in "not all boats sail".
func (p *pair) runDenied() bool {
	for j := range p.sentences {
		s := &p.sentences[j]
		for a := 0; a+len(p.claim.tokens) <= len(s.tokens); a++ {
			if p.runAt(s, a) && (a == 0 || !slices.Contains(realNegators(s), a-1)) {
				return false
			}
		}
	}
	return true
}

// runAt reports whether the whole claim stands in s from token a on.
func (p *pair) runAt(s *sentence, a int) bool {
	for i := range p.claim.tokens {
		if p.claim.tokens[i].stem != s.tokens[a+i].stem {
			return false
		}
	}
	return true
}
