package check

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
)

func TestAQuoteIsPlacedOnTheLineThatItBeginsOn(t *testing.T) {
	text := "Keepers\nThe first keeper\nwas Bram Tarrant.\n\nThe lamp burns oil."
	second := strings.Index(text, "The lamp")
	doc := evidence.Document{Text: text, Blocks: []evidence.Block{
		{Start: 0, End: second - 2, Line: 1}, {Start: second, End: len(text), Line: 5},
	}}
	passage := evidence.Locator{Line: 1, End: len(text)}
	for quote, line := range map[string]int{"Keepers": 1, "The first": 2, "was Bram": 3, "The lamp": 5} {
		if at := exact(doc, passage, strings.Index(text, quote)); at.Line != line || at.End != passage.End {
			t.Errorf("%q begins on line %d of %v", quote, at.Line, at)
		}
	}
}

func TestAQuoteOfATextThatIsGoneKeepsThePlaceOfItsPassage(t *testing.T) {
	passage := evidence.Locator{Page: 3, Line: 7, Start: 40, End: 90}
	if at := exact(evidence.Document{}, passage, 12); at != passage {
		t.Errorf("placed at %v", at)
	}
}
