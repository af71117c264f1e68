package facets

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/embed/simd"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/headings"
	"footnote/backend/research/subject"
)

// nearFacet is how near in meaning to the question a heading must be, or one below it, to
// be looked into.
const nearFacet = 0.33

// Near are the headings and titles under which most of what a search found in files
// stands, the best ranks counting most, and that are near the question in meaning, in any
// language; of headings one below the other the one that fits best. found is best first.
//
// Names of the question are left out of both, as every title of a handbook has that of its
// subject; what stands above more than a third of what was found tells little apart, and
// only what is not below a narrower one counts for it; above half, nothing.
func Near(ctx context.Context, e headings.Encoder, question string, found []evidence.Found) (facets []string, err error) {
	above := make([][]string, len(found))
	var all []string
	for i, f := range found {
		above[i] = headingsAbove(f)
		for _, heading := range above[i] {
			if !slices.Contains(all, heading) {
				all = append(all, heading)
			}
		}
	}
	near, err := nearness(ctx, e, question, all)
	if err != nil {
		return nil, err
	}
	var narrow, wide []*section
	for _, s := range sectionsOf(above, near) {
		switch {
		case s.near < nearFacet || saysAgain(s.heading, question):
		case len(found) < fewestFound || 3*len(s.found) <= len(found):
			narrow = append(narrow, s)
		case 2*len(s.found) <= len(found):
			wide = append(wide, s)
		}
	}
	return chosen(narrow, wide), nil
}

// sectionsOf are the headings above what was found, each path of them the deepest first,
// the best section first.
func sectionsOf(above [][]string, near map[string]float64) (all []*section) {
	known := map[string]*section{}
	for i, path := range above {
		best := 0.0
		for _, heading := range path {
			s := known[termsOf(heading)]
			if s == nil {
				s = &section{heading: heading}
				known[termsOf(heading)], all = s, append(all, s)
			}
			best = max(best, near[heading])
			if slices.Contains(s.found, i) {
				continue // two headings of one path that say the same
			}
			s.found, s.near = append(s.found, i), max(s.near, best)
			s.mass += 1 / float64(firstRank+i)
		}
	}
	fit := func(s *section) float64 { return s.mass * (s.near + near[s.heading]) }
	slices.SortStableFunc(all, func(a, b *section) int { return cmp.Compare(fit(b), fit(a)) })
	return all
}

// termsOf is equal for headings that have the same words that mean something, in whatever
// order: "Currency and Commodities" and "Commodities and Currencies".
func termsOf(heading string) string {
	code := lang.Spoken(heading)
	words := slices.DeleteFunc(strings.Fields(heading), func(word string) bool { return lang.IsFunctionWord(code, strings.ToLower(word)) })
	terms := rank.Terms(strings.Join(words, " "))
	slices.Sort(terms)
	if len(terms) == 0 {
		return heading
	}
	return strings.Join(slices.Compact(terms), " ")
}

// chosen are the headings of narrow sections, none of which is above or below a better
// one, and then of wide ones that hold more than one passage besides.
func chosen(narrow, wide []*section) (facets []string) {
	taken := map[int]bool{}
	take := func(s *section, left []int) {
		facets = append(facets, s.heading)
		for _, i := range left {
			taken[i] = true
		}
	}
	untaken := func(s *section) []int {
		return slices.DeleteFunc(slices.Clone(s.found), func(i int) bool { return taken[i] })
	}
	for _, s := range narrow {
		if left := untaken(s); len(left) == len(s.found) {
			take(s, left)
		}
	}
	for _, s := range wide {
		if left := untaken(s); len(left) > 1 {
			take(s, left)
		}
	}
	return facets
}

// section is a heading with what was found below it.
type section struct {
	heading string
	found   []int   // places among what was found
	mass    float64 // of their ranks
	near    float64 // of the nearest heading from it down
}

const (
	firstRank   = 3 // what is added to ranks, so that the first does not count for all
	fewestFound = 6 // passages that tell what many of them stand under
)

// nearness is how near headings are to the question in meaning, 0 to 1, the names of the
// question left out of both.
func nearness(ctx context.Context, e headings.Encoder, question string, all []string) (map[string]float64, error) {
	names := subject.Names(question)
	texts := []string{Without(names, question)}
	for _, heading := range all {
		texts = append(texts, Without(names, heading))
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	near := map[string]float64{}
	for i, heading := range all {
		near[heading] = Nearness(e, vectors[0], vectors[i+1])
	}
	return near, nil
}

// Nearness is how near the vectors of two texts are in meaning, from 0; 0 where one is nil,
// as of a text without a letter.
func Nearness(e headings.Encoder, a, b []float32) float64 {
	if a == nil || b == nil {
		return 0
	}
	return max(0, e.Nearness(float64(simd.Dot(a, b))))
}

// Without is a text without the words of names; that may leave nothing of it.
func Without(names []string, text string) string {
	named := plain.WordSet(strings.ToLower(strings.Join(names, " ")))
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return named[strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))]
	})
	return strings.Trim(strings.Join(words, " "), " :–—-,")
}

// headingsAbove are the headings and the title that stand above a passage and can be read
// by themselves, the deepest first.
func headingsAbove(f evidence.Found) (all []string) {
	path := strings.Split(f.Passage.At.Heading, " > ")
	slices.Reverse(path)
	for _, heading := range append(path, siteName.ReplaceAllString(f.Source.Title, "")) {
		if heading = phrase(heading); heading != "" && filepath.Ext(heading) == "" && !slices.Contains(all, heading) {
			all = append(all, heading)
		}
	}
	return all
}

// saysAgain reports whether a heading has the words of the question and no others.
func saysAgain(heading, question string) bool {
	asked := rank.Terms(question)
	return !slices.ContainsFunc(rank.Terms(heading), func(term string) bool { return !slices.Contains(asked, term) }) && 2*len(rank.Terms(heading)) > len(asked)
}

// Under are the passages that stand under a heading or a title, or one of the same words.
func Under(heading string, all []rank.Candidate) []rank.Candidate {
	terms := termsOf(heading)
	return slices.DeleteFunc(slices.Clone(all), func(c rank.Candidate) bool {
		return !slices.ContainsFunc(headingsAbove(evidence.Found{Source: c.Source, Passage: c.Passage}), func(above string) bool { return termsOf(above) == terms })
	})
}
