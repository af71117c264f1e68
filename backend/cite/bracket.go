package cite

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// longestMark is how many bytes a mark may have; text is never held back longer
// than that to learn whether it is one. An address behind a mark may have
// longestAddress.
const (
	longestMark    = 96
	longestAddress = 400
	mostNamed      = 30 // sources in one list or range of them
)

// reading is what the front of a text turned out to be.
type reading uint8

const (
	undecided reading = iota // until more text comes
	unmarked                 // no mark
	reference                // a mark that names sources
	broken                   // an attempt at a mark that names nothing
)

// form is a mark at the front of a text.
type form struct {
	reading reading
	size    int   // bytes of the text it takes
	numbers []int // sources in the order named, each once
}

// sourceLabels announce a source in brackets and in parentheses, otherLabels in
// brackets only: "(No. 1)" is a rank and "(note 1)" a note.
var (
	sourceLabels = []string{"source", "sources", "ref", "refs", "reference", "references", "cite", "cites", "citation", "citations", "passage", "passages",
		"document", "documents", "doc", "docs", "quelle", "quellen", "fuente", "fuentes", "fonte", "fontes", "fonti", "bron", "bronnen",
		"källa", "källor", "kilde", "kilder", "źródło", "źródła", "источник", "источники", "来源", "來源", "出处", "出處", "出典", "출처"}
	otherLabels = []string{"evidence", "context", "result", "results", "footnote", "footnotes", "note", "notes", "snippet", "snippets", "excerpt", "excerpts",
		"chunk", "chunks", "webpage", "webpages", "link", "links", "url", "urls", "no", "nr", "№", "s"}
	allLabels = slices.Concat(sourceLabels, otherLabels)

	labelWords = oneOf(sourceLabels)
	labelItem  = `(?:` + oneOf(allLabels) + `\s*[:#：]?\s*)?` + oneNumber + `(?:` + rangeDash + oneNumber + `)?`
	labelList  = labelItem + `(?:` + separator + labelItem + `)*`
)

// oneOf matches one of the words, the longest that fits, with a full stop behind.
func oneOf(words []string) string {
	sorted := slices.Clone(words)
	slices.SortFunc(sorted, func(a, b string) int { return len(b) - len(a) })
	return `(?:(?:` + strings.Join(sorted, "|") + `)\.?)`
}

const (
	digit     = `[0-9０-９]`
	oneNumber = `[\^#]{0,2}` + digit + `{1,6}\^?`
	rangeDash = `\s*(?:-|–|—|‑|−|~|～|\.{2,3}|…|至|到|\b(?:to|through|bis)\b)\s*`
	separator = `(?:(?:\s*(?:[,;&|、，；]|\b(?:and|und|et|y|e|or|oder|ou)\b)\s*)+|\s+)`
	locator   = `(?:\s*[†‡].*|:` + digit + `{1,4}†.*|\s*[,:;]\s*(?:pp?\.|pages?|lines?|chapter|ch\.|sec\.|section|para(?:graph)?s?\.?|§|¶)\s*[0-9\s–-]+)`
)

var (
	wholeMark   = pattern.New(`^(?i:\s*(` + labelList + `)[,;.:\s]*` + locator + `?\s*)$`)
	thousands   = pattern.New(`^\s*[0-9]{1,3}(?:,[0-9]{3})+\s*$`)
	markItems   = pattern.New(`(?i)[\^#]{0,2}(` + digit + `{1,6})(?:\^?` + rangeDash + `[\^#]{0,2}(` + digit + `{1,6}))?`)
	onlyMarkish = pattern.New(`^[0-9\s,;^#†]*$`)
	markPrefix  = pattern.New(`^(?i)\s*(?:[*_"“]*(?:$|[0-9０-９^#])|` + oneOf(allLabels) + `[\s:：#]*(?:$|[0-9０-９^]))`)
	dressed     = strings.NewReplacer("*", "", "_", "", `"`, "", "“", "", "”", "")
	wholeNested = pattern.New(`^\[\s*(` + inBrackets + `(?:\s*[,;&]?\s*` + inBrackets + `)*)\s*\]`)
	nestPrefix  = pattern.New(`^\[[\[\]0-9０-９ ,;&^#–—-]*$`)
	linkedMark  = pattern.New(`^\[\\\[( *\^?[0-9]{1,3}(?: *[,;–-] *\^?[0-9]{1,3})* *)\\\]\]`)
	linkPrefix  = pattern.New(`^\[\\(?:\[[0-9 ,;^–-]*(?:\\\]?)?)?$`)
)

// startsCited is a word that some models put before a sentence they cite.
const startsCited = "cite_start"

// readBracket reads the mark that opens text with a bracket. final says that no
// more text will come.
func readBracket(text string, final bool) form {
	open, n := utf8.DecodeRuneInString(text)
	if open == '[' && strings.HasPrefix(text[n:], "[") {
		return readDouble(text, final)
	}
	if open == '[' && strings.HasPrefix(text[n:], `\`) {
		return readLinked(text, final)
	}
	end := strings.IndexAny(text[n:min(len(text), longestMark+utf8.UTFMax)], "\n[]】］〕)}")
	if end >= 0 && n+end < longestMark {
		return closeBracket(text, open, n, n+end)
	}
	switch inner := text[n:min(len(text), longestMark)]; {
	case !couldBeMark(inner):
		return form{reading: unmarked}
	case final || len(text) >= longestMark:
		return unclosed(n, inner)
	}
	return form{}
}

// closeBracket judges a bracket that something ends at end.
func closeBracket(text string, open rune, n, end int) form {
	r, size := utf8.DecodeRuneInString(text[end:])
	inner := text[n:end]
	if !couldBeMark(inner) {
		return form{reading: unmarked}
	}
	if closes(open, r) {
		f := judgeInner(inner)
		f.size = end + size
		return f
	}
	if (r == ')' || r == '}') && open == '[' && inner != "" && strings.Trim(inner, "0123456789^") == "" {
		f := judgeInner(inner) // [1) and [1}: one number, the wrong end
		f.size = end + size
		return f
	}
	return unclosed(n, inner)
}

// closes reports whether r ends a bracket opened by open.
func closes(open, r rune) bool {
	return r == ']' || open == '【' && r == '】' || open == '［' && r == '］' || open == '〔' && r == '〕'
}

// unclosed takes an opening bracket and its number out of the text.
func unclosed(n int, inner string) form {
	digits := len(inner) - len(strings.TrimLeft(inner, "^0123456789"))
	if digits == 0 || strings.TrimLeft(inner[digits:], " ,") != "" {
		return form{reading: unmarked}
	}
	return form{reading: broken, size: n + digits}
}

// readDouble reads [[1]].
func readDouble(text string, final bool) form {
	if strings.HasPrefix(text[2:], "[") {
		return form{reading: unmarked}
	}
	if len(text) == 2 && !final {
		return form{}
	}
	f := readBracket(text[1:], final)
	if f.reading == undecided {
		return f
	}
	switch rest := text[min(len(text), 1+f.size):]; {
	case f.reading != reference:
	case strings.HasPrefix(rest, "]"):
		f.size += 2
		return f
	case rest == "" && !final:
		return form{}
	default:
		head := text[:min(len(text), longestMark)]
		if m := wholeNested.FindStringSubmatch(head); m != nil {
			f := referenceTo(m[1])
			f.size = len(m[0])
			return f
		}
		if !final && len(text) < longestMark && nestPrefix.MatchString(text) {
			return form{}
		}
	}
	return form{reading: unmarked} // the outer bracket is text, the inner one is read next
}

// readLinked reads [\[1\]], which is how a link shows a number in brackets.
func readLinked(text string, final bool) form {
	if m := linkedMark.FindStringSubmatch(text[:min(len(text), longestMark)]); m != nil {
		f := referenceTo(m[1])
		f.size = len(m[0])
		return f
	}
	if final || len(text) >= longestMark || !linkPrefix.MatchString(text) {
		return form{reading: unmarked}
	}
	return form{}
}

// couldBeMark reports whether inner, without its end, may still become a mark.
func couldBeMark(inner string) bool {
	return !strings.ContainsRune(inner, longS) && (markPrefix.MatchString(inner) || startsLabel(strings.TrimLeft(inner, " \t\f\r")))
}

// longS is a letter that a pattern takes for s and lower case does not.
const longS = 'ſ'

// startsLabel reports whether s is the beginning of a word that announces a source.
func startsLabel(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(startsCited, s) || slices.ContainsFunc(allLabels, func(w string) bool { return strings.HasPrefix(w, s) })
}

// judgeInner decides what stands between two brackets.
func judgeInner(inner string) form {
	switch {
	case strings.EqualFold(strings.TrimSpace(inner), startsCited):
		return form{reading: broken}
	case thousands.MatchString(inner):
		return form{reading: unmarked}
	}
	inner = dressed.Replace(inner)
	m := wholeMark.FindStringSubmatch(inner)
	if m == nil {
		if strings.Trim(inner, " ,;#†") != "" && onlyMarkish.MatchString(inner) {
			return form{reading: broken}
		}
		return form{reading: unmarked}
	}
	return referenceTo(m[1])
}

// referenceTo reads a list of numbers.
func referenceTo(list string) form {
	numbers, ok := listed(list)
	switch {
	case !ok:
		return form{reading: broken}
	case numbers[0] == 0 && len(numbers) > 1:
		return form{reading: unmarked} // an interval such as [0, 1]
	}
	return form{reading: reference, numbers: numbers}
}

func looksLikeYear(n int) bool { return 1000 <= n && n <= 2999 }

// listed expands "1, 3-5" to its numbers, each once; a range of years stays one
// year. It refuses ranges that run backwards or name more than 30 sources.
func listed(list string) (numbers []int, ok bool) {
	seen := map[int]bool{}
	for _, m := range markItems.FindAllStringSubmatch(list, -1) {
		from, to := digitsOf(m[1]), digitsOf(m[1])
		if m[2] != "" {
			to = digitsOf(m[2])
		}
		if looksLikeYear(from) && looksLikeYear(to) {
			to = from
		}
		if to < from || to-from > mostNamed {
			return nil, false
		}
		for n := from; n <= to; n++ {
			if !seen[n] {
				seen[n] = true
				numbers = append(numbers, n)
			}
		}
	}
	return numbers, len(numbers) > 0
}

// digitsOf reads narrow and wide decimal digits.
func digitsOf(s string) int {
	n := 0
	for _, r := range s {
		if r >= '０' {
			r -= '０' - '0'
		}
		n = n*10 + int(r-'0')
	}
	return n
}
