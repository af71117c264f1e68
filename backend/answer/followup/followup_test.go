package followup

import "testing"

func TestAFollowUpTakesItsPlaceInTheLastQuestion(t *testing.T) {
	for _, c := range []struct{ last, asked, want string }{
		{"What does the basic plan cost?", "and the pro plan?", "What does the pro plan cost?"},
		{"What does the basic plan cost?", "and enterprise?", "What does the enterprise cost?"},
		{"What was the revenue in 2022?", "in 2023?", "What was the revenue in 2023?"},
		{"What was the revenue in 2022?", "and the profit?", "What was the profit in 2022?"},
		{"What was ACME's revenue in 2022?", "and in 2021?", "What was ACME's revenue in 2021?"},
		{"Who is the CEO of Apple?", "and Microsoft?", "Who is the CEO of Microsoft?"},
		{"What is the capital of France?", "Germany?", "What is the capital of Germany?"},
		{"How many days of leave do employees get?", "and contractors?", "How many days of leave do contractors get?"},
		{"How many days of leave do employees get?", "what about sick leave?", "How many days of sick leave do employees get?"},
		{"What is the notice period for employees?", "and for managers?", "What is the notice period for managers?"},
		{"What is the boiling point of water?", "And that of ethanol?", "What is the boiling point of ethanol?"},
		{"Does the contract allow subletting?", "what about pets?", "Does the contract allow pets?"},
		{"How do I reset my password?", "and on Android?", "How do I reset my password on Android?"},
		{"When was the Lorne bridge opened?", "why?", "why was the Lorne bridge opened?"},
		{"Was kostet der Basistarif?", "und der Profitarif?", "Was kostet der Profitarif?"},
		{"Wie hoch war der Umsatz in 2022?", "und in 2023?", "Wie hoch war der Umsatz in 2023?"},
		{"Was ist die Kündigungsfrist für Angestellte?", "und für Leiter?", "Was ist die Kündigungsfrist für Leiter?"},
		{"Wer hat Faust geschrieben?", "und Die Räuber?", "Wer hat die Räuber geschrieben?"},
		{"Wann wurde die Brücke eröffnet?", "warum?", "warum wurde die Brücke eröffnet?"},
		{"Combien coûte le forfait de base ?", "et le forfait pro ?", "Combien coûte le forfait pro ?"},
		{"Quel était le chiffre d'affaires en 2022 ?", "et en 2023 ?", "Quel était le chiffre d'affaires en 2023 ?"},
		{"Qui a écrit Les Misérables ?", "et Germinal ?", "Qui a écrit Germinal ?"},
		{"¿Cuánto cuesta el plan básico?", "¿y el plan pro?", "Cuánto cuesta el plan pro?"},
		{"¿Cuál fue el ingreso en 2022?", "¿y en 2023?", "Cuál fue el ingreso en 2023?"},
		{"¿Quién escribió Don Quijote?", "¿cuándo?", "cuándo escribió Don Quijote?"},
	} {
		if got := Standalone(c.asked, []Turn{{Question: c.last}}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.last, c.asked, got, c.want)
		}
	}
}

func TestAPronounStandsForTheSubjectOfTheLastQuestion(t *testing.T) {
	for _, c := range []struct{ last, said, asked, want string }{
		{"What is The Silent Garden?", "A novel set in Lisbon.", "who wrote it?", "who wrote The Silent Garden?"},
		{"Where is the warranty described?", "In Annex B.", "how long does it last?", "how long does the warranty last?"},
		{"What are the working hours?", "Nine to Five.", "are they flexible?", "are the working hours flexible?"},
		{"How much vacation do I get?", "", "Is that paid?", "Is vacation paid?"},
		{"How tall is the Eiffel Tower?", "", "when was it built?", "when was the Eiffel Tower built?"},
		{"What is the capital of France?", "Paris.", "How many people live there?", "How many people live in the capital of France?"},
		{"Who wrote Dune?", "Frank Herbert wrote Dune in 1965.", "when was he born?", "when was Frank Herbert born?"},
		{"What was the change in net sales from 2018 to 2019?", "", "What was its percentage change in that period?", "What was the percentage change in net sales from 2018 to 2019?"},
		{"What was the net profit?", "Which year?", "2019", "What was the net profit in 2019?"},
		{"What is the price of the ticket?", "Which ticket are you asking about?", "The return ticket.", "What is the price of the return ticket?"},
	} {
		if got := Standalone(c.asked, []Turn{{Question: c.last, Answer: c.said}}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.last, c.asked, got, c.want)
		}
	}
}

func TestAQuestionThatStandsAloneStaysAsItIs(t *testing.T) {
	for _, asked := range []string{
		"Tell me about lung cancer.", "weather in Lisbon", "When did Apple release its first phone?", "How does the company value its stock options?",
		"What is the deadline for applications?", "Is it possible to cancel?", "Was kostet der Profitarif?", "2 + 2", "",
	} {
		if got := Standalone(asked, []Turn{{Question: "What is throat cancer?"}}); got != asked {
			t.Errorf("%q became %q", asked, got)
		}
	}
	if got := Standalone("and the pro plan?", nil); got != "and the pro plan?" {
		t.Errorf("without history: %q", got)
	}
}

func TestATopicIsKeptOverSeveralTurns(t *testing.T) {
	turns := []Turn{{Question: "What does the basic plan cost?"}, {Question: "and the pro plan?"}, {Question: "in 2023?"}}
	if got := Standalone("who can use it?", turns); got != "who can use the pro plan?" {
		t.Error(got)
	}
	if got := Standalone("and the basic plan?", turns); got != "What does the basic plan cost in 2023?" {
		t.Error(got)
	}
}

func FuzzStandalone(f *testing.F) {
	f.Add("What does the basic plan cost?", "A lot.", "and the pro plan?")
	f.Add("Wer hat Faust geschrieben?", "", "und in 2023?")
	f.Add("its", "?", "¿y (that")
	f.Fuzz(func(t *testing.T, last, said, asked string) {
		Standalone(asked, []Turn{{Question: last, Answer: said}, {Question: asked, Answer: last}})
	})
}
