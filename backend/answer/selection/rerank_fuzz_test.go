package selection

import (
	"slices"
	"testing"
)

// FuzzOrder reads any reply of a model that is asked for an order.
func FuzzOrder(f *testing.F) {
	f.Add("[2, 1]", 3)
	f.Add(`so: ["supported", "partly"]`, 2)
	f.Add(`["What then?", "\u0000", 3]`, 0)
	f.Add("]1[ [[9999999999999999999]]", 1)
	f.Fuzz(func(t *testing.T, said string, n int) {
		order := parseOrder(said, n)
		seen := slices.Compact(slices.Sorted(slices.Values(order)))
		if len(seen) != len(order) || len(seen) > 0 && (seen[0] < 0 || seen[len(seen)-1] >= n) {
			t.Fatalf("%q of %d gives the order %v", said, n, order)
		}
	})
}
