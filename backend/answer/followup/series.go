package followup

import (
	"slices"
	"strings"
	"unicode"
)

// series is what questions differ in that are the same but for one place: "hall hire
// in 2024", "in 2023".
type series struct {
	before, behind string
	values         []string
}

// next is the series once a question came from the last one by filling a place.
func (s series) next(last, q question) series {
	from := 0
	for from < len(last.toks) && from < len(q.toks) && last.word(from) == q.word(from) {
		from++
	}
	end := 0
	for end < min(len(last.toks), len(q.toks))-from && last.word(len(last.toks)-1-end) == q.word(len(q.toks)-1-end) {
		end++
	}
	old, now := span{from, len(last.toks) - end}, span{from, len(q.toks) - end}
	if old.empty() || now.empty() || from+end == 0 {
		return series{}
	}
	fresh := series{before: q.text[:q.toks[now.from].start], behind: q.text[q.toks[now.to-1].end:], values: []string{last.of(old), q.of(now)}}
	if s.before != fresh.before || s.behind != fresh.behind || len(s.values) == 0 {
		return fresh
	}
	if value := q.of(now); !slices.Contains(s.values, value) {
		s.values = append(slices.Clone(s.values), value)
	}
	return s
}

// totalled asks for the sum of what the last questions asked for one by one: "sum
// them", "ça fait combien au total ?"
func (c context) totalled(q question) (string, bool) {
	if len(c.series.values) < 2 || !q.sumsUp() {
		return "", false
	}
	values := slices.Clone(c.series.values)
	if !slices.ContainsFunc(values, func(v string) bool { return strings.ContainsFunc(v, func(r rune) bool { return !unicode.IsDigit(r) }) }) {
		slices.Sort(values)
	}
	l := c.last.lexicon
	join, comma := " "+l.one("listed")+" ", ", "
	if l.has("unspaced") {
		join, comma = l.one("listed"), "、"
	}
	last := len(values) - 1
	list := strings.Join(values[:last], comma) + join + values[last]
	full := newQuestion(l, c.series.before+list+c.series.behind)
	if total := l.one("intotal"); l.has("verb-last") || l.has("unspaced") {
		return l.joined(total, full.text), true
	} else {
		return l.joined(full.bare(), total) + full.mark(), true
	}
}

// sumsUp reports whether a message asks for a sum and for nothing else.
func (q question) sumsUp() bool {
	if q.name.CountIn("adding", q.text) == 0 {
		return false
	}
	if q.has("unspaced") {
		left := strings.ToLower(q.bare())
		for _, form := range q.name.Forms("sums") {
			left = strings.ReplaceAll(left, form, "")
		}
		return strings.Trim(left, " ，、,") == ""
	}
	for i := range q.toks {
		if q.content(i) && !q.is("sums", q.word(i)) {
			return false
		}
	}
	return true
}
