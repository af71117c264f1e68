package command

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/pattern"
	"footnote/backend/plain"
)

// wrapper breaks lines at the width of a terminal: between words, and between the
// signs of scripts that are written without blanks. It is given what a line may end
// behind, so that a text can be written as it comes. Tables and code keep their
// lines; width 0 leaves every line as it is.
type wrapper struct {
	out    io.Writer
	width  int
	column int    // where the next sign stands
	indent string // of what goes on with a line
	blanks string // before the next word, not written yet
	kept   bool   // the line is a row of a table
	code   bool   // between fences
	prose  bool   // what is written is Markdown
}

// escape is a backslash of Markdown before a sign, with what would be a footnote.
var escape = pattern.New("\\\\(?:\\[\\^?\\d|[!-/:-@\\[-`{-~])")

// unescaped is a word without its escapes; what is no footnote stays told apart.
func unescaped(word string) string {
	return escape.ReplaceAllStringFunc(word, func(e string) string {
		if len(e) > 2 {
			return e
		}
		return e[1:]
	})
}

// strong is a mark of strong text: at an end of words, not within a term as 2**10 is.
var strong = pattern.New(`(^|[^\\*0-9A-Za-z])\*\*([^*\s]|$)|([^\\*\s])\*\*([^*0-9A-Za-z]|$)`)

// markdown writes text of an answer: on a terminal without the marks of strong text
// and the backslashes that keep signs from being markup, but for code.
func (w *wrapper) markdown(text string) error {
	w.prose = w.width > 0
	defer func() { w.prose = false }()
	return w.write(text)
}

// write takes text that ends where a line may end.
func (w *wrapper) write(text string) error {
	var b strings.Builder
	for text != "" {
		at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) })
		if at < 0 {
			at = len(text)
		}
		w.space(&b, text[:at])
		text = text[at:]
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			w.word(&b, text[:end])
		}
		text = text[end:]
	}
	_, err := io.WriteString(w.out, b.String())
	return err
}

// space notes blanks, and ends lines.
func (w *wrapper) space(b *strings.Builder, blanks string) {
	lines := strings.Count(blanks, "\n")
	if lines > 0 {
		b.WriteString(strings.Repeat("\n", lines))
		w.column, w.indent, w.kept = 0, "", false
		blanks = blanks[strings.LastIndexByte(blanks, '\n')+1:]
	}
	w.blanks += blanks
	if lines > 0 {
		w.blanks = blanks
	}
}

func (w *wrapper) word(b *strings.Builder, word string) {
	begins := w.column == 0
	if begins {
		w.begin(word)
	}
	if w.prose && !w.code && !strings.Contains(word, "`") {
		word = unescaped(strong.ReplaceAllString(word, "$1$2$3$4"))
	}
	for from, at := 0, 0; from < len(word); from = at {
		for {
			r, n := utf8.DecodeRuneInString(word[at:])
			next, _ := utf8.DecodeRuneInString(word[at+n:])
			if at += n; at == len(word) || (endsLine(r) || dense(next)) && !strings.ContainsRune(opening, r) && !strings.ContainsRune(neverFirst, next) {
				break
			}
		}
		w.piece(b, word[from:at], begins && from == 0)
	}
}

// piece writes what stands on one line.
func (w *wrapper) piece(b *strings.Builder, text string, begins bool) {
	wide := plain.Columns(w.blanks) + plain.Columns(text)
	first, _ := utf8.DecodeRuneInString(text)
	parted := w.blanks != "" || !strings.ContainsRune(neverFirst, first)
	if !begins && parted && w.width > 0 && !w.kept && !w.code && w.column+wide > w.width {
		b.WriteString("\n" + w.indent)
		w.column, w.blanks, wide = plain.Columns(w.indent), "", plain.Columns(text)
	}
	b.WriteString(w.blanks + text)
	w.column, w.blanks = w.column+wide, ""
}

// neverFirst are signs that begin no line: they belong to what stands before them,
// as a footnote does.
const neverFirst = "[。、，．！？：；」』）］｝〕〉》】’”…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"

// opening are signs that end no line.
const opening = "(“‘「『（［｛〔〈《【"

// endsLine reports whether a line may end behind a sign, whatever comes.
func endsLine(r rune) bool { return dense(r) && !strings.ContainsRune(opening, r) }

// dense reports whether a sign is of a script without blanks between words.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3001 && r <= 0x303F || r >= 0xFF01 && r <= 0xFF65
}

// begin learns from the first word of a line how the line goes on.
func (w *wrapper) begin(word string) {
	switch {
	case strings.HasPrefix(word, "```"):
		w.code, w.kept = !w.code, true
	case strings.HasPrefix(word, "|"), len(w.blanks) >= 4:
		w.kept = true
	case word == "-" || word == "*" || strings.HasSuffix(word, ".") && strings.Trim(word, "0123456789") == ".", strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
		w.indent = w.blanks + strings.Repeat(" ", plain.Columns(word)+1)
	}
}

// clipped is the beginning of a line that fits into so many columns.
func clipped(s string, columns int) string {
	if plain.Columns(s) <= columns {
		return s
	}
	at := 0
	for i, r := range s {
		if plain.Columns(s[:i])+plain.Columns(string(r)) > columns-1 {
			break
		}
		at = i + len(string(r))
	}
	return s[:at] + "…"
}
