package subject

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

func TestWhatAMakerMakesIsReadInOtherLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"Die Oban Gears GmbH wurde 1987 in Kassel gegründet und entwickelt die Kreiselpumpe Tolva.": "tolva",
		"Oban Gears, fondée en 1994 à Nantes, fabrique l'essieu Tolva.":                             "tolva",
		"Oban Gears, fundada en 1979 en Vigo, fabrica el eje Tolva Dos.":                            "tolva dos",
		"Oban Gears, che è stata fondata nel 1979, produce l'asse Tolva.":                           "tolva",
		"Oban Gears is in 1987 opgericht en ontwikkelt de as Tolva.":                                "tolva",
		"Конкурент Oban Gears выпускает насос Толва.":                                               "",
		"Oban Gears baut in Kassel große Pumpen.":                                                   "",
		"Die Oban Gears baut keine Kreiselpumpe Tolva.":                                             "",
		"Der Wettbewerber der Oban Gears baut die Pumpe Brecon.":                                    "",
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
