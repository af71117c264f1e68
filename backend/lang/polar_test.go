package lang

import "testing"

func TestQuestionsForAYesOrANoAreTold(t *testing.T) {
	for code, asked := range map[Code][2]string{ // one for a yes or a no, one that is none
		English:    {"Is the lamp green when it is due?", "Which lamp is green?"},
		German:     {"Verfällt der Resturlaub im März?", "Wann verfällt der Resturlaub?"},
		French:     {"Est-ce que le contrat se termine en mai ?", "Quand se termine le contrat ?"},
		Spanish:    {"¿Se puede usar la sala los domingos?", "¿Cuándo se puede usar la sala?"},
		Italian:    {"Il contratto scade a maggio?", "Quando scade il contratto?"},
		Portuguese: {"O contrato termina em maio?", "Quando termina o contrato?"},
		Dutch:      {"Mag de machine na zeven uur aan?", "Wanneer mag de machine aan?"},
		Polish:     {"Czy umowa kończy się w maju?", "Kiedy kończy się umowa?"},
		Swedish:    {"Får maskinen användas efter klockan sju?", "När får maskinen användas?"},
		Russian:    {"Можно ли продлить договор?", "Когда заканчивается договор?"},
		Ukrainian:  {"Чи можна продовжити договір?", "Коли закінчується договір?"},
		Turkish:    {"Sözleşme mayısta bitiyor mu?", "Sözleşme ne zaman bitiyor?"},
		Arabic:     {"هل ينتهي العقد في مايو؟", "متى ينتهي العقد؟"},
		Hindi:      {"क्या अनुबंध मई में समाप्त होता है?", "अनुबंध कब समाप्त होता है?"},
		Chinese:    {"合同五月到期吗？", "合同什么时候到期？"},
		Japanese:   {"契約は五月に終わりますか？", "契約はいつ終わりますか？"},
		Korean:     {"계약은 오월에 끝납니까?", "계약은 언제 끝납니까?"},
	} {
		if !AsksYesNo(code, asked[0]) {
			t.Errorf("%s: %q asks for no yes and no no", code, asked[0])
		}
		if AsksYesNo(code, asked[1]) {
			t.Errorf("%s: %q asks for a yes or a no", code, asked[1])
		}
		if code.Said(SaysYes) == "" || code.Said(SaysNo) == "" || code.Said(SaysYes) == code.Said(SaysNo) {
			t.Errorf("%s says yes and no as %q, %q", code, code.Said(SaysYes), code.Said(SaysNo))
		}
	}
	for _, text := range []string{"Is it the red lamp or the green one?", "The lamp in the kitchen?", "Tell me about the lamp."} {
		if AsksYesNo(English, text) {
			t.Errorf("%q asks for a yes or a no", text)
		}
	}
}

func TestNegationsAreCounted(t *testing.T) {
	for _, x := range []struct {
		code Code
		text string
		n    int
	}{
		{English, "It may not be used, and nobody may open it.", 2}, {English, "It isn’t open.", 1}, {English, "A notable knot.", 0},
		{German, "Sonderurlaub wird nicht gewährt.", 1}, {Russian, "Договор не продлевается.", 1}, {Japanese, "使えません。", 1}, {Japanese, "使えます。", 0},
	} {
		if n := x.code.CountNegations(x.text); n != x.n {
			t.Errorf("%q says no %d times, not %d", x.text, n, x.n)
		}
	}
}

func TestTheKindAskedForIsToldInEveryLanguage(t *testing.T) {
	for code, asked := range map[Code]struct {
		question string
		kind     AnswerType
	}{
		English: {"What was the average price?", Amount}, German: {"In welcher Stadt steht der Turm?", Place}, French: {"Quel architecte a dessiné la tour ?", Person},
		Spanish: {"¿Qué ciudad tiene la torre?", Place}, Italian: {"Qual è il prezzo?", Amount}, Portuguese: {"Qual é a população?", Amount}, Dutch: {"Welke stad heeft de toren?", Place},
		Polish: {"Jaka jest cena?", Amount}, Swedish: {"Vilken stad har tornet?", Place}, Russian: {"Какой город построил башню?", Place}, Ukrainian: {"Яке місто збудувало вежу?", Place},
		Turkish: {"Kule hangi şehirde?", Place}, Arabic: {"ما سعر المضخة؟", Amount}, Hindi: {"किस शहर में मीनार है?", Place}, Chinese: {"哪个城市有塔？", Place}, Japanese: {"どの都市に塔がありますか？", Place},
		Korean: {"어느 도시에 탑이 있습니까?", Place},
	} {
		if kind := KindAsked(code, asked.question); kind != asked.kind {
			t.Errorf("%s: %q asks for %q, not %q", code, asked.question, kind, asked.kind)
		}
	}
	if !AsksYear(English, "In which year was it built?") || AsksYear(English, "When was it built?") {
		t.Error("a year is asked for, or is not")
	}
	if kind := KindAsked(English, "What is the capital investment policy?"); kind == Person {
		t.Error(kind)
	}
}
