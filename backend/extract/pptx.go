package extract

import (
	"context"
	"path"
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// readPptx reads a presentation slide by slide: its title as a heading, text,
// lists, rows of tables, what charts and diagrams say, then the speaker's notes
// and the comments with who made them when, each under a heading of its own. Hidden slides are read as
// well: their author sees them. Footers and slide numbers are left out.
func readPptx(ctx context.Context, b *builder, _ string, data []byte, lim Limits) error {
	a, err := openArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.hurry(ctx)()
	main := officeMain(a, "ppt/presentation.xml", lim)
	slides, err := slideParts(a, main, lim)
	if err != nil {
		return err
	}
	authors := commentAuthors(a, lim)
	for i, part := range slides {
		b.doc.Coverage.Pages++
		if i >= lim.Pages || b.full() {
			continue
		}
		if err := addSlide(a, b, part, i+1, authors, lim); err != nil {
			if !breaksOff(err) && !b.cut(err) {
				return err
			}
			b.partly("A slide of the presentation is damaged and could not be read.")
		}
	}
	if len(slides) > lim.Pages {
		b.partly("Only the first slides were read: there are more than the limit.")
	}
	coreProperties(a, b, "docProps/core.xml", lim)
	return nil
}

// slideParts gives the slides in the order of the show.
func slideParts(a *archive, main string, lim Limits) ([]string, error) {
	rels := relations(a, main, lim)
	var slides []string
	rc, err := a.open(main)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	err = xmlWalk{
		open: func(name string, attr xmlAttrs) bool {
			if name != "sldId" {
				return false
			}
			for _, at := range attr {
				if r, ok := rels[at.Value]; ok && at.Name.Local == "id" && at.Name.Space != "" && a.has(r.part) {
					slides = append(slides, r.part)
				}
			}
			return false
		},
		text: func(string) {}, close: func(string) {},
	}.run(rc, lim.XMLDepth)
	if err != nil && (len(slides) == 0 || !breaksOff(err)) {
		return nil, err
	}
	return slides, nil
}

// relation is what a part of a package points to inside it.
type relation struct{ kind, part string }

// relations gives the relations of a part by id. Those that lead out of the
// package are left out.
func relations(a *archive, part string, lim Limits) map[string]relation {
	dir, file := path.Split(part)
	rels := map[string]relation{}
	walkPart(a, dir+"_rels/"+file+".rels", lim, xmlWalk{open: func(_ string, attr xmlAttrs) bool {
		target := attr.get("Target")
		if target == "" || attr.get("TargetMode") == "External" {
			return false
		}
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		rels[attr.get("Id")] = relation{path.Base(attr.get("Type")), strings.TrimPrefix(target, "/")}
		return false
	}})
	return rels
}

// ofKind gives the parts of a kind of relation, in a fixed order.
func ofKind(rels map[string]relation, kind string) []string {
	var parts []string
	for _, r := range rels {
		if r.kind == kind {
			parts = append(parts, r.part)
		}
	}
	slices.Sort(parts)
	return parts
}

// addSlide writes a slide, then what its notes say.
func addSlide(a *archive, b *builder, part string, number int, authors map[string]string, lim Limits) error {
	rels := relations(a, part, lim)
	s := &slide{}
	err := s.read(a, part, lim)
	for _, kind := range []string{"chart", "diagramData"} {
		for _, side := range ofKind(rels, kind) {
			if kind == "chart" {
				s.blocks = append(s.blocks, readChart(a, side, lim)...)
				continue
			}
			d := &slide{bullets: true}
			if sideErr := d.read(a, side, lim); sideErr == nil {
				s.blocks = append(s.blocks, d.blocks...)
			}
		}
	}
	notes := &slide{notes: true}
	for _, side := range ofKind(rels, "notesSlide") {
		if notesErr := notes.read(a, side, lim); notesErr != nil {
			b.partly("The notes of a slide could not be read.")
		}
	}
	comments := &slide{authors: authors}
	for _, side := range ofKind(rels, "comments") {
		if commentsErr := comments.read(a, side, lim); commentsErr != nil {
			b.partly("The comments on a slide could not be read.")
		}
	}
	writeSlide(b, number, s, notes.blocks, comments.blocks)
	return err
}

// slideBlock is a block of a slide before it is written.
type slideBlock struct {
	kind evidence.BlockKind
	text string
}

// writeSlide writes the title first, wherever it stands. A slide without one is
// headed by its first short text, or by its number.
func writeSlide(b *builder, number int, s *slide, notes, comments []slideBlock) {
	if len(s.blocks)+len(notes)+len(comments)+len(s.title) == 0 {
		if s.pictures {
			b.doc.Coverage.Empty++
		} else {
			b.doc.Coverage.Read++
		}
		return
	}
	b.doc.Coverage.Read++
	title := clean(strings.Join(s.title, " "), false)
	rest := s.blocks
	switch {
	case title != "":
	case len(rest) > 0 && len(rest[0].text) <= 100 && rest[0].kind != evidence.TableRow:
		title, rest = rest[0].text, rest[1:]
	default:
		title = slideName(number)
	}
	put := func(kind evidence.BlockKind, level int, text string) {
		b.add(evidence.Block{Kind: kind, Level: level, Page: number, Unit: evidence.Slides}, text)
	}
	put(evidence.Heading, 1, title)
	for _, block := range rest {
		put(block.kind, 0, block.text)
	}
	aside := func(name string, blocks []slideBlock) {
		if len(blocks) > 0 {
			put(evidence.Heading, 2, name)
		}
		for _, block := range blocks {
			put(block.kind, 0, block.text)
		}
	}
	aside("Speaker notes", notes)
	aside("Comments", comments)
}
