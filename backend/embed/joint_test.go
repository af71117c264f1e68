package embed

import (
	"errors"
	"testing"
)

func jointEncoder(t testing.TB) *CrossEncoder {
	t.Helper()
	e, err := NewMultilingual()
	if errors.Is(err, ErrNoKernel) {
		t.Skip("this processor cannot run the joint encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Joint()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What tells is above what only names, in several languages and across two.
func TestTheJointEncoderTellsAnAnswerFromAMention(t *testing.T) {
	for question, texts := range map[string][2]string{
		"How often are the nets washed?":              {"Terms of the harbour. The nets are washed every fourth week.", "Terms of the harbour. The nets belong to the harbour office."},
		"Wann schließt das Museum im Winter?":         {"Öffnungszeiten. Im Winter wird das Museum um 17 Uhr geschlossen.", "Öffnungszeiten. Das Museum liegt am Hafen."},
		"¿Quién reparó el faro después del incendio?": {"Historia. Tras el incendio, el faro fue restaurado por Elena Ruiz.", "Historia. El faro se ve desde toda la bahía."},
		"Wer hat den Leuchtturm gebaut?":              {"History. The lighthouse was built by Thomas Hale.", "History. The lighthouse can be seen from the whole bay."},
	} {
		got, err := jointEncoder(t).Score(t.Context(), question, texts[:])
		if err != nil {
			t.Fatal(err)
		}
		if got[0] <= got[1] {
			t.Errorf("%s: %.2f for the answer, %.2f for the mention", question, got[0], got[1])
		}
	}
}
