package evidence

import "testing"

func TestTheLevelOfAnItemKeepsWhereItStands(t *testing.T) {
	for _, n := range []Nested{{}, {Depth: 1}, {Depth: 3, Ordered: true, Number: 12}, {Depth: 1, Ordered: true}, {Quoted: 2}, {Depth: 2, Quoted: 1, GoesOn: true}} {
		if got := (Block{Kind: ListItem, Level: n.Level()}).Nested(); got != n {
			t.Errorf("%+v, want %+v", got, n)
		}
	}
	if got := (Block{Kind: Paragraph, Level: Nested{Depth: 900, Quoted: -1, Ordered: true, Number: 1 << 40}.Level()}).Nested(); got != (Nested{Depth: 63, Ordered: true, Number: 1<<30 - 1}) {
		t.Errorf("too deep: %+v", got)
	}
	for _, b := range []Block{{Kind: Heading, Level: 3}, {Kind: TableRow, Level: HeadRow | 7}, {Kind: ListItem, Level: -5}} {
		if got := b.Nested(); got != (Nested{}) {
			t.Errorf("%+v: %+v", b, got)
		}
	}
}
