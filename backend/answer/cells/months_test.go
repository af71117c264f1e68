package cells

import (
	"fmt"
	"testing"

	"footnote/backend/evidence"
)

// accounts are the sheets of two years of months that one file has, named by the later year, and
// a list of single days beside them.
func accounts(file, first, second string, heads, days []string) (sheets []Sheet) {
	months := func(name string, hundreds int) []evidence.Row {
		lines := []string{heads[0]}
		for i, month := range heads[1:13] {
			one, other := 100*hundreds+10*(i%9), 10+10*(i%9)
			lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%d", month, one, other, one+other))
		}
		return sheetOf(name, append(lines, heads[13])...)
	}
	sheets = []Sheet{{months(second, 2), file}, {months(first, 1), file}}
	if days != nil {
		sheets = append(sheets, Sheet{sheetOf("", days...), "/files/days.csv"})
	}
	return sheets
}

var (
	incomeOf = accounts("/files/Income 2024.xlsx", "Income 2023", "Income 2024", []string{"Month\tDay boat\tShop and fuel\tTotal",
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "Total\t2850\t570\t3420"}, nil)
	kasseOf = accounts("/files/Belegung_Kasse_2024.xlsx", "Kasse 2023", "Kasse 2024", []string{"Monat\tEintritt €\tAusgaben €\tSaldo €",
		"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember", "Summe\t1\t1\t1"}, nil)
	recettesOf = accounts("/files/Recettes par mois.ods", "2023", "2024", []string{"Mois\tPension\tBoutique\tTotal",
		"Janvier", "Février", "Mars", "Avril", "Mai", "Juin", "Juillet", "Août", "Septembre", "Octobre", "Novembre", "Décembre", "Total\t1\t1\t1"}, nil)
	refugioOf = accounts("/files/ocupacion_2024.xlsx", "Meses 2023", "Meses 2024", []string{"Mes\tPernoctas\tIngresos pernocta €\tGastos €",
		"Enero", "Febrero", "Marzo", "Abril", "Mayo", "Junio", "Julio", "Agosto", "Septiembre", "Octubre", "Noviembre", "Diciembre", "Total\t1\t1\t1"}, nil)
	wplywyOf = accounts("/files/Wpływy.xlsx", "2023", "2024", []string{"Miesiąc\tCzynsz (zł)\tSklep (zł)\tRazem (zł)",
		"styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień", "październik", "listopad", "grudzień", "Razem\t1\t1\t1"}, nil)
	shunyuOf = accounts("/files/収支.xlsx", "2023", "2024", []string{"月\t家賃\t駐車場\t合計",
		"1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月", "合計\t1\t1\t1"}, nil)
)

func none(int, []evidence.Row) bool { return false }

func TestRangesAndCellsOfATableOfMonths(t *testing.T) {
	for _, c := range []struct {
		question string
		sheets   []Sheet
		want     string // empty: nothing sure
	}{
		{"day boat income april to june 2024", incomeOf, "720 = 230 (April) + 240 (May) + 250 (June): Day boat, 2024"},
		{"What did the day boat bring in in the third quarter of 2023?", incomeOf, "510 = 160 (July) + 170 (August) + 180 (September): Day boat, 2023"},
		{"What did the day boat bring in in August 2023?", incomeOf, "170: Day boat, 2023"},
		{"Total income in October 2023?", incomeOf, "110: Total, 2023"},
		{"Eintrittsgelder im November 2024?", kasseOf, "210: Eintritt €, 2024"},
		{"Was haben wir von Oktober bis Dezember 2023 ausgegeben?", kasseOf, "60 = 10 (Oktober) + 20 (November) + 30 (Dezember): Ausgaben €, 2023"},
		{"Eintritt im zweiten Halbjahr 2023 zusammen", kasseOf, "840 = 160 (Juli) + 170 (August) + 180 (September) + 100 (Oktober) + 110 (November) + 120 (Dezember): Eintritt €, 2023"},
		{"Recettes de la pension au troisième trimestre 2024 ?", recettesOf, "810 = 260 (Juillet) + 270 (Août) + 280 (Septembre): Pension, 2024"},
		{"pension de janvier à mars 2023, ça fait combien", recettesOf, "330 = 100 (Janvier) + 110 (Février) + 120 (Mars): Pension, 2023"},
		{"pernoctas de enero a marzo de 2023", refugioOf, "330 = 100 (Enero) + 110 (Febrero) + 120 (Marzo): Pernoctas, 2023"},
		{"¿Cuántas pernoctas hubo en agosto del año 2023?", refugioOf, "170: Pernoctas, 2023"},
		{"Ile wyniósł czynsz od kwietnia do czerwca 2024?", wplywyOf, "720 = 230 (kwiecień) + 240 (maj) + 250 (czerwiec): Czynsz (zł), 2024"},
		{"2024年4月から6月までの家賃は合わせていくらですか", shunyuOf, "720 = 230 (4月) + 240 (5月) + 250 (6月): 家賃, 2024"},
		{"day boat income april to june 2022", incomeOf, ""},
		{"What did the shop bring in in August 2023?", incomeOf, ""},         // of two things
		{"What did we spend on shop and fuel in August 2023?", incomeOf, ""}, // it is what came in
		{"What did the shop and fuel bring in in August 2023?", incomeOf, "80: Shop and fuel, 2023"},
		{"Which months of 2024 had total income over 360?", incomeOf, "1 – Month: September (Total: > 360, 2024)"},
		{"day boat income from november 2023 to february 2024", incomeOf, ""},
		{"day boat income from june 2023 to august 2024", incomeOf, ""},
		{"day boat income april 2023 to june 2023", incomeOf, "420 = 130 (April) + 140 (May) + 150 (June): Day boat, 2023"},
		{"moorings income april to june 2024", incomeOf, ""},
	} {
		got, _ := Read(checker, c.question).Over(c.sheets, none)
		if got.Text != c.want && (c.want != "" || got.Sure) || got.Sure != (c.want != "") {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", c.question, got.Text, got.Sure, c.want)
		}
	}
}

func TestTheYearOfARowStandsInAColumn(t *testing.T) {
	both := []Sheet{{sheetOf("takings and costs by month, 2023 and 2024",
		"Year\tMonth\tLettings\tPlaygroup", "2023\tApril\t610\t285", "2023\tMay\t655\t290", "2023\tJune\t720\t300", "Total 2023\t\t1985\t875",
		"2024\tApril\t660\t356", "2024\tMay\t690\t360", "2024\tJune\t785\t370", "Total 2024\t\t2135\t1086"), "/files/takings.csv"}}
	anno := []Sheet{{sheetOf("Incassi 2023 e 2024",
		"Anno\tMese\tCamere\tOlio", "2023\taprile\t610\t285", "2023\tmaggio\t655\t290", "2024\taprile\t660\t356", "2024\tmaggio\t690\t360"), "/files/incassi.csv"}}
	behind := []Sheet{{sheetOf("Takings of 2023 and 2024", "Month\tYear\tLettings\tPlaygroup", "April\t2023\t610\t285", "May\t2023\t655\t290", "April\t2024\t660\t356", "May\t2024\t690\t360"), "/files/takings.csv"}}
	unnamed := []Sheet{{sheetOf("", "Month\tYear\tLettings\tPlaygroup", "April\t2023\t610\t285", "May\t2023\t655\t290", "April\t2024\t660\t356", "May\t2024\t690\t360"), "/files/takings.csv"}}
	for question, of := range map[string]struct {
		sheets []Sheet
		want   string
	}{
		"What did the playgroup bring in in 2024?":                          {behind, "716 = 356 (April) + 360 (May): Playgroup, 2024"},
		"What did lettings bring in altogether from April to May 2024?":     {unnamed, "1,350 = 660 (April) + 690 (May): Lettings, 2024"},
		"What did lettings bring in altogether from April to June 2024?":    {both, "2,135 = 660 (April) + 690 (May) + 785 (June): Lettings, 2024"},
		"How much more did the playgroup bring in in 2024 than in 2023?":    {both, "211 = 1,086 (2024) − 875 (2023): Playgroup"},
		"Di quanto è cresciuto l'olio dal 2023 al 2024?":                    {anno, "141 = 716 (2024) − 575 (2023): Olio"},
		"Quanto hanno reso in tutto le camere da aprile a maggio del 2023?": {anno, "1.265 = 610 (aprile) + 655 (maggio): Camere, 2023"},
	} {
		if got, _ := Read(checker, question).Over(of.sheets, none); got.Text != of.want || !got.Sure {
			t.Errorf("%s\n%q %v, want %q", question, got.Text, got.Sure, of.want)
		}
	}
}

func TestDaysOfARangeAreAllBetweenThem(t *testing.T) {
	jobs := sheetOf("", "Job\tDate\tFee £", "Hedge\t2024-08-09\t10", "Fence\t2024-08-10\t20", "Lawn\t2024-08-15\t30", "Gate\t2024-08-20\t40", "Pond\t2024-09-02\t50")
	for question, want := range map[string]string{
		"How many jobs were there from 10 August to 20 August 2024?":            "3 – Job: Fence, Lawn, Gate",
		"Wie viele jobs gab es vom 10. August bis zum 20. August 2024?":         "3 – Job: Fence, Lawn, Gate",
		"¿Cuántos jobs hubo del 10 de agosto al 20 de agosto de 2024?":          "3 – Job: Fence, Lawn, Gate",
		"How many jobs were there from 10 August to 5 September 2024?":          "",
		"Combien de jobs y a-t-il eu du 10 août au 20 août 2024 ?":              "3 – Job: Fence, Lawn, Gate",
		"How many jobs were there in the third quarter of 2024 at the mill?":    "",
		"How many jobs were there between 10 August and 5 September 2024, all?": "",
	} {
		got, ok := Read(checker, question).Tallied(jobs, "/files/jobs.csv")
		if got.Text != want && (want != "" || ok && got.Sure) {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", question, got.Text, got.Sure, want)
		}
	}
}

func TestWhatAPartIsOfTheWhole(t *testing.T) {
	bookings := []Sheet{{sheetOf("Bookings", "Boat\tDate\tHire £\tStatus", "Heron\t2024-04-01\t300\tpaid", "Heron\t2024-05-01\t100\tcancelled", "Bittern\t2024-05-09\t400\tpaid", "Swan\t2024-06-01\t200\tcancelled"), "/files/bookings.csv"}}
	for _, c := range []struct {
		question string
		sheets   []Sheet
		want     string
	}{
		{"what share of 2024 income came from the day boat", incomeOf, "84.5 % = 2,790 (Day boat) ÷ 3,300 (Total): 2024"},
		{"quelle part des recettes 2024 vient de la pension", recettesOf, "84,5 % = 2\u202f790 (Pension) ÷ 3\u202f300 (Total): 2024"},
		{"what percentage of the bookings were cancelled", bookings, "50 % = 2 (Status: cancelled) ÷ 4"},
		{"what share of the hire came from the Heron", bookings, ""}, // some was called off
		{"Welcher Anteil der Miete kam von Adler?", []Sheet{{sheetOf("", "Mieter\tDatum\tMiete €", "Adler\t01.02.2024\t300", "Brandt\t03.04.2024\t500", "Adler\t05.06.2024\t200"), "/files/miete.csv"}}, "50 % = 500 (Mieter: Adler) ÷ 1.000 (Miete €)"},
		{"what share of 2024 income came from donations", incomeOf, ""},
		{"what share of shares was forfeited", []Sheet{{sheetOf("Awards", "Award\tShares\tFair value", "Non-vested at start\t900\t41.1", "Granted\t800\t45.2", "Forfeited\t12\t44.0", "Non-vested at end\t1300\t43.2"), "/files/awards.csv"}}, ""},
		{"¿Qué porcentaje de las pernoctas de 2024 fue en agosto?", refugioOf, "9,7 % = 270 (Agosto) ÷ 2.790 (Pernoctas): 2024"},
		{"what share of income in August 2024 came from the day boat", incomeOf, "77.1 % = 270 (Day boat) ÷ 350 (Total): 2024"},
	} {
		got, _ := Read(checker, c.question).Over(c.sheets, none)
		if got.Sure != (c.want != "") || c.want != "" && got.Text != c.want {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", c.question, got.Text, got.Sure, c.want)
		}
	}
}

func TestWhatAYearComesToIsSetApartFromAnother(t *testing.T) {
	log := []Sheet{{sheetOf("", "Kunde\tDatum\tBetrag €", "Adler\t01.02.2023\t100,00", "Brandt\t03.05.2023\t50,00", "Adler\t04.03.2024\t180,00", "Brandt\t09.09.2024\t70,00"), "/files/auftraege.csv"}}
	for _, c := range []struct {
		question string
		sheets   []Sheet
		want     string
	}{
		{"By how much did day boat income rise from 2023 to 2024?", incomeOf, "1,200 = 2,790 (2024) − 1,590 (2023): Day boat"},
		{"De combien les recettes de la pension ont-elles augmenté entre 2023 et 2024 ?", recettesOf, "1\u202f200 = 2\u202f790 (2024) − 1\u202f590 (2023): Pension"},
		{"¿Cuántas pernoctas más hubo en 2024 que en 2023?", refugioOf, "1.200 = 2.790 (2024) − 1.590 (2023): Pernoctas"},
		{"Um wie viel war der Eintritt 2024 höher als im Vorjahr?", kasseOf, "1.200 = 2.790 (2024) − 1.590 (2023): Eintritt €"},
		{"Um wie viel ist der Betrag von Adler von 2023 auf 2024 gestiegen?", log, "80,00 = 180,00 (2024) − 100,00 (2023): Betrag €, Adler"},
		{"By how much did mooring income rise from 2023 to 2024?", incomeOf, ""},
		{"By how much did day boat income rise from 2021 to 2022?", incomeOf, ""},
	} {
		got, from := Read(checker, c.question).Over(c.sheets, none)
		if got.Sure != (c.want != "") || c.want != "" && (got.Text != c.want || len(from) != len(got.Rows)) {
			t.Errorf("%s\n got %q (sure: %v) from %v\nwant %q", c.question, got.Text, got.Sure, from, c.want)
		}
	}
}
