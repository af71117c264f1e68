package evidence

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
