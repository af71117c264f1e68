package research

import "testing"

func TestAQueryNamesItsTopicOnce(t *testing.T) {
	for _, c := range [][3]string{
		{"Lorne bridge", "traffic on the Lorne bridge", "traffic on the Lorne bridge"},
		{"Lorne bridge", "Mary Hill mayor", "Lorne bridge Mary Hill mayor"},
		{"the Arden 2 or the Corrie 2", "the Corrie 2", "the Corrie 2"},
		{"tenancy deposit higher than the legal cap", "the legal cap", "the legal cap"},
		{"Harrow Valley line", "line of the coast", "Harrow Valley line line of the coast"},
		{"Turm der Stadtkirche in Lauterfels", "Turm Stadtkirche Lauterfels Belege", "Turm Stadtkirche Lauterfels Belege"},
	} {
		if got := withTopic(c[0], c[1]); got != c[2] {
			t.Errorf("%q: %q", c[1], got)
		}
	}
}
