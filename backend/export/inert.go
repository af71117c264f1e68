package export

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"footnote/backend/evidence"
)

// loads tells what a reader of Markdown may fetch without being asked: pictures,
// what a note embeds, and tags.
func loads(at string) bool {
	switch {
	case len(at) < 2:
		return false
	case at[0] == '!':
		return at[1] == '['
	}
	next := at[1] | 0x20 // in lower case
	return at[0] == '<' && (next >= 'a' && next <= 'z' || strings.IndexByte("/!?", at[1]) >= 0)
}

// autolink is an address between angle brackets, which is only a link.
var autolink = regexp.MustCompile(`^<(?:https?|mailto):[^\s<>]*>`)

// inert is Markdown of a stranger, a model among them, that loads nothing where it
// is shown: pictures become links, tags text. Code stays as it is, but for the ends of its lines.
func inert(markdown string) string {
	markdown = blanks.ReplaceAllString(oneEnd.Replace(markdown), "\\\n")
	for range 3 {
		better := escapedBut(codeIn, markdown)
		if better == markdown {
			return markdown
		}
		markdown = better // which may have other stretches of code: a tag that is text opens none
	}
	return escapedBut(func(string) []evidence.Span { return nil }, markdown)
}

// escapedBut escapes what loads outside of code.
func escapedBut(codeIn func(string) []evidence.Span, markdown string) string {
	var found []int
	for start := range len(markdown) {
		if at := markdown[start:]; loads(at) && !autolink.MatchString(at) {
			found = append(found, start)
		}
	}
	if found == nil {
		return markdown
	}
	code := codeIn(markdown)
	var b strings.Builder
	at := 0
	for _, start := range found {
		for len(code) > 0 && code[0].End <= start {
			code = code[1:]
		}
		within := len(code) > 0 && code[0].Start <= start
		if within || escapedAt(markdown, start) {
			continue
		}
		b.WriteString(markdown[at:start] + `\`)
		at = start
	}
	return b.String() + markdown[at:]
}

// oneEnd gives lines one kind of end, and blanks are those between a backslash and
// it: a reader may take that backslash for one that escapes what the next line
// begins with.
var (
	oneEnd = strings.NewReplacer("\r\n", "\n", "\r", "\n")
	blanks = regexp.MustCompile(`\\[ \t]+\n`)
)

// escapedAt reports whether a backslash keeps the sign from being markup.
func escapedAt(s string, at int) bool {
	before := s[:at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// codeIn are the stretches of code, in order; none where parsing would take for ever.
func codeIn(markdown string) (code []evidence.Span) {
	if tangled(markdown) {
		return nil
	}
	source := []byte(markdown)
	// The walk ends with no error: the function gives none.
	_ = ast.Walk(markdownParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				code = append(code, evidence.Span{Start: line.Start, End: line.Stop})
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					code = append(code, evidence.Span{Start: t.Segment.Start, End: t.Segment.Stop})
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return code
}
