package markup

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlList is an open list.
type htmlList struct {
	ordered bool
	next    int // number of its next item
}

// openNested begins a list, an item of one or a quotation.
func (w *htmlWriter) openNested(a atom.Atom, attrs []html.Attribute) {
	switch a {
	case atom.Ol, atom.Ul:
		w.lists = append(w.lists, htmlList{a == atom.Ol, numberOf(attrs, "start", 1)})
	case atom.Blockquote:
		w.at.Quoted++
	case atom.Li:
		w.items++
		w.at.Depth, w.at.Ordered, w.at.GoesOn = len(w.lists), false, false
		if len(w.lists) > 0 {
			list := &w.lists[len(w.lists)-1]
			w.at.Ordered, w.at.Number = list.ordered, numberOf(attrs, "value", list.next)
			list.next = w.at.Number + 1
		}
	}
}

// closeNested ends one. What follows an inner list goes on the item around it.
func (w *htmlWriter) closeNested(a atom.Atom) {
	switch a {
	case atom.Ol, atom.Ul:
		w.lists = w.lists[:max(0, len(w.lists)-1)]
		w.at.Depth, w.at.GoesOn = len(w.lists), true
	case atom.Blockquote:
		w.at.Quoted = max(0, w.at.Quoted-1)
	case atom.Li:
		w.items = max(0, w.items-1)
	}
}

// numberOf is the number that an attribute gives, or another.
func numberOf(attrs []html.Attribute, key string, other int) int {
	for _, a := range attrs {
		if n, err := strconv.Atoi(strings.TrimSpace(a.Val)); a.Key == key && err == nil && n >= 0 {
			return n
		}
	}
	return other
}
