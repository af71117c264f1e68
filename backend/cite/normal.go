package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plainer maps typographic characters to the plain ones the tables were fitted
// on, and drops characters nobody sees.
var plainer = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "′", "'", "`", "'",
	"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "″", `"`, "«", `"`, "»", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-",
	"\u00a0", " ", "\u202f", " ", "\u2007", " ", "\u2009", " ", "\u200a", " ",
	"\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\ufeff", "",
	"０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9", "％", "%", "．", ".",
	"ﬁ", "fi", "ﬂ", "fl", "…", "...",
	"-LRB-", "(", "-RRB-", ")", "-LSB-", "[", "-RSB-", "]", "-LCB-", "{", "-RCB-", "}",
)

// clitics are endings that tokenised corpora print apart from their word.
var clitics = []string{"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"}

// normalise brings text to the form the checker compares: plain quotes and
// dashes, clitics joined to their word, "12 %" as "12%", single spaces.
func normalise(s string) string {
	s = norm.NFC.String(s)
	s = plainer.Replace(s)
	s = collapse(s)
	for _, c := range clitics {
		s = joinBefore(s, c)
	}
	return joinPercent(s)
}

// collapse trims s and makes every run of white space one space.
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// joinBefore removes the space in front of a clitic that ends a word.
func joinBefore(s, clitic string) string {
	from := 0
	for {
		at := strings.Index(s[from:], " "+clitic)
		if at < 0 {
			return s
		}
		at += from
		next, _ := utf8.DecodeRuneInString(s[at+1+len(clitic):])
		if !isWordRune(next) {
			s = s[:at] + s[at+1:]
		}
		from = at + 1
	}
}

// joinPercent removes the space between a digit and a percent sign.
func joinPercent(s string) string {
	for from := 0; ; {
		at := strings.Index(s[from:], " %")
		if at < 0 {
			return s
		}
		at += from
		if at > 0 && isDigit(s[at-1]) {
			s = s[:at] + s[at+1:]
		}
		from = at + 1
	}
}

// normaliseClaim also drops citation marks and a leading bullet or number.
func normaliseClaim(s string) string {
	s = normalise(dropMarks(s))
	rest := strings.TrimLeft(s, "*-+•#>| ")
	digits := strings.TrimLeft(rest, "0123456789")
	if n := len(rest) - len(digits); n > 0 && n <= 3 && len(digits) > 1 && (digits[0] == '.' || digits[0] == ')') && digits[1] == ' ' {
		return strings.TrimSpace(digits[1:])
	}
	return rest
}

// dropMarks removes canonical citation marks such as [3].
func dropMarks(s string) string {
	if !strings.Contains(s, "[") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := markLen(s[i:]); n > 0 {
			i += n
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// markLen is the length of a mark [digits] that opens s, 0 when there is none.
func markLen(s string) int {
	if len(s) < 3 || s[0] != '[' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
		case s[i] == ']' && i > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isWordRune reports whether r is part of a word or number.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
