package evidence

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Blocks are stored and sent as steps from one to the next: numbers that are
// mostly small and alike, a fifth of their JSON.

// ErrBlocks means that written blocks end early, or have a kind of no meaning.
var ErrBlocks = errors.New("read blocks: malformed")

// otherLabel flags, in the kind of a block, that its label follows.
const otherLabel = 1 << 4

var blockKinds = []BlockKind{Paragraph, Heading, ListItem, TableRow, Code}

// AppendBlocks writes blocks behind out: for each its kind, its steps and,
// flagged in the kind, its words and a label other than that of the block before.
// The error is ErrBlocks: a kind is unknown.
func AppendBlocks(out []byte, blocks []Block) ([]byte, error) {
	out = binary.AppendUvarint(out, uint64(len(blocks)))
	var last Block
	for _, b := range blocks {
		kind := slices.Index(blockKinds, b.Kind) << 1
		if kind < 0 {
			return nil, ErrBlocks
		}
		labelled := b.Label != last.Label
		if labelled {
			kind |= otherLabel
		}
		worded := b.Unit != "" || b.Cells != ""
		if worded {
			kind |= 1
		}
		out = binary.AppendUvarint(out, uint64(kind))
		for _, step := range [...]int{b.Start - last.End, b.End - b.Start, b.Level, b.Page - last.Page, b.Line - last.Line} {
			out = binary.AppendVarint(out, int64(step))
		}
		if worded {
			out = appendText(appendText(out, string(b.Unit)), b.Cells)
		}
		if labelled {
			out = appendText(out, b.Label)
		}
		last = b
	}
	return out, nil
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

// ReadBlocks reads what AppendBlocks wrote; what stands behind it is passed over.
// The error is ErrBlocks.
func ReadBlocks(data []byte) ([]Block, error) {
	r := steps{data: data}
	n := r.unsigned()
	if n > uint64(len(r.data))/6 { // a block takes six bytes at least
		return nil, ErrBlocks
	}
	var blocks []Block
	if n > 0 {
		blocks = make([]Block, 0, n)
	}
	var last Block
	for ; n > 0 && !r.bad; n-- {
		kind := r.unsigned()
		labelled := kind&otherLabel != 0
		if kind &^= otherLabel; kind>>1 >= uint64(len(blockKinds)) {
			return nil, ErrBlocks
		}
		b := Block{Kind: blockKinds[kind>>1], Label: last.Label}
		b.Start = last.End + r.step()
		b.End = b.Start + r.step()
		b.Level, b.Page, b.Line = r.step(), last.Page+r.step(), last.Line+r.step()
		if kind&1 != 0 {
			b.Unit, b.Cells = Unit(r.text()), r.text()
		}
		if labelled {
			b.Label = r.text()
		}
		blocks, last = append(blocks, b), b
	}
	if r.bad {
		return nil, ErrBlocks
	}
	return blocks, nil
}

// steps reads numbers and words; bad is set at the first that is not there.
type steps struct {
	data []byte
	bad  bool
}

func (s *steps) unsigned() uint64 {
	v, n := binary.Uvarint(s.data)
	s.skip(n)
	return v
}

func (s *steps) step() int {
	v, n := binary.Varint(s.data)
	s.skip(n)
	return int(v)
}

func (s *steps) skip(n int) {
	if n <= 0 {
		s.bad, s.data = true, nil
		return
	}
	s.data = s.data[n:]
}

func (s *steps) text() string {
	n := s.unsigned()
	if n > uint64(len(s.data)) {
		s.bad = true
		return ""
	}
	text := string(s.data[:n])
	s.data = s.data[n:]
	return text
}
