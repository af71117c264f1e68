package markup

import (
	"bytes"
	"context"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ReadMarkdown reads Markdown: the words without its marks, headings with their
// level, rows of tables, and each line of the source as a block, so that a
// passage knows its line. Title and date come from the front matter.
func ReadMarkdown(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	addMarkdown(b, textOf(b, data, "", lim), true)
	return nil
}

// addMarkdown writes Markdown text; lines are counted when lined.
func addMarkdown(b *format.Builder, source string, lined bool) {
	body := frontMatter(b, source)
	skipped := len(source) - len(body)
	if hostileMarkdown(body) {
		addCode(b, body, 1+strings.Count(source[:skipped], "\n"), "")
		return
	}
	m := &markdown{b: b, src: []byte(body)}
	if lined {
		m.first = 1 + strings.Count(source[:skipped], "\n")
		for i, c := range m.src {
			if c == '\n' {
				m.ends = append(m.ends, i)
			}
		}
	}
	parser := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()
	m.blocks(parser.Parse(text.NewReader(m.src)), evidence.Nested{}, 0)
}

// hostileMarkdown finds texts on which a Markdown parser takes quadratic time:
// thousands of marks on a line, quotes and lists nested deeper than a reader
// would follow, thousands of link definitions. They are read as plain lines.
func hostileMarkdown(body string) bool {
	definitions := 0
	for line := range strings.SplitSeq(body, "\n") {
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t>*+-"))]
		if strings.Count(lead, ">") > 50 || len(lead) > 300 && len(lead) < len(line) || crowdedWithMarks(line) {
			return true
		}
		if strings.HasPrefix(line, "[") && strings.Contains(line, "]:") {
			definitions++
		}
	}
	return definitions > 3000
}

func crowdedWithMarks(line string) bool {
	if len(line) < 4000 {
		return false
	}
	marks := 0
	for i := 0; i < len(line); i++ {
		if strings.IndexByte("[]()*_`<>!~|", line[i]) >= 0 {
			marks++
		}
	}
	return marks > 2000 && marks*8 > len(line)
}

// frontMatter takes title and date from a YAML or TOML head, and whether Footnote
// wrote the note, and gives the rest.
func frontMatter(b *format.Builder, source string) string {
	var fence string
	for _, f := range []string{"---\n", "+++\n"} {
		if strings.HasPrefix(source, f) {
			fence = f
		}
	}
	head, body, found := strings.Cut(strings.TrimPrefix(source, fence), "\n"+fence)
	if fence == "" || !found || len(head) > 16<<10 {
		return source
	}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			key, value, _ = strings.Cut(line, "=")
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			b.Doc.Source.Title = format.Clean(value, false)
		case "date":
			b.Doc.Source.Published = format.ParseDate(value)
		case "footnote": // written by export.Note
			if strings.HasPrefix(value, "run_") {
				b.Doc.Source.MediaType = evidence.SavedAnswer
			}
		}
	}
	return body
}

type markdown struct {
	b     *format.Builder
	src   []byte
	first int   // line of the body's first; 0 when lines are not counted
	ends  []int // offsets of the line ends
}

func (m *markdown) line(at int) int {
	if m.first == 0 {
		return 0
	}
	return m.first + sort.SearchInts(m.ends, at)
}

func (m *markdown) blocks(parent ast.Node, at evidence.Nested, depth int) {
	for n := parent.FirstChild(); n != nil && depth < 100; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			m.inline(n, evidence.Block{Kind: evidence.Heading, Level: n.Level})
		case *ast.Paragraph, *ast.TextBlock:
			m.inline(n, evidence.Block{Kind: m.kindIn(parent), Level: at.Level()})
			at.GoesOn = parent.Kind() == ast.KindListItem
		case *ast.FencedCodeBlock:
			m.code(n.Lines(), string(n.Language(m.src)))
		case *ast.CodeBlock:
			m.code(n.Lines(), "")
		case *ast.HTMLBlock:
			m.html(n)
		case *extast.Table:
			m.table(n)
		case *ast.List:
			m.list(n, at, depth+1)
		case *ast.Blockquote:
			inner := evidence.Nested{Quoted: at.Quoted + 1}
			m.blocks(n, inner, depth+1)
		default:
			m.blocks(n, at, depth+1)
		}
	}
}

func (m *markdown) list(list *ast.List, at evidence.Nested, depth int) {
	inner := evidence.Nested{Depth: at.Depth + 1, Quoted: at.Quoted, Ordered: list.IsOrdered(), Number: list.Start}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		m.blocks(item, inner, depth+1)
		inner.Number++
	}
}

func (m *markdown) kindIn(parent ast.Node) evidence.BlockKind {
	if parent.Kind() == ast.KindListItem {
		return evidence.ListItem
	}
	return evidence.Paragraph
}

func (m *markdown) code(lines *text.Segments, language string) {
	if lines.Len() > 0 {
		start := lines.At(0).Start
		addCode(m.b, string(lines.Value(m.src)), m.line(start), language)
	}
}

func (m *markdown) html(n *ast.HTMLBlock) {
	var raw []byte
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		raw = append(raw, segment.Value(m.src)...)
	}
	for _, part := range HTMLLines(raw) {
		block := evidence.Block{Kind: evidence.Paragraph}
		if n.Lines().Len() > 0 {
			block.Line = m.line(n.Lines().At(0).Start)
		}
		m.b.Add(block, part)
	}
}

func (m *markdown) table(t *extast.Table) {
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var cells []string
		line := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			w := inlineWords{src: m.src}
			w.walk(c, 0)
			if line == 0 && w.seen {
				line = m.line(w.first)
			}
			cells = append(cells, strings.Join(w.lines, " "))
		}
		row := evidence.Block{Line: line}
		if r.Kind() == extast.KindTableHeader {
			row.Level = evidence.HeadRow
		}
		m.b.AddRow(row, cells)
	}
}

// inline writes the words of a leaf block, a block a source line.
func (m *markdown) inline(n ast.Node, block evidence.Block) {
	w := inlineWords{src: m.src}
	w.walk(n, 0)
	if !w.seen {
		return
	}
	if block.Kind == evidence.Heading {
		block.Line = m.line(w.first)
		m.b.Add(block, strings.Join(w.lines, " "))
		if m.b.Doc.Source.Title == "" && block.Level == 1 {
			m.b.Doc.Source.Title = format.Clean(strings.Join(w.lines, " "), false)
		}
		return
	}
	begun := false
	for i, l := range w.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		block.Line = m.line(w.first)
		if m.first > 0 {
			block.Line += i
		}
		switch {
		case !begun:
			m.b.Add(block, l)
		case w.hard[i]:
			m.b.AddLine(block, l)
		default:
			m.b.Flow(block, l)
		}
		begun = true
	}
}

// inlineWords collects the words of inline nodes by source line.
type inlineWords struct {
	src   []byte
	lines []string
	hard  map[int]bool // lines that begin after a hard break
	seen  bool
	first int
	brk   bool
}

func (w *inlineWords) put(s string) {
	if len(w.lines) == 0 || w.brk {
		w.lines = append(w.lines, "")
		w.brk = false
	}
	w.lines[len(w.lines)-1] += s
}

func (w *inlineWords) at(offset int) {
	if !w.seen {
		w.seen, w.first = true, offset
	}
}

func (w *inlineWords) walk(parent ast.Node, depth int) {
	for n := parent.FirstChild(); n != nil && depth < 200; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.at(n.Segment.Start)
			w.put(string(unescape(n.Segment.Value(w.src))))
			if n.SoftLineBreak() || n.HardLineBreak() {
				w.brk = true
				if n.HardLineBreak() {
					if w.hard == nil {
						w.hard = map[int]bool{}
					}
					w.hard[len(w.lines)] = true
				}
			}
		case *ast.String:
			w.put(string(n.Value))
		case *ast.AutoLink:
			w.seen = true
			w.put(string(n.Label(w.src)))
		case *ast.RawHTML:
		default:
			w.walk(n, depth+1)
		}
	}
}

// unescape drops backslashes before punctuation.
func unescape(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", b[i+1]) >= 0 {
			i++
		}
		out = append(out, b[i])
	}
	return out
}
