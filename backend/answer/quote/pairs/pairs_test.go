package pairs

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/answertype"
	"footnote/backend/cite"
	"footnote/backend/lang"
)

// held are statements, "name: text" each of a source of its own, as held against a question.
func held(c *cite.Checker, question string, statements ...string) (a Asked, all []Statement, ok bool) {
	a, ok = Of(question)
	matter := slices.DeleteFunc(c.Terms(a.Matter()), func(m cite.Term) bool {
		return !slices.ContainsFunc(c.Terms(lang.Matter(question)), m.IsForm)
	})
	for _, w := range answertype.AskedWords(question) {
		for _, t := range c.Terms(w) {
			if slices.ContainsFunc(matter, func(m cite.Term) bool { return m.Stem == t.Stem }) {
				a.Words, a.Weights = append(a.Words, w), append(a.Weights, t.Weight)
				a.Names, a.Times = append(a.Names, t.IsNumber()), append(a.Times, t.IsNumber())
			}
		}
	}
	has := func(text string) (shares []float64) {
		terms := c.Terms(text)
		for _, w := range a.Words {
			share := 0.0
			for _, t := range terms {
				share = max(share, c.Terms(w)[0].Alike(t))
			}
			shares = append(shares, share)
		}
		return shares
	}
	for i, s := range statements {
		name, text, _ := strings.Cut(s, ": ")
		all = append(all, Statement{Text: text, Source: i, Name: name, Has: has(name + " " + text), Of: has(name)})
	}
	return a, all, ok
}

func TestTwoStatementsOfOneWordingAnswerWhatComparesThem(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	contracts := []string{
		"contract 2023: The price is £155 for each visit, a total of £2,790 for the year, invoiced in four equal parts.",
		"contract 2024: The price is £168 for each visit, a total of £3,696 for the year, invoiced in twelve equal parts of £308.",
		"contract 2024: The beds are weeded at each visit.",
	}
	offers := []string{
		"Preventivo Edilnova: Totale senza IVA: 40.950,00 euro.", "Preventivo Bertani: Totale senza IVA: 45.418,00 euro.", "Verbale: Edilnova comincia il 4 novembre 2024.",
	}
	bills := []string{
		"Fatura maio: IVA (23 %): 96,78 € Total a pagar: 517,58 €", "Fatura julho: IVA (23 %): 153,26 € Total a pagar: 819,61 €", "Fatura julho: Data de emissão: 31 de julho de 2024.",
	}
	leases := []string{
		"Mietvertrag Wien: Die Kaution beträgt 2.400 Euro und ist beim Einzug zu zahlen.", "Mietvertrag Graz: Die Kaution beträgt 1.950 Euro und ist bis zum 1. Mai zu zahlen.", "Mietvertrag Graz: Haustiere sind erlaubt.",
	}
	for _, x := range []struct {
		question string
		of       []string
		worked   string
		one      int // statements of the pair; -1 for none
		other    int
		apart    bool
	}{
		{"What changed in the price per visit between the 2023 and 2024 contracts?", contracts, "13 = £168 (2024) − £155 (2023)", 0, 1, true},
		{"Quale preventivo è più caro, Edilnova o Bertani?", offers, "4.468,00 = 45.418,00 euro (bertani) − 40.950,00 euro (edilnova)", 0, 1, true},
		{"Quanto dão as duas faturas juntas?", bills, "1.337,19 = 517,58 € (Fatura maio) + 819,61 € (Fatura julho)", 0, 1, false},
		{"Qual é a diferença entre a fatura de maio e a de julho?", bills, "302,03 = 819,61 € (julho) − 517,58 € (maio)", 0, 1, true},
		{"Wie viel höher ist die Kaution in Wien als in Graz?", leases, "450 = 2.400 Euro (wien) − 1.950 Euro (graz)", 0, 1, true},
		{"Kaution Wien oder Graz?", leases, "", 0, 1, true},
		{"Why is there a difference between the contracts of 2023 and 2024?", contracts, "", -1, -1, false},
		{"How often must the oil be changed?", []string{"manual: Change the oil after 50 hours.", "manual of the saw: Change the oil after 5 hours."}, "", -1, -1, false},
		{"Wie hoch ist die Kaution in Wien?", leases, "", -1, -1, false},
		{"Qual é o total da fatura de maio?", bills, "", -1, -1, false},
		{"Was unterscheidet die Hausordnung in Wien und Graz, gibt es einen Unterschied?", leases, "", -1, -1, false},
	} {
		a, all, ok := held(c, x.question, x.of...)
		var p Pair
		if ok {
			p, ok = a.Best(all, c)
		}
		if ok != (x.one >= 0) || ok && (p.One != x.one || p.Other != x.other || p.apart != x.apart) || p.Worked != x.worked {
			t.Errorf("%s\n%v %+v", x.question, ok, p)
		}
	}
}

func TestFiguresAreNoDatesAndNoNumbersOfNames(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Invoice 2024/118 of 3 May 2024 comes to £1,412.40": "£1,412.40",
		"Zone F2 costs 30.26 €":                             "30.26 €",
		"押金为一个月租金，即6800元":                                   "6800元",
		"Der Vertrag endet am 31.05.2024 nach 24 Monaten":   "24 Monaten",
		"Opened in 1987":                                    "",
	} {
		a, _, _ := held(c, "What is the difference?")
		var got []string
		for _, f := range a.told([]Statement{{Text: text}}, c)[0].figures {
			got = append(got, f.text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
