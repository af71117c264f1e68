package bounded

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Nodes bounds the tree of a page; what stands behind it is left out and said.
const Nodes = 200_000

// Markup gives the part of a page of which a tree has about most nodes at most,
// and how many it has. The nodes are counted while the markup is read tag by tag,
// before any is made.
func Markup(markup string, most int) (part string, nodes int) {
	c := nodeCount{most: most}
	if at, over := c.walk(html.NewTokenizer(strings.NewReader(markup)), 0); over {
		return markup[:at], c.nodes
	}
	return markup, c.nodes
}

// nodeCount counts the nodes that a parser will make of tags. A parser opens
// elements of style again in each paragraph they are not closed in, so a tag may
// stand for as many nodes as are open.
type nodeCount struct {
	most    int
	nodes   int
	open    []styled
	weight  int  // of the open ones
	moved   bool // a paragraph may have ended since they were opened
	foreign bool // a drawing or formula came: what is a tag in it, and what is text, only a parser knows
	roots   int  // attributes of html and body so far, all of which a parser goes through at each next one
}

type styled struct {
	name, raw string
	weight    int
}

const (
	mostOpen     = 512 // beyond which a parser gives up
	twins        = 3   // alike that are opened again
	nodeAttrs    = 4   // attributes that weigh as much as a node
	keptTag      = 256 // bytes by which tags are told apart
	adoptedNodes = 8   // that closing an element of style across paragraphs may make
)

var styles = map[string]bool{
	"a": true, "b": true, "big": true, "code": true, "em": true, "font": true, "i": true, "nobr": true, "s": true, "small": true,
	"strike": true, "strong": true, "tt": true, "u": true,
}

// walk counts until the markup ends, or most is passed: at is where the
// last tag before that ended.
func (c *nodeCount) walk(z *html.Tokenizer, depth int) (at int, over bool) {
	for {
		kind, raw := z.Next(), z.Raw() // at the end: of a tag that does not end
		size := len(raw)
		c.inner(raw, depth)
		c.add(kind, z, raw)
		if c.nodes > c.most || kind == html.ErrorToken {
			return at, c.nodes > c.most
		}
		at += size
	}
}

// inner counts the tags in what is text, a comment or one tag to a reader of
// tags and may be more to a parser.
func (c *nodeCount) inner(raw []byte, depth int) {
	if len(raw) < 2 || bytes.IndexByte(raw[1:], '<') < 0 {
		return
	}
	if depth > 0 {
		each := 1
		if c.foreign {
			each = mostOpen
		}
		c.nodes += each * bytes.Count(raw[1:], []byte("<"))
		return
	}
	in := *c
	in.open = slices.Clone(c.open)
	in.walk(html.NewTokenizer(bytes.NewReader(raw[1:])), depth+1)
	if c.foreign {
		*c = in
	}
	c.nodes = in.nodes
}

func (c *nodeCount) add(kind html.TokenType, z *html.Tokenizer, raw []byte) {
	switch kind {
	case html.EndTagToken:
		name, _ := z.TagName()
		c.end(string(name))
	case html.StartTagToken, html.SelfClosingTagToken:
		name, more := z.TagName()
		attributes := 0
		for ; more; attributes++ {
			_, _, more = z.TagAttr()
		}
		c.reopen()
		if text := string(name); attributes > 0 && (text == "html" || text == "body") {
			c.roots += attributes
			c.nodes += c.roots / nodeAttrs
		}
		c.start(string(name), raw, 1+attributes/nodeAttrs)
	case html.TextToken:
		c.reopen()
		c.nodes++
	default:
		c.nodes++
	}
}

func (c *nodeCount) reopen() {
	if c.moved {
		c.nodes += c.weight
	}
	c.moved = false
}

func (c *nodeCount) start(name string, raw []byte, weight int) {
	c.nodes += weight
	switch name {
	case "svg", "math":
		c.foreign = true
	case "a", "nobr": // one ends the one before
		c.close(name)
	}
	if !styles[name] {
		c.moved = true
		return
	}
	s := styled{name, string(raw[:min(len(raw), keptTag)]), weight}
	alike := 0
	for _, other := range c.open {
		if other == s {
			alike++
		}
	}
	if alike < twins && len(c.open) < mostOpen {
		c.open = append(c.open, s)
		c.weight += weight
	}
}

func (c *nodeCount) end(name string) {
	if !styles[name] {
		c.moved = true
		return
	}
	if c.moved {
		c.nodes += min(adoptedNodes, c.weight)
	}
	c.close(name)
}

func (c *nodeCount) close(name string) {
	for i := len(c.open) - 1; i >= 0; i-- {
		if c.open[i].name == name {
			c.weight -= c.open[i].weight
			c.open = slices.Delete(c.open, i, i+1)
			return
		}
	}
}
