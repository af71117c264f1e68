package quote

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Text is the whole answer as markdown, under what may honestly be said of it in a
// language.
func (r Result) Text(code lang.Code) string {
	body := r.Quotations()
	if r.Lead != "" {
		body = "**" + EscapeMarkdown(r.Lead) + "**\n\n" + body
	}
	if len(r.Open) > 0 {
		body += "\n\n" + code.Say("answer-open", EscapeMarkdown(strings.Join(r.Open, ", ")))
	}
	switch r.State {
	case None:
		return code.Say("answer-none")
	case Closest:
		return "**" + code.Say("answer-closest") + "**\n\n" + body
	}
	return body
}

// Quotations writes the chosen sentences as canonical markdown: a paragraph a
// passage, neighbours as one quotation, "..." where sentences were left out, one
// marker a sentence. What would be markup is escaped, so that it is shown as it
// stands. Escaping takes only the opening bracket of [3]: such a text goes
// through cite.Pieces, never through a cite.Parser.
func (r Result) Quotations() string {
	var b strings.Builder
	for i, s := range r.Sentences {
		switch {
		case i == 0:
			if r.Short != "" {
				b.WriteString("**" + EscapeMarkdown(r.Short) + "** " + markersOf(r.best()) + "\n\n")
			}
		case s.Passage != r.Sentences[i-1].Passage, s.apart, s.Told != "" || r.Sentences[i-1].Told != "":
			b.WriteString("\n\n")
		case s.Order != r.Sentences[i-1].Order+r.Sentences[i-1].Clauses+1:
			b.WriteString(" ... ")
		case s.Row || r.Sentences[i-1].Row:
			b.WriteString("\n\n")
		default:
			b.WriteString(" ")
		}
		b.WriteString(EscapeMarkdown(s.shown()))
		b.WriteString(" " + markersOf(s))
	}
	return b.String()
}

var gutter = pattern.New(` {2,}|\t+`)

var (
	bullet     = pattern.New(`^[•◦▪‣·]\s+`)
	references = pattern.New(`([.,;:!?)”’"])(?:\[(?:n |note )?\d{1,3}\])+`)
)

// shown is a sentence on one line, without its bullet and the marks of the
// source's own notes; the cells of a row stand apart.
func (s Sentence) shown() string {
	if s.Told != "" {
		return s.Told
	}
	if !s.Row || strings.Contains(s.Text, "|") {
		line := strings.Join(strings.Fields(s.Text), " ")
		return references.ReplaceAllString(bullet.ReplaceAllString(line, ""), "$1")
	}
	cells := gutter.Split(strings.TrimSpace(s.Text), -1)
	if len(cells) < 2 {
		return strings.Join(cells, "")
	}
	return cells[0] + ": " + strings.Join(cells[1:], "; ")
}

// best is the sentence with the highest score.
func (r Result) best() Sentence {
	best := r.Sentences[0]
	for _, s := range r.Sentences {
		if s.Score > best.Score {
			best = s
		}
	}
	return best
}

func markersOf(s Sentence) string {
	text := "[" + strconv.Itoa(s.N) + "]"
	for _, n := range s.Also {
		text += "[" + strconv.Itoa(n) + "]"
	}
	return text
}

var blockStart = pattern.New(`^(?:#{1,6}(?: |$)|[-+] |>|\d{1,9}[.)] |=+$|-+$|~~~)`)

// EscapeMarkdown puts a backslash before what a markdown reader would not show
// as it stands: emphasis, code, links, HTML, and marks that open a block.
func EscapeMarkdown(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	if m := blockStart.FindString(s); m != "" {
		at := strings.IndexAny(m, "#-+>.)=~")
		b.WriteString(s[:at] + `\`)
		b.WriteByte(s[at])
		s = s[at+1:]
	}
	prev := ' '
	for i, r := range s {
		next := ' '
		if _, size := utf8.DecodeRuneInString(s[i:]); i+size < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+size:])
		}
		if active(prev, r, next) || r == '&' && entity.MatchString(s[i:min(len(s), i+longestEntity)]) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

var entity = pattern.New(`^&(?:#\w+|\w{2,});`)

const longestEntity = 64 // bytes; the longest name has 31 letters

// active reports whether r between prev and next would be read as markup.
func active(prev, r, next rune) bool {
	switch r {
	case '*', '`', '[', '|':
		return true
	case '\\':
		return next < utf8.RuneSelf && unicode.IsPunct(next) || strings.ContainsRune("$+<=>^`|~", next)
	case '_':
		return !wordRune(prev) || !wordRune(next)
	case '<':
		return unicode.IsLetter(next) || next == '/' || next == '!' || next == '?'
	case '~':
		return prev == '~' || next == '~'
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
