package compare

import "testing"

func TestSentencesAreAlignedByTheirWords(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		swapped, extra int
		sharedAtLeast  float64
		inA, inB       string
	}{
		{"The stadium was the home venue of Rovers.", "The stadium was the home venue of United City.", 1, 0, 0.8, "Rovers", "United City"},
		{"Bryan was born in Alexandria on February 8, 1900.", "Bryan was born in Alexandria on July 15, 1905.", 1, 0, 0.6, "February 8, 1900", "July 15, 1905"},
		{"A ticket costs 18 euros.", "A ticket costs 18 euros for children.", 0, 1, 1, "", ""},
		{"Brand designed the bridge.", "The bridge was designed by Brand.", 0, 0, 0.4, "", ""},
		{"Die Brücke ist rot.", "Die Brücke ist blau.", 1, 0, 0.7, "rot", "blau"},
		{"", "Nothing is shared with nothing.", 0, 1, 0, "", ""},
	} {
		f := Align(Read(c.a, nil), Read(c.b, nil), nil)
		if len(f.Swapped) != c.swapped || len(f.Extra) != c.extra || f.Shared < c.sharedAtLeast {
			t.Errorf("%q and %q: %+v", c.a, c.b, f)
			continue
		}
		if c.swapped == 1 && (f.Swapped[0].A != c.inA || f.Swapped[0].B != c.inB) {
			t.Errorf("%q and %q differ in %+v", c.a, c.b, f.Swapped)
		}
	}
}

func TestNamesAreLeftOutAndNumbersMayCountAsOne(t *testing.T) {
	subject := func(word string) bool { return word == "acme" }
	digit := func(a, b string) bool { return a[0] >= '0' && a[0] <= '9' && b[0] >= '0' && b[0] <= '9' }
	f := Align(Read("Acme has 12 ships.", subject), Read("Has 4 ships.", subject), digit)
	if len(f.Swapped)+len(f.Extra) != 0 || f.Shared != 1 {
		t.Errorf("%+v", f)
	}
}

func FuzzAlign(f *testing.F) {
	f.Add("The stadium’s home.", "“The” stadium's 'home'")
	f.Add("‘s 1,5 %", "日本 12%")
	f.Fuzz(func(t *testing.T, a, b string) {
		frame := Align(Read(a, nil), Read(b, nil), nil)
		if frame.Shared < 0 || frame.Shared > 1 {
			t.Errorf("shared %v of %q and %q", frame.Shared, a, b)
		}
	})
}
