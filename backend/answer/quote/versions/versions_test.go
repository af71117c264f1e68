package versions

import (
	"testing"

	"footnote/backend/cite"
)

func TestWhatATextCallsItsDate(t *testing.T) {
	for _, c := range []struct {
		address, title string
		want           string
	}{
		{"/a/Tarif particuliers 2024.pdf", "Tarif 2019", "2024"},
		{"/a/Reglement_garderie_2024-2025.odt", "", "2025"},
		{"/a/verbale assemblea 16-11-2024.odt", "", "2024-11-16"},
		{"/a/2026-02-10 minutes.md", "", "2026-02-10"},
		{"/a/診療のご案内_2025年6月版.docx", "", "2025"},
		{"/a/rules.pdf", "Rules of 2021", "2021"},
		{"/a/rules.pdf", "Rules", ""},
		{"/a/IMG_120240.jpg", "", ""},
	} {
		if got := Date(Of(c.address, c.title)); got != c.want {
			t.Errorf("%s: %q, want %q", c.address, got, c.want)
		}
	}
}

func TestTextsOfOneSeries(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"/a/Tarif particuliers 2024.pdf", "/a/Tarif particuliers 2023.pdf", true}, {"Satzung TuS 2024.docx", "Satzung 2016 (alt).pdf", true},
		{"毛茶采购合同_2025年修订.docx", "毛茶采购合同_2023.docx", true}, {"Apple annual 2024.pdf", "Orbit report 2023.pdf", false}, {"204-700.md", "203-52.md", false}, {"2024.md", "2023.md", false},
	} {
		if got := SameSeries(Called(c.a, ""), Called(c.b, "")); got != c.same {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}

func TestTextsOfTheSameMatterDifferInFigures(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		a, b string
		same bool
	}{
		{"The annual premium comes to 612.40 pounds.", "The annual premium including tax comes to 688.15 pounds.", true},
		{"La capienza massima è di 94 persone, palco escluso.", "Dopo il sopralluogo la capienza massima è stata ridotta a 86 persone, palco escluso.", true},
		{"The annual premium comes to 612.40 pounds.", "The tenant may keep one cat.", false},
	} {
		if got := SameMatter(c.Terms(p.a), c.Terms(p.b)); got != p.same {
			t.Errorf("%q, %q: %v", p.a, p.b, got)
		}
	}
}
