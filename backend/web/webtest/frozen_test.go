package webtest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func towns() *Frozen {
	return &Frozen{Seen: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Pages: []Page{
		{Address: "https://a.example/marn", Title: "Marn", Text: "# Tower\nThe tower of Marn is 43 metres tall.\n- one lamp\nYear | Height\n1990 | 43"},
		{Address: "https://b.example/dor", Title: "Dor", Text: "Dor has a harbour and no tower at all."},
		{Address: "https://c.example/wall", Title: "Wall", Text: "A wall.", Unread: "paywall"},
		{Address: "https://d.example/late", Title: "Late", Text: "Late words.", Delay: time.Hour},
	}}
}

func TestTheFrozenWebFindsTheSameEveryTime(t *testing.T) {
	f := towns()
	first, err := f.Find(context.Background(), gather.WebQuery{Text: "how tall is the tower of Marn", N: 5})
	if err != nil || len(first) != 2 || first[0].Source.Title != "Marn" || first[0].Snippet != "The tower of Marn is 43 metres tall." {
		t.Fatalf("%+v %v", first, err)
	}
	second, err := f.Find(context.Background(), gather.WebQuery{Text: "how tall is the tower of Marn", N: 5})
	if err != nil || !reflect.DeepEqual(first, second) || len(f.Queries()) != 2 {
		t.Errorf("%+v %v", second, err)
	}
	if none, err := f.Find(context.Background(), gather.WebQuery{Text: "zebra", N: 5}); err != nil || len(none) != 0 {
		t.Errorf("%+v %v", none, err)
	}
}

func TestTheFrozenWebReadsBlocks(t *testing.T) {
	f := towns()
	doc, cached, err := f.Read(context.Background(), evidence.Lead{Source: evidence.Source{Address: "https://a.example/marn"}})
	if err != nil || cached || doc.Source.Seen != f.Seen || doc.Source.Digest == "" {
		t.Fatal(err, doc)
	}
	kinds := []evidence.BlockKind{evidence.Heading, evidence.Paragraph, evidence.ListItem, evidence.TableRow, evidence.TableRow}
	for i, b := range doc.Blocks {
		if b.Kind != kinds[i] {
			t.Errorf("block %d is %s %q", i, b.Kind, doc.Text[b.Start:b.End])
		}
	}
	if doc.Text[doc.Blocks[2].Start:doc.Blocks[2].End] != "one lamp" {
		t.Errorf("%q", doc.Text)
	}
}

func TestTheFrozenWebFailsAsItIsTold(t *testing.T) {
	f := towns()
	read := func(ctx context.Context, address string) error {
		_, _, err := f.Read(ctx, evidence.Lead{Source: evidence.Source{Address: address}})
		return err
	}
	var u *gather.UnreadError
	if err := read(context.Background(), "https://c.example/wall"); !errors.As(err, &u) || u.Code != "paywall" {
		t.Error(err)
	}
	if err := read(context.Background(), "https://nowhere.example/"); !errors.As(err, &u) || u.Code != "http-404" {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := read(ctx, "https://d.example/late"); !errors.Is(err, context.DeadlineExceeded) || len(f.Reads()) != 3 {
		t.Error(err, f.Reads())
	}
	f.SearchError = fault.New(fault.Offline, "away", "wait")
	f.Search(context.Background(), gather.WebQuery{Text: "tower", N: 5}, nil, func(r gather.EngineResult) {
		if r.Engine != "frozen" || fault.CodeOf(r.Err) != fault.Offline {
			t.Errorf("%+v", r)
		}
	})
}
