package cite_test

import (
	"testing"

	"footnote/backend/cite"
)

func TestRestyleWritesFootnotesAndNothingElse(t *testing.T) {
	for _, c := range []struct{ in, style, want string }{
		{"It was opened in 1932 [1][2].", "[^1]", "It was opened in 1932 [^1] [^2]."},
		{"It was opened in 1932 [1][2].", "[1]", "It was opened in 1932 [1][2]."},
		{"Take `a[1]` and [this](x) of [1932] [1].", "[^1]", "Take `a[1]` and [this](x) of [1932] [^1]."},
		{"[2] stands first. [1]", "[^1]", "[^2] stands first. [^1]"},
		{"No source has number [9] [1].", "[^1]", "No source has number [9] [^1]."},
		{"", "[^1]", ""},
	} {
		if got := cite.Restyle(c.in, 2, c.style); got != c.want {
			t.Errorf("%q in %s is %q, want %q", c.in, c.style, got, c.want)
		}
	}
}
