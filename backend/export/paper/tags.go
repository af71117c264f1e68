package paper

import (
	"fmt"
	"strings"
)

// element is a part of the document as a reader of screens knows it.
type element struct {
	tag    string
	kids   []kid
	number int // of its object
}

// kid is what an element holds: another one, or marked text of a page and the link
// that lies on it.
type kid struct {
	element *element
	page    int // from 0
	mark    int // of the page
	link    *annotation
}

// Open begins a part of the document: L, LI, Table, TR, …. Close ends it.
func (s *Sheet) Open(tag string) {
	e := &element{tag: tag}
	top := s.stack[len(s.stack)-1]
	top.kids = append(top.kids, kid{element: e})
	s.stack = append(s.stack, e)
}

// Close ends the part that was begun last.
func (s *Sheet) Close() {
	s.unmark()
	s.stack = s.stack[:len(s.stack)-1]
}

// mark makes what is drawn from here on the text of the part that is open.
func (s *Sheet) mark() {
	e := s.stack[len(s.stack)-1]
	if s.marked == e {
		return
	}
	s.unmark()
	p := s.page()
	e.kids = append(e.kids, kid{page: len(s.pages) - 1, mark: len(p.marks)})
	fmt.Fprintf(&p.content, "/%s <</MCID %d>> BDC\n", e.tag, len(p.marks))
	p.marks = append(p.marks, e)
	s.marked = e
}

func (s *Sheet) unmark() {
	if s.marked != nil {
		s.page().content.WriteString("EMC\n")
		s.marked = nil
	}
}

// aside draws what is no text: lines and frames.
func (s *Sheet) aside(operators string, args ...any) {
	s.unmark()
	fmt.Fprintf(&s.page().content, "/Artifact BMC\n"+operators+"\nEMC\n", args...)
}

// structure writes the tree of parts; pages and links of the file are numbered.
func (s *Sheet) structure(f *file, pages []int, root int) {
	number(f, s.stack[0])
	s.element(f, s.stack[0], root, pages)
	var parents strings.Builder
	key := 0
	for _, p := range s.pages {
		fmt.Fprintf(&parents, "%d [", key)
		for _, e := range p.marks {
			fmt.Fprintf(&parents, "%d 0 R ", e.number)
		}
		parents.WriteString("] ")
		key++
	}
	for _, p := range s.pages {
		for _, a := range p.links {
			fmt.Fprintf(&parents, "%d %d 0 R ", key, a.element.number)
			key++
		}
	}
	tree := f.add("<< /Nums [%s] >>", parents.String())
	f.put(root, "<< /Type /StructTreeRoot /K %d 0 R /ParentTree %d 0 R /ParentTreeNextKey %d >>", s.stack[0].number, tree, key)
}

func number(f *file, e *element) {
	e.number = f.reserve()
	for _, k := range e.kids {
		if k.element != nil {
			number(f, k.element)
		}
	}
}

func (s *Sheet) element(f *file, e *element, parent int, pages []int) {
	var kids strings.Builder
	for _, k := range e.kids {
		switch {
		case k.element != nil:
			fmt.Fprintf(&kids, "%d 0 R ", k.element.number)
			s.element(f, k.element, e.number, pages)
		case k.link != nil:
			fmt.Fprintf(&kids, "<< /Type /OBJR /Obj %d 0 R /Pg %d 0 R >> ", k.link.number, pages[k.page])
		default:
			fmt.Fprintf(&kids, "<< /Type /MCR /MCID %d /Pg %d 0 R >> ", k.mark, pages[k.page])
		}
	}
	f.put(e.number, "<< /Type /StructElem /S /%s /P %d 0 R /K [%s] >>", e.tag, parent, kids.String())
}
