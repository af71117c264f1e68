package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	readability "github.com/go-shiori/go-readability"
	trafilatura "github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/web/tidy"
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
	above  int // bytes of the headline and the gap below it, where it was lost and written again
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
	around := tidy.Remove(doc)
	hidden := strip(doc)
	p.text, p.blocks = articleText(doc, address)
	headline := tidy.Headline(doc, p.title)
	for _, lost := range tidy.LostTables(doc, p.text) {
		p.append(textOf(lost))
	}
	p.headlined(headline)
	p.orders = evidence.Instructs(p.text) || evidence.Instructs(hidden) || evidence.Instructs(around)
	return p
}

// append writes more behind a text.
func (p *page) append(text string, blocks []evidence.Block) {
	if p.text != "" {
		p.text += "\n\n"
	}
	p.blocks = append(p.blocks, moved(blocks, len(p.text))...)
	p.text += text
}

// moved are blocks so many bytes further on.
func moved(blocks []evidence.Block, by int) []evidence.Block {
	for i := range blocks {
		blocks[i].Start, blocks[i].End = blocks[i].Start+by, blocks[i].End+by
	}
	return blocks
}

// headlined writes the headline above a text that has lost it.
func (p *page) headlined(headline string) {
	if headline == "" || p.text == "" || tidy.Opens(p.text, headline) {
		return
	}
	p.above = len(headline) + len("\n\n")
	p.text = headline + "\n\n" + p.text
	p.blocks = slices.Insert(moved(p.blocks, p.above), 0, evidence.Block{End: len(headline), Kind: evidence.Heading, Level: 1})
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
		if text, _ := textOf(r.ContentNode); tidy.Glued(text, whole) {
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
