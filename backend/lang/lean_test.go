package lang

import "testing"

func TestHowASentenceLeansOnTheOneBefore(t *testing.T) {
	for sentence, want := range map[string]Lean{
		"It was rebuilt in 1931.":                    BackOnTo,
		"However, the lamp was kept.":                Onward,
		"Italian marble covers the floor.":           Upright,
		"This year the harbour is closed.":           Upright,
		"Dieser wird jährlich gewartet.":             BackOnTo,
		"Sie wurde 1931 neu gebaut.":                 BackOnTo,
		"Sie können den Vertrag jederzeit kündigen.": Upright,
		"Ab diesem Tag darf wieder gefahren werden.": BackOnTo,
		"In diesem Jahr fällt das Fest aus.":         Upright,
		"From that day on the pump ran alone.":       BackOnTo,
		"À partir de cette date, rien n'est dû.":     BackOnTo,
		"Deshalb bleibt die Halle geschlossen.":      Onward,
		"Elle se fait auprès de Mme Delmas.":         BackOnTo,
		"Il est interdit de fumer dans la salle.":    Upright,
		"Il y a deux clés au bureau.":                Upright,
		"Sin embargo, la cuota no cambia.":           Onward,
		"Estas se pagan en enero.":                   BackOnTo,
		"Quest'ultimo paga entro marzo.":             BackOnTo,
		"Hij betaalt de huur zelf.":                  BackOnTo,
		"Он оплачивается отдельно.":                  BackOnTo,
		"Поэтому собрание перенесено.":               Onward,
		"该费用由买方承担。":                                  BackOnTo,
		"其他费用由买方承担。":                                 Onward,
		"其中一半由买方承担。":                                 BackOnTo,
		"ただし、乾電池は別に集めます。":                            Onward,
		"その費用は管理組合が負担する。":                            BackOnTo,
		"このたび理事会が開かれました。":                            Upright,
		"이 계약은 3월에 끝난다.":                             BackOnTo,
		"이천 원을 매달 낸다.":                               Upright,
		"وهي مغلقة يوم الجمعة.":                      BackOnTo,
		"यह हर साल खोला जाता है।":                    BackOnTo,
	} {
		if got := LeanOf(Spoken(sentence), sentence); got != want {
			t.Errorf("%q: %d, want %d (%s)", sentence, got, want, Spoken(sentence))
		}
	}
}

func BenchmarkLeanOf(b *testing.B) {
	for b.Loop() {
		for _, s := range []string{"The tower was rebuilt in 1931.", "Dieser wird jährlich gewartet.", "Поэтому собрание перенесено."} {
			LeanOf(Spoken(s), s)
		}
	}
}
