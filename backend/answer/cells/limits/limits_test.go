package limits

import (
	"testing"

	"footnote/backend/lang"
)

func TestWhatIsComparedWithAFigure(t *testing.T) {
	for text, want := range map[string]string{
		"Which invoices are over £500?":              "> 500",
		"How many cost no more than 1,200 in total?": "≤ 1,200",
		"Welche Teile kosten mindestens 20 Euro?":    "≥ 20",
		"Quels clients doivent moins de 80 euros ?":  "< 80",
		"5000円以上の支払いは？":                              "≥ 5000",
		"Which invoices are over a year old?":        "",
		"What happened after 2019, more than before": "",
	} {
		got := Of(lang.Spoken(text), text)
		if said := Signs[got.How] + got.Text; said != want {
			t.Errorf("%s: %q, wanted %q", text, said, want)
		}
	}
}
