package copies

import (
	"maps"
	"slices"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestAnotherFormOfTheSameTextIsACopy(t *testing.T) {
	type passage struct {
		id, address, text string
		year              int
	}
	const tower = "The tower was built in 1932. It has three floors and a lift. Nobody lives there today. The key is with the porter."
	for name, c := range map[string]struct {
		passages []passage
		want     []string
	}{
		"a book beside its chapter": {[]passage{{"book", "/b/guide.pdf", "The tower was built in 1932. It has three floors and a lift.[4] Nobody lives there today.", 0}, {"page", "/b/html/towers.html", tower, 0}}, []string{"book"}},
		"the source of a page":      {[]passage{{"source", "/b/_sources/faq.rst.txt", "The :ref:`tower` was built in 1932. It has ``three`` floors and a lift. Nobody lives there today. Rooms are let.", 0}, {"page", "/b/faq.html", tower, 0}}, []string{"source"}},
		"another number":            {[]passage{{"a", "/b/guide.pdf", "The tower was built in 1932. It has three floors and a lift. Entry costs 34 cents.", 0}, {"b", "/b/towers.html", tower + " Entry costs 22 cents.", 0}}, nil},
		"a newer version":           {[]passage{{"a", "/b/guide.pdf", tower, 2023}, {"b", "/b/towers.html", tower, 2025}}, nil},
		"one form":                  {[]passage{{"a", "/b/guide.html", tower, 0}, {"b", "/b/towers.html", tower, 0}}, nil},
		"another text":              {[]passage{{"a", "/b/faq.txt", "The tower was built in 1932. Its garden is open on Sundays. Dogs stay outside, please.", 0}, {"b", "/b/faq.html", tower, 0}}, nil},
	} {
		var all []rank.Candidate
		years := map[string]int{}
		for _, p := range c.passages {
			years[p.id] = p.year
			all = append(all, rank.Candidate{Source: evidence.Source{ID: evidence.SourceID(p.id), Address: p.address, Kind: evidence.File}, Passage: evidence.Passage{ID: evidence.PassageID(p.id), Text: p.text}})
		}
		copied := Of(all, func(c rank.Candidate) int { return years[string(c.Source.ID)] })
		var got []string
		for _, id := range slices.Sorted(maps.Keys(copied)) {
			got = append(got, string(id))
		}
		if !slices.Equal(got, c.want) || len(Without(copied, all)) != len(all)-len(c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
