package topics

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestTopicsAreFrequentInTheTextAndRareInTheLibrary(t *testing.T) {
	text := "Harbour rules\n" + strings.Repeat("The harbour report says that lamps burn; a lamp needs oil. ", 5) + "once"
	doc := evidence.Document{Text: text, Blocks: []evidence.Block{{Start: 0, End: 13, Kind: evidence.Heading}, {Start: 14, End: len(text), Kind: evidence.Paragraph}}}
	words := Frequent(rank.NewCutter(), doc, "Oil report", ".txt")
	at := func(w string) int { return slices.IndexFunc(words, func(t Word) bool { return t.Word == w }) }
	if at("lamp") >= 0 && at("lamps") >= 0 || at("once") >= 0 || at("that") >= 0 || at("oil") >= 0 || at("harbour") < 0 {
		t.Errorf("words %v", words)
	}
	common := func(w string) int {
		if w == "report" || w == "says" || w == "burn" || w == "needs" {
			return 1000
		}
		return 1
	}
	if got := Choose(words, common, 1000); len(got) != 3 || got[0] != "harbour" || slices.Contains(got, "report") {
		t.Errorf("topics %v of %v", got, words)
	}
	if got := Frequent(rank.NewCutter(), evidence.Document{Text: "灯台と港の規則。灯台。 x 1 22", Blocks: []evidence.Block{{Start: -1, End: 900, Kind: evidence.Heading}}}, "1", ".md"); len(got) != 0 {
		t.Errorf("topics of characters and digits: %v", got)
	}
	long := strings.Repeat("ä", topicBytes) + " kelp kelp"
	if got := Frequent(rank.NewCutter(), evidence.Document{Text: long}, "1", ".md"); len(got) != 0 {
		t.Errorf("looked further than it may: %v", got)
	}
}
