package queries

import (
	"slices"
	"testing"
)

func TestAddressesAreFoundInProse(t *testing.T) {
	for text, want := range map[string][]string{
		"see https://a.example/x.":                             {"https://a.example/x", "see"},
		"(https://en.wikipedia.org/wiki/Go_(game)) rules?":     {"https://en.wikipedia.org/wiki/Go_(game)", "rules?"},
		"compare http://a.example and https://b.example/?q=1,": {"http://a.example", "https://b.example/?q=1", "compare and"},
		"https://a.example https://a.example":                  {"https://a.example", ""},
		"no address here: http://":                             {"no address here: http://"},
		"“https://a.example/ü”":                                {"https://a.example/ü", "“ ”"},
	} {
		addresses, rest := Addresses(text)
		if got := append(slices.Clone(addresses), rest); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
