package research

import (
	"slices"
	"testing"
)

func TestWhatIsToldOfAProductIsToldOfItsMaker(t *testing.T) {
	for text, want := range map[string]string{
		"Oban Gears is a Scottish firm that makes the lubricant free axle Tolva.": "tolva",
		"Oban Gears plc, founded in 1971, makes Tolva and sells wheels.":          "tolva",
		"Tolva 3 was developed by Oban Gears in 2019.":                            "tolva 3",
		"Unlike Oban Gears, Lorne Bearings makes the axle Brecon.":                "",
		"The rival of Oban Gears makes Brecon.":                                   "",
		"Oban Gears sells Brecon in its shop.":                                    "",
		"Oban Gears makes Scottish axles.":                                        "",
		"Oban Gears never made Brecon.":                                           "",
		"Lorne Bearings makes Brecon.":                                            "",
	} {
		var list []string
		if want != "" {
			list = []string{want}
		}
		if got := productsOf([]string{"oban gears"}, []string{text}); !slices.Equal(got, list) {
			t.Errorf("%q tells of %q", text, got)
		}
	}
}
