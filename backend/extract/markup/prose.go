package markup

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"strings"

	"golang.org/x/net/html"

	"footnote/backend/bounded"
	"footnote/backend/pattern"
)

// XML that people wrote to be read (DocBook, DITA, TEI, JATS, FictionBook) names its
// parts differently and means the same by them as HTML: it is read as that page.

// proseTags says as what element of HTML one of these vocabularies is read; what is
// not named here adds its text alone.
var proseTags = map[string]string{
	"p": "p", "para": "p", "simpara": "p", "shortdesc": "p", "cmd": "p", "term": "p", "ab": "p", "l": "p", "v": "p", "subtitle": "p", "author": "p", "date": "p",
	"itemizedlist": "ul", "orderedlist": "ol", "procedure": "ol", "ul": "ul", "ol": "ol", "steps": "ol", "list": "ul",
	"listitem": "li", "li": "li", "step": "li", "item": "li", "list-item": "li", "member": "li",
	"programlisting": "pre", "screen": "pre", "literallayout": "pre", "synopsis": "pre", "codeblock": "pre", "pre": "pre", "eg": "pre",
	"tgroup": "table", "informaltable": "table", "simpletable": "table", "row": "tr", "strow": "tr", "sthead": "tr", "tr": "tr",
	"entry": "td", "stentry": "td", "td": "td", "th": "td", "cell": "td",
	"title": "h", "head": "h",
	"variablelist": "dl", "glosslist": "dl", "def-list": "dl", "dl": "dl",
}

// entries are what holds a term and its description, and described says as what
// their parts are read in it; elsewhere these mean other things.
var (
	entries   = map[string]bool{"varlistentry": true, "glossentry": true, "def-item": true, "dlentry": true}
	described = map[string]string{"term": "dt", "glossterm": "dt", "dt": "dt", "listitem": "dd", "glossdef": "dd", "def": "dd", "dd": "dd"}
)

// running are the elements of running text: what has little of it is data.
var running = map[string]bool{"p": true, "para": true, "simpara": true, "shortdesc": true, "cmd": true, "li": true, "ab": true, "l": true, "v": true}

// captioned are elements whose title is no heading of what follows.
var captioned = map[string]bool{
	"figure": true, "informalfigure": true, "table": true, "example": true, "note": true, "tip": true, "warning": true, "caution": true, "important": true,
	"fig": true, "table-wrap": true, "boxed-text": true, "poem": true, "cit": true,
}

// unshown are elements that no reader sees.
var unshown = map[string]bool{"indexterm": true, "remark": true, "binary": true, "script": true, "style": true, "tex-math": true, "prolog": true}

// prosePage writes XML as a page of HTML; ok is false where less than half of its
// text is running text: that is data. Of one that breaks off it gives what came
// before, and of one with more than bounded.Nodes parts the first of them: then it
// is cut. Of an entity that is declared elsewhere the name stands.
func prosePage(text string) (page string, cut, ok bool) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.Entity = false, maps.Clone(xml.HTMLEntity)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it was decoded before
	w := proseWriter{}
	for w.parts < bounded.Nodes {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return w.page(), true, w.prose()
		}
		switch t := token.(type) {
		case xml.Directive:
			declare(d.Entity, string(t))
		case xml.StartElement:
			w.open(t.Name.Local)
		case xml.EndElement:
			w.close(t.Name.Local)
		case xml.CharData:
			w.write(string(t))
		}
	}
	return w.page(), w.parts >= bounded.Nodes, w.prose()
}

var (
	declared   = pattern.New(`<!ENTITY\s+([\w.:-]{1,60})\s+(?:"([^"<&%]{0,200})"|'([^'<&%]{0,200})')\s*>`)
	undeclared = pattern.New(`&([A-Za-z][\w.:-]{0,60});`)
)

// swelling is how many times longer than its reference the text of an entity may be:
// a file is not to grow beyond what its reader was given room for.
const swelling = 8

// declare notes the entities that a document type says are short texts. What is made
// of others, or read from elsewhere, is left alone.
func declare(entities map[string]string, documentType string) {
	for _, m := range declared.FindAllStringSubmatch(documentType, bounded.Nodes) {
		if value := m[2] + m[3]; len(value) <= swelling*(len(m[1])+len("&;")) {
			entities[m[1]] = value
		}
	}
}

// proseWriter writes the page as elements come.
type proseWriter struct {
	out                strings.Builder
	stack              []proseElement
	titled             int // of the open elements: those that had a title
	inside, hidden     int // of the open elements: those of running text, and those that nobody sees
	inRunning, written int // bytes
	parts              int
}

type proseElement struct {
	name, tag string
	titled    bool
}

// deepest are the open elements that are kept apart: what lies deeper is text of these.
const deepest = 200

func (w *proseWriter) open(name string) {
	w.parts++
	if len(w.stack) >= deepest {
		return
	}
	e := proseElement{name: name, tag: proseTags[name]}
	if tag := described[name]; tag != "" && len(w.stack) > 0 && entries[w.stack[len(w.stack)-1].name] {
		e.tag = tag
	}
	if e.tag == "h" {
		e.tag = w.heading()
	}
	if n := len(w.stack); n > 0 && len(w.stack[n-1].tag) == 2 && w.stack[n-1].tag[0] == 'h' {
		e.tag = w.stack[n-1].tag // one heading, whatever it is made of
		w.out.WriteByte(' ')
	} else if e.tag != "" {
		w.out.WriteString("<" + e.tag + ">")
	}
	if unshown[name] {
		w.hidden++
	}
	if running[name] {
		w.inside++
	}
	w.stack = append(w.stack, e)
}

// heading is the element of the title of what is open, one level below the titles
// around it.
func (w *proseWriter) heading() string {
	n := len(w.stack)
	if n == 0 || captioned[w.stack[n-1].name] {
		return "p"
	}
	if parent := &w.stack[n-1]; !parent.titled {
		parent.titled = true
		w.titled++
	}
	return "h" + string(rune('0'+min(w.titled, 6)))
}

// close ends the innermost element of this name, and those that were left open in it.
func (w *proseWriter) close(name string) {
	at := len(w.stack) - 1
	for at >= 0 && w.stack[at].name != name {
		at--
	}
	for at >= 0 && len(w.stack) > at {
		w.end()
	}
}

func (w *proseWriter) end() {
	n := len(w.stack) - 1
	e := w.stack[n]
	w.stack = w.stack[:n]
	if e.titled {
		w.titled--
	}
	if unshown[e.name] {
		w.hidden--
	}
	if running[e.name] {
		w.inside--
	}
	if e.tag != "" && (n == 0 || w.stack[n-1].tag != e.tag || e.tag[0] != 'h') {
		w.out.WriteString("</" + e.tag + ">")
	}
}

func (w *proseWriter) write(text string) {
	if w.hidden > 0 {
		return
	}
	text = undeclared.ReplaceAllString(text, "$1")
	w.out.WriteString(html.EscapeString(text))
	n := len(strings.TrimSpace(text))
	w.written += n
	if w.inside > 0 {
		w.inRunning += n
	}
}

func (w *proseWriter) prose() bool { return w.inRunning > 0 && 2*w.inRunning >= w.written }

func (w *proseWriter) page() string {
	return "<html><body><main>" + w.out.String() + "</main></body></html>"
}
