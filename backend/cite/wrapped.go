package cite

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// Marks that stand inside something else: parentheses, <sup>, escapes, words.

var (
	markChars   = `(?:[\[\]【】［］〔〕0-9０-９\s,;^#&:：–—-]|and?|a|` + labelWords + `)`
	parenPrefix = pattern.New(`^(?i)[(（]\s*(?:(?:` + labelWords + `|see)\s*[:：–-]?)?` + markChars + `*$`)
	lastWord    = pattern.New(`\pL*$`)
	sourceItem  = `(?:` + labelWords + `\s*[:#：]?\s*)?` + oneNumber + `(?:` + rangeDash + oneNumber + `)?`
	sourceList  = sourceItem + `(?:` + separator + sourceItem + `)*`
	inBrackets  = `[\[【［〔]\s*` + oneNumber + `(?:` + rangeDash + oneNumber + `)?(?:` + separator + oneNumber + `(?:` + rangeDash + oneNumber + `)?)*\s*[\]】］〕]`
	bracketList = inBrackets + `(?:(?:\s*(?:[,;&]|and)?\s*)` + inBrackets + `)*`
	wholeParen  = pattern.New(`^(?i:[(（]\s*(?:(?:(?:` + labelWords + `|see)\s*[:：–-]?\s*)?(` + bracketList + `)|` + labelWords + `\s*[:：–-]?\s*(` + sourceList + `))\s*[)）])`)
	wholeSup    = pattern.New(`^(?i:<(?:sup>([\[\]【】0-9 ,;^–-]+)</sup|(?:cite|ref)>([\[\]【】0-9 ,;^–-]+)</(?:cite|ref))>)`)
	supPrefix   = pattern.New(`^(?i)<(?:sup|cite|ref)>[\[\]【】0-9 ,;^–-]*(?:<(?:/[a-z]{0,4})?)?$`)
	supTags     = []string{"<sup>", "<cite>", "<ref>"}
	supBrackets = pattern.New(`^(?i: *` + bracketList + ` *)$`)
	wholeEscape = pattern.New(`^\\\[( *\^?[0-9]{1,3}(?: *[,;–-] *\^?[0-9]{1,3})* *)\\\]`)
	escPrefix   = pattern.New(`^\\(?:\[[0-9 ,;^–-]*\\?|c(?:i(?:t(?:e(?:\{[0-9 ,;–-]*)?)?)?)?)?$`)
	wholeCite   = pattern.New(`^\\cite\{( *[0-9]{1,3}(?: *[,;–-] *[0-9]{1,3})* *)\}`)
)

// readParen reads (Source: [4]), ([1], [2]) and (Source 4).
func readParen(text string, final bool) form {
	end := strings.IndexAny(text[:min(len(text), longestMark)], ")）\n")
	if end >= 0 && end < longestMark && text[end] != '\n' {
		if m := wholeParen.FindStringSubmatch(text[:min(len(text), longestMark+utf8.UTFMax)]); m != nil && parenCould(text[:end]) {
			f := referenceTo(m[1] + m[2])
			f.size = len(m[0])
			return f
		}
		return form{reading: unmarked}
	}
	if final || end >= 0 || len(text) >= longestMark || !parenCould(text) {
		return form{reading: unmarked}
	}
	return form{}
}

// parenCould reports whether an open parenthesis may still become a mark.
func parenCould(text string) bool {
	if strings.ContainsRune(text, longS) {
		return false
	}
	if parenPrefix.MatchString(text) {
		return true
	}
	word := lastWord.FindString(text)
	before := text[:len(text)-len(word)]
	return word != "" && parenPrefix.MatchString(before) && (startsSource(word) || strings.HasPrefix("see", strings.ToLower(word)) && strings.Trim(before, "(（ \t\f\r") == "")
}

// startsSource reports whether s is the beginning of a word that announces a
// source in parentheses.
func startsSource(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(sourceLabels, func(w string) bool { return strings.HasPrefix(w, s) })
}

// readSup reads <sup>[1]</sup>, and <sup>1</sup> when prev, the character
// before, is punctuation or a space: after a letter or digit it is a power.
func readSup(text string, prev byte, final bool) form {
	head := text[:min(len(text), longestMark)]
	if m := wholeSup.FindStringSubmatch(head); m != nil {
		f := judgeInner(m[1] + m[2])
		if supBrackets.MatchString(m[1] + m[2]) {
			f = referenceTo(m[1] + m[2])
		} else if m[1] != "" && strings.IndexByte(`.,;:!?)"' `, prev) < 0 {
			return form{reading: unmarked}
		}
		f.size = len(m[0])
		return f
	}
	opens := slices.ContainsFunc(supTags, func(tag string) bool { return strings.HasPrefix(tag, strings.ToLower(head)) })
	if final || len(text) >= longestMark || !opens && !supPrefix.MatchString(text) {
		return form{reading: unmarked}
	}
	return form{}
}

// readEscape reads \[1\] and \cite{1}.
func readEscape(text string, final bool) form {
	head := text[:min(len(text), longestMark)]
	for _, whole := range []*pattern.Regexp{wholeEscape, wholeCite} {
		if m := whole.FindStringSubmatch(head); m != nil {
			f := referenceTo(m[1])
			f.size = len(m[0])
			return f
		}
	}
	if final || len(text) >= longestMark || !escPrefix.MatchString(text) {
		return form{reading: unmarked}
	}
	return form{}
}

// readNamed reads a source called by its name in running text: Source 1,
// Sources 1 and 2. A decimal, a colon or a letter behind the number makes it
// something else.
func readNamed(text string, final bool) form {
	const name = "Source"
	if len(text) < len(name) && strings.HasPrefix(name, text) && !final {
		return form{}
	}
	rest, ok := strings.CutPrefix(text, name)
	if !ok {
		return form{reading: unmarked}
	}
	several := strings.HasPrefix(rest, "s")
	s := scanner{text: rest, final: final}
	if several {
		s.at = 1
	}
	numbers := s.names(several)
	switch {
	case s.starved:
		return form{}
	case len(numbers) == 0:
		return form{reading: unmarked}
	}
	return form{reading: reference, size: len(name) + s.at, numbers: numbers}
}

// scanner walks over text that may not be complete.
type scanner struct {
	text    string
	at      int
	final   bool
	starved bool // the end came before a decision
}

// peek is the character i bytes ahead, 0 at the end.
func (s *scanner) peek(i int) byte {
	if s.at+i < len(s.text) {
		return s.text[s.at+i]
	}
	s.starved = s.starved || !s.final
	return 0
}

// names reads " 1" and, when there may be several, ", 2 and 3" behind it. at
// moves behind the last number taken.
func (s *scanner) names(several bool) []int {
	if s.peek(0) != ' ' {
		return nil
	}
	s.at++
	if s.peek(0) == '#' {
		s.at++
	}
	var numbers []int
	for {
		n, ok := s.number()
		if !ok || s.starved {
			return numbers
		}
		numbers = append(numbers, n)
		if !several || len(numbers) == mostNamed {
			return numbers
		}
		back := s.at
		if !s.between() {
			s.at = back
			return numbers
		}
		if c := s.peek(0); s.starved || !isDigit(c) {
			s.at = back
			return numbers
		}
	}
}

// number reads up to three digits with nothing behind that belongs to them; at
// does not move when there are none.
func (s *scanner) number() (n int, ok bool) {
	i := 0
	for ; i < 4 && isDigit(s.peek(i)); i++ {
		n = n*10 + int(s.text[s.at+i]-'0')
	}
	if i == 0 || i > 3 || s.joined(i) {
		return 0, false
	}
	s.at += i
	return n, true
}

// joined reports whether what stands i bytes ahead continues a number or makes
// it the head of a definition.
func (s *scanner) joined(i int) bool {
	switch c := s.peek(i); {
	case c == '.' || c == ',':
		return isDigit(s.peek(i + 1))
	case c == ':' || c == '%' || c == '_' || c >= 0x80:
		return c != 0xE2 // dashes and quotes open with this byte
	default:
		return 'a' <= c|0x20 && c|0x20 <= 'z'
	}
}

// between reads ", ", " and ", " & " and their mixtures.
func (s *scanner) between() bool {
	start := s.at
	if s.peek(0) == ',' {
		s.at++
	}
	if s.peek(0) == ' ' {
		s.at++
	}
	for _, w := range []string{"and ", "& "} {
		i := 0
		for i < len(w) && s.peek(i) == w[i] {
			i++
		}
		if i == len(w) {
			s.at += i
			break
		}
		if s.starved {
			return false
		}
	}
	return s.at > start+1
}

// rangeOn reads –[3] behind [1]. n is 0 when something else stands there, which
// the common way reads.
func (p *Parser) rangeOn(final bool) (n int, decided bool) {
	dash := 0
	for _, d := range []string{"-", "–", "—", "−", "‑"} {
		if strings.HasPrefix(p.buf, d) {
			dash = len(d)
		}
	}
	switch {
	case p.strict || dash == 0:
		return 0, true
	case dash == len(p.buf):
		return 0, final
	case !strings.HasPrefix(p.buf[dash:], "["):
		return 0, true
	}
	f := p.readMark(p.buf[:dash], p.buf[dash:], final)
	if f.reading == undecided {
		return 0, false
	}
	from := p.group[len(p.group)-1]
	if f.reading != reference || len(f.numbers) != 1 || f.numbers[0] <= from || f.numbers[0] > from+mostNamed {
		return 0, true
	}
	var numbers []int
	for n := from + 1; n <= f.numbers[0]; n++ {
		numbers = append(numbers, n)
	}
	p.writeMark(numbers, p.buf[:dash+f.size])
	return dash + f.size, true
}
