package evidence

import (
	"math/big"
	"strings"
	"unicode"

	"footnote/backend/pattern"
)

// secret is a form of text that identifies or opens something and that no answer
// needs: it is blacked out before text leaves the computer.
type secret struct {
	name  string
	form  *pattern.Regexp
	holds func(match string) bool // nil when the form is proof enough
}

// Each form has one group at most: what is blacked out of it.
var secrets = []secret{
	{"private key", pattern.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)`), nil},
	{"key", pattern.New(`\b(?:sk-[A-Za-z0-9_-]{16,}|AKIA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30,}|xox[abpr]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+)`), nil},
	{"password", pattern.New(`(?i)\b(?:password|passwort|passphrase|kennwort|mot de passe|pin|puk|tan)\s?[:=]\s?(\S{4,})`), nil},
	{"account number", pattern.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`), isIBAN},
	{"card number", pattern.New(`\b(?:[3-6]\d{12,18}|[3-6]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|3[47]\d\d[ -]?\d{6}[ -]?\d{5})\b`), isCard},
}

// Redact blacks out what must not leave the computer with a text: passwords,
// keys, and numbers of cards and accounts whose check digits are right. n counts
// the places.
func Redact(text string) (redacted string, n int) {
	for _, s := range secrets {
		text = s.form.ReplaceAllStringFunc(text, func(match string) string {
			if s.holds != nil && !s.holds(match) {
				return match
			}
			n++
			if m := s.form.FindStringSubmatch(match); len(m) > 1 {
				return strings.TrimSuffix(match, m[1]) + "[" + s.name + "]"
			}
			return "[" + s.name + "]"
		})
	}
	return text, n
}

// isCard reports whether digits end in the check digit of card numbers (Luhn).
func isCard(s string) bool {
	sum, double, digits := 0, false, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double, digits = sum+d, !double, digits+1
	}
	return sum%10 == 0 && digits >= 13 && strings.Trim(s, "0 -") != ""
}

// isIBAN reports whether the check digits of an account number are right.
func isIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	var digits strings.Builder
	for _, r := range s[4:] + s[:4] {
		if unicode.IsDigit(r) {
			digits.WriteRune(r)
			continue
		}
		digits.WriteString(big.NewInt(int64(r - 'A' + 10)).String())
	}
	n, ok := new(big.Int).SetString(digits.String(), 10)
	return ok && new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1
}
