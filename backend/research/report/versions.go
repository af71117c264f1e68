package report

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/compare"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/figures"
	"footnote/backend/research/headings"
	"footnote/backend/research/sentences"
)

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
	w.replaceOlder()
	all := make([]figures.Sentence, len(w.found))
	for i, f := range w.found {
		all[i] = figures.Sentence{Statement: f.said, Text: f.full, Source: f.N, Vector: f.bare}
	}
	names := w.Subject.Among(w.quotable(w.Study.Topic, w.allEvidence())).Words()
	for _, p := range figures.Differing(ctx, all, names, w.Vectors.Nearness, w.Pipeline.Answers) {
		w.differing(w.found[p.A], w.found[p.B], p.X, p.Y)
	}
}

// denials finds what a newer source says is no longer so.
func (w *reporter) denials() {
	for _, f := range w.found {
		for _, g := range w.found {
			if f.year > 0 && f.year < g.year && f.said.DeniedBy(g.said) {
				f.newer = g
			}
		}
	}
}

// sameStatement is the share of words from which a newer version of a document says of a
// thing what the older one says otherwise.
const sameStatement = 0.6

// replaceOlder holds findings of documents that were read in a newer version too against
// those of that: what it says otherwise is replaced, what it no longer says is left out.
// What names its year stays true.
func (w *reporter) replaceOlder() {
	w.found = slices.DeleteFunc(w.found, func(f *finding) bool {
		if !w.outdated[f.passage] || figures.YearIn(f.Text) != "" || f.newer != nil {
			return false
		}
		best, said := sameStatement, compare.Read(f.Text, nil)
		for _, g := range w.found {
			if g.source.Title != f.source.Title || w.outdated[g.passage] || g.year <= f.year {
				continue
			}
			if frame := compare.Align(said, compare.Read(g.Text, nil), nil); frame.Shared >= best {
				best, f.newer = frame.Shared, g
			}
		}
		return f.newer == nil
	})
}

// differing notes that two findings give different figures for the same.
func (w *reporter) differing(a, b *finding, x, y string) {
	switch {
	case a.newer == b || b.newer == a:
	case len(a.said.Years) > 0 || a.year == 0 || b.year == 0 || a.year == b.year:
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
		return w.outdated[passages[s.Passage].ID] && figures.YearIn(s.Text) == ""
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
			out[sentences.Key(f.Text)] = true
		}
	}
	return slices.DeleteFunc(all, func(s quote.Sentence) bool { return out[sentences.Key(s.Text)] })
}

// learnVersions finds the passages of documents that were read in a newer version too.
func (w *reporter) learnVersions() {
	w.outdated, w.versions = olderVersions(w.allEvidence(), w.Subject.Year, w.say)
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
			lines = append(lines, "- "+w.say("replaced", strconv.Itoa(f.newer.year), f.newer.quoted(), f.year, f.quoted()))
		}
	}
	return strings.Join(lines, "\n")
}

// contradictions quotes findings that exclude each other, side by side.
func (w *reporter) contradictions() string {
	var lines []string
	for _, c := range w.conflicts {
		lines = append(lines, "- "+w.say("either", c.x, c.y, c.a.quoted(), c.b.quoted()))
	}
	return strings.Join(lines, "\n")
}

// disagreements are the conflicts of findings.
func (w *reporter) disagreements() (all []contract.Disagreement) {
	for _, c := range w.conflicts {
		all = append(all, contract.Disagreement{Claim: c.a.Text, Sides: []contract.Side{c.a.side(c.x), c.b.side(c.y)}})
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
