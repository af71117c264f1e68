package cite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// kind says what a number counts; word means the token is no number.
type kind uint8

const (
	word    kind = iota
	count        // a plain number, with or without a unit
	percent      // followed by % or percent
	money        // after $, € or £
	year         // 1000–2099 in four digits, or 1980s
	ordinal      // 5th, third
	rank         // first and second: kept apart, never checked
	single       // the word one: a stop word
	label        // part of a name: COVID-19, type 2, Windows 11
	mark         // a list number left at the end of a claim: a stop word
)

// token is a word, number or symbol of a normalised sentence.
type token struct {
	text, lower, stem string
	start, end        int // bytes of the normalised sentence
	kind              kind
	value             float64
	whole             bool    // the number has no decimals
	unit              string  // stem of the unit of a count, empty when none
	holder            string  // of a label: stem of the word before it
	weight            float64 // idf, at least 0.3
	stop              bool    // carries no content
	listed            bool    // stands in the list of stop words, or is a symbol
	denies, negator   bool    // as in entry
	course, verb      int8    // as in entry
	entity            bool
	part              bool // ideographs and the like, cut into pairs
}

func (t *token) number() bool { return t.kind != word }

// sentence is a tokenised sentence.
type sentence struct {
	text     string
	tokens   []token
	content  []int  // indexes of tokens that carry content
	initials string // first letters of its words, lower case
	row      bool   // a line of a table
}

// gap is what stands between token i and the next; pairs of ideographs overlap
// and have nothing between them.
func (s *sentence) gap(i int) string {
	from, to := s.tokens[i].end, s.tokens[i+1].start
	return s.text[from:max(from, to)]
}

// read tokenises a normalised sentence and fills in everything the features ask.
func (c *Checker) read(text string) sentence {
	s := sentence{text: text, tokens: scan(text)}
	for i := range s.tokens {
		c.fill(&s.tokens[i])
	}
	c.leaveOut(&s)
	c.readNumbers(&s)
	var initials strings.Builder
	for i := range s.tokens {
		t := &s.tokens[i]
		c.weigh(t)
		t.entity = entity(s.tokens, i)
		if !t.stop {
			s.content = append(s.content, i)
		}
		if r, n := utf8.DecodeRuneInString(t.lower); unicode.IsLetter(r) {
			initials.WriteString(t.lower[:n])
		}
	}
	s.initials = initials.String()
	return s
}

// scan cuts text into numbers, runs of letters and digits, and the symbols %, $, €, £.
func scan(text string) []token {
	tokens := make([]token, 0, len(text)/5+1)
	prev := rune(' ')
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if '0' <= r && r <= '9' && (!isWordRune(prev) || isUnspaced(prev)) {
			if n := numberLen(text[i:]); n > 0 {
				tokens = append(tokens, token{text: text[i : i+n], start: i, end: i + n, kind: count})
				i += n
				prev = '0'
				continue
			}
		}
		switch {
		case isWordRune(r):
			n = wordLen(text[i:])
			tokens = appendWord(tokens, text, i, i+n)
			prev, _ = utf8.DecodeLastRuneInString(text[:i+n])
		case r == '%' || r == '$' || r == '€' || r == '£':
			tokens = append(tokens, token{text: text[i : i+n], start: i, end: i + n})
			prev = r
		default:
			prev = r
		}
		i += n
	}
	return tokens
}

// wordLen is the length of the run of letters and digits that opens s, with
// inner apostrophes. A number begins directly behind an ideograph.
func wordLen(s string) int {
	behind := rune(0)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\'' && i > 0 {
			if next, _ := utf8.DecodeRuneInString(s[i+1:]); isWordRune(next) {
				i += n
				continue
			}
		}
		if !isWordRune(r) || '0' <= r && r <= '9' && isUnspaced(behind) {
			return i
		}
		behind = r
		i += n
	}
	return len(s)
}

// appendWord adds the word at text[start:end]; scripts written without spaces
// are cut into overlapping pairs of characters.
func appendWord(tokens []token, text string, start, end int) []token {
	if at := strings.IndexByte(text[start:end], '\''); at > 0 && parts(text[start:start+at], text[start+at+1:end]) {
		tokens, start = append(tokens, token{text: text[start : start+at+1], start: start, end: start + at + 1}), start+at+1
	}
	for start < end {
		n, unspaced := scriptRun(text[start:end])
		if !unspaced {
			tokens = append(tokens, token{text: text[start : start+n], start: start, end: start + n})
		} else {
			tokens = appendPairs(tokens, text, start, start+n)
		}
		start += n
	}
	return tokens
}

// parts reports whether an apostrophe parts two words, of which the first has lost its last
// letter: l'eau, and not it's.
func parts(before, after string) bool {
	return len(after) > 1 && lang.IsElided(before) && !slices.Contains(clitics, "'"+after)
}

func appendPairs(tokens []token, text string, start, end int) []token {
	for first := true; ; first = false {
		_, one := utf8.DecodeRuneInString(text[start:end])
		_, two := utf8.DecodeRuneInString(text[start+one : end])
		if two == 0 && !first {
			return tokens
		}
		tokens = append(tokens, token{text: text[start : start+one+two], start: start, end: start + one + two, part: true})
		if start += one; start >= end {
			return tokens
		}
	}
}

// scriptRun is the length of the run that opens s in which all characters are,
// or all are not, of a script written without spaces.
func scriptRun(s string) (n int, unspaced bool) {
	for i, r := range s {
		u := isUnspaced(r)
		if i == 0 {
			unspaced = u
		} else if u != unspaced && !unicode.IsMark(r) {
			return i, unspaced
		}
	}
	return len(s), unspaced
}

func isUnspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// fill sets what the tables know of a token.
func (c *Checker) fill(t *token) {
	t.lower = strings.ToLower(t.text)
	if t.part || t.kind == count {
		t.stem, t.weight = t.lower, c.IDF(t.lower)
		return
	}
	e := c.entry(t.lower)
	r, _ := utf8.DecodeRuneInString(e.base)
	t.stem, t.weight = e.stem, e.weight
	t.listed = e.listed || !isWordRune(r) || strings.HasSuffix(t.lower, "'")
	t.stop = t.listed || e.negates || e.negator
	t.denies, t.negator, t.course, t.verb = e.denies, e.negator, e.course, e.verb
}

// leaveOut makes stop words of those that have no meaning of their own in the language of a
// sentence, where that is not English: the table of weights knows them as rare words.
func (c *Checker) leaveOut(s *sentence) {
	if !slices.ContainsFunc(s.tokens, func(t token) bool { return c.lex.abroad[t.lower] }) {
		return
	}
	code := lang.Detect(s.text)
	if code == lang.English || code == lang.Unknown {
		return
	}
	for i := range s.tokens {
		if t := &s.tokens[i]; !t.part && t.kind == word && lang.IsFunctionWord(code, t.lower) && !lang.IsNegation(code, t.lower) {
			t.listed, t.stop = true, true
		}
	}
}

// weigh sets weight and content of numbers once their kind is known.
func (c *Checker) weigh(t *token) {
	if t.number() {
		t.weight = c.maxIDF
		t.stop = t.kind == single || t.kind == mark
	}
}

// entity reports whether token i of a sentence looks like a name.
func entity(tokens []token, i int) bool {
	t := &tokens[i]
	switch {
	case t.kind == label:
		return true
	case t.number() || t.stop:
		return false
	case lettersAndDigits(t.text):
		return true
	case !capitalised(t.text):
		return false
	case i > 0:
		return true
	}
	_, n := utf8.DecodeRuneInString(t.text)
	return strings.ContainsFunc(t.text[n:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) ||
		i+1 < len(tokens) && tokens[i+1].kind == word && capitalised(tokens[i+1].text)
}

func capitalised(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

func lettersAndDigits(s string) bool {
	return strings.ContainsFunc(s, unicode.IsLetter) && strings.ContainsFunc(s, unicode.IsDigit)
}
