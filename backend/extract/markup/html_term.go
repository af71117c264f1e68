package markup

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/extract/format"
)

// longestTerm is how long, in characters, what a list of terms calls a thing may
// be: longer ones are headings or sentences of their own.
const longestTerm = 120

// mostTerms is how many nodes further a description is looked for: lists of nothing but
// terms are long.
const mostTerms = 40

// writeTerm keeps a term of a list of terms for its description. The two say
// something only together, "MaxCopies" and "The most copies that a job may have.",
// so they stand in one block, and are found, cut and quoted as one.
func (w *htmlWriter) writeTerm(dt *html.Node) {
	w.flush(false)
	term := format.Clean(textOfNode(dt), false)
	if w.term != "" {
		term = w.term + ", " + term
	}
	if utf8.RuneCountInString(term) > longestTerm {
		w.flushTerm()
		w.element(dt)
		return
	}
	w.term = term
}

// withTerm puts the kept term before the first words of its description.
func (w *htmlWriter) withTerm(text string) string {
	term := w.term
	if term == "" {
		return text
	}
	w.term = ""
	if !strings.ContainsAny(term[len(term)-1:], ".:;,!-") && !strings.HasSuffix(term, "：") {
		term += ":"
	}
	return term + " " + strings.TrimSpace(text)
}

// flushTerm writes a kept term alone, before a description that begins with a list,
// a table, code or a heading.
func (w *htmlWriter) flushTerm() {
	if term := w.term; term != "" {
		w.term = ""
		w.words(term)
		w.flush(false)
	}
}

// isDescribed reports whether a term stands right before words that describe it.
// A question does not: it and its answer are sentences.
func isDescribed(dt *html.Node) bool {
	text := strings.TrimSpace(textOfNode(dt))
	if text == "" || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || hasBlocks(dt) {
		return false
	}
	for n, seen := dt.NextSibling, 0; n != nil && seen < mostTerms; n, seen = n.NextSibling, seen+1 {
		switch {
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.Dd:
			return true
		case n.DataAtom != atom.Dt:
			return false
		}
	}
	return false
}

// hasBlocks reports whether something in an element is no part of one line.
func hasBlocks(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && (headingLevel(c.DataAtom) > 0 || c.DataAtom == atom.Table || c.DataAtom == atom.Pre || c.DataAtom == atom.Ul || c.DataAtom == atom.Ol || hasBlocks(c)) {
			return true
		}
	}
	return false
}
