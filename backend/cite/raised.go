package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// Marks that stand above the line: ¹ ², ^[1]^, $^{[1]}$.

const (
	raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	raisedGaps   = ",˒⁻–-\u2009 "
)

var (
	raisedRun   = pattern.New(`^[` + raisedDigits + `]+(?:(?:, ?|˒|⁻|–|-|\x{2009}| )[` + raisedDigits + `]+)*`)
	raisedItem  = pattern.New(`([` + raisedDigits + `]+)(?:[⁻–-]([` + raisedDigits + `]+))?`)
	powered     = pattern.New(`(?i)(?:^|[^\pL])(?:\pL{1,3}|(?:[a-z]*met(?:er|re)|mile|yard|second)s?|inch(?:es)?|foot|feet)$`)
	caretMark   = pattern.New(`^(?:\$\^\{(` + bracketList + `)\}\$|\^\{(` + bracketList + `)\}|\^(` + bracketList + `)\^?)`)
	caretPrefix = pattern.New(`^(?:\$|\$?\^\{?[\[\]0-9 ,;^–-]*\}?)$`)
)

// readRaised reads superscript digits behind punctuation or a word that has no
// powers.
func (p *Parser) readRaised(final bool) form {
	if !p.mayRaise() {
		return form{reading: unmarked}
	}
	head := p.buf[:min(len(p.buf), longestMark)]
	run := raisedRun.FindString(head)
	if rest := head[len(run):]; !final && len(head) < longestMark && len(rest) <= 3 && strings.Trim(rest, raisedGaps) == "" {
		return form{} // more digits may come
	}
	var numbers []int
	for _, m := range raisedItem.FindAllStringSubmatch(run, -1) {
		from := raisedNumber(m[1])
		to := from
		if m[2] != "" {
			to = raisedNumber(m[2])
		}
		switch {
		case to < from || to-from > mostNamed:
			return form{reading: unmarked}
		case from > p.sources && m[2] == "":
			numbers = append(numbers, p.eachRaised(m[1])...)
			continue
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	return form{reading: reference, size: len(run), numbers: numbers}
}

// mayRaise reports whether a superscript digit here can be a mark and is no
// power, unit or isotope.
func (p *Parser) mayRaise() bool {
	if len(p.group) > 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(p.tail)
	return strings.ContainsRune(".,;:!?\"'”’»。，", r) || unicode.IsLetter(r) && !powered.MatchString(p.tail)
}

// eachRaised takes digits that together name no source one by one: ¹² is 1 and 2
// where there are five sources. A digit that names none makes it the whole number.
func (p *Parser) eachRaised(digits string) []int {
	var numbers []int
	for _, r := range digits {
		n := raisedNumber(string(r))
		if n < 1 || n > p.sources {
			return []int{raisedNumber(digits)}
		}
		numbers = append(numbers, n)
	}
	return numbers
}

func raisedNumber(digits string) int {
	n := 0
	for _, r := range digits {
		n = min(n*10+utf8.RuneCountInString(raisedDigits[:strings.IndexRune(raisedDigits, r)]), 1<<20)
	}
	return n
}

// readCaret reads ^[1]^ and $^{[1]}$.
func (p *Parser) readCaret(final bool) form {
	if isWordByte(last(p.tail)) && p.buf[0] == '^' && strings.HasPrefix(p.buf, "^{") {
		return form{reading: unmarked} // a layer or an entry in mathematics
	}
	head := p.buf[:min(len(p.buf), longestMark)]
	m := caretMark.FindStringSubmatch(head)
	switch {
	case !final && len(p.buf) < longestMark && caretPrefix.MatchString(p.buf):
		return form{}
	case m == nil:
		return form{reading: unmarked}
	}
	f := referenceTo(m[1] + m[2] + m[3])
	f.size = len(m[0])
	return f
}
