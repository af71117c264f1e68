package quote

import (
	"footnote/backend/plain"
	"strconv"
	"strings"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Text is the whole answer as markdown, under what may honestly be said of it in a
// language.
func (r Result) Text(code lang.Code) string {
	body := r.Quotations()
	if r.Lead != "" {
		body = "**" + plain.EscapeMarkdown(r.Lead) + "**\n\n" + body
	}
	if len(r.Open) > 0 {
		body += "\n\n" + code.Say("answer-open", plain.EscapeMarkdown(strings.Join(r.Open, ", ")))
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
				b.WriteString("**" + plain.EscapeMarkdown(r.Short) + "** " + r.shortMarkers() + "\n\n")
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
		b.WriteString(plain.EscapeMarkdown(s.shown()))
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

// shortMarkers cite what Short rests on: the best sentence, or both sides.
func (r Result) shortMarkers() string {
	if r.Sides && r.Sentences[0].N != r.Sentences[1].N {
		return markersOf(r.Sentences[0]) + markersOf(r.Sentences[1])
	}
	return markersOf(r.best())
}

func markersOf(s Sentence) string {
	text := "[" + strconv.Itoa(s.N) + "]"
	for _, n := range s.Also {
		text += "[" + strconv.Itoa(n) + "]"
	}
	return text
}
