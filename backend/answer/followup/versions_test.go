package followup

import "testing"

func TestAnotherVersionIsAskedFor(t *testing.T) {
	for _, x := range []struct{ before, asked, want string }{
		{"What is the mooring fee under the new licence?", "and the old one?", "What is the mooring fee under the old licence?"},
		{"What do we pay for the mooring licence?", "and the old one?", "What do we pay for the mooring licence old"},
		{"Was zahlen wir im Monat nach dem neuen Vertrag?", "und nach dem alten?", "Was zahlen wir im Monat nach dem alten Vertrag?"},
		{"¿Qué canon se paga ahora?", "¿y antes?", "Qué canon se paga y antes?"},
		{"Quelles arrhes demande le nouveau contrat ?", "et l'ancien ?", "Quelles arrhes demande le ancien contrat ?"},
		{"Quelles arrhes demande le contrat de pension ?", "et avant ?", "Quelles arrhes demande le contrat de pension et avant"},
		{"What is the mooring fee under the new licence?", "and the old boathouse?", ""},
	} {
		got := Standalone(x.asked, []Turn{{x.before, "It is told.", ""}})
		if got != x.want && x.want != "" || x.want == "" && got == "What is the mooring fee under the old licence?" {
			t.Errorf("%s %s: %q, want %q", x.before, x.asked, got, x.want)
		}
	}
}
