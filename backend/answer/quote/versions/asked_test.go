package versions

import "testing"

func TestOtherTextsThanTheOneOfWhichTwoVersionsAreNamed(t *testing.T) {
	minutes := Version{"acta_asamblea_2024", 20240210}
	all := []Version{{"contrato_cesion_2018", 20180000}, {"contrato_cesion_2024_firmado", 20240000}, minutes}
	a := AskedIn("¿Cuántas plazas había antes y cuántas hay con el contrato nuevo?")
	if a.Costs(minutes, all) != otherCosts || a.Costs(all[0], all) != 0 || a.Costs(all[1], all) != 0 {
		t.Error(a.Costs(minutes, all), a.Costs(all[0], all), a.Costs(all[1], all))
	}
	if a = AskedIn("¿Qué había antes y qué hay ahora?"); a.Costs(minutes, all) != 0 {
		t.Error(a.Costs(minutes, all))
	}
}

func TestWhichVersionIsAskedFor(t *testing.T) {
	leases := []Version{{"Mietvertrag_2019_Abschrift", 20190000}, {"Mietvertrag_Lindensaal_2024", 20240000}}
	tariffs := []Version{{"tarifas_2023", 20230000}, {"tarifas_2024", 20240000}}
	contracts := []Version{{"Contrat de pension 2021", 20210000}, {"Contrat de pension 2024", 20240000}}
	licences := []Version{{"Mooring licence 2019", 20190000}, {"Mooring licence 2024 signed", 20240000}}
	named := []Version{{"price list old", 0}, {"price list new", 0}}
	chinese := []Version{{"租房合同2022", 20220000}, {"租房合同2024", 20240000}}
	russian := []Version{{"Договор аренды 2021", 20210000}, {"Договор аренды 2024", 20240000}}
	for _, x := range []struct {
		question   string
		of         []Version
		old, newer float64 // what they cost
		both       bool
	}{
		{"Welche Kündigungsfrist stand im vorigen Saalvertrag?", leases, 0, namedCosts, false},
		{"Wieviel Kaution liegt jetzt bei der Gemeinde?", leases, nowCosts, 0, false},
		{"An welchen Abenden proben wir nach dem neuen Vertrag?", leases, namedCosts, 0, false},
		{"Wie alt ist der neue Heizkessel?", leases, 0, 0, false},
		{"Monatsmiete für den Saal alter und neuer Vertrag?", leases, 0, 0, true},
		{"precio de la ducha caliente en la tarifa vieja", tariffs, 0, namedCosts, false},
		{"¿cuántos días antes de la llegada?", tariffs, 0, 0, false},
		{"et dans l'ancien contrat de pension, quelles arrhes ?", contracts, 0, namedCosts, false},
		{"What is the yearly mooring fee now?", licences, nowCosts, 0, false},
		{"Who signed the old mooring licence?", licences, 0, namedCosts, false},
		{"What did the old boat cost?", licences, 0, 0, false},
		{"insurance premium, last year's", licences, 0, onceCosts, false},
		{"what did a day cost on the old price list", named, 0, namedCosts, false},
		{"旧合同的押金是多少？", chinese, 0, namedCosts, false},
		{"现在每个月房租多少钱？", chinese, nowCosts, 0, false},
		{"Какой залог по старому договору?", russian, 0, namedCosts, false},
		{"What is the rent?", licences, 0, 0, false},
		{"What is the fee under the new mooring licence, and in 2019?", licences, 0, 0, false},
	} {
		a := AskedIn(x.question)
		if old, newer := a.Costs(x.of[0], x.of), a.Costs(x.of[1], x.of); old != x.old || newer != x.newer || a.Both() != x.both {
			t.Errorf("%s: %v %v %v", x.question, old, newer, a.Both())
		}
	}
}
