package along

import (
	"strings"
	"testing"

	"footnote/backend/cite"
	"footnote/backend/evidence"
)

var checker = func() *cite.Checker {
	c, err := cite.NewChecker()
	if err != nil {
		panic(err)
	}
	return c
}()

// worked is the working over the first row of a table, empty without one.
func worked(question string, table ...evidence.Row) string {
	w, ok := Read(checker, question).WorkedOut(table[0], table)
	if !ok {
		return ""
	}
	return w.Text
}

func TestWhatIsWorkedOutOfTheCellsOfARow(t *testing.T) {
	sales := evidence.Row{Label: "Total sales", Values: []string{"$ 4,210", "3,900", "(1,200.5)"}, Heads: []string{"2019 (in millions)", "2018", "FY17"}}
	twice := evidence.Row{Label: "Sales", Values: []string{"1", "2"}, Heads: []string{"2019 East", "2019 West"}}
	for question, want := range map[string]string{
		"What was the change in total sales between 2018 and 2019?":         "310 = $ 4,210 (2019) − 3,900 (2018), in millions",
		"By how much did total sales increase from 2018 to 2019?":           "310 = $ 4,210 (2019) − 3,900 (2018), in millions",
		"What is the percentage change in total sales from 2018 to 2019?":   "7.95 % = ($ 4,210 (2019) − 3,900 (2018)) ÷ 3,900",
		"What was the average of total sales for 2018 and 2019?":            "4,055 = (3,900 (2018) + $ 4,210 (2019)) ÷ 2, in millions",
		"What were the average total sales from 2017 to 2019?":              "2,303.167 = ((1,200.5) (2017) + 3,900 (2018) + $ 4,210 (2019)) ÷ 3, in millions",
		"What was the sum of total sales for FY17 and FY18?":                "2,699.5 = (1,200.5) (2017) + 3,900 (2018), in millions",
		"Wie hoch war die durchschnittliche Summe der Jahre 2018 und 2019?": "4,055 = (3,900 (2018) + $ 4,210 (2019)) ÷ 2, in millions",
		"What was the change in total sales between 2015 and 2019?":         "",
		"What were total sales in 2019?":                                    "",
		"What is the ratio of total sales to costs in 2018 and 2019?":       "",
		"Total sales in 2018 as a percentage of total costs?":               "",
		"What is the change in total sales?":                                "",
	} {
		if got := worked(question, sales); got != want {
			t.Errorf("%s\n got %q\nwant %q", question, got, want)
		}
	}
	if got := worked("What was the change in sales between 2018 and 2019?", twice); got != "" {
		t.Errorf("two cells of a year gave %q", got)
	}
}

func TestWhatIsWorkedOutOverRows(t *testing.T) {
	row := func(head string, rows ...string) (all []evidence.Row) {
		for _, r := range rows {
			label, value, _ := strings.Cut(r, "=")
			all = append(all, evidence.Row{Label: label, Values: []string{value}, Heads: []string{head}, Section: "in millions"})
		}
		return all
	}
	ducks := row("Ducks", "2019=120", "2020=135", "2021=150", "2022=170", "2023=160")
	sales := row("Net sales", "Asia=533", "Europe=315", "Americas=337", "Total=1,185")
	riders := []evidence.Row{
		{Label: "Ukawa", Values: []string{"1", "Honda", "25"}, Heads: []string{"Pos", "Make", "Points"}},
		{Label: "Battaini", Values: []string{"2", "Aprilia", "20"}, Heads: []string{"Pos", "Make", "Points"}},
		{Label: "Capirossi", Values: []string{"3", "Honda", "16"}, Heads: []string{"Pos", "Make", "Points"}},
	}
	for _, c := range []struct {
		question string
		table    []evidence.Row
		want     string
	}{
		{"By how much did the number of ducks fall from 2022 to 2023?", ducks, "−10 = 160 (2023) − 170 (2022), in millions"},
		{"What is the average number of ducks from 2019 to 2021?", ducks, "135 = (120 (2019) + 135 (2020) + 150 (2021)) ÷ 3, in millions"},
		{"In which year were there most ducks?", ducks, "170 (2022): the most of 5 rows, Ducks"},
		{"In welchem Jahr gab es die wenigsten Ducks?", ducks, "120 (2019): der niedrigste Wert von 5 Zeilen, Ducks"},
		{"How many ducks were there in 2022?", ducks, ""},
		{"What was the change in ducks from 2018 to 2023?", ducks, ""},
		{"What was the difference between net sales of Asia and Europe?", sales, "218 = 533 (Asia) − 315 (Europe), in millions"},
		{"What percentage of total net sales was Europe?", sales, "26.58 % = 315 (Europe) ÷ 1,185 (Total)"},
		{"What is the ratio of Asia to Europe?", sales, "1.6921 = 533 (Asia) ÷ 315 (Europe)"},
		{"Which region had the highest net sales?", sales, "533 (Asia): the most of 3 rows, Net sales"},
		{"What is the sum of the points of Honda riders?", riders, "41 = 25 (Ukawa) + 16 (Capirossi)"},
		{"By what percentage did net sales in the Americas grow from 2018 to 2019?", []evidence.Row{{Label: "Americas", Values: []string{"337", "24.4%", "259", "21.6%"},
			Heads: []string{"2019 / Net sales", "2019 / % of total", "2018 / Net sales", "2018 / % of total"}}}, "30.12 % = (337 (2019) − 259 (2018)) ÷ 259"},
		{"Which Honda rider got the fewest points?", riders, "16 (Capirossi): the least of 2 rows, Points"},
	} {
		if got := worked(c.question, c.table...); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.question, got, c.want)
		}
	}
}

func TestWhatIsWorkedOutInEveryLanguage(t *testing.T) {
	percent := func(label string) evidence.Row {
		return evidence.Row{Label: label, Values: []string{"260", "200"}, Heads: []string{"2024", "2023"}}
	}
	for question, want := range map[string]string{
		"Um wie viel Prozent ist die Miete von 2023 auf 2024 gestiegen?":    "Miete",
		"De quel pourcentage le loyer a-t-il augmenté entre 2023 et 2024 ?": "Loyer",
		"¿En qué porcentaje ha subido el alquiler de 2023 a 2024?":          "Alquiler",
		"Di quale percentuale è aumentato l'affitto dal 2023 al 2024?":      "Affitto",
		"Em que percentagem aumentou a renda de 2023 para 2024?":            "Renda",
		"Met hoeveel procent is de huur gestegen van 2023 tot 2024?":        "Huur",
		"O ile procent wzrósł czynsz od 2023 do 2024?":                      "Czynsz",
		"Med hur många procent har hyran ökat från 2023 till 2024?":         "Hyran",
		"На сколько процентов выросла аренда с 2023 по 2024?":               "Аренда",
		"На скільки відсотків зросла оренда з 2023 по 2024?":                "Оренда",
		"Kira 2023'ten 2024'e yüzde kaç arttı?":                             "Kira",
		"2023 से 2024 तक किराया कितने प्रतिशत बढ़ा?":                        "किराया",
		"家賃は2023年から2024年に何パーセント増えましたか？":                                     "家賃",
		"房租从2023年到2024年上涨了百分之多少？":                                           "房租",
		"2023년부터 2024년까지 임대료는 몇 퍼센트 올랐나요?":                                  "임대료",
		"كم بالمئة ارتفع الإيجار من 2023 إلى 2024؟":                         "الإيجار",
	} {
		if got := worked(question, percent(want)); got != "30 % = (260 (2024) − 200 (2023)) ÷ 200" {
			t.Errorf("%s\n got %q", question, got)
		}
	}
	shares := []evidence.Row{
		{Label: "Nord", Values: []string{"1.500,5"}, Heads: []string{"2024"}},
		{Label: "Total", Values: []string{"6.002,0"}, Heads: []string{"2024"}},
	}
	for _, question := range []string{
		"Welchen Anteil in Prozent hat Nord?", "Quelle part en pourcentage représente Nord ?", "Qual é a quota percentual de Nord?", "Jaki procentowy udział ma Nord?",
	} {
		if got := worked(question, shares...); got != "25 % = 1.500,5 (Nord) ÷ 6.002,0 (Total)" {
			t.Errorf("%s\n got %q", question, got)
		}
	}
}

func TestTheCellThatIsAskedFor(t *testing.T) {
	quarters := evidence.Row{Label: "Products", Section: "Cost of sales", Values: []string{"1", "2", "3", "4"},
		Heads: []string{"Three Months Ended / July 1, 2023", "Three Months Ended / June 25, 2022", "Nine Months Ended / July 1, 2023", "Nine Months Ended / June 25, 2022"}}
	circuit := evidence.Row{Label: "Harkins Theatres", Values: []string{"7", "Phoenix", "440", "31"}, Heads: []string{"Rank", "Headquarters", "Screens", "Sites"}}
	for _, c := range []struct {
		question string
		row      evidence.Row
		of       string
		at       int
		period   int
	}{
		{"What was the cost of products in the three months ended July 1, 2023?", quarters, "", 0, 1},
		{"What was the cost of products in Q3 2023?", quarters, "2023 Q3 report", 0, 1},
		{"What was the cost of products in the nine months to June 2022?", quarters, "", 3, 1},
		{"What was the cost of products in the latest quarter?", quarters, "", 0, 1},
		{"Was kosteten die Produkte im Quartal bis zum 25. Juni 2022?", quarters, "", 1, 1},
		{"What was the cost of products in 2019?", quarters, "", -1, -1},
		{"What was the cost of products?", quarters, "", -1, 0},
		{"How many screens does Harkins Theatres have?", circuit, "", 2, 0},
		{"Which theatres have their headquarters in Phoenix?", circuit, "", -1, 0},
		{"Where is Harkins Theatres?", circuit, "", -1, 0},
	} {
		got := Read(checker, c.question).Choose(c.row, c.of)
		if got.At != c.at || got.Period != c.period {
			t.Errorf("%s: %+v, want cell %d, period %d", c.question, got, c.at, c.period)
		}
	}
}
