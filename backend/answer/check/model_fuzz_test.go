package check

import "testing"

// FuzzShares reads any reply of a model that is asked for shares.
func FuzzShares(f *testing.F) {
	f.Add("[2, 1]", 3)
	f.Add(`so: ["supported", "partly"]`, 2)
	f.Add(`["What then?", "\u0000", 3]`, 0)
	f.Add("]1[ [[9999999999999999999]]", 1)
	f.Fuzz(func(t *testing.T, said string, n int) {
		if shares := parseShares(said, n); shares != nil && len(shares) != n {
			t.Fatalf("%q of %d gives the shares %q", said, n, shares)
		}
	})
}
