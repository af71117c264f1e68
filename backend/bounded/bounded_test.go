package bounded

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"footnote/backend/hostile"
)

func TestValuesAreCounted(t *testing.T) {
	for text, want := range map[string]Counts{
		``: {}, `1`: {Numbers: 1}, `{}`: {Elements: 1}, `[]`: {Elements: 1}, `[1, 2,-3.5e7]`: {Numbers: 3, Elements: 1}, `["a","b\"],[",null]`: {Elements: 4},
		`{"a":1,"b":{"c":[{}]}}`:        {Members: 6, Elements: 2}, // names and values, and two that stand by themselves
		`[[],[],[[]]]`:                  {Elements: 5},
		"{\"a\":1}\n{\"a\":\"\\\\\"}\n": {Members: 4, Elements: 2},
		`[true,false]`:                  {Elements: 3}, `"open`: {Elements: 1}, `]]}}[`: {Elements: 1}, `"\`: {Elements: 1},
	} {
		if got := Count([]byte(text)); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestTooManyValuesAreNotMade(t *testing.T) {
	for name, text := range hostile.JSON() {
		var into any
		made := testing.AllocsPerRun(1, func() {
			if err := Unmarshal([]byte(text), Usual, &into); !errors.Is(err, ErrMany) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if made > 100 {
			t.Errorf("%s: %.0f things were made", name, made)
		}
	}
	var into struct{ A []int }
	if err := Unmarshal([]byte(`{"a":[1,2]}`), Usual, &into); err != nil || len(into.A) != 2 {
		t.Errorf("%v %v", err, into)
	}
	if left := Usual.Without(Counts{1, 2, 3}); left != (Counts{999_999, 999_998, 199_997}) {
		t.Errorf("%+v", left)
	}
}

func TestTooManyTagsAreNotMade(t *testing.T) {
	var into struct {
		Entries []struct{ A, B, C string } `xml:"entry"`
	}
	text := []byte("<feed>" + strings.Repeat("<entry/>", 600_000) + "</feed>")
	if err := UnmarshalXML(text, &into); !errors.Is(err, ErrMany) || into.Entries != nil {
		t.Errorf("%v, %d entries", err, len(into.Entries))
	}
	if err := UnmarshalXML([]byte("<feed><entry/></feed>"), &into); err != nil || len(into.Entries) != 1 {
		t.Errorf("%v, %d entries", err, len(into.Entries))
	}
}

func FuzzCount(f *testing.F) {
	f.Add([]byte(`{"a":[1,"b",null,{"c":[]}]}`))
	f.Add([]byte(`"\`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Count(data)
		var v any
		if json.Unmarshal(data, &v) != nil {
			return
		}
		if want := count(v, true); !want.Within(c) {
			t.Errorf("%q: counted %+v, made %+v", data, c, want)
		}
	})
}

// count counts what was made; of members that stand twice one is made.
func count(v any, listed bool) (c Counts) {
	switch v := v.(type) {
	case float64:
		c.value(listed, '0')
	case []any:
		c.value(listed, '[')
		for _, e := range v {
			c = c.Without(Counts{}.Without(count(e, true)))
		}
	case map[string]any:
		c.value(listed, '{')
		for _, e := range v {
			c = c.Without(Counts{}.Without(count(e, false)))
		}
	default:
		c.value(listed, '"')
	}
	return c
}
