package format

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// Builder writes a document block by block and keeps its promises: blocks in
// order inside the text, no invisible characters, no more than max bytes.
type Builder struct {
	text   strings.Builder
	Blocks []evidence.Block
	max    int
	Doc    evidence.Document // all but Text and Blocks

	Slow  func() (context.Context, context.CancelFunc) // begins work that takes longer than reading, with time of its own
	Files Files
}

// Files reads what lies inside another file as a file of its own.
type Files interface {
	MediaType(name string, data []byte) string
	Unsupported(name string, data []byte) string
	Extract(ctx context.Context, mediaType, name string, data []byte, lim Limits) (evidence.Document, error)
}

// NewBuilder makes a builder of a text of up to max bytes.
func NewBuilder(max int) *Builder { return &Builder{max: max} }

// MostBlocks is how many blocks a document has: each takes a hundred bytes in the main
// process, whatever little a file says in it.
const MostBlocks = 1 << 19

// Add appends a block on a line of its own, or after a blank line when it is
// not of one list, table or listing with the block before. Blank text adds
// nothing. White space is collapsed except in code and rows.
func (b *Builder) Add(block evidence.Block, text string) {
	sep := "\n\n"
	if n := len(b.Blocks); n > 0 && b.Blocks[n-1].Kind == block.Kind && block.Kind != evidence.Paragraph && block.Kind != evidence.Heading && block.Kind != evidence.Code {
		sep = "\n"
	}
	b.Append(sep, block, text)
}

// AddRow appends a row of a table, given by column, with the columns of its cells.
func (b *Builder) AddRow(block evidence.Block, cells []string) {
	block.Kind, block.Level = evidence.TableRow, block.Level|evidence.ColumnBits(cells)
	b.Add(block, JoinCells(cells))
}

// AddLine appends a paragraph block on the next line: a line break that its
// author made inside a paragraph.
func (b *Builder) AddLine(block evidence.Block, text string) { b.Append("\n", block, text) }

// Flow appends text that continues the paragraph before it, on a new line or
// page of the source: a block of its own, a space after the last, and none in
// scripts without blanks.
func (b *Builder) Flow(block evidence.Block, text string) {
	sep, before := " ", b.text.String()
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text))
	if IsUnspaced(last) && IsUnspaced(first) {
		sep = ""
	}
	b.Append(sep, block, text)
}

// Append appends a block behind sep.
func (b *Builder) Append(sep string, block evidence.Block, text string) {
	text = Clean(text, block.Kind == evidence.Code || block.Kind == evidence.TableRow)
	if text == "" || b.Full() {
		return
	}
	if len(b.Blocks) == 0 {
		sep = ""
	}
	if room := b.max - b.text.Len() - len(sep); len(text) > room {
		text = strings.ToValidUTF8(text[:max(0, room)], "")
		b.Partly("Only the first part was read: the text is longer than the limit.")
		if text == "" {
			return
		}
	}
	b.text.WriteString(sep)
	block.Start = b.text.Len()
	b.text.WriteString(text)
	block.End = b.text.Len()
	if b.Blocks = append(b.Blocks, block); len(b.Blocks) >= MostBlocks {
		b.Partly("Only the first part was read: the file has more paragraphs and rows than Footnote reads.")
	}
}

// Embed appends a document that lies inside this one. Its headings stand below
// level; its pages and lines are none of this document's.
func (b *Builder) Embed(doc evidence.Document, level int) {
	end := 0
	for i, block := range doc.Blocks {
		sep := doc.Text[end:block.Start]
		if i == 0 {
			sep = "\n\n"
		}
		end = block.End
		inner := evidence.Block{Kind: block.Kind}
		switch block.Kind {
		case evidence.Heading:
			inner.Level = min(block.Level+level, 6)
		case evidence.TableRow:
			inner.Level = block.Level
		}
		b.Append(sep, inner, doc.Text[block.Start:block.End])
	}
	switch {
	case doc.Coverage.Truncated:
		b.Partly(doc.Coverage.Reason)
	case doc.Coverage.Reason != "":
		b.Lacks(doc.Coverage.Reason)
	}
	if b.Doc.Coverage.ReadAs == "" {
		b.Doc.Coverage.ReadAs = doc.Coverage.ReadAs
	}
}

// Full reports whether no more text is taken.
func (b *Builder) Full() bool { return b.Room() == 0 }

// Room is how many bytes more it takes.
func (b *Builder) Room() int {
	if len(b.Blocks) >= MostBlocks {
		return 0
	}
	return max(0, b.max-b.text.Len())
}

// Partly notes that the document was read up to some place, and why. The first
// reason stays.
func (b *Builder) Partly(reason string) {
	if b.Doc.Coverage.Truncated {
		return
	}
	b.Doc.Coverage.Truncated, b.Doc.Coverage.Reason = true, reason
	b.Flag("partly-read")
}

// Lacks notes that something within the document was not read, and why. The first
// reason stays.
func (b *Builder) Lacks(reason string) {
	if b.Doc.Coverage.Reason == "" {
		b.Doc.Coverage.Reason = reason
	}
	b.Flag("partly-read")
}

// Cut reports whether err only ends a document that has been read in part, and
// notes that: its time was over, or it breaks off.
func (b *Builder) Cut(err error) bool {
	var e *Error
	if len(b.Blocks) == 0 || !errors.As(err, &e) {
		return false
	}
	switch {
	case e.Code == Timeout:
		b.Partly(e.Reason)
	case BreaksOff(err):
		b.Partly("The file is damaged; it was read up to there.")
	default:
		return false
	}
	return true
}

// Flag marks the document, once.
func (b *Builder) Flag(name string) {
	if !slices.Contains(b.Doc.Flags, name) {
		b.Doc.Flags = append(b.Doc.Flags, name)
	}
}

// Document gives what was written.
func (b *Builder) Document() evidence.Document {
	b.Doc.Text, b.Doc.Blocks = b.text.String(), b.Blocks
	return b.Doc
}

// Clean drops what no reader sees (controls, zero-width and direction marks,
// tag characters, soft hyphens) and makes white space plain. Without keep,
// runs of white space become one blank, and the end of a line becomes none between
// letters of scripts that write none.
func Clean(text string, keep bool) string {
	if isPlain(text, keep) {
		return strings.TrimSpace(text)
	}
	var out strings.Builder
	out.Grow(len(text))
	space, broken, last := false, false, ' '
	for _, r := range text {
		if r == '\n' && keep {
			out.WriteByte('\n')
			continue
		}
		if unicode.IsSpace(r) || r == '\u00a0' {
			if keep {
				out.WriteByte(' ')
			} else {
				space, broken = out.Len() > 0, broken || r == '\n'
			}
			continue
		}
		if invisible(r) {
			continue
		}
		if space && !(broken && IsUnspaced(last) && IsUnspaced(r)) {
			out.WriteByte(' ')
		}
		space, broken, last = false, false, r
		out.WriteRune(r)
	}
	return strings.TrimRight(strings.Trim(out.String(), "\n"), " \n")
}

// IsUnspaced reports a letter or mark of a script whose words stand without blanks.
func IsUnspaced(r rune) bool {
	return r >= 0x0e00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff01 && r <= 0xff65 || r == 'ー')
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

// JoinCells joins the cells of a table row: two blanks between, empty and merged ones left out.
func JoinCells(cells []string) string {
	kept := make([]string, 0, len(cells))
	for _, c := range cells {
		if c == evidence.MergedLeft || c == evidence.MergedUp {
			continue
		}
		if c = strings.Join(strings.Fields(c), " "); c != "" {
			kept = append(kept, c)
		}
	}
	return strings.Join(kept, "  ")
}

// BreaksOff reports whether err is damage that a parser met.
func BreaksOff(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == Malformed && e.cause != nil
}

// TitleOrHeading makes the first heading the title of a document without one.
func (b *Builder) TitleOrHeading() {
	text := b.text.String()
	for _, block := range b.Blocks {
		if b.Doc.Source.Title != "" {
			return
		}
		if block.Kind == evidence.Heading {
			b.Doc.Source.Title = text[block.Start:block.End]
		}
	}
}

// Title sets the title. One that only programs give is none.
func (b *Builder) Title(title string) {
	if title = Clean(title, false); !strings.EqualFold(title, "PowerPoint Presentation") {
		b.Doc.Source.Title = title
	}
}

// ParseDate reads the usual forms of a date; zero when it is none.
func ParseDate(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02", "2006/01/02", "02.01.2006", "January 2, 2006", "2 January 2006", time.RFC1123, time.RFC1123Z} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1800 && t.Year() < 2200 {
			return t.UTC()
		}
	}
	return time.Time{}
}
