// Package feed writes feeds of news, RSS and Atom, as the pages that their makers had in mind.
package feed

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/bounded"
)

// atomSpace is the namespace of Atom.
const atomSpace = "http://www.w3.org/2005/Atom"

// spaces are the namespaces whose elements are read. RSS has mostly none.
var spaces = map[string]bool{
	"": true, atomSpace: true, "http://purl.org/rss/1.0/": true, "http://purl.org/rss/1.0/modules/content/": true, "http://purl.org/dc/elements/1.1/": true,
	"http://my.netscape.com/rdf/simple/0.9/": true, "http://backend.userland.com/rss2": true,
}

// Page writes a feed as a page of HTML: what it is called and is about, then each
// entry with its name, date, author and text. ok is false for what is no feed. Of
// one that breaks off it gives what came before, and of one with more than
// bounded.Nodes parts the first of them: then it is cut.
func Page(text string) (page string, cut, ok bool) {
	if name := root(text); name != "rss" && name != "feed" && name != "RDF" {
		return "", false, false // without a decoder: it would take all attributes of a page at once
	}
	text, cut = firstTags(text)
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it was decoded before
	for {
		token, err := d.Token()
		if err != nil {
			return "", false, false
		}
		if _, is := token.(xml.StartElement); is {
			break
		}
	}
	w := writer{d: d, room: bounded.Nodes}
	w.feed()
	return "<html><head><title>" + html.EscapeString(plain(w.title)) + "</title></head><body><main><h1>" + w.title + "</h1>" + w.lead + w.entries.String() + "</main></body></html>", cut || w.room < 0, w.told
}

// firstTags gives the part of a text that has no more than bounded.Nodes tags.
func firstTags(text string) (part string, cut bool) {
	for at, n := 0, 0; ; at, n = at+1, n+1 {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return text, false
		}
		if at += next; n == bounded.Nodes {
			return text[:at], true
		}
	}
}

// root is the name of the first element of a text, without its prefix; empty where
// something else than declarations and comments stands before it.
func root(text string) string {
	for {
		text = strings.TrimLeft(text, "\ufeff \t\r\n")
		end := ""
		switch {
		case strings.HasPrefix(text, "<?"):
			end = "?>"
		case strings.HasPrefix(text, "<!--"):
			end = "-->"
		case strings.HasPrefix(text, "<!"):
			end = ">"
		case strings.HasPrefix(text, "<"):
			name := text[1:min(len(text), 1+longestName)]
			if at := strings.IndexAny(name, " \t\r\n/>"); at >= 0 {
				name = name[:at]
			}
			return name[strings.LastIndexByte(name, ':')+1:]
		default:
			return ""
		}
		_, rest, ok := strings.Cut(text, end)
		if !ok {
			return ""
		}
		text = rest
	}
}

const longestName = 40 // of a root: prefix and name

type writer struct {
	d           *xml.Decoder
	title, lead string // fragments of HTML
	entries     strings.Builder
	told        bool // it has an entry or a name
	room        int  // for nodes of fragments; below zero once one was cut
}

// feed reads what stands around the entries.
func (w *writer) feed() {
	for {
		token, err := w.d.Token()
		if err != nil {
			return
		}
		start, is := token.(xml.StartElement)
		switch {
		case !is, start.Name.Local == "channel":
		case !spaces[start.Name.Space]: // the same names mean something else there
			w.skip()
		case start.Name.Local == "item", start.Name.Local == "entry":
			w.told = true
			w.entry()
		case start.Name.Local == "title":
			w.title, w.told = cmp.Or(w.title, w.content(start)), true
		case start.Name.Local == "description", start.Name.Local == "subtitle":
			w.lead = paragraph(w.content(start))
		default:
			w.skip()
		}
	}
}

func (w *writer) entry() {
	var title, date, author, body string
	for {
		token, err := w.d.Token()
		_, ended := token.(xml.EndElement)
		if err != nil || ended {
			break
		}
		start, is := token.(xml.StartElement)
		switch {
		case !is:
		case !spaces[start.Name.Space]: // the same names mean something else there
			w.skip()
		default:
			switch start.Name.Local {
			case "title":
				title = w.content(start)
			case "pubDate", "published", "date", "updated":
				date = cmp.Or(date, day(plain(w.content(start))))
			case "author", "creator":
				author = cmp.Or(author, plain(w.content(start)))
			case "description", "summary", "content", "encoded":
				if more := w.content(start); len(more) > len(body) {
					body = more
				}
			default:
				w.skip()
			}
		}
	}
	if title != "" {
		w.entries.WriteString("<h2>" + title + "</h2>")
	}
	about := strings.Join(strings.Fields(date+" "+author), " ")
	w.entries.WriteString(paragraph(html.EscapeString(about)) + "<div>" + body + "</div>")
}

// skip passes over an element; what follows one that never ends is not there.
func (w *writer) skip() {
	_ = w.d.Skip() // the next token tells the same error
}

func paragraph(fragment string) string {
	if fragment == "" {
		return ""
	}
	return "<p>" + fragment + "</p>"
}

// content is the text of an element as a fragment of HTML in which every element
// is closed, so that no entry reaches into the next. RSS writes HTML as text; Atom
// says what it writes.
func (w *writer) content(start xml.StartElement) string {
	var c struct {
		Type  string `xml:"type,attr"`
		Name  string `xml:"name"` // of an author
		Text  string `xml:",chardata"`
		Inner string `xml:",innerxml"`
	}
	if err := w.d.DecodeElement(&c, &start); err != nil {
		return "" // the next token tells the same error
	}
	switch {
	case c.Name != "":
		return html.EscapeString(c.Name)
	case c.Type == "xhtml" || strings.TrimSpace(c.Text) == "":
		return w.closed(c.Inner)
	case start.Name.Space == atomSpace && c.Type != "html" && c.Type != "text/html":
		return html.EscapeString(strings.TrimSpace(c.Text))
	}
	return w.closed(c.Text)
}

// closed is a fragment, or the part of it that there is room for, with each element
// closed.
func (w *writer) closed(fragment string) string {
	fragment, n := bounded.Markup(fragment, max(0, w.room))
	w.room -= n
	nodes, err := html.ParseFragment(strings.NewReader(fragment), &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
	if err != nil {
		return html.EscapeString(plain(fragment))
	}
	var b strings.Builder
	for _, n := range nodes {
		if !open(n) && html.Render(&b, n) != nil {
			return html.EscapeString(plain(fragment))
		}
	}
	return strings.TrimSpace(b.String())
}

// open reports an element that nothing closes, in a tree of nodes.
func open(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.DataAtom == atom.Plaintext {
			return true
		}
	}
	return n.DataAtom == atom.Plaintext
}

// plain is the text of a fragment, without its marks.
func plain(fragment string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(fragment))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.Write(z.Text())
		default:
			b.WriteByte(' ')
		}
	}
}

// day is a date as every language reads it; one in no known form stays as it is.
func day(date string) string {
	for _, form := range []string{time.RFC3339, time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST"} {
		if t, err := time.Parse(form, date); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return date
}
