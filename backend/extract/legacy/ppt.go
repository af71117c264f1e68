package legacy

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"footnote/backend/extract/format"
)

// Streams and records of the presentations of PowerPoint 97 to 2003.
const (
	pptStream  = "PowerPoint Document"
	pptCurrent = "Current User"

	pptSlideAtom   = 0x03EF
	pptSlidePlace  = 0x03F3
	pptTextRef     = 0x0F9E
	pptTextHead    = 0x0F9F
	pptTextWide    = 0x0FA0
	pptTextBytes   = 0x0FA8
	pptString      = 0x0FBA
	pptPlaceholder = 0x0BC3
	pptSlideTexts  = 0x0FF0
	pptEdit        = 0x0FF5
	pptTagData     = 0x138B
	pptPlaces      = 0x1772
	pptComment     = 0x2EE0
	pptCommentAtom = 0x2EE1

	pptLocked = 0xF3D1C4DF // instead of the usual mark of the current user
)

// pptDepth is how deep records may lie in each other.
const pptDepth = 64

var errPPT = errors.New("read records")

// pptRecord is a record; those of a container hold others.
type pptRecord struct {
	kind      uint16
	instance  uint16
	container bool
	body      []byte
}

// pptRecords are the records that lie side by side in data. The last may be cut.
func pptRecords(data []byte) iter.Seq[pptRecord] {
	return func(yield func(pptRecord) bool) {
		for len(data) >= 8 {
			r := pptAt(data, 0)
			if !yield(r) {
				return
			}
			data = data[8+len(r.body):]
		}
	}
}

// pptAt is the record at a place; the zero record where there is none.
func pptAt(data []byte, at uint32) pptRecord {
	if int64(at)+8 > int64(len(data)) {
		return pptRecord{}
	}
	head, body := data[at:], data[at+8:]
	mixed := binary.LittleEndian.Uint16(head)
	n := min(int64(len(body)), int64(binary.LittleEndian.Uint32(head[4:])))
	return pptRecord{kind: binary.LittleEndian.Uint16(head[2:]), instance: mixed >> 4, container: mixed&15 == 15, body: body[:n]}
}

// presentation is a PowerPoint presentation while it is read.
type presentation struct {
	data   []byte
	places map[uint32]uint32 // of documents, slides and notes in data, by their numbers
}

// readPowerPoint reads a presentation of PowerPoint 97 to 2003 as ReadPptx does
// its successor. Charts and diagrams are left out.
func readPowerPoint(ctx context.Context, b *format.Builder, c *format.Container, lim format.Limits) error {
	ctx, cancel := context.WithTimeout(ctx, lim.Time*2/3)
	defer cancel()
	p := &presentation{data: c.Streams[pptStream], places: map[uint32]uint32{}}
	document, err := p.locate(c.Streams[pptCurrent])
	if err != nil {
		return err
	}
	slides, notes := p.lists(document)
	if len(slides) > lim.Pages {
		b.Partly("Only the first slides were read: there are more than the limit.")
	}
	for i, listed := range slides {
		b.Doc.Coverage.Pages++
		if i >= lim.Pages || b.Full() {
			continue
		}
		if ctx.Err() != nil {
			if late := format.TooSlow(); !b.Cut(late) {
				return late
			}
			break
		}
		if err := p.addSlide(b, i+1, listed, notes); err != nil {
			b.Partly("A slide of the presentation is damaged and could not be read.")
		}
	}
	titled(b, c)
	b.TitleOrHeading()
	return nil
}

// locate follows the edits from the newest back and gives the document's record.
func (p *presentation) locate(current []byte) (document pptRecord, err error) {
	damaged := format.Fail(format.Malformed, "The presentation is damaged: its slides cannot be found.", errPPT)
	if len(current) < 20 {
		return document, damaged
	}
	locked := format.Fail(format.Encrypted, "The file is protected with a password; save it without one and add that.", nil)
	if binary.LittleEndian.Uint32(current[12:]) == pptLocked {
		return document, locked
	}
	number, seen := uint32(0), map[uint32]bool{}
	for at := binary.LittleEndian.Uint32(current[16:]); at != 0 && !seen[at]; {
		seen[at] = true
		edit := pptAt(p.data, at)
		if edit.kind != pptEdit || len(edit.body) < 28 {
			break
		}
		if len(edit.body) >= 32 && binary.LittleEndian.Uint32(edit.body[28:]) != 0 {
			return document, locked
		}
		if number == 0 {
			number = binary.LittleEndian.Uint32(edit.body[16:])
		}
		if places := pptAt(p.data, binary.LittleEndian.Uint32(edit.body[12:])); places.kind == pptPlaces {
			p.remember(places.body)
		}
		at = binary.LittleEndian.Uint32(edit.body[8:])
	}
	at, ok := p.places[number]
	document = pptAt(p.data, at)
	if !ok || !document.container {
		return document, damaged
	}
	return document, nil
}

// remember takes in where an edit put its records; newer edits come first.
func (p *presentation) remember(list []byte) {
	for len(list) >= 4 {
		run := binary.LittleEndian.Uint32(list)
		list = list[4:]
		for n := uint32(0); n < run>>20 && len(list) >= 4; n, list = n+1, list[4:] {
			id := run&0xFFFFF + n
			if _, newer := p.places[id]; !newer {
				p.places[id] = binary.LittleEndian.Uint32(list)
			}
		}
	}
}

// pptListed is a slide in the list of the document: where it lies and the texts of
// its placeholders.
type pptListed struct {
	number uint32
	texts  []pptText
}

// lists are the slides in the order of the show, and the notes by their ids.
func (p *presentation) lists(document pptRecord) (slides []pptListed, notes map[uint32]uint32) {
	notes = map[uint32]uint32{}
	for list := range pptRecords(document.body) {
		if list.kind != pptSlideTexts || list.instance != 0 && list.instance != 2 { // 1 lists the masters
			continue
		}
		for r := range pptRecords(list.body) {
			switch {
			case r.kind == pptSlidePlace && len(r.body) >= 16:
				number, id := binary.LittleEndian.Uint32(r.body), binary.LittleEndian.Uint32(r.body[12:])
				if list.instance == 2 {
					notes[id] = number
				} else {
					slides = append(slides, pptListed{number: number})
				}
			case len(slides) > 0 && list.instance == 0:
				last := &slides[len(slides)-1]
				last.texts = readPptText(last.texts, r)
			}
		}
	}
	return slides, notes
}
