package rank

import (
	"strings"
	"testing"
)

func TestTheLanguageOfAPassageIsTold(t *testing.T) {
	for text, want := range map[string]Language{
		"The bridge was opened on 3 May and it is the longest of all that were built by the town.":                             "",
		"Die Brücke wurde im Mai eröffnet und ist mit einer Länge von 503 Metern die längste der Stadt.":                       "de",
		"El puente fue inaugurado en mayo y es el más largo de los que se construyeron en la ciudad.":                          "es",
		"Le pont a été ouvert en mai et il est le plus long de ceux qui ont été construits dans la ville.":                     "fr",
		"Il ponte fu aperto nel mese di maggio ed è il più lungo di quelli che sono stati costruiti nella città.":              "it",
		"A ponte foi aberta em maio e é a mais longa de todas as que foram construídas na cidade por uma empresa.":             "pt",
		"De brug werd in mei geopend en is met een lengte van 503 meter de langste van het land, voor zover bekend.":           "nl",
		"Bron öppnades i maj och är den längsta av alla som har byggts i staden med en längd av 503 meter, och inte för den.":  "sv",
		"Broen ble åpnet i mai og er den lengste av alle som er bygget i byen, med en lengde på 503 meter.":                    "no",
		"A hidat májusban nyitották meg, és ez a leghosszabb, amely a városban épült, de nem az egyetlen, hogy pontos legyen.": "hu",
		"Lorne bridge, 503 m, 1932": "",
		"A de novo mutation of la famille was seen in vitro and in vivo et al.": "",
		"": "",
	} {
		if got := LanguageOf(text); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}

func TestWordsOfALanguageMeetInOneStem(t *testing.T) {
	for language, pairs := range map[Language][][2]string{
		"de": {{"Brücken", "Brücke"}, {"großes", "gross"}, {"Kindern", "Kind"}, {"längste", "länger"}},
		"es": {{"puentes", "puente"}, {"construyeron", "construyó"}},
		"fr": {{"ouvertes", "ouvert"}, {"villes", "ville"}},
		"it": {{"lunghezze", "lunghezza"}, {"ponticelli", "ponticello"}},
		"pt": {{"cidades", "cidade"}, {"canções", "canção"}},
		"nl": {{"bruggen", "brug"}, {"lange", "lang"}},
		"sv": {{"bilen", "bilar"}}, "no": {{"byene", "byen"}}, "hu": {{"városban", "városnak"}},
		"": {{"столицы", "столица"}, {"bridges", "bridge"}},
	} {
		for _, p := range pairs {
			a, b := termIn(language, p[0]), termIn(language, p[1])
			if a != b {
				t.Errorf("%s: %s is %s, %s is %s", language, p[0], a, p[1], b)
			}
		}
	}
	if termIn("de", "gift") == termIn("", "gift") {
		t.Error("a German word is taken for an English one")
	}
	if got := termIn("de", "東京"); got != "東京" {
		t.Errorf("a pair of characters becomes %q", got)
	}
}

func termIn(language Language, word string) (term string) {
	Words(word, func(w Word) { term = w.TermIn(language) })
	return term
}

func FuzzTermIn(f *testing.F) {
	f.Add("Straßen")
	f.Add("ii s ßß")
	f.Fuzz(func(t *testing.T, text string) {
		LanguageOf(text)
		for _, language := range Languages() {
			Words(text, func(w Word) {
				if w.TermIn(language) == "" {
					t.Fatalf("%q has no term", w.Text)
				}
			})
		}
	})
}

func TestNoFunctionWordIsLongerThanTheLookUpAllows(t *testing.T) {
	for language, words := range functionWords {
		for word := range strings.FieldsSeq(words) {
			if len(word) > longestCommon {
				t.Errorf("%q of %q has %d bytes", word, language, len(word))
			}
		}
	}
}
