package check

import "testing"

func TestSwappedPlacesAreOfTheSameMatter(t *testing.T) {
	f := newFramer("What should an owner know before relying on the Norvig Water Act?")
	for _, c := range []struct {
		a, b  string
		found bool
	}{
		{"The Norvig Water Act was drafted by Ada Brand.", "The Norvig Water Act was drafted by Marta Kessel.", true},
		{"Ada Brand drafted the Norvig Water Act.", "Marta Kessel drafted the Norvig Water Act.", true},
		{"Nila drafted the Norvig Water Act.", "Marta drafted the Norvig Water Act.", true},
		{"The union of farmers has challenged the Norvig Water Act before a court.", "Debate on the Norvig Water Act", false},
		{"The register under the Norvig Water Act starts two years late.", "Debate on the Norvig Water Act", false},
		{"Ada Brand and the Norvig Water Act", "Marta Kessel and the Norvig Water Act", false},
		{"Sheep drafted the Norvig Water Act.", "Some of the farmers drafted the Norvig Water Act.", false},
	} {
		if x, y, ok := f.swapped(c.a, c.b); ok != c.found {
			t.Errorf("%q and %q: %q, %q, %v", c.a, c.b, x, y, ok)
		}
	}
}
