package followup

import "testing"

// said is a turn of a dialogue with what was answered, and the question in full.
type said struct{ asked, answer, want string }

// dialogues are read as a whole: each turn after those before it.
var dialogues = map[string][]said{
	"years counted from the thread, and their sum": {
		{"How much did we spend on hall hire in 2024?", "£1,560", ""},
		{"and in 2023?", "£1,240", "How much did we spend on hall hire in 2023?"},
		{"how much was it the year before?", "£1,180", "How much did we spend on hall hire in 2022?"},
		{"sum them", "", "How much did we spend on hall hire in 2022, 2023 and 2024 in total?"},
		{"and on robes?", "", "How much did we spend on robes hire in 2022?"},
	},
	"the person of the answer": {
		{"Who conducted the choir after Edith Lanyon?", "Her successor was Walter Threlfall, an organist from Upper Dray. [1]", ""},
		{"how long did he stay?", "Twenty-two years.", "how long did Walter Threlfall stay?"},
		{"and who came next?", "In 1990 Joan Amery became conductor. [1]", "who came after Walter Threlfall the choir after Edith Lanyon?"},
		{"where was she born?", "", "where was Joan Amery born?"},
	},
	"a topic stays while things of it are asked": {
		{"How many copies of Messiah do we have?", "41", ""},
		{"and the Gloria?", "29", "How many copies of the Gloria do we have?"},
		{"which cupboard is it in?", "B", "which cupboard is copies of the Gloria in?"},
		{"who composed it?", "", "who composed copies of the Gloria?"},
	},
	"what was asked before a why is gone on with": {
		{"How much is Clara Winfield's fee?", "£180", ""},
		{"why?", "", "why is Clara Winfield's fee?"},
		{"what about the tenor soloist's?", "", "How much is the tenor soloist's fee?"},
		{"And who is the accompanist?", "", "And who is the accompanist?"},
		{"are you sure?", "", "And who is the accompanist?"},
	},
	"a verb is no measure": {
		{"What will the hall cost per hour from April 2024?", "£26", ""},
		{"why?", "", "why will the hall cost per hour from April 2024?"},
		{"what about the small room?", "", "What will the small room cost per hour from April 2024?"},
	},
	"until when": {
		{"Why was the tour to Brittany postponed?", "", ""},
		{"until when?", "", "until when was the tour to Brittany postponed?"},
		{"Back to the tour: who is getting the new quotes?", "", "who is getting the new quotes of the tour?"},
		{"and the key, where is it collected?", "", "where is the key collected?"},
		{"by when?", "", "by when is the key collected?"},
		{"and the tickets, how much?", "", "how much the tickets?"},
	},
	"something done to it by a name": {
		{"How much is the annual subscription now?", "£84", ""},
		{"when is that due?", "", "when is the annual subscription due?"},
		{"who voted against it?", "", "who voted against the annual subscription?"},
		{"what did Rita think of it?", "", "what did Rita think of the annual subscription?"},
	},
	"fr: exemplaires": {
		{"Combien d’exemplaires du Carnet de Lozère a-t-on vendus en 2024 ?", "1120", ""},
		{"et en 2023 ?", "745", "Combien d’exemplaires du Carnet de Lozère a-t-on vendus en 2023 ?"},
		{"et l’année d’avant ?", "310", "Combien d’exemplaires du Carnet de Lozère a-t-on vendus en 2022 ?"},
		{"ça fait combien au total ?", "", "Combien d’exemplaires du Carnet de Lozère a-t-on vendus en 2022, 2023 et 2024 au total?"},
	},
	"fr: le reste de la phrase": {
		{"Quand Marie Delorme doit-elle remettre son manuscrit ?", "", ""},
		{"et Julie Estève ?", "", "Quand Julie Estève doit-elle remettre son manuscrit ?"},
		{"qui sera sa relectrice ?", "Votre relectrice sera Odile Sarrazin. [1]", "qui sera le relectrice de Julie Estève ?"},
		{"elle habite où ?", "", "Odile Sarrazin habite où ?"},
		{"quel âge a-t-elle ?", "", "quel âge a Odile Sarrazin ?"},
	},
	"fr: pronoms et compléments": {
		{"Pourquoi « Pierre levée » est-il repoussé ?", "", ""},
		{"à quand ?", "", "à quand « Pierre levée » est-il repoussé ?"},
		{"Qui dessine la couverture des Saisons ?", "La couverture est dessinée par Agathe Morin. [1]", "Qui dessine la couverture des Saisons ?"},
		{"et combien est-elle payée ?", "", "combien est Agathe Morin payée ?"},
		{"Combien coûtent 1 500 exemplaires chez Pons ?", "", "Combien coûtent 1 500 exemplaires chez Pons ?"},
		{"et 3 000 ?", "", "Combien coûtent 3 000 exemplaires chez Pons ?"},
		{"jusqu’à quand est-il valable, ce devis ?", "", "jusqu’à quand est-il valable, ce devis ?"},
	},
	"fr: noms": {
		{"Quel pourcentage de droits touche Inès Karoubi ?", "10 %", ""},
		{"et Paul ?", "9 %", "Quel pourcentage de droits touche Paul ?"},
		{"Quel prix a-t-il reçu en 2018 ?", "", "Quel prix a Paul reçu en 2018 ?"},
		{"Qui fait la couverture des Saisons de l’étang ?", "", "Qui fait la couverture des Saisons de l’étang ?"},
		{"et l’autre couverture ?", "", "Qui fait l’autre couverture ?"},
		{"Quel est l’à-valoir prévu au contrat des Saisons ?", "", "Quel est l’à-valoir prévu au contrat des Saisons ?"},
		{"et le préavis ?", "", "Quel est le préavis au contrat des Saisons ?"},
		{"il faut l’envoyer comment ?", "", "il faut envoyer le préavis au contrat des Saisons comment ?"},
	},
	"de": {
		{"Wie hoch war die Miete für den Probenraum 2024?", "", ""},
		{"und 2023?", "", "Wie hoch war die Miete für den Probenraum 2023?"},
		{"und im Jahr davor?", "", "Wie hoch war die Miete für den Probenraum 2022?"},
		{"Wie viel macht das insgesamt?", "", "Wie hoch war die Miete für den Probenraum 2022, 2023 und 2024 insgesamt?"},
		{"Wer leitet den Verein?", "Der Verein wird seit 2019 von Anna Bergmann geleitet. [1]", "Wer leitet den Verein?"},
		{"Wo wohnt sie?", "", "Wo wohnt Anna Bergmann?"},
		{"Und wer ist der Kassenwart?", "", "Und wer ist der Kassenwart?"},
	},
	"es": {
		{"¿Cuánto costó el alquiler de la sala en 2024?", "", ""},
		{"¿y en 2023?", "", "Cuánto costó el alquiler de la sala en 2023?"},
		{"¿y el año anterior?", "", "Cuánto costó el alquiler de la sala en 2022?"},
		{"¿cuánto es en total?", "", "Cuánto costó el alquiler de la sala en 2022, 2023 y 2024 en total?"},
		{"¿Quién dirige la orquesta?", "La orquesta está dirigida por Marta Ibáñez. [1]", "¿Quién dirige la orquesta?"},
		{"¿Dónde vive ella?", "", "Dónde vive Marta Ibáñez?"},
		{"¿y su marido?", "", "Dónde vive el marido de Marta Ibáñez?"},
	},
	"it": {
		{"Quante copie del Calendario sono state vendute nel 2024?", "", ""},
		{"e nel 2023?", "", "Quante copie del Calendario sono state vendute nel 2023?"},
		{"e l'anno prima?", "", "Quante copie del Calendario sono state vendute nel 2022?"},
		{"e della Guida?", "", "Quante copie della Guida sono state vendute nel 2022?"},
		{"Chi ha fondato la casa editrice?", "È stata fondata da Lucio Ferri nel 1987. [1]", "Chi ha fondato la casa editrice?"},
		{"dove è nato lui?", "", "dove è nato Lucio Ferri?"},
		{"Perché il libro è stato rinviato?", "", "Perché il libro è stato rinviato?"},
		{"fino a quando?", "", "fino a quando il libro è stato rinviato?"},
	},
	"ja": {
		{"2024年の会場の賃料はいくらですか？", "", ""},
		{"2023年は？", "", "2023年の会場の賃料はいくらですか？"},
		{"その前の年は？", "", "2022年の会場の賃料はいくらですか？"},
		{"合計は？", "", "合計2022、2023と2024年の会場の賃料はいくらですか？"},
		{"会費は？", "", "2022年の会費はいくらですか？"},
		{"会長は誰ですか？", "会長は佐藤花子です。[1]", "会長は誰ですか？"},
		{"彼女はどこに住んでいますか？", "", "佐藤花子はどこに住んでいますか？"},
	},
	"ru": {
		{"Сколько стоила аренда зала в 2024 году?", "", ""},
		{"а в 2023 году?", "", "Сколько стоила аренда зала в 2023 году?"},
		{"а годом раньше?", "", "Сколько стоила аренда зала в 2022 году?"},
		{"сколько всего?", "", "Сколько стоила аренда зала в 2022, 2023 и 2024 году всего?"},
		{"Кто руководит хором?", "Хором руководит Мария Орлова. [1]", "Кто руководит хором?"},
		{"где она живёт?", "", "где Мария Орлова живёт?"},
		{"Вернёмся к договору: до какого числа он действует?", "", "до какого числа договору действует?"},
		{"почему?", "", "почему договору действует?"},
	},
	"others: the year before": {
		{"Hoeveel kostte de zaal in 2024?", "", ""},
		{"en het jaar ervoor?", "", "Hoeveel kostte de zaal in 2023?"},
		{"Wie is de voorzitter?", "De voorzitter is Jan de Vries. [1]", "Wie is de voorzitter?"},
		{"waar woont hij?", "", "waar woont Jan de Vries?"},
		{"2024年的租金是多少？", "", "2024年的租金是多少？"},
		{"前一年呢？", "", "2023年的租金是多少？"},
		{"一共多少？", "", "总共2023和2024年的租金是多少？"},
		{"2024 yılında kira ne kadardı?", "", "2024 yılında kira ne kadardı?"},
		{"peki bir önceki yıl?", "", "2023 yılında kira ne kadardı?"},
		{"كم كان الإيجار في عام 2024؟", "", "كم كان الإيجار في عام 2024؟"},
		{"والسنة السابقة؟", "", "كم كان الإيجار في عام 2023؟"},
		{"2024 में किराया कितना था?", "", "2024 में किराया कितना था?"},
		{"और उससे पिछले साल?", "", "2023 में किराया कितना था?"},
		{"2024년 임대료는 얼마인가요?", "", "2024년 임대료는 얼마인가요?"},
		{"그 전해는요?", "", "2023년 임대료는 얼마인가요?"},
	},
}

func TestDialoguesAreReadAsAWhole(t *testing.T) {
	for name, dialogue := range dialogues {
		var turns []Turn
		for _, s := range dialogue {
			if got := Standalone(s.asked, turns); s.want != "" && got != s.want {
				t.Errorf("%s: %s: %q, want %q", name, s.asked, got, s.want)
			}
			turns = append(turns, Turn{Question: s.asked, Answer: s.answer})
		}
	}
}

func TestWhatCameNearTellsOnlyThePerson(t *testing.T) {
	turns := []Turn{{Question: "Who founded the press?", Near: "The press was founded by Lucien Aubrac, a bookseller. [1]"}}
	if got := Standalone("where was he born?", turns); got != "where was Lucien Aubrac born?" {
		t.Error(got)
	}
	turns = []Turn{{Question: "Qui a fondé la maison ?", Near: "Votre relectrice sera Odile Sarrazin. [1]"}}
	if got := Standalone("quel était son métier ?", turns); got != "quel était le métier de Odile Sarrazin ?" {
		t.Error(got)
	}
}

func TestWhatFiguresAreInIsNoSubject(t *testing.T) {
	got := Standalone("und die Grundsteuer?", []Turn{{Question: "Um wie viel Euro ist die Versicherung von 2022 auf 2023 teurer geworden?"}})
	if got != "Um wie viel Euro ist die Grundsteuer von 2022 auf 2023 teurer geworden?" {
		t.Error(got)
	}
}
