package rank

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTermsGolden(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The dogs' owners and the dog’s Bones", "dog owner dog bone"},
		{"don't Don’t l'homme O'Brien", "don't don't l homm o brien"},
		{"Café Müller naïve résumés", "cafe muller naiv resum"},
		{"3.5 12,000 1,234,567.8 2.5mg 12.05.2024 192.168.0.1", "3.5 12000 1234567.8 2.5 mg 12 05 2024 192 168 0 1"},
		{"U.S.A. e.g. end.Next J. K. Rowling", "usa eg end next j k rowl"},
		{"Q3-2024_report.pdf H2O v1.2", "q3 2024 report pdf h2o v1 2"},
		{"東京は日本 猫", "東京 京は は日 日本 猫"},
		{"서울은 กรุง", "서울 울은 กร รุ ุง"},
		{"Тёлка Ελλάδας столицы", "телк ελλαδας столиц"},
		{"الْمُدُن أحمد مدينة", "المدن احمد مدينه"},
		{"ＦＵＬＬ width ﬁne", "full width fine"},
		{"the of and", ""},
		{"\xff\xfe ok", "ok"},
		{"2024年", "2024 年"},
	} {
		if got := strings.Join(Terms(c.text), " "); got != c.want {
			t.Errorf("Terms(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "Don’t 3.5 東京", "a.b.", "1,2.3,", "'s", "\xf0\x28", "é\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range Terms(text) {
			if term == "" || !utf8.ValidString(term) && utf8.ValidString(text) {
				t.Fatalf("term %q of %q", term, text)
			}
		}
	})
}

func TestBM25PrefersRareTermsAndShortTexts(t *testing.T) {
	b := NewBM25([]string{"apple pear", "apple", "plum plum plum quince", "apple apple pear pear fig grape melon"})
	s := b.Scores("pear quince")
	if !(s[2] > s[0] && s[0] > s[3]-1e-9 && s[1] == 0) {
		t.Errorf("scores are %v", s)
	}
	if twice := b.Scores("pear pear"); twice[0] != 2*b.Scores("pear")[0] {
		t.Error("repeated terms count once")
	}
	if got := NewBM25(nil).Scores("pear"); len(got) != 0 {
		t.Errorf("an empty set scores %v", got)
	}
	if got := NewBM25([]string{"", ""}).Scores("pear"); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("empty texts score %v", got)
	}
}

// fivePieces pretends that a word has one piece for each five letters.
func fivePieces(text string) (n, unknown int) {
	for _, w := range strings.Fields(text) {
		n += (utf8.RuneCountInString(w) + 4) / 5
		unknown += strings.Count(w, "?")
	}
	return n, unknown
}

func TestGateByLanguage(t *testing.T) {
	for question, want := range map[string]Gate{
		"Who wrote the report?":                   English,
		"budget plan april":                       English,
		"Bundeshaushaltsentwurf Verabschiedungen": Latin,
		"Wie groß ist München":                    Latin,
		"Где столица России":                      WordsOnly,
		"東京の人口":                                   WordsOnly,
		"2019 4711":                               WordsOnly,
		"?????? of":                               WordsOnly,
		"":                                        WordsOnly,
	} {
		if got := GateOf(question, fivePieces); got != want {
			t.Errorf("GateOf(%q) = %v, want %v", question, got, want)
		}
	}
	if GateOf("Who wrote it?", nil) != WordsOnly {
		t.Error("without an embedder the gate is open")
	}
}

func TestACutterCutsAsTermsDoes(t *testing.T) {
	c := NewTokenizer()
	for _, text := range []string{"Running runners ran; the dying lamps", "running RUNNERS again", "東京の灯台 и маяк", "Ångström's lamp"} {
		if got, want := c.Terms(text), Terms(text); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestACutterGivesTheTermsOfEachLanguageApart(t *testing.T) {
	c := NewTokenizer()
	for range 2 { // the second time from what is remembered
		for _, language := range append(Languages(), "") {
			text := "Häuser casas 12,000 U.S.A. don't stop дома 灯台 running"
			var want []string
			Words(text, func(w Word) { want = append(want, w.TermIn(language)) })
			if got := c.AppendTerms([]string{"kept"}, language, text); !slices.Equal(got[1:], want) || got[0] != "kept" {
				t.Errorf("%q: %q, want %q", language, got, want)
			}
		}
	}
}
