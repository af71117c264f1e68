package web

import (
	"strings"

	"golang.org/x/net/html"

	"footnote/backend/evidence"
)

// textOf renders a tree as text with blocks: headings, paragraphs, list items,
// table rows and code.
func textOf(n *html.Node) (string, []evidence.Block) {
	var b blockBuilder
	b.walk(n)
	b.flush()
	return b.out.String(), b.blocks
}

// tokenText renders markup that is too deep for a tree. It sees tags one by one
// and keeps no stack, so depth costs nothing.
func tokenText(markup string) (string, []evidence.Block) {
	var b blockBuilder
	z := html.NewTokenizer(strings.NewReader(markup))
	z.SetMaxBuf(decodedBytes)
	skipped := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			b.flush()
			return b.out.String(), b.blocks
		case html.TextToken:
			if skipped == "" {
				b.text(string(z.Text()))
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if skipped == "" && dead[tag] {
				skipped = tag
			}
			if skipped == "" {
				b.open(tag, nil)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if skipped == tag {
				skipped = ""
			} else if skipped == "" {
				b.close(tag)
			}
		case html.SelfClosingTagToken:
			if name, _ := z.TagName(); string(name) == "br" {
				b.open("br", nil)
			}
		}
	}
}

// breaks are the elements that end a paragraph.
var breaks = map[string]bool{
	"p": true, "div": true, "section": true, "article": true, "main": true, "blockquote": true, "figure": true, "figcaption": true,
	"header": true, "footer": true, "aside": true, "nav": true, "ul": true, "ol": true, "dl": true, "table": true, "tbody": true,
	"thead": true, "tfoot": true, "caption": true, "form": true, "fieldset": true, "details": true, "summary": true, "address": true,
	"hr": true, "body": true, "html": true, "center": true, "hgroup": true, "search": true,
}

const longRow = 600 // bytes; a longer row is a page laid out by a table

// blockBuilder collects text and cuts it into blocks at the tags it is told of.
type blockBuilder struct {
	out    strings.Builder
	blocks []evidence.Block
	cur    strings.Builder
	kind   evidence.BlockKind
	level  int
	cells  int
	pre    int
	lists  evidence.Lists
	quoted int

	frameless bool // leave out navigation and the like
}

// frame elements stand around the text of a page.
var frame = map[string]bool{"nav": true, "footer": true, "aside": true, "form": true, "menu": true, "search": true}

func (b *blockBuilder) walk(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		b.text(n.Data)
		return
	case html.ElementNode:
		if dead[n.Data] || (b.frameless && frame[n.Data]) {
			return
		}
		b.open(n.Data, n.Attr)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.walk(c)
	}
	if n.Type == html.ElementNode {
		b.close(n.Data)
	}
}

func (b *blockBuilder) text(s string) {
	b.cur.WriteString(s)
}

func (b *blockBuilder) open(tag string, attrs []html.Attribute) {
	switch {
	case tag == "br":
		b.cur.WriteString(lineBreak)
	case len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6':
		b.begin(evidence.Heading, int(tag[1]-'0'))
	case tag == "ul", tag == "ol":
		b.breakAt()
		b.lists.Open(tag == "ol", attributeOf(attrs, "start"))
	case tag == "blockquote":
		b.breakAt()
		b.quoted++
	case tag == "li", tag == "dt", tag == "dd":
		b.begin(evidence.ListItem, b.item(tag, attrs).Level())
	case tag == "tr":
		b.begin(evidence.TableRow, 0)
		b.cells = 0
	case tag == "pre":
		b.begin(evidence.Code, 0)
		b.pre++
	case tag == "td", tag == "th":
		if b.cells++; b.cells > 1 && b.kind == evidence.TableRow {
			b.cur.WriteString(" | ")
		}
	case breaks[tag]:
		b.breakAt()
	}
}

func (b *blockBuilder) close(tag string) {
	switch {
	case tag == "pre":
		b.flush()
		b.pre = max(0, b.pre-1)
	case tag == "ul", tag == "ol":
		b.breakAt()
		b.lists.Close()
	case tag == "blockquote":
		b.breakAt()
		b.quoted = max(0, b.quoted-1)
	case tag == "li", tag == "dt", tag == "dd", tag == "tr", len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6':
		b.flush()
	case breaks[tag]:
		b.breakAt()
	}
}

// breakAt ends a paragraph, except inside a table row, a line of code or before
// the first word of a list item.
func (b *blockBuilder) breakAt() {
	switch {
	case b.pre > 0:
	case b.kind == evidence.TableRow && b.cur.Len() < longRow:
		b.cur.WriteByte(' ')
	case b.kind == evidence.ListItem && strings.TrimSpace(b.cur.String()) == "":
	default:
		b.flush()
	}
}

// item is where the item that a tag begins stands.
func (b *blockBuilder) item(tag string, attrs []html.Attribute) evidence.Nested {
	at := evidence.Nested{Depth: len(b.lists)}
	if tag == "li" {
		at = b.lists.Item(attributeOf(attrs, "value"))
	}
	at.Quoted = b.quoted
	return at
}

func (b *blockBuilder) begin(kind evidence.BlockKind, level int) {
	b.flush()
	b.kind, b.level = kind, level
}

// lineBreak stands for <br> until the paragraph is folded.
const lineBreak = "\x01"

func (b *blockBuilder) flush() {
	kind, level, raw := b.kind, b.level, b.cur.String()
	b.cur.Reset()
	b.kind, b.level = evidence.Paragraph, 0
	if kind == "" || (kind == evidence.TableRow && len(raw) > longRow) {
		kind = evidence.Paragraph
	}
	if kind == evidence.Paragraph {
		level = evidence.Nested{Quoted: b.quoted}.Level()
	}
	text := fold(raw, kind == evidence.Code)
	if strings.Trim(text, " |\n") == "" {
		return
	}
	if n := len(b.blocks); n > 0 {
		b.out.WriteString(gap(b.blocks[n-1].Kind, kind))
	}
	start := b.out.Len()
	b.out.WriteString(text)
	b.blocks = append(b.blocks, evidence.Block{Start: start, End: b.out.Len(), Kind: kind, Level: level})
}

func gap(before, after evidence.BlockKind) string {
	if before == after && (after == evidence.ListItem || after == evidence.TableRow) {
		return "\n"
	}
	return "\n\n"
}

// fold makes one space of every run of white space, one line of every line that
// a <br> ended. Code keeps its lines.
func fold(raw string, code bool) string {
	if code {
		raw = strings.ReplaceAll(strings.ReplaceAll(raw, lineBreak, "\n"), "\r\n", "\n")
		return strings.Trim(strings.TrimRight(evidence.Visible(raw), " \t\n"), "\n")
	}
	lines := strings.Split(raw, lineBreak)
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.Join(strings.Fields(evidence.Visible(line)), " "); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
