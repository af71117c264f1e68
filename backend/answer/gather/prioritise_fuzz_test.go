package gather

import (
	"testing"

	"footnote/backend/evidence"
)

// FuzzPriorities reads any reply of a model: what it says of other addresses than
// those it was asked about is left out.
func FuzzPriorities(f *testing.F) {
	f.Add(`[{"url":"https://a.example/","rank":1,"reason":"it says so"}]`)
	f.Add("x [] [{\"url\":\"HTTPS://A.example\",\"rank\":1e300},{\"url\":\"https://b.example\",\"rank\":-1}]")
	leads := []evidence.Lead{{Source: evidence.Source{Address: "https://a.example/"}}, {Source: evidence.Source{Address: "https://c.example/x"}}}
	f.Fuzz(func(t *testing.T, said string) {
		for at, p := range parsePriorities(said, leads) {
			if at != "https://a.example/" && at != "https://a.example" && at != "https://c.example/x" || len([]rune(p.Reason)) > 161 {
				t.Fatalf("%q gives %q %+v", said, at, p)
			}
		}
	})
}
