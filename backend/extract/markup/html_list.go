package markup

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// openNested begins a list, an item of one or a quotation. A description of a term
// is an item.
func (w *htmlWriter) openNested(a atom.Atom, attrs []html.Attribute) {
	switch a {
	case atom.Ol, atom.Ul:
		w.flushTerm()
		w.lists.Open(a == atom.Ol, attribute(attrs, "start"))
	case atom.Dl:
		w.lists.Open(false, "")
	case atom.Dd:
		described := w.term != ""
		w.described = append(w.described, described)
		if described {
			w.openItem("")
		}
	case atom.Blockquote:
		w.at.Quoted++
	case atom.Li:
		w.openItem(attribute(attrs, "value"))
	}
}

func (w *htmlWriter) openItem(number string) {
	w.items++
	quoted := w.at.Quoted
	w.at = w.lists.Item(number)
	w.at.Quoted = quoted
}

// closeNested ends one. What follows an inner list goes on the item around it.
func (w *htmlWriter) closeNested(a atom.Atom) {
	switch a {
	case atom.Ol, atom.Ul, atom.Dl:
		w.lists.Close()
		w.at.Depth, w.at.GoesOn = len(w.lists), true
	case atom.Dd:
		w.flushTerm()
		if n := len(w.described); n > 0 {
			if w.described[n-1] {
				w.items = max(0, w.items-1)
			}
			w.described = w.described[:n-1]
		}
	case atom.Blockquote:
		w.at.Quoted = max(0, w.at.Quoted-1)
	case atom.Li:
		w.items = max(0, w.items-1)
	}
}

// attribute is what an attribute says, empty where there is none.
func attribute(attrs []html.Attribute, key string) string {
	for _, a := range attrs {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
