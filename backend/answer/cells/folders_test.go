package cells

import (
	"testing"

	"footnote/backend/evidence"
)

var (
	jobs = sheetOf("Jobs 2024", "Client\tDate\tPlace\tJob\tCharged £\tPaid on",
		"Gillespie\t2024-01-24\tEddleston\tFence repair\t342.5\t2024-02-19", "Murray\t2024-03-14\tWest Linton\tLawn\t498\t2024-04-15",
		"Gillespie\t2024-02-21\tEddleston\tFence, second section\t455\t2024-03-12", "Baxter\t2024-12-10\tCardrona\tHedge\t742.3\topen")
	reservas = sheetOf("Reservas", "Hóspede\tQuarto\tEntrada\tNoites\tPreço/noite (€)\tTotal (€)\tEstado",
		"Maria Antunes\tAmieiro\t09-02-2024\t3\t65\t195\tCancelada", "Emma Whitfield\tCarvalho\t05-04-2024\t4\t104\t416\tConcluída",
		"Emma Whitfield\tCarvalho\t20-09-2024\t5\t135\t675\tConcluída", "Oskar Nyman\tFreixo\t11-10-2024\t2\t78\t156\tCancelada")
	condomini = sheetOf("Condomini", "Proprietario\tInterno\tScala\tInquilino\tRata 2024 (euro)\tArretrati (euro)",
		"Ferri\t1\tA\t\t311.55\t0", "Righi\t2\tB\tRinaldi\t291.45\t130", "Bonacini\t3\tB\tAmato\t286.43\t251.25", "Tosi\t4\tC\t\t306.53\t0")
	bilancio = sheetOf("Bilancio", "Voce\tConsuntivo 2023\tPreventivo 2024", "Ascensore, manutenzione\t1700\t2250", "Acqua\t3622.6\t3700")
	feiyong  = sheetOf("", "类别\t日期\t说明\t金额\t经手人",
		"房租\t2024-01-08\t第一季度余款\t6800.00\t林若溪", "水电\t2024-03-04\t二月电费\t418.60\t周子昂", "水电\t2024-04-09\t三月电费\t386.20\t周子昂", "差旅\t2024-04-18\t机票\t1180.00\t林若溪", "差旅\t2024-04-19\t酒店\t465.00\t林若溪")
	mitglieder = sheetOf("", "Name\tAbteilung\tEintritt\tBeitrag (€)\tStatus\tTrainer",
		"Lindner\tTurnen\t12.01.2023\t96,00\taktiv\t", "Okafor\tFußball\t03.03.2024\t120,00\tgekündigt\t", "Weiß\tFußball\t18.04.2024\t120,00\taktiv\tSeidel")
	chalets = sheetOf("", "Client\tChalet\tArrivée\tMontant (€)\tÉtat",
		"Moreau\tMélèze\t12/02/2024\t420,00\tconfirmée", "Petit\tSapin\t18/02/2024\t980,00\tannulée", "Petit\tSapin\t20/07/2024\t560,00\tconfirmée", "Roussel\tMélèze\t05/08/2024\t1120,00\tannulée")
	zakazy = sheetOf("Заказы", "Клиент\tДата\tТовар\tСумма (руб.)\tСтатус",
		"Лапин\t12.01.2024\tПолка\t4500\tдоставлен", "Юсупова\t03.02.2024\tСтол\t12800\tотменён", "Лапин\t15.03.2024\tСкамья\t6200\tдоставлен")
	zlecenia = sheetOf("Zlecenia", "Klient\tData\tUsługa\tKwota (zł)\tStan", "Nowak\t10.01.2024\tPrzeprowadzka\t1200,00\topłacone", "Lis\t15.01.2024\tTransport\t450,00\tanulowane", "Nowak\t20.02.2024\tWywóz\t380,00\topłacone")
	talleres = sheetOf("", "Taller\tProfesor\tIngresos (€)\tEstado", "Cerámica\tLola Mena\t360\tcelebrado", "Acuarela\tIván Soto\t240\tcancelado", "Bordado\tIván Soto\t150\tcelebrado")
	klussen  = sheetOf("Klussen", "Klant\tDatum\tKlus\tBedrag (€)\tStatus", "De Vries\t11-01-2024\tGoot\t640,00\tafgerond", "Bakker\t19-02-2024\tDak\t120,00\tgeannuleerd", "De Vries\t03-03-2024\tSchuur\t910,00\tafgerond")
	jichul   = sheetOf("", "구분\t날짜\t내용\t금액(원)", "교통비\t2024-01-10\t서울 왕복\t59800", "식비\t2024-02-02\t회식\t184000", "교통비\t2024-02-20\t공항\t42000")
	kaiin    = sheetOf("", "氏名\tコース\t月会費(円)\t状態", "佐藤\tヨガ\t8000\t継続", "鈴木\t水泳\t9500\t解約", "高橋\tヨガ\t8000\t継続")
	caigou   = sheetOf("2024年9月", "品名\t数量\t用途", "椅\t4\t206室新工位", "升降桌\t4\t206室新工位", "移动硬盘\t2\t备份", "咖啡豆\t6\t茶水间")
	fondo    = sheetOf("", "Scala\tQuota del fondo in euro", "A\t17.136,60", "B\t16.781,70", "C\t16.781,70")
	budget   = sheetOf("", "Item\tBudget 2024\tActual 2024\tBudget 2025", "Heating\t1200\t1388\t1400", "Cleaning\t900\t870\t950")
	masarif  = sheetOf("", "المورد\tالتاريخ\tالبيان\tالمبلغ", "شركة النور\t2024-01-10\tكهرباء\t1500", "مكتبة الأمل\t2024-02-02\tورق\t300", "شركة النور\t2024-02-15\tكهرباء\t1650")
	kit      = sheetOf("", "Item\tModel\tWhere\tBought\tPrice GBP", "Mixer\tB16\tRoom 1\t12/05/2009\t2750", "Mixer\tC6\tRoom 2\t03/09/2019\t980", "Microphone\tV4\tRoom 2\t03/09/2020\t185", "Microphone\tV4\tRoom 1\t03/09/2020\t185")
	geraete  = sheetOf("", "Gerät\tModell\tStandort\tPreis EUR", "EKG-Gerät\tH12\tEKG-Raum\t4780,00", "EKG-Gerät\tC3\tTasche\t3150,00", "Langzeit-Blutdruck\tT5\tEKG-Raum\t1180,00")
	fahrten  = sheetOf("", "car\tdate\twhat\twhere\tmiles\tamount", "Norvik\t2024-11-14\tparking fine\tBridge Street\t90200\t35.00", "Norvik\t2024-12-02\tdiesel\tTesco\t90500\t61.20", "Spark\t2024-12-09\tpublic charge\tBridge Street\t4100\t12.40")
	ordini   = sheetOf("", "Fornitore\tData\tMerce\tQuantità\tImporto €", "Nordbike\t12/02/2025\truote\t8\t944", "Nordbike\t25/02/2025\tportapacchi\t10\t265", "Altura\t26/02/2025\tselle\t4\t120")
	fleet    = sheetOf("", "Naam\tType\tVerzekerde waarde\tStatus", "Grutto\t2x\t11200\tin reparatie", "Smient\twherry\t7000\tin de vaart", "Scholekster\t4+\t9800\tin reparatie")
	siparis  = sheetOf("Siparişler", "Müşteri\tTarih\tÜrün\tTutar (TL)\tDurum", "Demir\t12.01.2024\tHalı\t4500\tteslim edildi", "Kaya\t03.02.2024\tKilim\t1800\tiptal edildi")
)

// What people asked of the tables of their own folders, and what no cell tells.
func TestWhatFoldersAreAsked(t *testing.T) {
	for _, c := range []struct {
		question string
		table    []evidence.Row
		want     string // empty: nothing sure
	}{
		{"how many jobs did we do for Gillespie last year (2024) and what did they bring in altogether", jobs, "2 – 797.50 = 342.5 (2024-01-24) + 455 (2024-02-21): Charged £, Client: Gillespie, 2024"},
		{"how much money is still outstanding for 2024 jobs marked open?", jobs, "742.3: Charged £, Paid on: open, 2024"},
		{"who still hasn't paid for their 2024 jobs?", jobs, "Client: Baxter (Paid on: open, 2024)"},
		{"which jobs did we do in Eddleston?", jobs, "Job: Fence repair; Fence, second section (Place: Eddleston)"},
		{"which clients have paid late?", jobs, ""},
		{"how many jobs did we do for Gillespie and why?", jobs, ""},
		{"who complained about the fence?", jobs, ""},
		{"quem é que cancelou a reserva em 2024?", reservas, "Hóspede: Maria Antunes, Oskar Nyman (Estado: Cancelada, 2024)"},
		{"quanto renderam as reservas do quarto Carvalho ao todo?", reservas, "1.091 = 416 (05-04-2024) + 675 (20-09-2024): Total (€), Quarto: Carvalho"},
		{"quanto renderam as reservas este ano ao todo?", reservas, ""}, // some were called off
		{"quem partiu a janela do quarto Carvalho?", reservas, ""},
		{"quem pagou a reserva da Emma Whitfield?", reservas, ""},
		{"a quanto ammontano tutti gli arretrati messi insieme?", condomini, "381,25 = 0 (Ferri) + 130 (Righi) + 251.25 (Bonacini) + 0 (Tosi): Arretrati (euro)"},
		{"a quanto ammontano le rate 2024 della scala B messe insieme?", condomini, "577,88 = 291.45 (Righi) + 286.43 (Bonacini): Rata 2024 (euro), Scala: B"},
		{"chi ha un inquilino?", condomini, "Proprietario: Righi, Bonacini (Inquilino: Rinaldi, Amato)"},
		{"quanti condomini risultano dati in affitto, cioè con un inquilino?", condomini, "2 – Proprietario: Righi, Bonacini (Inquilino: Rinaldi, Amato)"},
		{"quanto è la rata dell'interno 3?", condomini, "286.43: Rata 2024 (euro), Interno: 3"},
		{"quanto pagano in tutto gli inquilini?", condomini, ""},
		{"quanto era previsto nel 2024 per la manutenzione dell'ascensore", bilancio, "2250: Ascensore, manutenzione, Preventivo 2024"},
		{"quanto si è speso nel 2024 per la manutenzione dell'ascensore?", bilancio, ""},
		{"how much did we spend on heating in 2024?", budget, "1388: Heating, Actual 2024"},
		{"how much was budgeted for heating in 2024?", budget, "1200: Heating, Budget 2024"},
		{"how much did we spend on heating in 2025?", budget, ""},
		{"2024年水电费加起来是多少", feiyong, "804.80 = 418.60 (2024-03-04) + 386.20 (2024-04-09): 金额, 类别: 水电, 2024"},
		{"今年差旅总共花了多少？", feiyong, "1,645.00 = 1180.00 (2024-04-18) + 465.00 (2024-04-19): 金额, 类别: 差旅, 2024"},
		{"差旅有几次,一共花了多少", feiyong, "2 – 1,645.00 = 1180.00 (2024-04-18) + 465.00 (2024-04-19): 金额, 类别: 差旅"},
		{"现在每个月房租多少钱？", feiyong, ""},
		{"Wer hat gekündigt?", mitglieder, "Name: Okafor (Status: gekündigt)"},
		{"Wer hat einen Trainer?", mitglieder, "Name: Weiß (Trainer: Seidel)"},
		{"Wer hat den Trainer beleidigt?", mitglieder, ""},
		{"Wie viele Mitglieder hat die Abteilung Turnen pro Monat?", mitglieder, ""},
		{"Qui a annulé ?", chalets, "Client: Petit, Roussel (État: annulée)"},
		{"Combien coûte le chalet Sapin par mois ?", chalets, ""},
		{"combien de temps le chalet Sapin est annulé", chalets, ""},
		{"Кто отменил заказ?", zakazy, "Клиент: Юсупова (Статус: отменён)"},
		{"Сколько составляют все заказы Лапина вместе?", zakazy, "10\u202f700 = 4500 (12.01.2024) + 6200 (15.03.2024): Сумма (руб.), Клиент: Лапин"},
		{"Сколько заказов сделал Лапин и сколько они принесли в сумме?", zakazy, "2 – 10\u202f700 = 4500 (12.01.2024) + 6200 (15.03.2024): Сумма (руб.), Клиент: Лапин"},
		{"Сколько заказов сделал Лапин?", zakazy, "2 – Дата: 12.01.2024, 15.03.2024 (Клиент: Лапин)"},
		{"Ile wynoszą zlecenia Nowaka razem?", zlecenia, "1\u202f580,00 = 1200,00 (10.01.2024) + 380,00 (20.02.2024): Kwota (zł), Klient: Nowak"},
		{"Kto anulował zlecenie?", zlecenia, "Klient: Lis (Stan: anulowane)"},
		{"¿Qué talleres se cancelaron?", talleres, "Taller: Acuarela (Estado: cancelado)"},
		{"¿Quién canceló el taller?", talleres, ""},
		{"Wie heeft geannuleerd?", klussen, "Klant: Bakker (Status: geannuleerd)"},
		{"Hoeveel bedragen de klussen voor De Vries samen?", klussen, "1.550,00 = 640,00 (11-01-2024) + 910,00 (03-03-2024): Bedrag (€), Klant: De Vries"},
		{"올해 교통비는 총 얼마인가요?", jichul, "101,800 = 59800 (2024-01-10) + 42000 (2024-02-20): 금액(원), 구분: 교통비, 2024"},
		{"誰が解約しましたか", kaiin, "氏名: 鈴木 (状態: 解約)"},
		{"誰がヨガを教えていますか", kaiin, ""},
		{"ヨガの月会費は合わせていくらになりますか", kaiin, "16,000 = 8000 (佐藤) + 8000 (高橋): 月会費(円), コース: ヨガ"},
		{"كم بلغ مجموع ما دفعناه لشركة النور هذا العام؟", masarif, "3,150 = 1500 (2024-01-10) + 1650 (2024-02-15): المبلغ, المورد: شركة النور, 2024"},
		{"九月那次给新工位买了哪些东西", caigou, ""}, // of a part of a cell: shown, and not sure
		{"九月买了哪些东西是备份用的", caigou, "品名: 移动硬盘 (用途: 备份)"},
		{"九月那次给客户买了哪些东西", caigou, ""},
		{"a quanto arriva il fondo in tutto, sommando le tre scale?", fondo, "50.700,00 = 17.136,60 (A) + 16.781,70 (B) + 16.781,70 (C): Quota del fondo in euro"},
		{"a quanto arriva il fondo in tutto, sommando le due scale?", fondo, ""},
		{"dearest item in room 2", kit, "980 (Mixer): the most of 2 rows, Price GBP, Where: Room 2"},
		{"Welches Gerät im EKG Raum war am teuersten?", geraete, "4780,00 (EKG-Gerät): der höchste Wert von 2 Zeilen, Preis EUR, Standort: EKG-Raum"},
		{"Um wie viel Uhr wird das Gerät im EKG-Raum gereinigt?", geraete, ""},
		{"how much was the fine in bridge street", fahrten, "35.00: amount, what: parking fine, where: Bridge Street"},
		{"quanto abbiamo ordinato in tutto da nordbike nel 2025?", ordini, "1.209 = 944 (12/02/2025) + 265 (25/02/2025): Importo €, Fornitore: Nordbike, 2025"},
		{"voor hoeveel zijn die in reparatie bij elkaar verzekerd?", fleet, "21.000 = 11200 (Grutto) + 9800 (Scholekster): Verzekerde waarde, Status: in reparatie"},
		{"voor hoeveel is de brug in reparatie verzekerd?", fleet, ""},
		{"Kim siparişini iptal etti?", siparis, "Müşteri: Kaya (Durum: iptal edildi)"},
	} {
		got, ok := Read(checker, c.question).Tallied(c.table, "/files/f.xlsx")
		if got.Sure = got.Sure && ok; got.Text != c.want && (c.want != "" || got.Sure) || got.Sure != (c.want != "") {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", c.question, got.Text, got.Sure, c.want)
		}
	}
}

func TestThisYearIsTheLastThatFilesTellOf(t *testing.T) {
	of := func(year string) Sheet {
		return Sheet{sheetOf("", "Supplier\tDate\tAmount £", "Border Fuels\t"+year+"-01-15\t74.2", "Border Fuels\t"+year+"-02-12\t69.85", "Lamancha\t"+year+"-03-01\t12"), "/files/" + year + ".csv"}
	}
	asked := Read(checker, "how much did we spend at Border Fuels in total this year?")
	same := func(int, []evidence.Row) bool { return false }
	if got, _ := asked.Over([]Sheet{of("2024")}, same); !got.Sure || got.Text != "144.05 = 74.2 (2024-01-15) + 69.85 (2024-02-12): Amount £, Supplier: Border Fuels, 2024" {
		t.Errorf("%q, %v", got.Text, got.Sure)
	}
	if got, from := asked.Over([]Sheet{of("2024"), of("2025")}, same); !got.Sure || len(from) == 0 || from[0] != 1 {
		t.Errorf("%q of %v", got.Text, from)
	}
}
