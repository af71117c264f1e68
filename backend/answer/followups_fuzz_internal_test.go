package answer

import (
	"slices"
	"testing"
)

// FuzzFollowUps reads any reply of a model that is asked for questions.
func FuzzFollowUps(f *testing.F) {
	f.Add("[2, 1]")
	f.Add(`so: ["supported", "partly"]`)
	f.Add(`["What then?", "\u0000", 3]`)
	f.Add("]1[ [[9999999999999999999]]")
	f.Fuzz(func(t *testing.T, said string) {
		if asked := parseFollowUps(said); len(asked) > 3 || slices.ContainsFunc(asked, func(q string) bool { return q == "" || len([]rune(q)) > 201 }) {
			t.Fatalf("%q gives the questions %q", said, asked)
		}
	})
}
