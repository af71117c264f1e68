package references

import (
	"strings"

	"golang.org/x/net/html"
)

// Text is what the reader wrote about a work and marked in it, as Markdown: a text
// that is read and cited like any other. Empty when there is nothing of it.
func (it Item) Text() string {
	if len(it.Annotations)+len(it.Notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("# " + oneLine(it.Title) + "\n\n")
	if about := joinedBy(", ", strings.Join(it.Creators, "; "), it.Date, prefixed("cited as @", it.CiteKey)); about != "" {
		b.WriteString(about + "\n\n")
	}
	for _, a := range it.Annotations {
		place := joinedBy(", ", a.File, prefixed("page ", a.Page))
		if text := oneLine(a.Text); text != "" {
			b.WriteString("> " + text + "\n\n")
		}
		if comment := strings.TrimSpace(a.Comment); comment != "" {
			b.WriteString(comment + "\n\n")
		}
		b.WriteString("(marked in " + place + ")\n\n")
	}
	for _, note := range it.Notes {
		if text := plainHTML(note); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Name is the name of the text as a file: for people, and by its key its own.
func (it Item) Name() string {
	words := strings.FieldsFunc(it.Title, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) })
	title := []rune(strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	if len(title) > 60 {
		title = title[:60]
	}
	return strings.TrimSpace(string(title)+" (notes "+it.Key+")") + ".md"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func joinedBy(by string, parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, by)
}

// plainHTML is the text of a note, a paragraph a line.
func plainHTML(markup string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch z.Next() {
		case html.ErrorToken:
			var lines []string
			for line := range strings.SplitSeq(b.String(), "\n") {
				if line = oneLine(line); line != "" {
					lines = append(lines, line)
				}
			}
			return strings.Join(lines, "\n\n")
		case html.TextToken:
			b.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "p", "div", "br", "li", "h1", "h2", "h3", "blockquote", "tr":
				b.WriteByte('\n')
			}
		}
	}
}
