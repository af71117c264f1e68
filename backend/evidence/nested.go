package evidence

import (
	"strconv"
	"strings"
)

// Nested says where a paragraph or an item of a list stands in quotations and
// lists. The Level of its block keeps it; none is where nothing is known.
type Nested struct {
	Depth   int  // in how many lists
	Quoted  int  // in how many quotations
	GoesOn  bool // a further paragraph of the item before it
	Ordered bool // an item with a number
	Number  int
}

// The Level of a paragraph and of an item, from its lowest bit.
const (
	depthBits    = 6
	quotedBits   = 6
	goesOnBit    = 1 << (depthBits + quotedBits)
	orderedBit   = goesOnBit << 1
	numberShift  = depthBits + quotedBits + 2
	mostNested   = 1<<depthBits - 1
	mostNumbered = 1<<30 - 1
)

// Level writes it as the Level of a block. What lies deeper or counts higher than
// it holds stands at its end.
func (n Nested) Level() int {
	level := min(max(0, n.Depth), mostNested) | min(max(0, n.Quoted), mostNested)<<depthBits
	if n.GoesOn {
		level |= goesOnBit
	}
	if n.Ordered {
		level |= orderedBit | min(max(0, n.Number), mostNumbered)<<numberShift
	}
	return level
}

// Nested reads what the Level of a paragraph or an item of a list says.
func (b Block) Nested() (n Nested) {
	if b.Level < 0 || b.Kind != Paragraph && b.Kind != ListItem {
		return n
	}
	n.Depth, n.Quoted = b.Level&mostNested, b.Level>>depthBits&mostNested
	n.GoesOn, n.Ordered = b.Level&goesOnBit != 0, b.Level&orderedBit != 0
	if n.Ordered {
		n.Number = min(b.Level>>numberShift, mostNumbered)
	}
	return n
}

// Lists are those that are open where a text is read from its beginning.
type Lists []openList

type openList struct {
	ordered bool
	next    int // number of its next item
}

// Open begins a list; start is the number of its first item as it is written, 1 where
// that is none.
func (l *Lists) Open(ordered bool, start string) {
	*l = append(*l, openList{ordered, numberOf(start, 1)})
}

// Close ends the innermost one, if any is open.
func (l *Lists) Close() { *l = (*l)[:max(0, len(*l)-1)] }

// Item is where an item of the innermost list stands; value is its number as it is
// written, the next one where that is none.
func (l Lists) Item(value string) Nested {
	at := Nested{Depth: len(l)}
	if len(l) > 0 {
		list := &l[len(l)-1]
		at.Ordered, at.Number = list.ordered, numberOf(value, list.next)
		list.next = at.Number + 1
	}
	return at
}

func numberOf(written string, other int) int {
	if n, err := strconv.Atoi(strings.TrimSpace(written)); err == nil && n >= 0 {
		return n
	}
	return other
}
