package extract

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// nowhere takes what a child is sent.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func TestAChildThatTellsTooManyBlocksIsNotBelieved(t *testing.T) {
	for n, good := range map[int]bool{format.MostBlocks: true, format.MostBlocks + 1: false} {
		blocks, err := evidence.AppendBlocks(nil, slices.Repeat([]evidence.Block{{Kind: evidence.Paragraph}}, n))
		if err != nil {
			t.Fatal(err)
		}
		head := fmt.Appendf(nil, `{"size":0,"blocks":%d}`, len(blocks))
		data := append(append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...), blocks...)
		c := &child{in: nowhere{io.Discard}, out: bytes.NewReader(data)}
		res, err := c.exchange(job{Limits: DefaultLimits()}, bytes.NewReader(nil), func() {})
		if (err == nil) != good || good != (len(res.Document.Blocks) == n) {
			t.Errorf("%d blocks: %d came, %v", n, len(res.Document.Blocks), err)
		}
	}
}

// FuzzChildSays has a child that was taken over say any bytes: what comes of them
// is an error, or a document whose blocks lie in its text.
func FuzzChildSays(f *testing.F) {
	blocks, err := evidence.AppendBlocks(nil, []evidence.Block{{Start: 0, End: 5, Kind: evidence.Paragraph}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(fmt.Appendf(nil, `{"size":5,"blocks":%d}`, len(blocks)), append([]byte("words"), blocks...))
	f.Add(fmt.Appendf(nil, `{"size":3,"blocks":%d}`, len(blocks)), append([]byte("wor"), blocks...))
	f.Add([]byte(`{"slow":true}`), binary.BigEndian.AppendUint32(nil, maxFrame+1))
	f.Add([]byte(`{"size":-1}`), []byte(nil))
	f.Add([]byte(`{"size":1,"blocks":99999999}`), []byte("\xff"))
	f.Fuzz(func(t *testing.T, head, rest []byte) {
		data := append(append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...), rest...)
		c := &child{in: nowhere{io.Discard}, out: bytes.NewReader(data)}
		res, err := c.exchange(job{Limits: DefaultLimits()}, bytes.NewReader(nil), func() {})
		if err != nil {
			return
		}
		at := 0
		for _, b := range res.Document.Blocks {
			if b.Start < at || b.End < b.Start || b.End > len(res.Document.Text) {
				t.Fatalf("the block %+v lies outside of %d bytes, or before the last one", b, len(res.Document.Text))
			}
			at = b.End
		}
		if len(res.Document.Text) > len(data) || len(res.Document.Blocks) > len(data) {
			t.Fatalf("%d bytes became %d of text and %d blocks", len(data), len(res.Document.Text), len(res.Document.Blocks))
		}
	})
}
