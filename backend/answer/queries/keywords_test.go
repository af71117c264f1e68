package queries

import (
	"testing"
	"time"
)

func TestQueriesAreTheMatterOfAQuestionInItsOwnWords(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, c := range [][2]string{
		{"How long is the Ellesby Viaduct?", "How long is the Ellesby Viaduct"},
		{"How do I upgrade Pelican from 5.1 to 5.2?", "upgrade Pelican from 5.1 to 5.2"},
		{"How wide is the river at the mill?", "How wide is the river at the mill"},
		{"Which is lighter, the Northlight Arden 2 or the Corrie 2?", "Which is lighter, the Northlight Arden 2 or the Corrie 2"},
		{"How long does Ellesby plum cake have to bake?", "How long does Ellesby plum cake have to bake"},
		{"When was my boiler last serviced?", "boiler last serviced"},
		{"Who is the deputy mayor of Ellesby?", "deputy mayor of Ellesby"},
		{"Is my tenancy deposit higher than the legal cap?", "tenancy deposit higher than the legal cap"},
		{"What is the latest version of Pelican?", "latest version of Pelican 2026"},
		{"What does F28 mean on a Vexa 24 boiler?", "F28 mean on a Vexa 24 boiler"},
		{"Wie hoch ist der Turm der Stadtkirche in Lauterfels?", "Wie hoch ist der Turm der Stadtkirche in Lauterfels"},
		{"Wie entkalke ich meine Brava 300?", "Wie entkalke ich meine Brava 300"},
		{"Wer hat die Lauterbrücke gebaut?", "Lauterbrücke gebaut"},
		{"Wann hat das Bürgerbüro in Lauterfels am Donnerstagnachmittag geöffnet?", "Bürgerbüro in Lauterfels am Donnerstagnachmittag geöffnet"},
		{"Welche Wärmepumpe ist leiser, die Nordwind 8 oder die Nordwind 12?", "Welche Wärmepumpe ist leiser, die Nordwind 8 oder die Nordwind 12"},
		{"Was kostet der Eintritt ins Freibad Lauterfels aktuell?", "Was kostet der Eintritt ins Freibad Lauterfels aktuell 2026"},
		{"Combien de temps faut-il cuire la tarte aux mirabelles ?", "Combien de temps faut-il cuire la tarte aux mirabelles"},
		{"Comment purger un radiateur ?", "Comment purger un radiateur"},
		{"Qui est le maire de Saint-Aubry ?", "maire de Saint-Aubry"},
		{"À quelle heure ouvre la médiathèque de Saint-Aubry ?", "À quelle heure ouvre la médiathèque de Saint-Aubry"},
		{"Quel est le numéro de téléphone de la médiathèque ?", "numéro de téléphone de la médiathèque"},
		{"¿Cuánto tiempo dura el viaje en tren a Toledo?", "Cuánto tiempo dura el viaje en tren a Toledo"},
		{"¿Quién es el alcalde de Villarroja?", "alcalde de Villarroja"},
		{"¿Cuánto cuesta la entrada al museo?", "Cuánto cuesta la entrada al museo"},
		{"Quanto è alta la torre di Valmora?", "Quanto è alta la torre di Valmora"},
		{"Chi è il sindaco di Valmora?", "sindaco di Valmora"},
		{"Qual é a altura da torre de Monfalco?", "altura da torre de Monfalco"},
		{"Quanto tempo leva a travessia para a ilha?", "Quanto tempo leva a travessia para a ilha"},
		{"Hoe lang is de brug over de Vliet?", "Hoe lang is de brug over de Vliet"},
		{"Wie is de burgemeester van Oudekerk?", "burgemeester van Oudekerk"},
		{"Jak wysoka jest wieża w Borowie?", "Jak wysoka jest wieża w Borowie"},
		{"Kto jest burmistrzem Borowa?", "burmistrzem Borowa"},
		{"Hur lång är bron över Tisån?", "Hur lång är bron över Tisån"},
		{"Vem är borgmästare i Tisby?", "borgmästare i Tisby"},
		{"Сколько времени идёт паром на остров?", "Сколько времени идёт паром на остров"},
		{"Кто построил мост через Тису?", "построил мост через Тису"},
		{"Коли було збудовано міст через Тису?", "збудовано міст через Тису"},
		{"Kulenin yüksekliği ne kadar?", "Kulenin yüksekliği ne kadar"},
		{"这座桥有多长？", "这座桥有多长"},
		{"塔の高さはどのくらいですか？", "塔の高さはどのくらいですか"},
		{"다리의 길이는 얼마입니까?", "다리의 길이는 얼마입니까"},
	} {
		if got := ByRules(c[0], now); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
