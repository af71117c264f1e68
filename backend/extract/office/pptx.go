package office

import (
	"context"
	"path"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ReadPptx reads a presentation slide by slide: its title as a heading, text,
// lists, rows of tables, what charts and diagrams say, then the speaker's notes
// and the comments with who made them when, each under a heading of its own. Hidden slides are read as
// well: their author sees them. Footers and slide numbers are left out.
func ReadPptx(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	a, err := format.OpenArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.Hurry(ctx)()
	main := officeMain(a, "ppt/presentation.xml", lim)
	slides, err := slideParts(a, main, lim)
	if err != nil {
		return err
	}
	authors := commentAuthors(a, lim)
	for i, part := range slides {
		b.Doc.Coverage.Pages++
		if i >= lim.Pages || b.Full() {
			continue
		}
		if err := addSlide(a, b, part, i+1, authors, lim); err != nil {
			if !format.BreaksOff(err) && !b.Cut(err) {
				return err
			}
			b.Partly("A slide of the presentation is damaged and could not be read.")
		}
	}
	if len(slides) > lim.Pages {
		b.Partly("Only the first slides were read: there are more than the limit.")
	}
	coreProperties(a, b, "docProps/core.xml", lim)
	return nil
}

// slideParts gives the slides in the order of the show.
func slideParts(a *format.Archive, main string, lim format.Limits) ([]string, error) {
	rels := relations(a, main, lim)
	var slides []string
	err := format.WalkWhole(a, main, lim, format.XMLWalk{
		Open: func(name string, attr format.XMLAttrs) bool {
			if name != "sldId" {
				return false
			}
			for _, at := range attr {
				if r, ok := rels[at.Value]; ok && at.Name.Local == "id" && at.Name.Space != "" && a.Has(r.part) {
					slides = append(slides, r.part)
				}
			}
			return false
		},
		Text: func(string) {}, Close: func(string) {},
	})
	if err != nil && (len(slides) == 0 || !format.BreaksOff(err)) {
		return nil, err
	}
	return slides, nil
}

// relation is what a part of a package points to inside it.
type relation struct{ kind, part string }

// relations gives the relations of a part by id. Those that lead out of the
// package are left out.
func relations(a *format.Archive, part string, lim format.Limits) map[string]relation {
	dir, file := path.Split(part)
	rels := map[string]relation{}
	format.WalkPart(a, dir+"_rels/"+file+".rels", lim, format.XMLWalk{Open: func(_ string, attr format.XMLAttrs) bool {
		target := attr.Get("Target")
		if target == "" || attr.Get("TargetMode") == "External" {
			return false
		}
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		rels[attr.Get("Id")] = relation{path.Base(attr.Get("Type")), strings.TrimPrefix(target, "/")}
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
func addSlide(a *format.Archive, b *format.Builder, part string, number int, authors map[string]string, lim format.Limits) error {
	rels := relations(a, part, lim)
	s := &Slide{}
	err := s.read(a, part, lim)
	for _, kind := range []string{"chart", "diagramData"} {
		for _, side := range ofKind(rels, kind) {
			if kind == "chart" {
				s.Blocks = append(s.Blocks, readChart(a, side, lim)...)
				continue
			}
			d := &Slide{bullets: true}
			if sideErr := d.read(a, side, lim); sideErr == nil {
				s.Blocks = append(s.Blocks, d.Blocks...)
			}
		}
	}
	notes := &Slide{Notes: true}
	for _, side := range ofKind(rels, "notesSlide") {
		if notesErr := notes.read(a, side, lim); notesErr != nil {
			b.Lacks("The notes of a slide could not be read.")
		}
	}
	comments := &Slide{authors: authors}
	for _, side := range ofKind(rels, "comments") {
		if commentsErr := comments.read(a, side, lim); commentsErr != nil {
			b.Lacks("The comments on a slide could not be read.")
		}
	}
	WriteSlide(b, number, s, notes.Blocks, comments.Blocks)
	return err
}

// SlideBlock is a block of a slide before it is written.
type SlideBlock struct {
	kind  evidence.BlockKind
	level int // of a row, its columns
	text  string
}

// Remark is a paragraph that someone wrote about a slide.
func Remark(text string) SlideBlock { return SlideBlock{kind: evidence.Paragraph, text: text} }

// WriteSlide writes the title first, wherever it stands. A slide without one is
// headed by its first short text, or by its number.
func WriteSlide(b *format.Builder, number int, s *Slide, notes, comments []SlideBlock) {
	if len(s.Blocks)+len(notes)+len(comments)+len(s.Title) == 0 {
		if s.Pictures {
			b.Doc.Coverage.Empty++
		} else {
			b.Doc.Coverage.Read++
		}
		return
	}
	b.Doc.Coverage.Read++
	title := format.Clean(strings.Join(s.Title, " "), false)
	rest := s.Blocks
	switch {
	case title != "":
	case len(rest) > 0 && len(rest[0].text) <= 100 && rest[0].kind != evidence.TableRow:
		title, rest = rest[0].text, rest[1:]
	default:
		title = slideName(number)
	}
	put := func(kind evidence.BlockKind, level int, text string) {
		b.Add(evidence.Block{Kind: kind, Level: level, Page: number, Unit: evidence.Slides}, text)
	}
	put(evidence.Heading, 1, title)
	for _, block := range rest {
		put(block.kind, block.level, block.text)
	}
	aside := func(name string, blocks []SlideBlock) {
		if len(blocks) > 0 {
			put(evidence.Heading, 2, name)
		}
		for _, block := range blocks {
			put(block.kind, block.level, block.text)
		}
	}
	aside("Speaker notes", notes)
	aside("Comments", comments)
}
