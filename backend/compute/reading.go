package compute

import (
	"regexp"
	"slices"
	"strings"

	"footnote/backend/pattern"
)

// phrases are the names of what is computed, in words; longestPhrase is how many the
// longest has.
var phrases, longestPhrase = readPhrases()

func readPhrases() (map[string][]token, int) {
	out, most := map[string][]token{}, 0
	for canonical, written := range rows("phrases") {
		var toks []token
		for sign := range strings.FieldsSeq(canonical) {
			toks = append(toks, canonicalToken(sign))
		}
		for w := range strings.SplitSeq(written, "|") {
			if _, taken := out[w]; !taken {
				out[w] = toks
			}
			most = max(most, len(strings.Fields(w)))
		}
	}
	return out, most
}

func canonicalToken(sign string) token {
	switch {
	case isDigit(sign[0]):
		return token{kind: 'n', text: sign}
	case strings.Contains("+-*/^%", sign):
		return token{kind: rune(sign[0]), text: sign}
	}
	return token{kind: 'w', text: sign}
}

var openings, closings = readOpenings()

func readOpenings() (open, closed *pattern.Regexp) {
	words := map[string][]string{}
	for where, written := range rows("opening") {
		for w := range strings.SplitSeq(written, "|") {
			words[where] = append(words[where], regexp.QuoteMeta(w))
		}
	}
	for _, w := range words {
		slices.SortFunc(w, func(a, b string) int { return len(b) - len(a) })
	}
	return pattern.New(`(?i)^\s*(?:` + strings.Join(words["open"], "|") + `)(?:[\s,:]+|$)`),
		pattern.New(`(?i)(?:[\s,]+(?:` + strings.Join(words["close"], "|") + `))?[\s?=.]*$`)
}

type template struct {
	from *pattern.Regexp
	to   string
}

var templates = readTemplates()

func readTemplates() (out []template) {
	for from, to := range rows("templates") {
		out = append(out, template{pattern.New("(?i)" + from), strings.NewReplacer("$1", "${1}", "$2", "${2}", "$3", "${3}").Replace(to)})
	}
	return out
}

// shorts are the articles that French ties to the next word.
var shorts = pattern.New(`(?i)(^|[^\pL])([dl])'(\pL)`)

// said is a question on its way to an expression: how it was put, and what is
// left without the words around it.
type said struct {
	ordered bool // it says to compute
	equals  bool // it ends with an equals sign
	counted bool // it asks how many of something are in something
	rest    string
}

// strip takes off what opens and closes a question, and puts whole questions as
// expressions.
func strip(question string) said {
	s := strings.Join(strings.Fields(signs.Replace(question)), " ")
	out := said{ordered: order.MatchString(s), equals: strings.HasSuffix(strings.TrimRight(s, "? "), "=")}
	s = shorts.ReplaceAllString(s, "$1$2' $3")
	for range 4 {
		s = closings.ReplaceAllString(s, "")
	}
	for range 5 {
		m := openings.FindString(s)
		if m == "" || len(m) == len(s) {
			break
		}
		s = s[len(m):]
	}
	for _, t := range templates {
		if t.from.MatchString(s) {
			s, out.counted = t.from.ReplaceAllString(s, t.to), true
		}
	}
	out.rest = s
	return out
}

// read cuts a question into the tokens of an expression.
func read(question string) (said, []token, error) {
	s := strip(question)
	toks, err := tokens(s.rest)
	return s, named(numbered(toks)), err
}

// named puts what words stand for in their place, the longest phrases first.
func named(toks []token) (out []token) {
	for i := 0; i < len(toks); {
		n, found := 0, []token(nil)
		for n = min(longestPhrase, len(toks)-i); n > 0 && found == nil; n-- {
			found = phrases[joined(toks[i:i+n])]
		}
		if found == nil {
			out = append(out, toks[i])
			i++
			continue
		}
		for k, f := range found {
			f.typed, f.glued = toks[i].typed, toks[i].glued && k == 0
			out = append(out, f)
		}
		i += n + 1
	}
	return out
}

// joined are words as a phrase is looked up; empty when one is no word.
func joined(toks []token) string {
	words := make([]string, len(toks))
	for i, t := range toks {
		if t.kind != 'w' {
			return ""
		}
		words[i] = strings.ToLower(t.text)
	}
	if len(words) == 1 && !caseless(toks[0].text) {
		return ""
	}
	return strings.Join(words, " ")
}

// caseless reports whether a single word means the same in capitals: a unit of
// one or two letters does not.
func caseless(word string) bool {
	return len(word) > 3 || word == strings.ToLower(word) || len(word) == 3
}
