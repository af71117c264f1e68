package privacy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/lang"
)

const (
	leastInflected = 4  // letters of a word that may have other endings
	leastJoined    = 6  // letters and digits that tell something when they stand together in a file
	leastDigits    = 4  // digits that do
	codeLength     = 6  // of letters and digits mixed that may be a code
	numberLength   = 5  // of digits that may be one
	windowWords    = 24 // that may spell something together
)

// judge says which words of a query stay.
func (t *Taint) judge(code lang.Code, words []token) []bool {
	drop, mine, plain := make([]bool, len(words)), make([]bool, len(words)), make([]bool, len(words))
	for i, w := range words {
		mine[i], plain[i] = t.open(w), filler(code, w.word)
		drop[i] = !mine[i] && (!plain[i] && t.read.has(w.word) || looksLikeCode(w))
	}
	t.judgeRuns(words, mine, drop)
	t.judgeJoined(words, mine, plain, drop)
	return drop
}

// open reports whether the reader wrote a word: as it is, as a part of a longer
// one, or with another ending.
func (t *Taint) open(w token) bool {
	if t.wrote.words[w.word] {
		return true
	}
	letters := utf8.RuneCountInString(w.word)
	switch {
	case w.pair || letters < leastInflected:
		return false
	case digitsIn(w.word) > 0:
		return t.wrote.holds(w.letters)
	}
	for own := range t.wrote.words {
		n := utf8.RuneCountInString(own)
		if n >= leastInflected && (strings.Contains(own, w.word) || letters <= n+3 && strings.HasPrefix(w.word, own)) {
			return true
		}
	}
	return false
}

// looksLikeCode reports a word that hardly anybody but a file says: a long number,
// or letters and digits mixed.
func looksLikeCode(w token) bool {
	n, digits := utf8.RuneCountInString(w.word), digitsIn(w.word)
	return digits >= numberLength || n >= codeLength && digits >= 2 && digits < n
}

// judgeRuns drops words that stand in a row as in a file but not as the reader
// wrote them: three, or two of which one is the reader's neither and carries
// meaning.
func (t *Taint) judgeRuns(words []token, mine, drop []bool) {
	for i := range words {
		for n := 2; n <= 3 && i+n <= len(words); n++ {
			run := words[i : i+n]
			if !t.read.runs[t.read.run(run)] || t.wrote.runs[t.wrote.run(run)] {
				continue
			}
			carries := n == 3
			for at := i; at < i+n; at++ {
				carries = carries || asked[words[at].word] && !mine[at]
			}
			for at := i; at < i+n; at++ {
				drop[at] = drop[at] || carries && !mine[at]
			}
		}
	}
}

// judgeJoined drops words that spell something of a file together, or backwards.
func (t *Taint) judgeJoined(words []token, mine, plain, drop []bool) {
	for i := range words {
		var joined strings.Builder
		telling := false
		for at := i; at < min(len(words), i+windowWords) && !mine[at] && !words[at].pair; at++ {
			joined.WriteString(words[at].letters)
			telling = telling || !plain[at]
			if telling && t.spelt(joined.String()) {
				for ; at >= i; at-- {
					drop[at] = true
				}
				break
			}
		}
	}
}

// spelt reports letters and digits that stand together in a file, in either
// direction, and not in what the reader wrote.
func (t *Taint) spelt(letters string) bool {
	n := utf8.RuneCountInString(letters)
	if n < leastJoined && !(n >= leastDigits && allDigits(letters)) || t.wrote.holds(letters) {
		return false
	}
	back := []rune(letters)
	slices.Reverse(back)
	return t.read.holds(letters) || t.read.holds(string(back))
}

// endings are the forms of a word with one or two letters more or fewer at its end
// that are likely the same word.
func endings(word string) []string {
	forms := []string{word + "s", word + "es", word + "n", word + "en", word + "e", word + "ed", word + "er"}
	for _, end := range []string{"s", "es", "n", "en", "e", "ed", "er", "d", "ing", "ly"} {
		if stem, ok := strings.CutSuffix(word, end); ok && utf8.RuneCountInString(stem) >= leastInflected-1 {
			forms = append(forms, stem)
		}
	}
	return forms
}

// without takes words out of a query, each with all that stands between the same
// blanks: what an operator or a hyphen joins goes together.
func without(query string, words []token, drop []bool) (kept string, gone []string) {
	cut := make([]bool, len(query))
	for i, w := range words {
		if !drop[i] {
			continue
		}
		from, to := w.from, w.to
		if !w.pair {
			from = strings.LastIndexAny(query[:from], " \t\n") + 1
			if end := strings.IndexAny(query[to:], " \t\n"); end >= 0 {
				to += end
			} else {
				to = len(query)
			}
		}
		gone = append(gone, query[from:to])
		for at := from; at < to; at++ {
			cut[at] = true
		}
	}
	var b strings.Builder
	for i := range len(query) {
		if !cut[i] {
			b.WriteByte(query[i])
		}
	}
	kept = strings.Join(strings.Fields(b.String()), " ")
	if strings.Count(kept, `"`)%2 == 1 {
		kept = strings.ReplaceAll(kept, `"`, "")
	}
	return kept, slices.Compact(gone)
}
