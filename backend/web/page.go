package web

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	readability "github.com/go-shiori/go-readability"
	trafilatura "github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"footnote/backend/bounded"
	"footnote/backend/evidence"
)

const (
	enoughText   = 200    // characters below which the whole page is read
	surelyText   = 400    // characters below which the second extractor is asked
	articleNodes = 60_000 // larger trees are read plainly: extractors copy them several times
	articleBytes = 1 << 20
)

// page is the readable form of a page of markup.
type page struct {
	metadata
	text   string
	blocks []evidence.Block
	orders bool
	cut    bool // only its first part was read
}

// readPage extracts a page from decoded markup: the article when there is one,
// else all visible text. Markup too deep for a tree is read tag by tag, and of
// markup that makes too large a tree the first part.
func readPage(markup string, address *url.URL) page {
	part, _ := bounded.Markup(markup, bounded.Nodes)
	p := readMarkup(part, address)
	p.cut = len(part) < len(markup)
	return p
}

// readWhole reads markup that is nothing but what it is about: all of it.
func readWhole(markup string) page {
	part, _ := bounded.Markup(markup, bounded.Nodes)
	doc, err := html.Parse(strings.NewReader(part))
	if err != nil {
		return deepPage(part)
	}
	p := page{metadata: readMetadata(doc), cut: len(part) < len(markup)}
	hidden := strip(doc)
	p.text, p.blocks = plainText(doc)
	p.orders = evidence.Instructs(p.text) || evidence.Instructs(hidden)
	return p
}

func readMarkup(markup string, address *url.URL) page {
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return deepPage(markup)
	}
	p := page{metadata: readMetadata(doc)}
	hidden := strip(doc)
	p.text, p.blocks = articleText(doc, address)
	p.orders = evidence.Instructs(p.text) || evidence.Instructs(hidden)
	return p
}

// deepPage serves markup on which x/net/html gives up (512 open elements).
func deepPage(markup string) page {
	var p page
	z := html.NewTokenizer(strings.NewReader(markup[:min(len(markup), 1<<20)]))
	for tt := z.Next(); tt != html.ErrorToken && p.title == ""; tt = z.Next() {
		if name, _ := z.TagName(); tt == html.StartTagToken && string(name) == "title" && z.Next() == html.TextToken {
			p.title = cleanLine(string(z.Text()), titleRunes)
		}
	}
	p.text, p.blocks = tokenText(markup)
	p.orders = evidence.Instructs(p.text)
	return p
}

// articleText tries one extractor after the other until one gives enough.
func articleText(doc *html.Node, address *url.URL) (string, []evidence.Block) {
	var text string
	var blocks []evidence.Block
	take := func(t string, b []evidence.Block) {
		if len(t) > len(text) {
			text, blocks = t, b
		}
	}
	if smallTree(doc) {
		whole, _ := textOf(doc)
		for _, extract := range []func(*html.Node, *url.URL) (*html.Node, error){distil, trafilate} {
			if article, err := guarded(extract, doc, address); err == nil && article != nil {
				if t, b := textOf(article); len(t) <= len(whole) { // what is longer than its page says things twice
					take(t, b)
				}
			}
			if utf8.RuneCountInString(text) >= surelyText {
				break
			}
		}
	}
	if utf8.RuneCountInString(text) < enoughText {
		take(plainText(doc))
	}
	return text, blocks
}

// runsTogether reports whether an extractor has glued paragraphs of a page to each
// other, as trafilatura does with short ones: more than one word in fifty is two of the page's.
func runsTogether(article, whole string) bool {
	known := map[string]bool{}
	for word := range strings.FieldsSeq(whole) {
		known[word] = true
	}
	glued, all := 0, 0
	for word := range strings.FieldsSeq(article) {
		all++
		if !known[word] && isTwo(word, known) {
			glued++
		}
	}
	return glued*50 > all
}

func isTwo(word string, known map[string]bool) bool {
	for i := range word {
		if i > 0 && known[word[:i]] && known[word[i:]] {
			return true
		}
	}
	return false
}

// plainText is the text of the page's main part without its frame; of all of it
// when nothing else is there.
func plainText(doc *html.Node) (string, []evidence.Block) {
	root := doc
	for n := range doc.Descendants() {
		if n.Data == "main" || attr(n, "role") == "main" {
			root = n
			break
		}
	}
	b := blockBuilder{frameless: true}
	b.walk(root)
	b.flush()
	if b.out.Len() > 0 {
		return b.out.String(), b.blocks
	}
	return textOf(doc)
}

// guarded turns a panic of a third-party extractor over odd markup into an error.
func guarded(extract func(*html.Node, *url.URL) (*html.Node, error), doc *html.Node, address *url.URL) (article *html.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("extract article: %v", r)
		}
	}()
	return extract(doc, address)
}

func trafilate(doc *html.Node, address *url.URL) (*html.Node, error) {
	whole, _ := textOf(doc)
	r, err := trafilatura.ExtractDocument(doc, trafilatura.Options{
		OriginalURL: address, ExcludeComments: true, HtmlDateMode: trafilatura.Disabled,
	})
	if err != nil {
		return nil, err
	}
	if r.ContentNode != nil {
		if text, _ := textOf(r.ContentNode); runsTogether(text, whole) {
			return nil, nil
		}
	}
	return r.ContentNode, nil
}

func distil(doc *html.Node, address *url.URL) (*html.Node, error) {
	parser := readability.NewParser()
	parser.DisableJSONLD = true
	article, err := parser.ParseDocument(doc, address)
	return article.Node, err
}

// smallTree reports a tree that extractors can take; their time grows faster
// than its size.
func smallTree(doc *html.Node) bool {
	nodes, size := 0, 0
	for n := range doc.Descendants() {
		nodes++
		if n.Type == html.TextNode {
			size += len(n.Data)
		}
		if nodes > articleNodes || size > articleBytes {
			return false
		}
	}
	return true
}
