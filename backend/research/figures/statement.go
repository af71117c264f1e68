package figures

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Statement is what a sentence says in figures, and of what, when and where.
type Statement struct {
	words  []string // stems of what it says, without the subject, numbers and names
	Names  []string // beside the subject: whose, where
	Years  []string
	counts []counted
	denies bool // it has a not, or is against something

	foreign bool // of another language than English
}

// counted is a number with the word that tells what it counts.
type counted struct {
	number string
	value  float64
	unit   string // a stem; "%" for percent
	at     int    // byte of the sentence where the number begins
	many   bool   // of the unit: many things are counted in it, it does not tell which
}

var yearText = pattern.New(`\b(?:19|20)\d\d\b`)

// YearIn is the first year that a text names; empty where it names none.
func YearIn(text string) string { return yearText.FindString(text) }

var countedText = pattern.New(`([$€£]?)(\d{1,3}(?:[ \x{a0}\x{202f}]\d{3})+|\d[\d.,]*)\s*(%|\p{L}[\p{L}-]*)?`)

// attribution is who says what stands before it: "…, says Fenwick."
var attribution = pattern.New(`, (\p{Ll}{3,}) (?:\p{Lu}[\p{L}.-]*\s?){1,3}$`)

// unattributed is a sentence without whom it gives for what it says.
func unattributed(code lang.Code, text string) string {
	text = strings.TrimRight(text, ".")
	if m := attribution.FindStringSubmatchIndex(text); m != nil && !lang.IsFunctionWord(code, text[m[2]:m[3]]) {
		return text[:m[0]]
	}
	return text
}

// Read reads a sentence. subject are the words, in lower case, that name what it is about.
func Read(text string, subject []string) (s Statement) {
	code := lang.Spoken(text)
	s.counts, s.denies, s.foreign = countsIn(code, text), lang.Denies(code, text), code != lang.English
	for _, at := range yearText.FindAllStringIndex(text, -1) {
		if !slices.ContainsFunc(s.counts, func(c counted) bool { return c.at == at[0] }) {
			s.Years = append(s.Years, text[at[0]:at[1]])
		}
	}
	s.Years = plain.Distinct(s.Years)
	slices.Sort(s.Years)
	for i, word := range strings.Fields(unattributed(code, text)) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(word)
		_, month := lang.Month(code, lower)
		_, number := lang.Number(code, lower)
		switch terms := rank.Terms(word); {
		case month, number, code.Has(lang.Timing, lower):
		case len(terms) == 0, slices.Contains(subject, lower), strings.ContainsFunc(word, unicode.IsDigit), lang.IsFunctionWord(code, word):
		case i > 0 && code.NamesByCapitals() && unicode.IsUpper([]rune(word)[0]):
			s.Names = append(s.Names, lower)
		default:
			s.words = append(s.words, terms...)
		}
	}
	return s
}

// newCounted is a number with what it counts; ok is false for years and days.
func newCounted(code lang.Code, sign, number, unit string) (c counted, ok bool) {
	value, err := valueOf(code, number)
	many := unit == "%" || lang.Measures(code, unit)
	_, ofMonth := lang.Month(code, unit)
	if err != nil || sign == "" && yearText.MatchString(number) && len(number) == 4 && !many || ofMonth {
		return c, false
	}
	switch symbol, _ := lang.Unit(code, unit); {
	case sign != "":
		unit, many = sign, true
	case symbol != "":
		unit = symbol
	case !many:
		unit = strings.Join(rank.Terms(unit), "")
	}
	return counted{number: number, value: value, unit: unit, many: many}, true
}

// valueOf reads digits as a language writes them, or a word for a number.
func valueOf(code lang.Code, number string) (float64, error) {
	if n, ok := lang.Number(code, number); ok {
		return float64(n), nil
	}
	thousands, decimal := ",", "."
	if lang.WritesComma(code) {
		thousands, decimal = ".", ","
	}
	return strconv.ParseFloat(strings.NewReplacer(thousands, "", decimal, ".", " ", "", "\u00a0", "", "\u202f", "").Replace(number), 64)
}

const (
	alikeCount   = 0.55 // of vectors, from which two sentences that count the same things say the same
	alikeMeasure = 0.75 // where the unit does not tell what is measured
	halfSaid     = 0.5  // of the words of the shorter one, then
)

// differ finds the figures in which two sentences differ that say the same of the
// same thing, of the same place and person. Times are left to the caller. It would
// rather miss a difference than see one where two sentences speak of different
// things.
func (s Statement) differ(o Statement, alike float64) (x, y string, ok bool) {
	if alike < alikeCount || s.denies != o.denies || !sameSet(s.Names, o.Names) || s.narrows(o) || o.narrows(s) {
		return "", "", false
	}
	for _, m := range s.counts {
		for _, n := range o.counts {
			if !m.related(n, s, o, alike) {
				continue
			}
			if math.Abs(m.value-n.value) <= 0.01*math.Abs(m.value) || ok {
				return "", "", false // they agree in one figure, or several may be meant
			}
			x, y, ok = m.number, n.number, true
		}
	}
	return x, y, ok
}

// narrows reports whether a sentence says all that another one does and more: it may
// be about a part of it.
func (s Statement) narrows(o Statement) bool {
	return len(s.words) > len(o.words) && sharedOf(o.words, s.words) == 1
}

// related reports whether two numbers count the same.
func (c counted) related(n counted, in, other Statement, alike float64) bool {
	switch {
	case c.unit == "" && n.unit == "":
		return false
	case c.many || n.many:
		shared := sharedOf(in.words, other.words)
		return c.unit == n.unit && (shared == 1 || c.unit == "%" && shared >= halfSaid && alike >= alikeMeasure)
	case c.unit == n.unit:
		return true
	}
	return slices.Contains(other.words, c.unit) || slices.Contains(in.words, n.unit)
}

// sharedOf is the share of the words of the shorter sentence that both have.
func sharedOf(a, b []string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	both := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			both++
		}
	}
	return float64(both) / float64(len(a))
}

func sameSet(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) }) && !slices.ContainsFunc(b, func(x string) bool { return !slices.Contains(a, x) })
}

func likeness(a, b []float32) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

const fewestDenied = 3 // words and names, from which a sentence is known by them

// DeniedBy reports whether another sentence has all that this one says, with a no.
func (s Statement) DeniedBy(o Statement) bool {
	within := func(part, whole []string) bool {
		return !slices.ContainsFunc(part, func(x string) bool { return !slices.Contains(whole, x) })
	}
	return !s.denies && o.denies && len(s.words)+len(s.Names) >= fewestDenied && within(s.words, o.words) && within(s.Names, o.Names)
}
