package quote

import (
	"footnote/backend/answer/quote/statements"

	"strings"
	"testing"
)

func TestASentenceThatLeansOnAnotherIsQuotedWithItOrNotAtAll(t *testing.T) {
	passages := []Passage{{N: 1, Text: "The horn was blown in January. Its compressors were rebuilt. However, they leak. Others say so. The lamp burns."}}
	all := statements.Of(passages[0].Text)
	pick := func(orders ...int) (chosen []Sentence) {
		for _, order := range orders {
			chosen = append(chosen, Sentence{N: 1}.replacedBy(all, order, passages[0].Text))
		}
		return chosen
	}
	nothing := func(string) bool { return false }
	for name, c := range map[string]struct {
		chosen []Sentence
		said   func(string) bool
		want   string
	}{
		"its antecedent comes with it":        {pick(1), nothing, "The horn was blown in January.|Its compressors were rebuilt."},
		"it is there":                         {pick(0, 1), nothing, "The horn was blown in January.|Its compressors were rebuilt."},
		"a chain that begins with a name":     {pick(0, 1, 2), nothing, "The horn was blown in January.|Its compressors were rebuilt.|However, they leak."},
		"what leans on something unquoted":    {pick(2, 4), nothing, "The lamp burns."},
		"others than whom":                    {pick(3), nothing, ""},
		"its antecedent was quoted elsewhere": {pick(1), func(text string) bool { return strings.HasPrefix(text, "The horn") }, ""},
	} {
		if got := strings.Join(told(Result{Sentences: Readable(c.chosen, passages, c.said)}), "|"); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAPieceOfASentenceIsNoQuotation(t *testing.T) {
	for text, want := range map[string]bool{"determine the effects of oral,": true, "and bone turnover.": true, "Bone turnover rose.": false, "ändert nichts.": true, "9 of 10 agreed.": false} {
		if got := (Sentence{Text: text}).CutOff(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if (Sentence{Text: "iron rusts.", Order: 3}).CutOff() || (Sentence{Text: "a\tb,", Row: true}).CutOff() {
		t.Error("a sentence inside a passage, and a row, are whole")
	}
}
