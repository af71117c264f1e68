package cells

import (
	"testing"

	"footnote/backend/cite"
	"footnote/backend/evidence"
)

func TestRowsAreCountedWhereEveryWordIsAccountedFor(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	row := func(customer, order, product, amount string) evidence.Row {
		return evidence.Row{Of: "Customer", Label: customer, Heads: []string{"Order", "Product", "Amount"}, Values: []string{order, product, amount}}
	}
	table := []evidence.Row{
		row("Brandt GmbH", "A-1", "Pump P20", "1840"), row("Olsen AS", "A-2", "Valve V3", "450"), row("Brandt GmbH", "A-3", "Filter F1", "320"), row("Moreau SARL", "A-4", "Pump P20", "920"),
	}
	for question, want := range map[string]string{
		"How many different customers are there in orders.csv?": "3 – Customer: Brandt GmbH (2), Olsen AS, Moreau SARL",
		"How many orders did Brandt GmbH place?":                "2 – Order: A-1, A-3",
		"How many customers ordered Pump P20?":                  "2 – Customer: Brandt GmbH, Moreau SARL",
		"Which customers are in orders.csv?":                    "Customer: Brandt GmbH (2), Olsen AS, Moreau SARL",
		"How many customers ordered pumps?":                     "2 – Customer: Brandt GmbH, Moreau SARL",
		"How many customers ordered in March?":                  "",
		"How many customers paid late?":                         "",
		"What did Brandt GmbH order?":                           "",
		"Why are there two customers?":                          "",
	} {
		got, ok := Read(c, question).Tallied(table, "/files/orders.csv")
		if ok != (want != "") || got.Text != want {
			t.Errorf("%s: %q", question, got.Text)
		}
	}
	german := []evidence.Row{
		{Of: "Kunde", Label: "Brandt GmbH", Heads: []string{"Ort"}, Values: []string{"Hamburg"}}, {Of: "Kunde", Label: "Adler KG", Heads: []string{"Ort"}, Values: []string{"Hamburg"}},
	}
	if got, _ := Read(c, "Wie viele verschiedene Kunden stehen in auftraege.csv?").Tallied(german, "auftraege.csv"); got.Text != "2 – Kunde: Brandt GmbH, Adler KG" {
		t.Errorf("%q", got.Text)
	}
}
