package lang

import "slices"

// Age is which of several versions of a text words ask for.
type Age string

// The ages: New and Old are said of a thing that is named beside them, Now and Once of all.
const (
	New  Age = "new"
	Now  Age = "now"
	Old  Age = "old"
	Once Age = "once"
)

// AgesIn is where a text of a language says which version of a thing is meant, as bytes of it,
// by what it says.
func AgesIn(c Code, text string) map[Age][][2]int {
	found := c.places(age, text)
	var all [][2]int
	for _, places := range found {
		all = append(all, places...)
	}
	ages := map[Age][][2]int{}
	for _, what := range []Age{New, Now, Old, Once} {
		for _, at := range found[string(what)] {
			within := func(o [2]int) bool { return o[0] <= at[0] && at[1] <= o[1] && o[1]-o[0] > at[1]-at[0] }
			if !slices.ContainsFunc(all, within) { // "dernière" of "l'année dernière"
				ages[what] = append(ages[what], at)
			}
		}
	}
	return ages
}
