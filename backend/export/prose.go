package export

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Kind says what a block is.
type Kind int

// Kinds of block.
const (
	Paragraph Kind = iota
	Heading
	Item
	Code
	Table
	Rule
)

// Block is a run of an answer. Blocks stand one after the other; Depth and Quoted
// say how deep in lists and quotations.
type Block struct {
	Kind   Kind
	Level  int // of a heading, 1–6
	Depth  int // lists around it
	Quoted int // quotations around it
	List   int // which list an item is of, from 1
	Number int // of an item of an ordered list; 0 = a bullet
	Spans  []Span
	Text   string     // of code
	Rows   [][][]Span // of a table; the first is its head
}

// Span is text of one style. Mark is 1 + the index of a footnote in Turn.Marks,
// 0 for text.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Link                       string // http, https or mailto
	Mark                       int
	Break                      bool // a line ends here; there is no text
}

// reader turns goldmark's tree into blocks. Markers travel through it as numbers
// in brackets that the text has nowhere else: punctuation like the ones they
// stand for, so that emphasis ends beside them as it did.
type reader struct {
	source []byte
	marks  *regexp.Regexp
	known  []Mark
	blocks []Block
	lists  int
	depth  int
	quoted int
	item   *Block // style of the next paragraph, when it opens an item
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser

// prose reads the Markdown of an answer whose markers are known.
func prose(answer string, marks []Mark) []Block {
	open, shut := brackets(answer)
	var b strings.Builder
	at := 0
	for i, m := range marks {
		b.WriteString(answer[at:m.Span.Start])
		b.WriteString(open + number(i) + shut)
		at = m.Span.End
	}
	b.WriteString(answer[at:])
	r := &reader{source: []byte(visible(b.String())), known: marks, marks: regexp.MustCompile(open + `(\d+)` + shut)}
	if tangled(b.String()) {
		for part := range strings.SplitSeq(string(r.source), "\n\n") {
			r.add(Block{Kind: Paragraph, Spans: r.marked([]Span{{Text: part}})})
		}
		return r.blocks
	}
	r.children(markdownParser().Parse(text.NewReader(r.source)))
	return r.blocks
}

// tangled tells texts on which a Markdown parser would take for ever: nested
// deeper than a reader follows, or lines of thousands of signs.
func tangled(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t>*+-0123456789."))]
		signs := 0
		for i := range len(line) {
			if strings.IndexByte("[]()*_`<>!~|", line[i]) >= 0 {
				signs++
			}
		}
		if strings.Count(lead, ">") > 50 || len(lead) > 300 || signs > 2000 {
			return true
		}
	}
	return len(s) > 1<<20
}

// brackets are a pair that the text does not hold.
func brackets(s string) (open, shut string) {
	for _, pair := range []string{"⸨⸩", "⟅⟆", "⦗⦘", "⧼⧽", "⟬⟭", "⦋⦌"} {
		if !strings.ContainsAny(s, pair) {
			half := len(pair) / 2
			return pair[:half], pair[half:]
		}
	}
	for n := 0; ; n++ { // a text that holds all of them: brackets of several characters
		open, shut = strings.Repeat("⸨", n+2), "⸩"
		if !strings.Contains(s, open) {
			return open, shut
		}
	}
}

func (r *reader) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.block(c)
	}
}

func (r *reader) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.add(Block{Kind: Heading, Level: n.Level, Spans: r.inline(n)})
	case *ast.Paragraph, *ast.TextBlock:
		r.add(Block{Kind: Paragraph, Spans: r.inline(n)})
	case *ast.List:
		r.list(n)
	case *ast.Blockquote:
		r.quoted++
		r.children(n)
		r.quoted--
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.add(Block{Kind: Code, Text: r.restored(lines(n, r.source))})
	case *ast.HTMLBlock: // shown as written, never as markup
		r.add(Block{Kind: Paragraph, Spans: []Span{{Text: r.restored(strings.TrimSpace(lines(n, r.source)))}}})
	case *ast.ThematicBreak:
		r.add(Block{Kind: Rule})
	case *extast.Table:
		r.add(Block{Kind: Table, Rows: r.rows(n)})
	default:
		r.children(n)
	}
}

// add puts a block where the reader is; the first one of an item is the item.
func (r *reader) add(b Block) {
	b.Depth, b.Quoted = r.depth, r.quoted
	if r.item != nil && b.Kind == Paragraph {
		b.Kind, b.List, b.Number = Item, r.item.List, r.item.Number
	} else if r.item != nil {
		r.blocks = append(r.blocks, Block{Kind: Item, Depth: r.depth, Quoted: r.quoted, List: r.item.List, Number: r.item.Number})
	}
	r.item = nil
	r.blocks = append(r.blocks, b)
}

func (r *reader) list(n *ast.List) {
	if r.item != nil { // an item that holds nothing but a list
		r.add(Block{Kind: Paragraph})
	}
	r.lists++
	r.depth++
	id, count := r.lists, 0
	if n.IsOrdered() {
		count = max(1, n.Start)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.item = &Block{List: id, Number: count}
		if n.IsOrdered() {
			count++
		}
		r.children(c)
		if r.item != nil {
			r.add(Block{Kind: Paragraph})
		}
	}
	r.depth--
}

func (r *reader) rows(n *extast.Table) [][][]Span {
	var rows [][][]Span
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]Span
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, r.inline(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

func lines(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *reader) inline(n ast.Node) []Span {
	var spans []Span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		spans = append(spans, r.spans(c, Span{})...)
	}
	return merged(r.marked(merged(spans)))
}

// spans are an inline node and what is in it, in a style.
func (r *reader) spans(n ast.Node, style Span) []Span {
	own := style
	switch n := n.(type) {
	case *ast.Text:
		own.Text = unescaped(n.Segment.Value(r.source), n.IsRaw() || style.Code)
		switch {
		case n.HardLineBreak():
			return []Span{own, {Break: true}}
		case n.SoftLineBreak():
			own.Text += " "
		}
		return []Span{own}
	case *ast.String:
		own.Text = string(n.Value)
		return []Span{own}
	case *ast.AutoLink:
		own.Text, own.Link = string(n.Label(r.source)), safeLink(string(n.URL(r.source)))
		return []Span{own}
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			own.Text += string(segment.Value(r.source))
		}
		return []Span{own}
	case *ast.CodeSpan:
		own.Code = true
	case *ast.Image: // nothing is loaded: its description stands for it
	case *ast.Emphasis:
		own.Bold, own.Italic = style.Bold || n.Level == 2, style.Italic || n.Level == 1
	case *extast.Strikethrough:
		own.Strike = true
	case *ast.Link:
		own.Link = safeLink(string(n.Destination))
	}
	var spans []Span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		spans = append(spans, r.spans(c, own)...)
	}
	return spans
}

// safeLink is an address that may be followed from a document; others are left
// out.
func safeLink(address string) string {
	for _, scheme := range []string{"http://", "https://", "mailto:"} {
		if strings.HasPrefix(strings.ToLower(address), scheme) {
			return address
		}
	}
	return ""
}

// merged joins neighbours of one style.
func merged(spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Mark == 0 && !s.Break && out[n-1].Mark == 0 && !out[n-1].Break {
			joint := out[n-1]
			joint.Text = s.Text
			if joint == s {
				out[n-1].Text += s.Text
				continue
			}
		}
		if s.Text != "" || s.Break || s.Mark > 0 {
			out = append(out, s)
		}
	}
	return out
}

// marked cuts the markers out of text.
func (r *reader) marked(spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		at := 0
		for _, m := range r.marks.FindAllStringSubmatchIndex(s.Text, -1) {
			text, mark := s, s
			text.Text = s.Text[at:m[0]]
			index, err := strconv.Atoi(s.Text[m[2]:m[3]])
			if err != nil || index >= len(r.known) {
				continue
			}
			mark.Text, mark.Mark = "", index+1
			out = append(out, text, mark)
			at = m[1]
		}
		s.Text = s.Text[at:]
		out = append(out, s)
	}
	return out
}

// restored writes markers that stand in code or raw markup as they were; there
// are none, unless this parser and that of markers differ on what code is.
func (r *reader) restored(s string) string {
	return r.marks.ReplaceAllStringFunc(s, func(found string) string {
		index, err := strconv.Atoi(r.marks.FindStringSubmatch(found)[1])
		if err != nil || index >= len(r.known) {
			return found
		}
		return "[" + number(r.known[index].N) + "]"
	})
}

// unescaped is text as it is read: without the backslashes before signs, and
// with the characters that entities stand for.
func unescaped(s []byte, raw bool) string {
	if raw {
		return string(s)
	}
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(s))))
}

// deepest is how many columns the rows of a table have.
func deepest(rows [][][]Span) int {
	return len(slices.MaxFunc(rows, func(a, b [][]Span) int { return len(a) - len(b) }))
}
