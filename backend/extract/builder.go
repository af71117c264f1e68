package extract

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// builder writes a document block by block and keeps its promises: blocks in
// order inside the text, no invisible characters, no more than max bytes.
type builder struct {
	text   strings.Builder
	blocks []evidence.Block
	max    int
	doc    evidence.Document // all but Text and Blocks

	slow func() (context.Context, context.CancelFunc) // begins work that takes longer than reading: see extractFile
}

func newBuilder(max int) *builder { return &builder{max: max} }

// add appends a block on a line of its own, or after a blank line when it is
// not of one list, table or listing with the block before. Blank text adds
// nothing. White space is collapsed except in code and rows.
func (b *builder) add(block evidence.Block, text string) {
	sep := "\n\n"
	if n := len(b.blocks); n > 0 && b.blocks[n-1].Kind == block.Kind && block.Kind != evidence.Paragraph && block.Kind != evidence.Heading && block.Kind != evidence.Code {
		sep = "\n"
	}
	b.append(sep, block, text)
}

// addLine appends a paragraph block on the next line: a line break that its
// author made inside a paragraph.
func (b *builder) addLine(block evidence.Block, text string) { b.append("\n", block, text) }

// flow appends text that continues the paragraph before it, on a new line or
// page of the source: a block of its own, a space after the last.
func (b *builder) flow(block evidence.Block, text string) { b.append(" ", block, text) }

func (b *builder) append(sep string, block evidence.Block, text string) {
	text = clean(text, block.Kind == evidence.Code || block.Kind == evidence.TableRow)
	if text == "" || b.full() {
		return
	}
	if len(b.blocks) == 0 {
		sep = ""
	}
	if room := b.max - b.text.Len() - len(sep); len(text) > room {
		text = strings.ToValidUTF8(text[:max(0, room)], "")
		b.partly("Only the first part was read: the text is longer than the limit.")
		if text == "" {
			return
		}
	}
	b.text.WriteString(sep)
	block.Start = b.text.Len()
	b.text.WriteString(text)
	block.End = b.text.Len()
	b.blocks = append(b.blocks, block)
}

// embed appends a document that lies inside this one. Its headings stand below
// level; its pages and lines are none of this document's.
func (b *builder) embed(doc evidence.Document, level int) {
	end := 0
	for i, block := range doc.Blocks {
		sep := doc.Text[end:block.Start]
		if i == 0 {
			sep = "\n\n"
		}
		end = block.End
		inner := evidence.Block{Kind: block.Kind}
		if block.Kind == evidence.Heading {
			inner.Level = min(block.Level+level, 6)
		}
		b.append(sep, inner, doc.Text[block.Start:block.End])
	}
	if doc.Coverage.Truncated {
		b.partly(doc.Coverage.Reason)
	}
}

func (b *builder) full() bool { return b.text.Len() >= b.max }

// partly notes that the document was read in part, and why. The first reason
// stays.
func (b *builder) partly(reason string) {
	if b.doc.Coverage.Truncated {
		return
	}
	b.doc.Coverage.Truncated, b.doc.Coverage.Reason = true, reason
	b.flag("partly-read")
}

// cut reports whether err only ends a document that has been read in part, and
// notes that: its time was over, or it breaks off.
func (b *builder) cut(err error) bool {
	var e *Error
	if len(b.blocks) == 0 || !errors.As(err, &e) {
		return false
	}
	switch {
	case e.Code == Timeout:
		b.partly(e.Reason)
	case breaksOff(err):
		b.partly("The file is damaged; it was read up to there.")
	default:
		return false
	}
	return true
}

// flag marks the document, once.
func (b *builder) flag(name string) {
	if !slices.Contains(b.doc.Flags, name) {
		b.doc.Flags = append(b.doc.Flags, name)
	}
}

func (b *builder) document() evidence.Document {
	b.doc.Text, b.doc.Blocks = b.text.String(), b.blocks
	return b.doc
}

// clean drops what no reader sees (controls, zero-width and direction marks,
// tag characters, soft hyphens) and makes white space plain. Without keep,
// runs of white space become one blank.
func clean(text string, keep bool) string {
	if isPlain(text, keep) {
		return strings.TrimSpace(text)
	}
	var out strings.Builder
	out.Grow(len(text))
	space := false
	for _, r := range text {
		if r == '\n' && keep {
			out.WriteByte('\n')
			continue
		}
		if unicode.IsSpace(r) || r == '\u00a0' {
			if keep {
				out.WriteByte(' ')
			} else {
				space = out.Len() > 0
			}
			continue
		}
		if invisible(r) {
			continue
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteRune(r)
	}
	return strings.TrimRight(strings.Trim(out.String(), "\n"), " \n")
}

// isPlain reports whether text is visible ASCII with single blanks, which clean
// need not touch but to trim.
func isPlain(text string, keep bool) bool {
	last := byte('x')
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf || c < ' ' || c == 127 || (c == ' ' && last == ' ' && !keep) {
			return false
		}
		last = c
	}
	return !keep || !strings.HasPrefix(text, " ")
}

func invisible(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0: // controls
		return true
	case r == 0xad, r == 0x200b, r == 0x2060, r == 0xfeff, r == 0x180e: // soft hyphen, zero-width
		return true
	case r >= 0x200e && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // direction
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}

// row joins the cells of a table row: two blanks between, empty cells left out.
func row(cells []string) string {
	kept := make([]string, 0, len(cells))
	for _, c := range cells {
		if c = strings.Join(strings.Fields(c), " "); c != "" {
			kept = append(kept, c)
		}
	}
	return strings.Join(kept, "  ")
}
