package cells

import (
	"slices"
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

// sheetOf is a table as it stands in a file, cells by tabs, the first line its heads. What is
// empty is left out, as readers of files do.
func sheetOf(heading string, lines ...string) (rows []evidence.Row) {
	heads := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		row := evidence.Row{Heading: heading, Of: heads[0], Label: cells[0]}
		for i, c := range cells[1:min(len(cells), len(heads))] {
			if c != "" {
				row.Values, row.Heads = append(row.Values, c), append(row.Heads, heads[i+1])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

var (
	repairs = sheetOf("Repairs 2025",
		"Flat\tDate\tTrade\tContractor\tWhat was done\tCost (£)",
		"Mill Lane 2\t13/01/2025\tRoofing\tNance Roofing\tSlates over the bedroom\t285",
		"Mill Lane 2\t27/05/2025\tPlumbing\tPascoe Plumbing\tKitchen tap\t71.5",
		"Hill Row 9\t14/08/2025\tPlumbing\tPascoe Plumbing\tBathroom tray\t112",
		"Hill Row 9\t02/02/2024\tPlumbing\tPascoe Plumbing\tStop valve\t90",
		"Total\t\t\t\t\t558.5")
	kasse = sheetOf("Kassenbuch 2025",
		"Beleg\tDatum\tText\tAbteilung\tEinnahme\tAusgabe",
		"1\t05.01.2025\tHallengebühr Januar\tTurnen\t\t310,00 €",
		"2\t08.02.2025\tHallengebühr Februar\tTurnen\t\t310,00 €",
		"3\t11.02.2025\tSpende Autohaus\tFußball\t1.250,50 €\t",
		"4\t12.03.2025\tTrikots\tFußball\t\t645,90 €")
	plots = sheetOf("Участки", "Владелец\tУлица\tБаня", "Лапин\tСадовая\tда", "Юсупов\tСадовая\tнет", "Абрамян\tЛесная\tда")
	power = sheetOf("支出_2024年度", "月\t電気\t水道", "4月\t88400\t21400", "5月\t84100\t20900", "6月\t86900\t22300")
	order = sheetOf("", "订单号\t日期\t客户\t付款状态\t金额(元)", "D01\t2025-04-10\t清和堂\t未付\t3000", "D02\t2025-05-06\t闽台商行\t未付\t33600", "D03\t2025-07-02\t清和堂\t已付\t900")
	sales = sheetOf("Ventas 2024", "Mes\tComidas servidas\tCenas servidas\tIngresos terraza €", "junio\t900\t1.010\t9.100", "julio\t980\t1.130\t14.600", "agosto\t1.015\t1.225\t16.900")
)

var (
	invoices = sheetOf("Invoices", "No\tDate\tCustomer\tWork\tAmount GBP\tPaid on",
		"31\t08/01/2025\tHartnell\tDiesel for the pump\t80\t2025-01-20", "32\t14/02/2025\tHartnell\tInsurance, first half\t310\t2025-02-28",
		"33\t03/03/2025\tHartnell\tDiesel for the van\t95\t", "34\t19/05/2025\tMoor End\tHedge\t620\t2025-06-01", "35\t02/07/2025\tHartnell\tGate\t140\t", "36\t11/07/2025\tMoor End\tDiesel for the van\t60\t")
	stunden = sheetOf("Dienste 2025", "Name\tStunden Juli\tStunden August\tStunden September", "Lindner\t12\t8\t15", "Okafor\t9\t0\t11", "Weiß\t7\t14\t20")
	faturas = sheetOf("Faturas", "Fornecedor\tData\tValor €\tEstado", "Moinho Novo\t04/03/2025\t455,00\tpor pagar", "Moinho Novo\t09/04/2025\t231,40\tpaga", "Caixa Fria\t11/04/2025\t689,30\tpor pagar")
	menu    = sheetOf("Jadłospis 2025", "Dzień\tData\tZupa\tDrugie danie", "środa\t12.03.2025\tkrupnik\tpierogi leniwe", "czwartek\t13.03.2025\tpomidorowa\tkotlet z ciecierzycy", "piątek\t14.03.2025\tżurek\tryba")
	dues    = sheetOf("会費", "氏名\t年会費(円)\t納入", "大島\t20000\t未納", "森\t20000\t済", "原\t15000\t未納")
	report  = sheetOf("Report", "\t2024\t2023", "Revenue\t4,210\t3,900", "Cost of sales\t1,900\t1,700")
)

var (
	stock  = sheetOf("", "Part\tShelf\tIn stock\tReorder at\tUnit cost GBP", "Gasket\tA\t4\t10\t2.40", "Belt\tB\t1\t2\t9.90", "Pump\tA\t3\t3\t88.00")
	kits   = sheetOf("Fees 2024", "Item\tPrice (£)", "Kit to 25 kg\t310.00", "Kit over 25 kg\t425.00")
	groups = sheetOf("", "班長\t班\t世帯数\t納入額", "鈴村\t1班\t18\t48600", "古川\t2班\t22\t59400", "福地\t3班\t17\t45900")
)

func TestSheetsOfTwoYearsAreSetApart(t *testing.T) {
	fees := func(year, kit string) Sheet {
		return Sheet{sheetOf("Fees "+year, "Item\tCode\tPrice (£)", "Kit to 25 kg\tK1\t310.00", "Kit over 25 kg\tK2\t"+kit), "/files/fees.xlsx"}
	}
	kosten := func(year, cell string) Sheet {
		return Sheet{sheetOf("Kosten", "Kostenart\tSchlüssel\tBetrag EUR", "Gebäudeversicherung\tFläche\t"+cell, "Grundsteuer\tFläche\t2184,60"), "/files/Nebenkosten " + year + ".xlsx"}
	}
	kessan := func(year, cell string) Sheet {
		return Sheet{sheetOf("令和"+year+"年度収支決算書", "科目\t決算額", "夏祭り費\t"+cell, "印刷費\t9000"), "/files/決算.xlsx"}
	}
	for _, c := range []struct {
		question string
		sheets   []Sheet
		want     string
		from     []int
	}{
		{"How much more is the kit over 25 kg on the 2024 list than on the 2023 one?", []Sheet{fees("2023", "392.00"), fees("2024", "425.00")}, "33.00 = 425.00 (2024) − 392.00 (2023): Price (£), Kit over 25 kg", []int{1, 0}},
		{"Um wie viel Euro ist die Gebäudeversicherung von 2022 auf 2023 teurer geworden?", []Sheet{kosten("2023", "4018,75"), kosten("2022", "3476,10")}, "542,65 = 4018,75 (2023) − 3476,10 (2022): Betrag EUR, Gebäudeversicherung", []int{0, 1}},
		{"夏祭りにかかったお金は令和5年度から令和6年度でいくら増えましたか", []Sheet{kessan("5", "391655"), kessan("6", "407280")}, "15,625 = 407280 (2024) − 391655 (2023): 決算額, 夏祭り費", []int{1, 0}},
		{"Um wie viel ist die Grundsteuer von 2021 auf 2023 gestiegen?", []Sheet{kosten("2023", "4018,75"), kosten("2022", "3476,10")}, "", nil},
		{"Was hat die Gebäudeversicherung 2022 und 2023 gekostet?", []Sheet{kosten("2023", "4018,75"), kosten("2022", "3476,10")}, "", nil},
		{"Um wie viel ist die Heizung von 2022 auf 2023 teurer geworden?", []Sheet{kosten("2023", "4018,75"), kosten("2022", "3476,10")}, "", nil},
	} {
		got, from, ok := Read(checker, c.question).Apart(c.sheets)
		if ok != (c.want != "") || got.Text != c.want || !slices.Equal(from, c.from) {
			t.Errorf("%s: %q from %v", c.question, got.Text, from)
		}
	}
}

func TestWhatIsWorkedOutOverTheRowsThatAreNamed(t *testing.T) {
	for _, c := range []struct {
		question, file string
		table          []evidence.Row
		want           string
		sure           bool
	}{
		{"How much have repairs at Mill Lane cost altogether in 2025?", "ledger.xlsx", repairs, "356.50 = 285 (13/01/2025) + 71.5 (27/05/2025): Cost (£), Flat: Mill Lane 2, 2025", true},
		{"What did Pascoe charge in total?", "ledger.xlsx", repairs, "273.50 = 71.5 (27/05/2025) + 112 (14/08/2025) + 90 (02/02/2024): Cost (£), Contractor: Pascoe Plumbing", true},
		{"What did Pascoe charge for Hill Row in August 2025?", "ledger.xlsx", repairs, "112: Cost (£), Flat: Hill Row 9, Contractor: Pascoe Plumbing, 2025", true},
		{"What did Pascoe charge altogether in 2019?", "ledger.xlsx", repairs, "", false},
		{"How many late repairs were there at Mill Lane?", "ledger.xlsx", repairs, "2 – Date: 13/01/2025, 27/05/2025 (Flat: Mill Lane 2)", false},
		{"Why did repairs at Mill Lane cost 285?", "ledger.xlsx", repairs, "", false},
		{"Was haben wir 2025 insgesamt an Hallengebühren bezahlt?", "kasse.xlsx", kasse, "620,00 = 310,00 € (05.01.2025) + 310,00 € (08.02.2025): Ausgabe, Text: Hallengebühr Januar, Hallengebühr Februar, 2025", true},
		{"Summe der Ausgaben der Abteilung Fußball im Kassenbuch 2025", "kasse.xlsx", kasse, "645,90 €: Ausgabe, Abteilung: Fußball, 2025", false},
		{"На скольких участках Садовой улицы есть баня?", "учёт.xlsx", plots, "1 – Владелец: Лапин (Улица: Садовая, Баня: да)", true},
		{"2024年度の電気代は一年で合計いくらだった?", "管理組合.xlsx", power, "259,400 = 88400 (4月) + 84100 (5月) + 86900 (6月): 電気", true},
		{"二季度的订单有几张是未付的?", "订单.csv", order, "2 – 订单号: D01, D02 (付款状态: 未付)", true},
		{"¿Cuántas cenas dimos en julio y agosto juntos?", "ventas.xlsx", sales, "2.355 = 1.130 (julio) + 1.225 (agosto): Cenas servidas", true},
		{"¿En qué mes ingresó más la terraza?", "ventas.xlsx", sales, "16.900 (agosto): el máximo de 3 filas, Ingresos terraza €", true},
		{"How much did the diesel cost altogether in the first half of 2025?", "invoices.xlsx", invoices, "175 = 80 (08/01/2025) + 95 (03/03/2025): Amount GBP, Work: Diesel for the pump, Diesel for the van, 2025", false},
		{"How much of the unpaid invoices is from Hartnell, in total?", "invoices.xlsx", invoices, "235 = 95 (03/03/2025) + 140 (02/07/2025): Amount GBP, Customer: Hartnell, Paid on: –", true},
		{"How many invoices over £100 were there from January to March 2025?", "invoices.xlsx", invoices, "1 – Date: 14/02/2025 (Amount GBP: > 100, 2025)", true},
		{"How many invoices of at least £310 were there in 2025?", "invoices.xlsx", invoices, "2 – Date: 14/02/2025, 19/05/2025 (Amount GBP: ≥ 310, 2025)", true},
		{"How many invoices of no more than £80 were there in 2025?", "invoices.xlsx", invoices, "2 – Date: 08/01/2025, 11/07/2025 (Amount GBP: ≤ 80, 2025)", true},
		{"Wie viele Stunden waren es im August insgesamt?", "dienste.xlsx", stunden, "22 = 8 (Lindner) + 0 (Okafor) + 14 (Weiß): Stunden August", true},
		{"Quanto devo ao todo em faturas por pagar?", "faturas.xlsx", faturas, "1.144,30 = 455,00 (Moinho Novo) + 689,30 (Caixa Fria): Valor €, Estado: por pagar", true},
		{"Co było na drugie danie 13 marca 2025?", "jadłospis.xlsx", menu, "kotlet z ciecierzycy: Drugie danie, 2025", true},
		{"Which amount was the highest in 2025?", "invoices.xlsx", invoices, "620 (19/05/2025): the most of 6 rows, Amount GBP, 2025", true},
		{"Hartnell gate July 2025", "invoices.xlsx", invoices, "140: Amount GBP, Customer: Hartnell, Work: Gate, 2025", true},
		{"会費が未納の人は何人いますか?", "会費.xlsx", dues, "2 – 氏名: 大島, 原 (納入: 未納)", true},
		{"What did revenue and cost of sales come to in total?", "report.pdf", report, "", false},
		{"Which parts are below the reorder level?", "stock.csv", stock, "2 – Part: Gasket, Belt (In stock: < Reorder at)", false},
		{"How many kits over 25 kg did we sell?", "kits.xlsx", kits, "", false},
		{"世帯の数がいちばん多い班はどこ?", "納入.csv", groups, "22 (2班): 3行のうち最大, 世帯数", true},
		{"What was revenue in 2023?", "report.pdf", report, "3,900: Revenue, 2023", true},
		{"What was revenue in Europe in 2023?", "report.pdf", report, "", false},
		{"How much did we spend on cost of sales in 2023 and 2024 in total?", "report.pdf", report, "3,600 = 1,700 (2023) + 1,900 (2024): Cost of sales", true},
		{"De combien revenue a-t-il augmenté de 2023 à 2024 ?", "report.pdf", report, "310 = 4,210 (2024) − 3,900 (2023): Revenue", true},
		{"By what percentage did revenue grow from 2023 to 2024?", "report.pdf", report, "", false},
		{"What was the average revenue of 2023 and 2024?", "report.pdf", report, "4,055.00 = (3,900 (2023) + 4,210 (2024)) ÷ 2: Revenue", true},
		{"Why did revenue rise from 2023 to 2024?", "report.pdf", report, "", false},
		{"How much were cost of sales in Europe in 2024?", "report.pdf", report, "1,900: Cost of sales, 2024", false},
		{"Wie hoch waren die cost of sales 2022?", "report.pdf", report, "", false},
		{"What is the average cost of plumbing?", "ledger.xlsx", repairs, "91.167 = (71.5 (27/05/2025) + 112 (14/08/2025) + 90 (02/02/2024)) ÷ 3: Cost (£), Trade: Plumbing", true},
	} {
		got, ok := Read(checker, c.question).Tallied(c.table, "/files/"+c.file)
		if got.Text != c.want || ok != (c.want != "") || got.Sure && ok != c.sure {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", c.question, got.Text, got.Sure, c.want)
		}
		if ok && len(got.Rows) == 0 {
			t.Errorf("%s stands on no row", c.question)
		}
	}
}

func FuzzTallied(f *testing.F) {
	f.Add("How much have repairs at Mill Lane cost altogether in 2025?", "Flat\tCost\nMill\t3")
	f.Add("二季度的订单有几张是未付的?", "订单号\t付款状态\nD01\t未付")
	f.Fuzz(func(_ *testing.T, question, table string) {
		if lines := strings.Split(table, "\n"); len(lines) > 1 && len(table) < 2000 && len(question) < 300 {
			Read(checker, question).Tallied(sheetOf("h", lines...), "/f.csv")
		}
	})
}
