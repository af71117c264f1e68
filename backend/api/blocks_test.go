package api

import (
	"slices"
	"testing"

	"footnote/backend/evidence"
)

func TestBlocksAreCutToAStretchInCodePoints(t *testing.T) {
	text := "Öl\n\na\nb\nc"
	blocks := []evidence.Block{{Start: 0, End: 3, Kind: evidence.Heading, Level: 2}, {Start: 5, End: 10, Kind: evidence.Code, Line: 7, Level: 3}}
	want := []TextBlock{{Kind: evidence.Heading, Level: 2, Start: 0, End: 2}, {Kind: evidence.Code, Line: 7, Start: 4, End: 9}}
	if got := blocksWithin(text, blocks, 0, len(text)); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	items := []evidence.Block{{End: 3, Kind: evidence.ListItem, Level: evidence.Nested{Depth: 2, Ordered: true, Number: 4}.Level()}, {Start: 5, End: 6, Kind: evidence.Paragraph, Level: evidence.Nested{Quoted: 1}.Level()}}
	if got := blocksWithin(text, items, 0, len(text)); !slices.Equal(got, []TextBlock{{Kind: evidence.ListItem, End: 2, Level: 2, Ordered: true, Number: 4}, {Kind: evidence.Paragraph, Start: 4, End: 5, Quoted: 1}}) {
		t.Errorf("nested: %+v", got)
	}
	if got := blocksWithin(text, blocks, 7, 8); !slices.Equal(got, []TextBlock{{Kind: evidence.Code, Line: 8, Start: 6, End: 7}}) {
		t.Errorf("cut: %+v", got)
	}
}
