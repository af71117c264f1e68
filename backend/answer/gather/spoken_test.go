package gather_test

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

func TestWhatFitsSeveralLanguagesIsOfTheConversationOrTheFiles(t *testing.T) {
	file := func(text string) []rank.Candidate {
		return []rank.Candidate{{Source: evidence.Source{Kind: evidence.File}, Passage: evidence.Passage{Text: text}}}
	}
	spanish := file("El horario de la oficina es de nueve a dos, y los sábados está cerrada.")
	portuguese := file("O horário do escritório é das nove às duas, e aos sábados está fechado.")
	german := file("Das Büro ist von neun bis zwei Uhr geöffnet und samstags geschlossen.")
	for _, c := range []struct {
		question, before, chosen string
		found                    []rank.Candidate
		want                     lang.Code
	}{
		{"horario sabado", "", "", spanish, lang.Spanish},
		{"horario sabado", "", "", portuguese, lang.Portuguese},
		{"horario sabado", "¿Quién firmó el contrato de alquiler?", "", portuguese, lang.Spanish},
		{"horario sabado", "", "de", portuguese, lang.German},
		{"¿Cuál es el horario de los sábados?", "", "", portuguese, lang.Spanish},
		{"Jean Dupont", "", "", german, lang.German},
		{"Jean Dupont", "", "", nil, lang.English},
	} {
		task := gather.Task{Question: contract.Question{Text: c.question, Language: c.chosen}}
		if c.before != "" {
			task.History = []contract.Turn{{Question: c.before}}
		}
		if got := task.Spoken(c.found); got != c.want {
			t.Errorf("%q after %q, over %v: %s, want %s", c.question, c.before, c.found, got, c.want)
		}
	}
}
