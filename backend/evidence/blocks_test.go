package evidence

import (
	"reflect"
	"slices"
	"testing"
)

func TestBlocksAreReadAsTheyWereWritten(t *testing.T) {
	if n := reflect.TypeFor[Block]().NumField(); n != 9 {
		t.Fatalf("blocks have %d fields: AppendBlocks writes 9", n)
	}
	blocks := []Block{
		{Start: 0, End: 9, Kind: Heading, Level: 2, Page: 1, Line: 3},
		{Start: 10, End: 400, Kind: TableRow, Page: 2, Line: 1, Unit: "sheet", Cells: "B2:D2", Label: "xii"},
		{Start: 400, End: 400, Kind: Paragraph, Page: 2, Label: "xii"},
		{Start: 400, End: 401, Kind: Code, Page: 1},
		{Start: 401, End: 402, Kind: Code, Page: 1, Label: "go"},
	}
	for _, list := range [][]Block{nil, blocks, slices.Repeat(blocks, 500)} {
		written, err := AppendBlocks([]byte("in front"), list)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadBlocks(written[len("in front"):])
		if err != nil || !slices.Equal(got, list) {
			t.Errorf("%d blocks came back as %d: %v", len(list), len(got), err)
		}
	}
	if _, err := AppendBlocks(nil, []Block{{Kind: "unheard of"}}); err == nil {
		t.Error("an unknown kind was written")
	}
}

func FuzzReadBlocks(f *testing.F) {
	good, err := AppendBlocks(nil, []Block{{End: 4, Kind: Code, Unit: "slide", Cells: "A1", Label: "A-1"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte{200, 200, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		blocks, err := ReadBlocks(data)
		if err != nil {
			return
		}
		written, err := AppendBlocks(nil, blocks)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ReadBlocks(written); err != nil || !slices.Equal(back, blocks) {
			t.Errorf("%v became %v: %v", blocks, back, err)
		}
	})
}
