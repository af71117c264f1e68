package extract

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"footnote/backend/evidence"
)

// readDocx reads a Word document: paragraphs, headings by style or outline
// level, list items, both with the numbers they are shown with, rows of tables,
// formulas on one line, then foot- and endnotes. Deleted text,
// comments, headers and footers are left out. A document that breaks off is
// read up to there.
func readDocx(ctx context.Context, b *builder, _ string, data []byte, lim Limits) error {
	a, err := openArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.hurry(ctx)()
	main := officeMain(a, "word/document.xml", lim)
	d := &docx{b: b, levels: headingStyles(a, lim), counts: readNumbering(a, lim)}
	if err := d.part(a, main, lim); err != nil {
		if !b.cut(err) {
			return err
		}
	}
	for _, notes := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if a.has(notes) {
			if err := d.part(a, notes, lim); err != nil {
				b.partly("The notes of the document could not be read.")
			}
		}
	}
	coreProperties(a, b, "docProps/core.xml", lim)
	return nil
}

func breaksOff(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == Malformed && e.cause != nil
}

// officeMain finds the main part of an office package through its relations when
// it is not where all programs put it.
func officeMain(a *archive, part string, lim Limits) string {
	if a.has(part) || !a.has("_rels/.rels") {
		return part
	}
	walkPart(a, "_rels/.rels", lim, xmlWalk{
		open: func(name string, attr xmlAttrs) bool {
			if strings.HasSuffix(attr.get("Type"), "/officeDocument") {
				part = strings.TrimPrefix(attr.get("Target"), "/")
			}
			return false
		},
	})
	return part
}

// walkPart reads a side part of which nothing is required: what is damaged there
// is as good as missing.
func walkPart(a *archive, name string, lim Limits, w xmlWalk) {
	if w.text == nil {
		w.text = func(string) {}
	}
	if w.close == nil {
		w.close = func(string) {}
	}
	if rc, err := a.open(name); err == nil {
		defer rc.Close()
		_ = w.run(rc, lim.XMLDepth) // a side part's damage is no error of the document
	}
}

// headingStyles maps ids of paragraph styles to heading levels, through the
// styles they are based on.
func headingStyles(a *archive, lim Limits) map[string]int {
	levels, based := map[string]int{}, map[string]string{}
	id := ""
	walkPart(a, "word/styles.xml", lim, xmlWalk{open: func(name string, attr xmlAttrs) bool {
		switch name {
		case "style":
			id = attr.get("styleId")
		case "name":
			if level := namedLevel(attr.get("val")); level > 0 {
				levels[id] = level
			}
		case "basedOn":
			based[id] = attr.get("val")
		case "outlineLvl":
			if n, err := strconv.Atoi(attr.get("val")); err == nil && n < 6 && levels[id] == 0 {
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
func coreProperties(a *archive, b *builder, part string, lim Limits) {
	properties(a, b, part, lim)
	b.titleOrHeading()
}

// titleOrHeading makes the first heading the title of a document without one.
func (b *builder) titleOrHeading() {
	text := b.text.String()
	for _, block := range b.blocks {
		if b.doc.Source.Title != "" {
			return
		}
		if block.Kind == evidence.Heading {
			b.doc.Source.Title = text[block.Start:block.End]
		}
	}
}

// title sets the title. One that only programs give is none.
func (b *builder) title(title string) {
	if title = clean(title, false); !strings.EqualFold(title, "PowerPoint Presentation") {
		b.doc.Source.Title = title
	}
}

// properties reads title and date from the part that describes an office
// document.
func properties(a *archive, b *builder, part string, lim Limits) {
	var title, created, modified string
	at := ""
	walkPart(a, part, lim, xmlWalk{
		open: func(name string, _ xmlAttrs) bool { at = name; return false },
		text: func(s string) {
			switch at {
			case "title":
				title += s
			case "created", "creation-date":
				created += s
			case "modified", "date":
				modified += s
			}
		},
		close: func(string) { at = "" },
	})
	b.title(title)
	if b.doc.Source.Published = parseDate(modified); b.doc.Source.Published.IsZero() {
		b.doc.Source.Published = parseDate(created)
	}
}
