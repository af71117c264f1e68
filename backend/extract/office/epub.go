package office

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/markup"
)

// ReadEPUB reads a book in the order of its pages. Chapters that begin without
// a heading of their own get the one of the table of contents.
func ReadEPUB(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	a, err := format.OpenArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.Hurry(ctx)()
	book := readPackage(a, lim)
	if len(book.spine) == 0 {
		return format.Fail(format.Malformed, "The book is damaged: it does not say what its chapters are.", nil)
	}
	locked := lockedParts(a, lim)
	names := book.contents(a, lim)
	lost, page := 0, 0
	for _, part := range book.spine {
		switch {
		case locked[part]:
			return format.Fail(format.Encrypted, "The book is copy-protected; only the shop's own reader opens it.", nil)
		case part == book.nav && len(book.spine) > 1:
			continue
		}
		chapter, err := format.ReadPart(a, part)
		if err != nil {
			if !format.Skippable(err) && !b.Cut(err) {
				return err
			}
			lost++
			continue
		}
		page = addChapter(b, chapter, names[part], page, lim)
	}
	if lost > 0 {
		b.Partly(fmt.Sprintf("%d of %d chapters are damaged and could not be read.", lost, len(book.spine)))
	}
	b.Doc.Source.Title, b.Doc.Source.Published = format.Clean(book.title, false), format.ParseDate(book.date)
	return nil
}

// addChapter writes a chapter that begins on a page of the printed book, headed by
// name when nothing in it does that. It gives the page the chapter ends on; 0 is
// none known.
func addChapter(b *format.Builder, chapter []byte, name string, page int, lim format.Limits) int {
	inner := format.NewBuilder(b.Room())
	end := markup.AddPage(inner, closeTags(chapter), page, lim)
	headed := len(inner.Blocks) == 0
	for _, block := range inner.Blocks[:min(len(inner.Blocks), 3)] {
		headed = headed || block.Kind == evidence.Heading
	}
	if !headed && name != "" {
		b.Add(evidence.Block{Kind: evidence.Heading, Level: 1, Page: page}, name)
	}
	doc, done := inner.Document(), 0
	for i, block := range doc.Blocks {
		sep := "\n\n"
		if i > 0 {
			sep = doc.Text[done:block.Start]
		}
		done = block.End
		b.Append(sep, block, doc.Text[block.Start:block.End])
	}
	if doc.Coverage.Truncated {
		b.Partly(doc.Coverage.Reason)
	}
	return end
}

var selfClosed = regexp.MustCompile(`<([A-Za-z][\w:-]*)((?:\s[^<>]*)?)/>`)

// closeTags gives empty elements of XHTML an end: HTML would take <title/> or
// <a/> for open.
func closeTags(page []byte) []byte { return selfClosed.ReplaceAll(page, []byte("<$1$2></$1>")) }

// epubBook is what the package says of a book.
type epubBook struct {
	title, date string
	spine       []string // parts in reading order
	nav, ncx    string   // tables of contents; empty when there is none
}

func readPackage(a *format.Archive, lim format.Limits) epubBook {
	opf := ""
	format.WalkPart(a, "META-INF/container.xml", lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
		if name == "rootfile" && opf == "" {
			opf = attr.Get("full-path")
		}
		return false
	}})
	for _, name := range a.Under("") {
		if !a.Has(opf) && strings.HasSuffix(name, ".opf") {
			opf = name
		}
	}
	book := epubBook{}
	parts := map[string]string{}
	at := ""
	format.WalkPart(a, opf, lim, format.XMLWalk{
		Open: func(name string, attr format.XMLAttrs) bool {
			at = name
			switch name {
			case "item":
				part := inside(opf, attr.Get("href"))
				parts[attr.Get("id")] = part
				if strings.Contains(" "+attr.Get("properties")+" ", " nav ") {
					book.nav = part
				}
				if attr.Get("media-type") == "application/x-dtbncx+xml" {
					book.ncx = part
				}
			case "itemref":
				if part := parts[attr.Get("idref")]; part != "" {
					book.spine = append(book.spine, part)
				}
			}
			return false
		},
		Text: func(s string) {
			switch at {
			case "title":
				book.title += s
			case "date":
				book.date += s
			}
		},
		Close: func(name string) {
			at = ""
		},
	})
	return book
}

// inside gives the part that a reference in a part leads to, without its mark.
func inside(part, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if plain, err := url.PathUnescape(href); err == nil {
		href = plain
	}
	if href == "" {
		return part
	}
	return path.Join(path.Dir(part), href)
}

// contents gives the names of chapters from the book's table of contents, old
// or new; the first name of a part counts.
func (book epubBook) contents(a *format.Archive, lim format.Limits) map[string]string {
	names := map[string]string{}
	note := func(part, name string) {
		if name = format.Clean(name, false); name != "" && names[part] == "" {
			names[part] = name
		}
	}
	if book.nav != "" {
		if page, err := format.ReadPart(a, book.nav); err == nil {
			navLinks(page, func(href, name string) { note(inside(book.nav, href), name) })
		}
	}
	if book.ncx == "" || len(names) > 0 {
		return names
	}
	label, in := "", false
	format.WalkPart(a, book.ncx, lim, format.XMLWalk{
		Open: func(name string, attr format.XMLAttrs) bool {
			switch name {
			case "navPoint":
				label = ""
			case "text":
				in = true
			case "content":
				note(inside(book.ncx, attr.Get("src")), label)
			}
			return false
		},
		Text: func(s string) {
			if in {
				label += s
			}
		},
		Close: func(name string) { in = in && name != "text" },
	})
	return names
}

// navLinks gives each link of a table of contents and its words.
func navLinks(page []byte, each func(href, name string)) {
	z := html.NewTokenizer(strings.NewReader(format.ToUTF8(page, "")))
	href, name := "", ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken:
			if t := z.Token(); t.Data == "a" {
				href, name = "", ""
				for _, at := range t.Attr {
					if at.Key == "href" {
						href = at.Val
					}
				}
			}
		case html.TextToken:
			name += string(z.Text())
		case html.EndTagToken:
			if tag, _ := z.TagName(); string(tag) == "a" && href != "" {
				each(href, name)
				href = ""
			}
		}
	}
}

// lockedParts gives the parts that are encrypted, but for fonts, which are only
// scrambled.
func lockedParts(a *format.Archive, lim format.Limits) map[string]bool {
	locked := map[string]bool{}
	format.WalkPart(a, "META-INF/encryption.xml", lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
		if name == "CipherReference" {
			locked[inside("x", attr.Get("URI"))] = true
		}
		return false
	}})
	return locked
}
