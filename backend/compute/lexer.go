package compute

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/pattern"
)

type token struct {
	kind  rune   // 'n' number, 'w' word, 0 the end, else the sign itself
	text  string // of a number in plain digits, of a word in what it stands for
	typed string // as it was written
	glued bool   // nothing stood before it
}

const mostTokens = 500

var signs = strings.NewReplacer("‘", "'", "’", "'", "−", "-", "–", "-", "×", "*", "·", "*", "⋅", "*", "÷", "/", "²", "^2", "³", "^3", "**", "^", "¿", "", "\u00a0", " ", "\u202f", " ", "º", "°", "℃", "°C", "℉", "°F")

// tokens cuts an expression up.
func tokens(s string) ([]token, error) {
	l := lexer{s: s, commas: decimalCommas(s)}
	for l.at < len(s) {
		if err := l.next(); err != nil {
			return nil, err
		}
		if len(l.out) > mostTokens {
			return nil, refuse("This is too long to be computed.")
		}
	}
	return l.out, nil
}

type lexer struct {
	s      string
	at     int
	out    []token
	commas bool   // a comma is the decimal mark
	calls  []bool // of the open brackets, whether they hold arguments
	spaced bool
	listed int // up to here commas stand between numbers
}

func (l *lexer) next() error {
	r, size := utf8.DecodeRuneInString(l.s[l.at:])
	switch {
	case unicode.IsSpace(r):
		l.at, l.spaced = l.at+size, true
		return nil
	case r >= '0' && r <= '9' || r == '.' && l.at+1 < len(l.s) && isDigit(l.s[l.at+1]):
		return l.number()
	case unicode.IsLetter(r) || r == '°' || r == '_':
		return l.word()
	case r == '$' || r == '€' || r == '£' || r == '¥':
		l.put('w', string(r), size)
	case strings.ContainsRune("+-*/^()%!,;√", r):
		l.bracket(r)
		l.put(r, string(r), size)
	default:
		return refuse("“" + string(r) + "” is nothing that can be computed with.")
	}
	return nil
}

func (l *lexer) put(kind rune, text string, size int) {
	l.out = append(l.out, token{kind: kind, text: text, typed: l.s[l.at : l.at+size], glued: !l.spaced && len(l.out) > 0})
	l.at, l.spaced = l.at+size, false
}

// bracket keeps in mind whether commas inside separate arguments.
func (l *lexer) bracket(r rune) {
	switch {
	case r == '(':
		n := len(l.out)
		l.calls = append(l.calls, n > 0 && l.out[n-1].kind == 'w' && functions[strings.ToLower(l.out[n-1].text)] != nil)
	case r == ')' && len(l.calls) > 0:
		l.calls = l.calls[:len(l.calls)-1]
	}
}

// word takes letters, with the digits of a logarithm's base. "A4" and "4K4" are
// names, not quantities.
func (l *lexer) word() error {
	end := l.at
	for end < len(l.s) {
		r, n := utf8.DecodeRuneInString(l.s[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' && r != '°' && (r != '\'' || end == l.at) {
			break
		}
		end += n
	}
	word := l.s[l.at:end]
	for _, base := range []string{"10", "2"} {
		if strings.EqualFold(word, "log") && strings.HasPrefix(l.s[end:], base) && (end+len(base) == len(l.s) || !isDigit(l.s[end+len(base)])) {
			end += len(base)
			l.put('w', "log"+base, end-l.at)
			return nil
		}
	}
	if end < len(l.s) && isDigit(l.s[end]) && !strings.EqualFold(word, "x") {
		return refuse("“" + word + l.s[end:end+1] + "…” is nothing that can be computed with.")
	}
	l.put('w', word, end-l.at)
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var (
	withMarks = pattern.New(`\d[\d.,']*\d|\d`)
	byCommas  = pattern.New(`^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})$`)
	byPoints  = pattern.New(`^\d{1,3}(?:\.\d{3})+$`)
	byQuotes  = pattern.New(`^\d{1,3}(?:'\d{3})+$`)
	byBlanks  = pattern.New(`^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?`)
	numeral   = pattern.New(`^(?:\d[\d.,']*|\.\d+)`)
	exponent  = pattern.New(`^[eE][+-]?\d+`)
	badNumber = "“%” is no number."
)

// decimalCommas reports whether a number of the text has a comma that can only be
// a decimal mark, as in 3,5 or 1.234,5.
func decimalCommas(s string) bool {
	for _, n := range withMarks.FindAllString(s, -1) {
		comma, point := strings.LastIndexByte(n, ','), strings.LastIndexByte(n, '.')
		if comma > point && strings.Count(n, ",") == 1 && (point >= 0 || !byCommas.MatchString(n)) {
			return true
		}
	}
	return false
}

// number takes a number with the marks between its thousands.
func (l *lexer) number() error {
	rest := l.s[l.at:]
	text := byBlanks.FindString(rest)
	if n := len(text); n == 0 || n < len(rest) && (isDigit(rest[n]) || rest[n] == ' ' && len(rest) > n+1 && isDigit(rest[n+1])) {
		text = strings.TrimRight(numeral.FindString(rest), ".,'")
	}
	if strings.Count(text, ",") > 1 && !byCommas.MatchString(beforePoint(text)) {
		l.listed = l.at + len(text)
	}
	if l.at < l.listed || len(l.calls) > 0 && l.calls[len(l.calls)-1] {
		text, _, _ = strings.Cut(text, ",")
	}
	plain, ok := l.plain(strings.ReplaceAll(text, " ", ""))
	if !ok {
		return refuse(strings.Replace(badNumber, "%", text, 1))
	}
	if e := exponent.FindString(rest[len(text):]); e != "" {
		text, plain = text+e, plain+e
	}
	if l.at > 0 && len(l.out) > 0 && !l.spaced && l.out[len(l.out)-1].kind == 'n' {
		return refuse(strings.Replace(badNumber, "%", text, 1))
	}
	l.put('n', plain, len(text))
	return nil
}

func beforePoint(number string) string {
	before, _, _ := strings.Cut(number, ".")
	return before
}

// plain writes a number with a point and nothing between its digits.
func (l *lexer) plain(text string) (string, bool) {
	comma, point := strings.LastIndexByte(text, ','), strings.LastIndexByte(text, '.')
	switch {
	case strings.Contains(text, "'"):
		before, after, _ := strings.Cut(text, ".")
		return strings.TrimSuffix(strings.ReplaceAll(before, "'", "")+"."+after, "."), byQuotes.MatchString(before)
	case comma >= 0 && point > comma:
		before, after := text[:point], text[point+1:]
		return strings.ReplaceAll(before, ",", "") + "." + after, byCommas.MatchString(before)
	case comma >= 0 && point >= 0:
		before, after := text[:comma], text[comma+1:]
		return strings.ReplaceAll(before, ".", "") + "." + after, byPoints.MatchString(before)
	case comma >= 0 && (l.commas && strings.Count(text, ",") == 1 || !byCommas.MatchString(text)):
		return strings.Replace(text, ",", ".", 1), strings.Count(text, ",") == 1
	case comma >= 0:
		return strings.ReplaceAll(text, ",", ""), true
	case point >= 0 && byPoints.MatchString(text) && (l.commas || strings.Count(text, ".") > 1):
		return strings.ReplaceAll(text, ".", ""), true
	}
	return text, strings.Count(text, ".") < 2
}
