package web

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// ArticleText is the text that Footnote reads from a page's markup, for
// measuring, without a headline that no extractor kept: labelled pages have it
// apart. It fetches nothing.
func ArticleText(markup string, address *url.URL) string {
	p := readPage(markup, address)
	return p.text[p.above:]
}

// ReadabilityText is what go-readability alone finds in it, to compare with;
// empty when it finds no article.
func ReadabilityText(markup string, address *url.URL) string {
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return ""
	}
	strip(doc)
	article, err := guarded(distil, doc, address)
	if err != nil || article == nil {
		return ""
	}
	text, _ := textOf(article)
	return text
}

// VisibleText is all text that a page or a piece of markup shows.
func VisibleText(markup string) string {
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return ""
	}
	strip(doc)
	text, _ := textOf(doc)
	return text
}
