package export

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"footnote/backend/cite"
)

// markdown writes a document as Markdown: the answers as they stand, their
// sources below them, as footnotes where the style says so.
func markdown(d Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escaped(d.Title))
	for i, t := range d.Turns {
		turn := 0
		if len(d.Turns) > 1 {
			turn = i + 1
		}
		if b.WriteByte('\n'); !d.named(t) {
			fmt.Fprintf(&b, "## %s\n\n", escaped(t.Question))
		}
		if t.Text != "" {
			fmt.Fprintf(&b, "%s\n\n", inert(t.styled(d.Style, turn)))
		}
		for _, remark := range t.Remarks {
			fmt.Fprintf(&b, "(%s)\n\n", escaped(remark))
		}
		for _, s := range t.cited() {
			mark := footnote(s.N, d.Style, turn)
			if d.Style == "[^1]" {
				mark += ":"
			}
			fmt.Fprintf(&b, "%s %s\n\n", mark, escaped(s.line()))
		}
		for i, s := range t.alsoRead() {
			if i == 0 {
				b.WriteString(alsoReadTitle + ":\n\n")
			}
			fmt.Fprintf(&b, "- %s\n", escaped(s.line()))
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// styled is the answer with its footnotes in a style, each with its doubt.
func (t Turn) styled(style string, turn int) string {
	write := func(i int, m cite.MarkerAt) string {
		mark := footnote(m.N, style, turn)
		if doubt := t.Marks[i].Doubt(); doubt != "" {
			mark += " (" + doubt + ")"
		}
		return mark
	}
	if style == "[^1]" {
		return cite.Rewrite(t.Text, len(t.Sources), write)
	}
	var b strings.Builder
	at := 0
	for i, m := range t.Marks {
		b.WriteString(t.Text[at:m.Span.Start])
		b.WriteString(write(i, cite.MarkerAt{N: m.N, Span: m.Span}))
		at = m.Span.End
	}
	return b.String() + t.Text[at:]
}

// footnote is the mark of a source. Footnotes are one list for the whole of a
// Markdown document: with several turns, theirs carry the number of the turn.
func footnote(n int, style string, turn int) string {
	switch {
	case style != "[^1]":
		return fmt.Sprintf("[%d]", n)
	case turn == 0:
		return fmt.Sprintf("[^%d]", n)
	}
	return fmt.Sprintf("[^%d-%d]", turn, n)
}

// escaped keeps signs of Markdown from becoming markup in titles, addresses and
// quotes. The mark of a source, [1], stays: alone it is no link.
func escaped(s string) string {
	line := oneLine(s)
	runes := []rune(line)
	var b strings.Builder
	at := 0
	for i, r := range runes {
		within := i > 0 && i < len(runes)-1 && letter(runes[i-1]) && letter(runes[i+1])
		opens := r == '[' && !ownMark.MatchString(line[at:])
		if opens || strings.ContainsRune("*`<>|\\~", r) || r == '_' && !within || i == 0 && strings.ContainsRune("#-+", r) {
			if r != '\\' || i+1 < len(runes) && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~\\", runes[i+1]) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
		at += utf8.RuneLen(r)
	}
	return b.String()
}

// ownMark is a number in brackets that no address follows.
var ownMark = regexp.MustCompile(`^\[\d+\](?:[^(\[:]|$)`)

func letter(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f
}
