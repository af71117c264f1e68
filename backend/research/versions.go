package research

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/headings"
)

// stated is what a sentence says in figures, and of what, when and where.
type stated struct {
	words  []string // stems of what it says, without the subject, numbers and names
	names  []string // beside the subject: whose, where
	years  []string
	counts []counted
	denies bool // it has a not, or is against something
}

// counted is a number with the word that tells what it counts.
type counted struct {
	number string
	value  float64
	unit   string // a stem; "%" for percent
	at     int    // byte of the sentence where the number begins
	many   bool   // of the unit: many things are counted in it, it does not tell which
}

var countedText = pattern.New(`([$€£]?)(\d[\d.,]*)\s*(%|\p{L}[\p{L}-]*)?`)

// statedIn reads a sentence about the matter.
func (m matter) statedIn(text string) (s stated) {
	code := lang.Spoken(text)
	s.counts, s.denies = countsIn(code, text), lang.Denies(code, text)
	for _, at := range yearText.FindAllStringIndex(text, -1) {
		if !slices.ContainsFunc(s.counts, func(c counted) bool { return c.at == at[0] }) {
			s.years = append(s.years, text[at[0]:at[1]])
		}
	}
	s.years = plain.Distinct(s.years)
	slices.Sort(s.years)
	subject := strings.Fields(strings.Join(m.names, " "))
	for i, word := range strings.Fields(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(word)
		switch terms := rank.Terms(word); {
		case code.Has(lang.Timing, lower):
		case len(terms) == 0, slices.Contains(subject, lower), strings.ContainsFunc(word, unicode.IsDigit), lang.IsFunctionWord(code, word):
		case i > 0 && unicode.IsUpper([]rune(word)[0]):
			s.names = append(s.names, lower)
		default:
			s.words = append(s.words, terms...)
		}
	}
	return s
}

// newCounted is a number with what it counts; ok is false for years and days.
func newCounted(code lang.Code, sign, number, unit string) (c counted, ok bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
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

const (
	alikeCount   = 0.55 // of vectors, from which two sentences that count the same things say the same
	alikeMeasure = 0.75 // where the unit does not tell what is measured
	halfSaid     = 0.5  // of the words of the shorter one, then
)

// differ finds the figures in which two sentences differ that say the same of the
// same thing, of the same place and person. Times are left to the caller. It would
// rather miss a difference than see one where two sentences speak of different
// things.
func (s stated) differ(o stated, alike float64) (x, y string, ok bool) {
	if alike < alikeCount || s.denies != o.denies || !sameSet(s.names, o.names) || s.narrows(o) || o.narrows(s) {
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
func (s stated) narrows(o stated) bool {
	return len(s.words) > len(o.words) && sharedOf(o.words, s.words) == 1
}

// related reports whether two numbers count the same.
func (c counted) related(n counted, in, other stated, alike float64) bool {
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

// conflict is two findings that exclude each other.
type conflict struct {
	a, b *finding
	x, y string // the figures in which they differ
}

// compare finds what newer findings replace, and which exclude each other: those of
// different sources that come to other figures. What names the same year, or comes
// from sources of the same one, is a disagreement; else the newer source counts.
func (w *reporter) compare(ctx context.Context) {
	w.denials()
	if same, ok := ofTheSame(ctx, figurePairs(w.found, w.r.subjectIn(nil).wordOf(), w.r.vectors.Nearness), w.r.p.Answers); ok {
		for _, p := range same {
			w.differing(p.a, p.b, p.x.number, p.y.number)
		}
		return
	}
	for i, a := range w.found { // without an encoder that reads pairs
		for _, b := range w.found[i+1:] {
			if a.N == b.N || !slices.Equal(a.said.years, b.said.years) {
				continue
			}
			if x, y, ok := a.said.differ(b.said, w.r.vectors.Nearness(likeness(a.bare, b.bare))); ok {
				w.differing(a, b, x, y)
			}
		}
	}
}

// denials finds what a newer source says is no longer so.
func (w *reporter) denials() {
	for _, f := range w.found {
		for _, g := range w.found {
			if f.year > 0 && f.year < g.year && f.said.deniedBy(g.said) {
				f.newer = g
			}
		}
	}
}

const fewestDenied = 3 // words and names, from which a sentence is known by them

// deniedBy reports whether another sentence has all that this one says, with a no.
func (s stated) deniedBy(o stated) bool {
	within := func(part, whole []string) bool {
		return !slices.ContainsFunc(part, func(x string) bool { return !slices.Contains(whole, x) })
	}
	return !s.denies && o.denies && len(s.words)+len(s.names) >= fewestDenied && within(s.words, o.words) && within(s.names, o.names)
}

// differing notes that two findings give different figures for the same.
func (w *reporter) differing(a, b *finding, x, y string) {
	switch {
	case len(a.said.years) > 0 || a.year == 0 || b.year == 0 || a.year == b.year:
		w.conflicts = append(w.conflicts, conflict{a, b, x, y})
	case a.year < b.year:
		a.newer = b
	default:
		b.newer = a
	}
}

// current leaves out sentences that a newer source says otherwise. Of a document that was
// read in a newer version too, only what names its year counts.
func (w *reporter) current(all []quote.Sentence, passages []quote.Passage) []quote.Sentence {
	all = slices.DeleteFunc(all, func(s quote.Sentence) bool {
		return w.outdated[passages[s.Passage].ID] && !yearText.MatchString(s.Text)
	})
	return w.without(all, func(f *finding) bool { return f.newer != nil })
}

// telling leaves out sentences that say nothing of the subject too, as captions do. What
// answers a question may be of no heading.
func (w *reporter) telling(all []quote.Sentence, passages []quote.Passage) []quote.Sentence {
	return w.without(w.current(all, passages), func(f *finding) bool {
		return f.heading() == headings.Other && f.likely.Of(headings.Other) >= surelyOther
	})
}

// without leaves out sentences that are such findings.
func (w *reporter) without(all []quote.Sentence, such func(*finding) bool) []quote.Sentence {
	out := map[string]bool{}
	for _, f := range w.found {
		if such(f) {
			out[sentenceKey(f.Text)] = true
		}
	}
	return slices.DeleteFunc(all, func(s quote.Sentence) bool { return out[sentenceKey(s.Text)] })
}

// learnVersions finds the passages of documents that were read in a newer version too.
func (w *reporter) learnVersions() {
	w.outdated, w.versions = olderVersions(w.allEvidence(), w.r.yearOf, w.r.say)
}

// olderVersions are the passages of which a newer version was read: of one title among
// files or on one site, with a passage under the same heading, from a later year. said
// names them.
func olderVersions(all []rank.Candidate, yearOf func(rank.Candidate) int, say func(string, ...any) string) (outdated map[evidence.PassageID]bool, said []string) {
	type place struct{ title, site, heading string }
	newest := map[place]int{}
	of := func(c rank.Candidate) place {
		site := ""
		if !c.Local() {
			site = evidence.Domain(c.Source.Address)
		}
		return place{c.Source.Title, site, c.Passage.At.Heading}
	}
	for _, c := range all {
		newest[of(c)] = max(newest[of(c)], yearOf(c))
	}
	outdated = map[evidence.PassageID]bool{}
	for _, c := range all {
		if year := yearOf(c); year > 0 && year < newest[of(c)] && c.Source.Title != "" {
			outdated[c.Passage.ID] = true
			said = append(said, say("older", c.Source.Title, year, newest[of(c)]))
		}
	}
	return outdated, plain.Distinct(said)
}

const surelyOther = 0.5

// changes quotes what was replaced beside what replaces it.
func (w *reporter) changes() string {
	var lines []string
	for _, f := range w.found {
		if f.newer != nil && f.newer.newer == nil {
			lines = append(lines, "- "+w.r.say("replaced", strconv.Itoa(f.newer.year), f.newer.quoted(), f.year, f.quoted()))
		}
	}
	return strings.Join(lines, "\n")
}

// contradictions quotes findings that exclude each other, side by side.
func (w *reporter) contradictions() string {
	var lines []string
	for _, c := range w.conflicts {
		lines = append(lines, "- "+w.r.say("either", c.x, c.y, c.a.quoted(), c.b.quoted()))
	}
	return strings.Join(lines, "\n")
}

// untold are the conflicts that are not among the disagreements told already.
func (w *reporter) untold(told []contract.Disagreement) (all []contract.Disagreement) {
	for _, c := range w.conflicts {
		d := contract.Disagreement{Claim: c.a.Text, Sides: []contract.Side{c.a.side(c.x), c.b.side(c.y)}}
		if !slices.ContainsFunc(told, func(o contract.Disagreement) bool { return hasSides(o, d) }) {
			all = append(all, d)
		}
	}
	return all
}

func (f *finding) side(value string) contract.Side {
	s := contract.Side{Source: f.source.ID, Value: value, Passage: f.passage, Quote: plain.OneLine(f.Text, 400)}
	if !f.source.Published.IsZero() {
		s.Date = f.source.Published.Format("2006-01-02")
	}
	return s
}

// hasSides reports whether a disagreement has all sides of another.
func hasSides(o, d contract.Disagreement) bool {
	return !slices.ContainsFunc(d.Sides, func(s contract.Side) bool {
		return !slices.ContainsFunc(o.Sides, func(t contract.Side) bool { return t.Source == s.Source && t.Quote == s.Quote })
	})
}
