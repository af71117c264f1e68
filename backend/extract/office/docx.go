package office

import (
	"context"
	"strconv"
	"strings"

	"footnote/backend/extract/format"
)

// ReadDocx reads a Word document: paragraphs, headings by style or outline
// level, list items, both with the numbers they are shown with, rows of tables,
// formulas on one line, then foot- and endnotes. Deleted text,
// comments, headers and footers are left out. A document that breaks off is
// read up to there.
func ReadDocx(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	a, err := format.OpenArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.Hurry(ctx)()
	main := officeMain(a, "word/document.xml", lim)
	d := &docx{b: b, levels: headingStyles(a, lim), counts: readNumbering(a, lim)}
	if err := d.part(a, main, lim); err != nil {
		if !b.Cut(err) {
			return err
		}
	}
	for _, notes := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if a.Has(notes) {
			if err := d.part(a, notes, lim); err != nil {
				b.Lacks("The notes of the document could not be read.")
			}
		}
	}
	coreProperties(a, b, "docProps/core.xml", lim)
	return nil
}

// officeMain finds the main part of an office package through its relations when
// it is not where all programs put it.
func officeMain(a *format.Archive, part string, lim format.Limits) string {
	if a.Has(part) || !a.Has("_rels/.rels") {
		return part
	}
	format.WalkPart(a, "_rels/.rels", lim, format.XMLWalk{
		Open: func(name string, attr format.XMLAttrs) bool {
			if strings.HasSuffix(attr.Get("Type"), "/officeDocument") {
				part = strings.TrimPrefix(attr.Get("Target"), "/")
			}
			return false
		},
	})
	return part
}

// headingStyles maps ids of paragraph styles to heading levels, through the
// styles they are based on.
func headingStyles(a *format.Archive, lim format.Limits) map[string]int {
	levels, based := map[string]int{}, map[string]string{}
	id := ""
	format.WalkPart(a, "word/styles.xml", lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
		switch name {
		case "style":
			id = attr.Get("styleId")
		case "name":
			if level := namedLevel(attr.Get("val")); level > 0 {
				levels[id] = level
			}
		case "basedOn":
			based[id] = attr.Get("val")
		case "outlineLvl":
			if n, err := strconv.Atoi(attr.Get("val")); err == nil && n < 6 && levels[id] == 0 {
				levels[id] = n + 1
			}
		}
		return false
	}})
	for id := range based {
		at := id
		for range 10 {
			if levels[at] > 0 {
				levels[id] = levels[at]
				break
			}
			at = based[at]
		}
	}
	return levels
}

// namedLevel is the heading level of a built-in style name; 0 for others.
func namedLevel(style string) int {
	style = strings.ToLower(strings.ReplaceAll(style, " ", ""))
	if style == "title" {
		return 1
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(style, "heading")); err == nil && strings.HasPrefix(style, "heading") && n >= 1 {
		return min(n, 6)
	}
	return 0
}

// coreProperties reads title and date from the part that describes an office
// document; without a title there the first heading is one.
func coreProperties(a *format.Archive, b *format.Builder, part string, lim format.Limits) {
	properties(a, b, part, lim)
	b.TitleOrHeading()
}

// properties reads title and date from the part that describes an office
// document.
func properties(a *format.Archive, b *format.Builder, part string, lim format.Limits) {
	var title, created, modified string
	at := ""
	format.WalkPart(a, part, lim, format.XMLWalk{
		Open: func(name string, _ format.XMLAttrs) bool { at = name; return false },
		Text: func(s string) {
			switch at {
			case "title":
				title += s
			case "created", "creation-date":
				created += s
			case "modified", "date":
				modified += s
			}
		},
		Close: func(string) { at = "" },
	})
	b.Title(title)
	if b.Doc.Source.Published = format.ParseDate(modified); b.Doc.Source.Published.IsZero() {
		b.Doc.Source.Published = format.ParseDate(created)
	}
}
