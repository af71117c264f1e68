package facets

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/embed/simd"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/research/headings"
)

// nearFacet is how near in meaning to the question a heading must be to be looked into.
const nearFacet = 0.35

// Near are the headings and titles above what the first search found in files that are near
// in meaning to the question, in any language, the nearest first: of each passage the
// nearest one.
func Near(ctx context.Context, e headings.Encoder, question string, found []evidence.Found) (facets []string, err error) {
	texts, above := []string{question}, make([][]string, len(found))
	for i, f := range found {
		above[i] = headingsAbove(f)
		texts = append(texts, above[i]...)
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	near := map[string]float64{}
	for i, text := range texts[1:] {
		near[text] = e.Nearness(float64(simd.Dot(vectors[0], vectors[i+1])))
	}
	nearest := func(a, b string) int { return cmp.Compare(near[b], near[a]) }
	for _, those := range above {
		if slices.SortStableFunc(those, nearest); len(those) == 0 || near[those[0]] < nearFacet {
			continue
		}
		if heading := those[0]; !slices.Contains(facets, heading) && !saysAgain(heading, question) {
			facets = append(facets, heading)
		}
	}
	slices.SortStableFunc(facets, nearest)
	return facets, nil
}

// headingsAbove are the headings and the title that stand above a passage and can be read
// by themselves.
func headingsAbove(f evidence.Found) (all []string) {
	for _, heading := range append(strings.Split(f.Passage.At.Heading, " > "), siteName.ReplaceAllString(f.Source.Title, "")) {
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

// Under are the passages that stand under a heading or a title.
func Under(heading string, all []rank.Candidate) []rank.Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c rank.Candidate) bool {
		return !slices.Contains(headingsAbove(evidence.Found{Source: c.Source, Passage: c.Passage}), heading)
	})
}
