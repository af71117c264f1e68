package research

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"footnote/backend/embed"
)

// TestHeadingsAreToldInOtherLanguages holds the classifier, which
// has learned from English and a little German and French, to sentences of our own in
// others and to further ones of those.
func TestHeadingsAreToldInOtherLanguages(t *testing.T) {
	encoder, err := embed.NewMultilingual()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("no kernel of the encoders runs on this processor")
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/headings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	var texts []string
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows, texts = append(rows, row), append(texts, row[2])
	}
	vectors, err := BareVectors(t.Context(), encoder, texts)
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	for i, row := range rows {
		all[row[1]]++
		if best := shippedClassifier().Of(texts[i], vectors[i]).Best(); slices.Contains(strings.Split(row[0], ","), best) {
			right[row[1]]++
		} else {
			t.Logf("%s, not %s: %s", best, row[0], texts[i])
		}
	}
	for _, language := range []string{"de", "fr", "es", "it", "ru", "ja"} {
		t.Logf("%s: %d of %d", language, right[language], all[language])
		if float64(right[language]) < 0.75*float64(all[language]) || all[language] < 24 {
			t.Errorf("%s: %d of %d right", language, right[language], all[language])
		}
	}
}

func TestARiskIsNotSaidToBeMissingUnderItsOtherHeading(t *testing.T) {
	var hole, late Headed
	hole[slices.Index(Headings, Risks)], hole[slices.Index(Headings, Security)] = 0.96, 0.03
	late[slices.Index(Headings, Risks)], late[slices.Index(Headings, Timeline)] = 0.8, 0.02
	for f, want := range map[*finding]map[string]bool{
		{likely: hole}:                    {Risks: true, Security: true, Timeline: false},
		{likely: late}:                    {Risks: true, Security: false, Timeline: false},
		{likely: hole, newer: &finding{}}: {Risks: false, Security: false},
	} {
		for heading, bears := range want {
			if f.bears(heading) != bears {
				t.Errorf("%v: %s", f.likely, heading)
			}
		}
	}
}

func TestWhatIsHardlyLikelierThanTheRestStandsUnderNoHeading(t *testing.T) {
	likely := func(shares map[string]float64) (h Headed) {
		for heading, share := range shares {
			h[slices.Index(Headings, heading)] = share
		}
		return h
	}
	guess := likely(map[string]float64{Security: 0.3, Licence: 0.28, Timeline: 0.22, Other: 0.2})
	sure := likely(map[string]float64{Security: 0.6, Other: 0.4})
	against := likely(map[string]float64{Risks: 0.35, Weaknesses: 0.3, Security: 0.35})
	for heading, likely := range map[string]Headed{Other: guess, Security: sure, Risks: against} {
		if f := (&finding{likely: likely}); f.heading() != heading {
			t.Errorf("%v stands under %s, not under %s", likely, f.heading(), heading)
		}
	}
}

// TestMostOfAManualStandsUnderNoHeading has sentences of the kind that handbooks are made
// of, none of which is learned from.
func TestMostOfAManualStandsUnderNoHeading(t *testing.T) {
	encoder, err := embed.NewMultilingual()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("no kernel of the encoders runs on this processor")
	}
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{
		"The third argument names the queue that the job goes to.",
		"Deletes a printer from the server.",
		"Holds all new jobs of a queue.",
		"Mailboxes may lie on this machine or on another.",
		"The log of visits is kept in a file called visits.db.",
		"The server sends a warning and lets the user in.",
		"The limit applies to all users of the protocol.",
		"Gives the rule by which a class of printers may be used.",
		"If both files are missing, the built-in values count.",
		"You can see whether the delay is on by looking at the greeting.",
		"Names of three letters or fewer are padded.",
		"Drawing tools are reached from the menu and by keys.",
		"Un clic sur Aucun retire toutes les catégories de la recherche.",
		"Die Liste der Überweisungen gleicht der Liste der Konten.",
		"Чем больше число, тем шире полоса.",
		"このディレクティブはユーザごとの上限を決めます。",
	}
	vectors, err := BareVectors(t.Context(), encoder, texts)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for i, text := range texts {
		if f := (&finding{likely: shippedClassifier().Of(text, vectors[i])}); f.heading() != Other {
			told++
			t.Logf("%s: %s", f.heading(), text)
		}
	}
	if told > 2 {
		t.Errorf("%d of %d stand under a heading", told, len(texts))
	}
}
