package subject

import (
	"slices"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/research/sentences"
)

// coveredOf are the sentences of a file that are about what a question asks of.
func coveredOf(t *testing.T, question, title, text string) (got []string, r *Reader, passages []quote.Passage) {
	t.Helper()
	source := evidence.Source{Digest: title, Title: title, Address: "/a/" + title + ".md", Kind: evidence.File}
	passages = []quote.Passage{{N: 1, Digest: title, Title: title, Text: text}}
	r = &Reader{Question: question, Topic: NamedTopic(question, question, true)}
	r.Read([]rank.Candidate{{Source: source}}, func(evidence.Source) string { return text })
	all, _ := quote.NewQuery(checkerForTest(t), question).Candidates(passages)
	for _, s := range r.Only(all, passages) {
		if sentences.Ends(s.Text) {
			got = append(got, s.Text)
		}
	}
	return got, r, passages
}

func TestUnderTheHeadingOfAnotherIsNothingOfTheMatter(t *testing.T) {
	got, _, _ := coveredOf(t, "Should we buy from Lorne Bearings?", "Works compared",
		"Oban Gears\n\nIt was fined in 2023. Its hall burnt down.\n\nLorne Bearings\n\nLorne Bearings sells axles. It was praised for them.")
	if want := []string{"Lorne Bearings sells axles.", "It was praised for them."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	got, _, _ = coveredOf(t, "Sollen wir die Korvatbahn übernehmen?", "Gemeinderat, Februar",
		"Sitzung vom Februar\n\nTraktandum 3: Korvatbahn\n\nDie Konzession der Korvatbahn läuft aus. Der Bund hat noch nicht entschieden.\n\nTraktandum 4: Schulhaus\n\nDas Dach ist undicht. Die Sanierung kostet 700 Franken.")
	if want := []string{"Die Konzession der Korvatbahn läuft aus.", "Der Bund hat noch nicht entschieden."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWhatGoesOnAboutAnotherIsNotTheMatters(t *testing.T) {
	got, _, _ := coveredOf(t, "Should we buy from Lorne Bearings?", "Works compared",
		"Lorne Bearings leads the market. It is old. Oban Gears has a new hall. It was fined in 2023.")
	if want := []string{"Lorne Bearings leads the market.", "It is old."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestNotesAreAboutWhatTheirFirstLineNames(t *testing.T) {
	got, _, _ := coveredOf(t, "Should we buy from Lorne Bearings?", "notes",
		"Visit to Lorne Bearings, 22 January 2025\n\n- Absence is 9 percent in the casting shop.\n- The hall opens in November 2025.\n- The firm uses the Tolva press.\n- Tolva broke down in May.\n- Kettle Works pays more.")
	if want := []string{"- Absence is 9 percent in the casting shop.", "- The hall opens in November 2025.", "- The firm uses the Tolva press.", "- Tolva broke down in May."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestASentenceThatOpensWithATermOfTheMatterLeansOnNone(t *testing.T) {
	_, r, passages := coveredOf(t, "Should we buy from Lorne Bearings?", "Report",
		"Lorne Bearings plc (the “Company”) makes axles.\n\nThe Company employed 312 people.\n\nIt sold two halls.")
	m := r.Among(passages)
	for text, want := range map[string]string{"The Company employed 312 people.": "Lorne employed 312 people.", "In 2023 the Company sold less.": "In 2023 Lorne sold less.", "Axles are made here.": "Axles are made here."} {
		if got := m.InFull(quote.Sentence{Text: text}, passages, "Lorne"); got != want {
			t.Errorf("%q", got)
		}
	}
	for text, want := range map[string]bool{"The Company employed 312 people.": true, "The company is old.": true, "It sold two halls.": false, "Axles are made here.": true, "This hall is old.": false} {
		if got := m.Upright(quote.Sentence{Text: text}, passages); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTheSortOfAFirmIsNoNameForIt(t *testing.T) {
	got, _, _ := coveredOf(t, "¿Debemos comprar Bodegas Lorna?", "bodegas de la comarca",
		"Las bodegas, una por una.\n\nBodegas Tolva\n\nTolva ganó una medalla. Fue multada con 40.000 euros.\n\nBodegas Lorna\n\nBodegas Lorna obtuvo 94 puntos. Es la más cara.")
	if want := []string{"Bodegas Lorna obtuvo 94 puntos.", "Es la más cara."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for question, want := range map[string]string{"What is wrong with the Tolva 3 of Lorne?": "Tolva 3", "What did Tolva 2024 cost?": "Tolva"} {
		if got := Names(question); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q", question, got)
		}
	}
	if got := aliasesOf("Tolva 3", []string{"The Tolva 3 leaks.", "The Tolva 4 does not."}); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestAMailIsOfTheHouseThatItComesFrom(t *testing.T) {
	text := "From: Tim Berg <tim.berg@lorne.example>\n\nTwo engineers left last month. Oban Gears pays more."
	if got, _, _ := coveredOf(t, "Should we buy from Lorne?", "Re: your letter", text); !slices.Equal(got, []string{"Two engineers left last month."}) {
		t.Errorf("%q", got)
	}
	if got, _, _ := coveredOf(t, "Should we buy from Tolva?", "Re: your letter", text); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
