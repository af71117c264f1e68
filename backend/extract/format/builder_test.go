package format

import (
	"testing"

	"footnote/backend/evidence"
)

func TestADocumentHasSoManyBlocksAndSaysSo(t *testing.T) {
	b := NewBuilder(64 << 20)
	for range MostBlocks - 1 {
		b.Add(evidence.Block{Kind: evidence.ListItem}, "a")
	}
	if b.Full() || b.Document().Coverage.Truncated {
		t.Error("it is full too soon")
	}
	b.Add(evidence.Block{Kind: evidence.ListItem}, "a")
	b.Add(evidence.Block{Kind: evidence.ListItem}, "a")
	if doc := b.Document(); !b.Full() || len(doc.Blocks) != MostBlocks || !doc.Coverage.Truncated {
		t.Errorf("%d blocks, %+v", len(doc.Blocks), doc.Coverage)
	}
}

func TestTheEndOfALineIsNoBlankWhereWordsHaveNone(t *testing.T) {
	for text, want := range map[string]string{
		"次に記\n    します。": "次に記します。",
		"次に 記します":       "次に 記します",
		"apt\nを使う":      "apt を使う",
		"two\n  words":  "two words",
		"한 법률\n제2조":     "한 법률 제2조",
	} {
		if got := Clean(text, false); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
