package cite_test

import (
	"testing"

	"footnote/backend/cite"
)

func TestRewriteWritesMarkersAndNothingElse(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"It was opened in 1932 [1][2].", "It was opened in 1932 [^1] [^2]."},
		{"Take `a[1]` and [this](x) of [1932] [1].", "Take `a[1]` and [this](x) of [1932] [^1]."},
		{"[2] stands first. [1]", "[^2] stands first. [^1]"},
		{"No source has number [9] [1].", "No source has number [9] [^1]."},
		{"", ""},
	} {
		got := cite.Rewrite(c.in, 2, func(_ int, m cite.MarkerAt) string { return "[^" + c.in[m.Span.Start+1:m.Span.End] })
		if got != c.want {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
	}
}
