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
