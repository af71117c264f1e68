package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"footnote/backend/lang"
	"footnote/backend/plain"
)

// isStop reports whether a word is one of Lucene's 33 English stop words: they
// carry no topic.
func isStop(word string) bool {
	switch word {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
		"on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with":
		return true
	}
	return false
}

// Terms cuts text into index terms, in order and with repeats. The index, the
// reference BM25 and the keyword score all use it, so a term means the same
// everywhere.
//
// A word is a run of letters, digits and the marks that follow them. Words of
// the Latin alphabet lose case, accents and a possessive 's; stop words go, the
// rest is stemmed as English. Greek, Cyrillic and Arabic words lose case, accents
// and variants of their letters; Cyrillic ones are stemmed as Russian.
// Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese runs become pairs of
// neighbouring characters, because they do not mark their words.
func Terms(text string) []string {
	terms := make([]string, 0, len(text)/6+1)
	Words(text, func(w Word) { terms = append(terms, w.Term()) })
	return terms
}

// Tokenizer cuts many texts into terms and stems a word once as long as it is in
// use: words repeat, and stemming is most of the work. Not for concurrent use.
type Tokenizer struct {
	stems map[Language]*stems
}

// stems are the stems of words of one language. Those in use since the older half
// was put aside are in recent; when that is full, it is put aside.
type stems struct{ recent, older map[string]string }

const stemsKept = 1 << 15 // words of a half

func (s *stems) get(word string) (string, bool) {
	if term, known := s.recent[word]; known {
		return term, true
	}
	term, known := s.older[word]
	if known {
		s.put(strings.Clone(word), term)
	}
	return term, known
}

func (s *stems) put(word, term string) {
	if len(s.recent) >= stemsKept {
		s.recent, s.older = map[string]string{}, s.recent
	}
	s.recent[word] = term
}

// NewTokenizer makes a Tokenizer that knows no word yet.
func NewTokenizer() *Tokenizer { return &Tokenizer{stems: map[Language]*stems{}} }

// Terms is Terms of this package.
func (c *Tokenizer) Terms(text string) []string { return c.TermsIn("", text) }

// TermsIn cuts a text of a language: what Words finds, as TermIn has it.
func (c *Tokenizer) TermsIn(language Language, text string) []string {
	return c.AppendTerms(make([]string, 0, len(text)/6+1), language, text)
}

// AppendTerms appends what TermsIn gives.
func (c *Tokenizer) AppendTerms(terms []string, language Language, text string) []string {
	stems := c.stemsOf(language)
	Words(text, func(w Word) { terms = append(terms, c.term(stems, language, w)) })
	return terms
}

// Term is TermIn of w in a text that is English or of no known language.
func (c *Tokenizer) Term(w Word) string { return c.term(c.stemsOf(""), "", w) }

func (c *Tokenizer) stemsOf(language Language) *stems {
	of := c.stems[language]
	if of == nil {
		of = &stems{recent: map[string]string{}}
		c.stems[language] = of
	}
	return of
}

func (c *Tokenizer) term(known *stems, language Language, w Word) string {
	if w.kind == unstemmed && language == "" {
		return w.Text
	}
	term, ok := known.get(w.Text)
	if !ok {
		if term, ok = w.foreign(language); !ok {
			term = w.stem()
		}
		word := strings.Clone(w.Text)
		if term == word {
			term = word // and not the whole text that it is cut from
		}
		known.put(word, term)
	}
	return term
}

// Word is one word of a text as Words found it.
type Word struct {
	Text string // lower case, accents folded; a pair of characters in scripts without word marks
	kind wordKind
}

type wordKind uint8

const (
	unstemmed wordKind = iota
	latin              // ASCII letters only: stemmed
	cyrillic           // stemmed as Russian
)

// Words calls found for every word of text that is not a stop word. Text keeps
// the word as it was written but for case, accents and form; Term gives its stem.
func Words(text string, found func(Word)) {
	if !isASCII(text) {
		text = norm.NFKC.String(text)
	}
	for i := 0; i < len(text); {
		c := classOf(text[i:])
		switch c.kind {
		case wordRune:
			i += word(text[i:], found)
		case gramRune:
			i += grams(text[i:], found)
		default:
			i += c.size
		}
	}
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

type runeKind uint8

const (
	gapRune  runeKind = iota
	wordRune          // starts or continues a word
	gramRune          // of a script that does not mark words
	markRune          // continues either
)

type runeClass struct {
	kind runeKind
	size int
}

// grammed are the scripts whose runs are cut into pairs.
var grammed = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// letterOrDigit are those of ASCII.
var letterOrDigit = func() (table [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		table[c] = isDigit(c) || isASCIILetter(c)
	}
	return table
}()

func classOf(s string) runeClass {
	if c := s[0]; c < utf8.RuneSelf {
		if letterOrDigit[c] {
			return runeClass{wordRune, 1}
		}
		return runeClass{gapRune, 1}
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError:
		return runeClass{gapRune, n}
	case r >= 0x0E00 && unicode.In(r, grammed...) && (unicode.IsLetter(r) || unicode.IsMark(r)) || r == 'ー':
		return runeClass{gramRune, n}
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return runeClass{wordRune, n}
	case unicode.IsMark(r):
		return runeClass{markRune, n}
	}
	return runeClass{gapRune, n}
}

// word handles the word or number that s starts with and returns the bytes used.
func word(s string, found func(Word)) int {
	if n := letters(s); n > 1 && (n == len(s) || s[n] < utf8.RuneSelf && s[n] != '\'' && !letterOrDigit[s[n]]) {
		if text := strings.ToLower(s[:n]); !isStop(text) {
			found(Word{text, latin})
		}
		return n
	}
	if isDigit(s[0]) {
		if n := number(s, found); n > 0 {
			return n
		}
	}
	if text, n := initials(s); n > 0 {
		found(Word{text, unstemmed})
		return n
	}
	n, ascii, bare := 0, true, true
	for n < len(s) {
		if letterOrDigit[s[n]] {
			bare = bare && s[n] > '9'
			n++
			continue
		}
		c := classOf(s[n:])
		if c.kind != wordRune && c.kind != markRune {
			if c.size = joint(s[:n], s[n:]); c.size == 0 {
				break
			}
		}
		ascii = ascii && s[n] < utf8.RuneSelf
		bare = bare && !isDigit(s[n])
		n += c.size
	}
	used := n + possessive(s[n:])
	text := strings.ToLower(s[:n])
	if !ascii {
		text = plain.Unaccented(text)
		ascii = isASCII(text)
	}
	switch {
	case text == "" || isStop(text):
	case ascii && bare:
		found(Word{text, latin})
	case !ascii && bare && isCyrillic(text):
		found(Word{text, cyrillic})
	default:
		found(Word{text, unstemmed})
	}
	return used
}

// letters counts the ASCII letters that s starts with: most words are no more.
func letters(s string) (n int) {
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n
}

func isCyrillic(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.Is(unicode.Cyrillic, r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// initials reads single letters with points between them as one word: U.S.A. is
// usa. n is 0 when s does not start with them.
func initials(s string) (text string, n int) {
	for n+1 < len(s) && isASCIILetter(s[n]) && s[n+1] == '.' {
		n += 2
	}
	if n+1 < len(s) && isASCIILetter(s[n]) && classOf(s[n+1:]).kind == gapRune {
		n++ // the last letter stands without its point
	}
	if n < 3 || n < len(s) && classOf(s[n:]).kind != gapRune {
		return "", 0
	}
	return strings.ToLower(strings.ReplaceAll(s[:n], ".", "")), n
}

// number reads digits with points and commas between them. One decimal number is
// one term: 3.5 stays, 12,000 becomes 12000. Else, as in dates and addresses, each
// group is a term. n is 0 when letters follow: then it is a word.
func number(s string, found func(Word)) (n int) {
	var groups []string
	var marks []byte
	for {
		end := n
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		groups = append(groups, s[n:end])
		n = end
		if n+1 >= len(s) || s[n] != '.' && s[n] != ',' || !isDigit(s[n+1]) {
			break
		}
		marks = append(marks, s[n])
		n++
	}
	if n < len(s) && len(marks) == 0 && classOf(s[n:]).kind != gapRune {
		return 0
	}
	if whole, ok := decimal(groups, marks); ok {
		found(Word{whole, unstemmed})
		return n
	}
	for _, g := range groups {
		found(Word{g, unstemmed})
	}
	return n
}

// decimal joins groups when they are one number: thousands parted by commas,
// then at most one point.
func decimal(groups []string, marks []byte) (string, bool) {
	whole := groups[0]
	for i, mark := range marks {
		next := groups[i+1]
		switch {
		case mark == ',' && len(next) == 3 && len(groups[0]) <= 3:
			whole += next
		case mark == '.' && i == len(marks)-1:
			whole += "." + next
		default:
			return "", false
		}
	}
	return whole, true
}

var apostrophes = [...]string{"'", "\u2019", "\u02bc", "\uff07"} // typewriter's, printer's, letter's, wide

// mayBeApostrophe tells most other characters apart at once.
func mayBeApostrophe(s string) bool { return s != "" && (s[0] == '\'' || s[0] >= utf8.RuneSelf) }

// joint is the length of an apostrophe inside a word, as in "don't". After one
// or two letters and after words that have lost their last one it parts words, as in
// "l'homme", "dell'acqua" and "O'Brien".
func joint(before, s string) int {
	if !mayBeApostrophe(s) || len(before) < 3 || possessive(s) > 0 || lang.IsElided(before) {
		return 0
	}
	for _, quote := range apostrophes {
		if rest, ok := strings.CutPrefix(s, quote); ok && rest != "" && classOf(rest).kind == wordRune {
			return len(quote)
		}
	}
	return 0
}

// possessive is the length of a possessive 's that s starts with.
func possessive(s string) int {
	if !mayBeApostrophe(s) {
		return 0
	}
	for _, quote := range apostrophes {
		rest, ok := strings.CutPrefix(s, quote)
		if !ok || rest == "" || rest[0] != 's' && rest[0] != 'S' {
			continue
		}
		if len(rest) == 1 || classOf(rest[1:]).kind == gapRune {
			return len(quote) + 1
		}
	}
	return 0
}

// grams emits the pairs of the run that s starts with, or the single character
// when it stands alone, and returns the bytes used.
func grams(s string, found func(Word)) int {
	first := classOf(s).size
	prev, i := 0, first
	for i < len(s) {
		c := classOf(s[i:])
		if c.kind != gramRune {
			break
		}
		found(Word{s[prev : i+c.size], unstemmed})
		prev, i = i, i+c.size
	}
	if i == first {
		found(Word{s[:first], unstemmed})
	}
	return i
}
