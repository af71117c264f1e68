package cells

import (
	"testing"

	"footnote/backend/evidence"
)

var (
	sejours = sheetOf("", "animal\tarrivée\tmontant (€)\tétat", "Rocky\t01/02/2024\t100,00\tsoldé", "Fifi\t02/02/2024\t50,00\tannulé", "Zeste\t03/03/2024\t80,00\tsoldé")
	hire    = sheetOf("", "ref\tstart\tboat\thirer\thire £\tstatus", "L1\t2024-03-15\tHeron\tAbernethy\t325\tpaid", "L2\t2024-04-12\tSwan\tEastwood\t445\tcancelled", "L3\t2024-06-15\tHeron\tNesbit\t995\tpaid")
	fundus  = sheetOf("Fundus", "Bezeichnung\tKategorie\tAnzahl\tEinzelpreis €\tWert gesamt €", "Stellwand 2 x 3 m\tKulisse\t14\t80\t1120", "Frack schwarz\tKostüm\t5\t75\t375", "Zylinder\tKostüm\t3\t50\t150")
	saal    = sheetOf("Belegung", "Anlass\tDatum\tMieter\tMiete €\tKüche €\tSumme €", "Ball\t03.02.2024\tMusikverein\t190\t50\t240", "Betriebsfest\t24.08.2024\tBrandl\t340\t85\t425", "Konzert\t02.03.2024\tMusikverein\t220\t60\t280")
	grupos  = sheetOf("Grupos", "Grupo\tLlegada\tPersonas\tPrecio persona y noche €\tImporte €", "Club Bidasar\t11.05.2024\t14\t34\t476", "Club Norte\t13.06.2024\t12\t35\t420", "Club Bidasar\t20.07.2024\t22\t31\t682")
	stores  = sheetOf("Stores", "Item\tSupplier\tCount\tMinimum\tUnit cost\tValue", "Fire blanket\tGuardwell Fire\t6\t4\t16.4\t98.4", "Alarm\tGuardwell Fire\t6\t8\t21.5\t129.0", "Fire lighter\tTarrow Chandlery\t10\t12\t2.5\t25.0")
	pharma  = sheetOf("Pharmacie", "Produit\tStock\tSeuil\tValeur", "Vaccin rage\t19\t15\t136.8", "Vaccin chat\t31\t40\t337.9", "Gants\t2\t5\t10.0")
	inventa = sheetOf("Inventario", "Artículo\tSección\tCantidad\tValor unitario €\tValor total €", "Placa solar\tEnergía\t16\t268\t4288", "Batería\tEnergía\t2\t3210\t6420", "Manta polar\tDormitorios\t70\t12\t840")
)

func TestWhichRowsAndWhichColumnAreMeant(t *testing.T) {
	for _, c := range []struct {
		question string
		table    []evidence.Row
		want     string // empty: nothing sure
	}{
		{"How many bookings are there in bookings.csv, cancelled ones included?", hire, "3 – ref: L1, L2, L3"},
		{"How many bookings are there in bookings.csv without the cancelled ones?", hire, "2 – ref: L1, L3 (status: ≠ cancelled)"},
		{"Combien d'animaux y a-t-il dans bookings.csv, annulés compris ?", sejours, "3 – animal: Rocky, Fifi, Zeste"},
		{"What are the things we get from Guardwell Fire worth together?", stores, ""},
		{"total value from Guardwell Fire", stores, "227.40 = 98.4 (Fire blanket) + 129.0 (Alarm): Value, Supplier: Guardwell Fire"},
		{"What do we pay apiece for an alarm?", stores, "21.5: Unit cost, Item: Alarm"},
		{"Was kostet der Zylinder pro Stück?", fundus, "50: Einzelpreis €, Bezeichnung: Zylinder"},
		{"How many alarms do we have?", stores, "6: Count, Item: Alarm"},
		{"Combien valent ensemble les deux vaccins en stock ?", pharma, ""},
		{"Quels produits sont sous le seuil ?", pharma, "2 – Produit: Vaccin chat, Gants"},
		{"Wie viele Stellwände haben wir?", fundus, "14: Anzahl, Bezeichnung: Stellwand 2 x 3 m"},
		{"Wie viele Kostüme haben wir?", fundus, ""},
		{"Gesamtwert aller Kostüme", fundus, "525 = 375 (Frack schwarz) + 150 (Zylinder): Wert gesamt €, Kategorie: Kostüm"},
		{"Wieviel hat der Musikverein 2024 insgesamt an Miete samt Küche bezahlt?", saal, "520 = 240 (Ball) + 280 (Konzert): Summe €, Mieter: Musikverein, 2024"},
		{"Wer war am 24. August 2024 da?", saal, "Mieter: Brandl (2024)"},
		{"Wer hatte den Schlüssel am 24. August 2024?", saal, ""},
		{"¿Cuánto ha pagado el Club Bidasar por todas sus reservas de 2024?", grupos, ""},
		{"¿Cuántas personas trajo en total el Club Bidasar en 2024?", grupos, ""},
		{"¿Cuántas personas hubo en total en el Club Bidasar en 2024?", grupos, "36 = 14 (11.05.2024) + 22 (20.07.2024): Personas, Grupo: Club Bidasar, 2024"},
		{"¿Cuánto ha pagado el Club Bidasar en total en 2024?", grupos, "1.158 = 476 (11.05.2024) + 682 (20.07.2024): Importe €, Grupo: Club Bidasar, 2024"},
		{"¿Cuánta gente hubo en el Club Bidasar en 2024?", grupos, "36 = 14 (11.05.2024) + 22 (20.07.2024): Personas, Grupo: Club Bidasar, 2024"},
		{"Wie viele Leute gab es im Juni 2024?", grupos, "12: Personas, 2024"},
		{"How many people arrived in May 2024?", grupos, ""},
		{"Valor total de la sección Energía del inventario", inventa, "10.708 = 4288 (Placa solar) + 6420 (Batería): Valor total €, Sección: Energía"},
		{"¿Cuántas mantas polares hay?", inventa, "70: Cantidad, Artículo: Manta polar"},
	} {
		got, ok := Read(checker, c.question).Tallied(c.table, "/files/bookings.csv")
		if got.Sure = got.Sure && ok; got.Text != c.want && (c.want != "" || got.Sure) || got.Sure != (c.want != "") {
			t.Errorf("%s\n got %q (sure: %v)\nwant %q", c.question, got.Text, got.Sure, c.want)
		}
	}
}

func TestWhatIsAskedWithoutAVerbIsAFigure(t *testing.T) {
	for question, want := range map[string]bool{
		"Recettes de la pension au troisième trimestre 2024 ?":                   true,
		"¿Total de gastos en agosto de 2024?":                                    true,
		"Eintrittsgelder im November 2024?":                                      true,
		"Haben wir 2024 mehr Eintritt eingenommen als im Vorjahr, und wie viel?": true,
		"Haben wir 2024 mehr Eintritt eingenommen als 2023?":                     false,
		"Did the day boat bring in more in 2024?":                                false,
	} {
		if got := AsksFigure(question); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
