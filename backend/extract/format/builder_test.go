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
