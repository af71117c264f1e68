package library

import (
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// spare is how many more passages are read than are wanted, a share of them: some
// may be twins of others.
const spare = 2

// collapse leaves one of each group of passages in which different files say
// almost the same, the best placed, and names the files of the others there.
// What one file says twice stays.
func collapse(found []evidence.Found, n int) []evidence.Found {
	texts := make([]string, len(found))
	for i, f := range found {
		texts[i] = f.Passage.Text
	}
	at := map[int]int{} // place in out by place in found
	var out []evidence.Found
	for i, first := range rank.Twins(texts) {
		f := found[i]
		if kept, twin := at[first]; twin && out[kept].Source.Digest != f.Source.Digest {
			score := &out[kept].Score
			score.AlsoIn = alsoIn(score.AlsoIn, out[kept].Source.Address, append([]string{f.Source.Address}, f.Score.AlsoIn...))
			continue
		}
		at[i] = len(out)
		out = append(out, f)
	}
	return out[:min(n, len(out))]
}

// alsoIn adds paths that are not named yet, and not shown.
func alsoIn(named []string, shown string, paths []string) []string {
	for _, path := range paths {
		if path != shown && !slices.Contains(named, path) {
			named = append(named, path)
		}
	}
	return named
}

// collapsed does for matches what collapse does for passages; texts are those of
// their passages.
func collapsed(matches []Match, texts []string) []Match {
	at := map[int]int{}
	out := []Match{}
	for i, first := range rank.Twins(texts) {
		m := matches[i]
		if kept, twin := at[first]; twin && out[kept].digest != m.digest {
			k := &out[kept]
			k.AlsoIn = alsoIn(k.AlsoIn, k.Path, append([]string{m.Path}, m.AlsoIn...))
			continue
		}
		at[i] = len(out)
		out = append(out, m)
	}
	return out
}
