package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/extract/format"
)

// textOf is the text of a paragraph; cells of a ruled row stand two blanks apart.
func (w *pageWriter) textOf(lines []Line) string {
	row := lines[0].ruled
	if row == nil {
		return w.join(lines)
	}
	cells := make([]string, len(row.cells))
	for i, cell := range row.cells {
		cells[i] = w.join(cell)
	}
	return strings.Join(cells, "  ")
}

// join writes the lines of a paragraph as one, words that were divided at a
// line end whole again.
func (w *pageWriter) join(lines []Line) string {
	var out strings.Builder
	for i, l := range lines {
		if i == 0 {
			out.WriteString(l.Text)
			continue
		}
		last := out.String()
		if head, ok := w.divided(last, l.Text); ok {
			out.Reset()
			out.WriteString(head)
			out.WriteString(l.Text)
			continue
		}
		if !joinsWithoutBlank(last, l.Text) {
			out.WriteByte(' ')
		}
		out.WriteString(l.Text)
	}
	return out.String()
}

// joinsWithoutBlank reports a line that goes on in the middle of a word, or in a
// script that writes no blanks.
func joinsWithoutBlank(text, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(next)
	return last == '-' && wordBefore(text) || format.IsUnspaced(last) && format.IsUnspaced(first)
}

// divided gives text without the hyphen at its end when next completes the word.
func (w *pageWriter) divided(text, next string) (head string, ok bool) {
	head, ok = strings.CutSuffix(text, "-")
	if !ok {
		if head, ok = strings.CutSuffix(text, "\u00ad"); ok {
			return head, true
		}
		return "", false
	}
	first, _ := utf8.DecodeRuneInString(next)
	if !unicode.IsLower(first) || !wordBefore(text) {
		return "", false
	}
	stem := head[strings.LastIndexFunc(head, unicode.IsSpace)+1:]
	rest, _, _ := strings.Cut(next, " ")
	if w.hyphens[strings.ToLower(stem+"-"+strings.TrimFunc(rest, unicode.IsPunct))] {
		return "", false
	}
	return head, true
}

// wordBefore reports whether a letter stands before the hyphen that ends text.
func wordBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(text, "-"))
	return unicode.IsLetter(r)
}
