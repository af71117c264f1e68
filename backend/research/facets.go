package research

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/embed/simd"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// nearFacet is how near in meaning to the question a heading must be to be looked into.
const nearFacet = 0.35

// facetsNear are the headings and titles above what the first search found in files that are near
// in meaning to the question, in any language, the nearest first: of each passage the
// nearest one. ok is false where nothing can tell.
func (r *research) facetsNear(ctx context.Context, found []evidence.Found) (facets []string, ok bool) {
	if r.vectors == nil {
		return nil, false
	}
	texts, above := []string{r.p.Plan.Standalone}, make([][]string, len(found))
	for i, f := range found {
		above[i] = headingsAbove(f)
		texts = append(texts, above[i]...)
	}
	vectors, err := r.vectors.Embed(ctx, texts)
	if err != nil {
		r.p.Tell.Log.Warn("headings were not compared with the question", "err", err)
		return nil, false
	}
	near := map[string]float64{}
	for i, text := range texts[1:] {
		near[text] = r.vectors.Nearness(float64(simd.Dot(vectors[0], vectors[i+1])))
	}
	nearest := func(a, b string) int { return cmp.Compare(near[b], near[a]) }
	for _, headings := range above {
		if slices.SortStableFunc(headings, nearest); len(headings) == 0 || near[headings[0]] < nearFacet {
			continue
		}
		if heading := headings[0]; !slices.Contains(facets, heading) && !saysAgain(heading, r.p.Plan.Standalone) {
			facets = append(facets, heading)
		}
	}
	slices.SortStableFunc(facets, nearest)
	return facets, true
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

// under are the passages that stand under a heading or a title.
func under(heading string, all []rank.Candidate) []rank.Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c rank.Candidate) bool {
		return !slices.Contains(headingsAbove(evidence.Found{Source: c.Source, Passage: c.Passage}), heading)
	})
}
