package headings

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
		if best := Shipped().Of(texts[i], vectors[i]).Best(); slices.Contains(strings.Split(row[0], ","), best) {
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
		if heading := Shipped().Of(text, vectors[i]).Heading(); heading != Other {
			told++
			t.Logf("%s: %s", heading, text)
		}
	}
	if told > 2 {
		t.Errorf("%d of %d stand under a heading", told, len(texts))
	}
}

func TestTheClassifierOfHeadingsIsWhole(t *testing.T) {
	c := Shipped()
	if len(c.Weights) != len(All) {
		t.Fatalf("weights of %d headings, not of %d", len(c.Weights), len(All))
	}
	for i, w := range c.Weights {
		if len(w) != vectorSize+len(traits)+1 {
			t.Errorf("%s has %d weights", All[i], len(w))
		}
	}
	if got := withoutNames("In 2023 Acme sold 3,289 pumps."); got != "In 2023 X sold 3,289 pumps." {
		t.Errorf("without names: %q", got)
	}
}
