package legacy

import (
	"encoding/binary"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// pptBytes writes a record: its instance counts from the fourth bit, 15 below
// marks a container.
func pptBytes(mixed, kind int, body ...string) string {
	content := strings.Join(body, "")
	out := le(mixed, kind)
	return out + string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)))) + content
}

// le32 writes numbers of 32 bits.
func le32(numbers ...int) string {
	var out []byte
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return string(out)
}

func pptWords(role int, text string) string {
	return pptBytes(0, pptTextHead, le32(role)) + pptBytes(0, pptTextWide, formattest.UTF16Of(text))
}

func pptBox(parts ...string) string { return pptBytes(15, shapeOne, parts...) }

func pptTextBox(text string) string { return pptBytes(15, shapeBox, text) }

// pptDeck lays out the records of a document behind each other, with a list of
// where they lie and an edit that names it: document, slides, notes. The edit
// before it had put the document elsewhere.
func pptDeck(locked int, parts ...string) []byte {
	stream, places := "", []int{len(parts)<<20 | 1}
	for _, part := range parts {
		places = append(places, len(stream))
		stream += part
	}
	older := len(stream)
	stream += pptBytes(0, pptPlaces, le32(1<<20|1, 0xFFFF))
	first := len(stream)
	stream += pptBytes(0, pptEdit, le32(0, 0, 0, older, 1, 0, 0))
	list := len(stream)
	stream += pptBytes(0, pptPlaces, le32(places...))
	edit := len(stream)
	stream += pptBytes(0, pptEdit, le32(0, 0, first, list, 1, 0, 0, locked))
	return formattest.ContainerOf(pptStream, stream, pptCurrent, pptBytes(0, 0x0FF6, le32(20, 0x5FC091E3, edit)),
		"\x05SummaryInformation", summaryOf("The deck", 130291900000000000))
}

// summaryOf is a set of properties with a title and a time.
func summaryOf(title string, saved int) string {
	set := le32(0, 3, summaryPage, 32, summaryTitle, 40, summarySaved, 48+len(title)) + le32(2, 1252, summaryText, len(title)) + title + le32(summaryTime, saved, saved>>32)
	return strings.Repeat("\x00", 24) + le32(1) + strings.Repeat("\x00", 16) + le32(48) + set
}

// fareDeck has two slides, the second first in the file: with texts of the list and
// of its own, a table, notes, a comment and what stands on every slide.
func fareDeck() []byte {
	listed := func(number, id int) string { return pptBytes(0, pptSlidePlace, le32(number, 0, 0, id, 0)) }
	cell := func(left, top int, text string) string {
		return pptBox(pptBytes(0, shapePlace, le32(left, top, 0, 0)), pptTextBox(pptWords(pptOther, text)))
	}
	table := pptBytes(15, shapeGroup, pptBox(pptBytes(1<<4, shapeProps3, le(propTable)+le32(1))),
		cell(9, 5, "14"), cell(0, 0, "Boat"), cell(9, 0, "Fare"), cell(0, 5, "Ferry\rto Rome"))
	comment := pptBytes(15, 0x1388, pptBytes(15, 0x138A, pptBytes(0, pptTagData, pptBytes(15, pptComment,
		pptBytes(0, pptString, formattest.UTF16Of("Anna")), pptBytes(1<<4, pptString, formattest.UTF16Of("Too dear")), pptBytes(0, pptCommentAtom, le32(1)+le(2004, 5, 0, 6, 0, 0))))))
	footer := pptBox(pptBytes(15, shapeData, pptBytes(0, pptPlaceholder, le32(1)+"\x09\x00\x00\x00")), pptTextBox(pptWords(pptOther, "On every slide")))
	document := pptBytes(15, 0x03E8,
		pptBytes(15, pptSlideTexts, listed(3, 256), pptWords(pptTitle, "Fares"), pptBytes(0, pptTextHead, le32(pptBody)), pptBytes(0, pptTextBytes, "A day\x0bor two\rGr\xf6\xdfe"), listed(2, 257), pptWords(pptBody, "Never drawn")),
		pptBytes(2<<4|15, pptSlideTexts, listed(4, 700)),
		pptBytes(1<<4|15, pptSlideTexts, listed(9, 1), pptWords(pptTitle, "Master")))
	atom := func(notes int) string { return pptBytes(2, pptSlideAtom, le32(0, 0, 0, 0, notes, 0)) }
	second := pptBytes(15, 0x03EE, atom(0), pptBytes(15, 0x040C, pptBytes(15, 0xF002, pptBytes(15, shapeGroup, pptBox(pptTextBox(pptWords(pptOther, "Drawn")))))))
	first := pptBytes(15, 0x03EE, atom(700), pptBytes(15, 0x040C, pptBytes(15, 0xF002, pptBytes(15, shapeGroup,
		pptBox(pptBytes(15, shapeBox, pptBytes(0, pptTextRef, le32(1)))), pptBox(pptBytes(15, shapeBox, pptBytes(0, pptTextRef, le32(0)))), table, footer))), comment)
	notes := pptBytes(15, 0x03F0, pptBox(pptTextBox(pptWords(pptNote, "Say it slowly."))), pptBox(pptTextBox(pptWords(pptOther, "Page 1"))))
	return pptDeck(0, document, second, first, notes)
}

func TestAnOldPresentationIsReadSlideBySlide(t *testing.T) {
	doc := extractString(t, "a.ppt", string(fareDeck()))
	formattest.WantOutline(t, doc, `
heading1@1 Fares
list0@1 A day or two
list0@1 Größe
row0@1 Boat  Fare
row0@1 Ferry to Rome  14
heading2@1 Speaker notes
paragraph0@1 Say it slowly.
heading2@1 Comments
paragraph0@1 Anna, 2004-05-06: Too dear
heading1@2 Never drawn
paragraph0@2 Drawn
`)
	if got := evidence.PlaceAt(doc, strings.Index(doc.Text, "Drawn")); got != "Slide 2" {
		t.Errorf("place %q", got)
	}
	if doc.Source.Title != "The deck" || doc.Source.Published.Year() != 2013 || doc.Coverage.Share() != 1 || doc.Coverage.Pages != 2 {
		t.Errorf("%+v %+v", doc.Source, doc.Coverage)
	}
}

func TestDamagedPresentationsSayWhatIsMissing(t *testing.T) {
	document := pptBytes(15, 0x03E8, pptBytes(15, pptSlideTexts, pptBytes(0, pptSlidePlace, le32(9, 0, 0, 256, 0)), pptBytes(0, pptSlidePlace, le32(2, 0, 0, 257, 0))))
	slide := pptBytes(15, 0x03EE, pptBox(pptTextBox(pptWords(pptOther, "kept"))))
	doc := extractString(t, "a.ppt", string(pptDeck(0, document, slide)))
	if doc.Text != "kept" || !doc.Coverage.Truncated || doc.Coverage.Pages != 2 || doc.Coverage.Read != 1 {
		t.Errorf("%q %+v", doc.Text, doc.Coverage)
	}
	lim := format.DefaultLimits()
	lim.Pages = 1
	deck := fareDeck()
	if doc, err := format.Read(t.Context(), Reader(nil), format.File{Name: "a.ppt", Data: deck}, lim, format.Host{}); err != nil || !doc.Coverage.Truncated || strings.Contains(doc.Text, "Drawn") {
		t.Errorf("more slides than the limit: %v %+v", err, doc.Coverage)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"locked":   {pptDeck(7, document), format.Encrypted},
		"nobody":   {formattest.ContainerOf(pptStream, "x"), format.Malformed},
		"no edit":  {formattest.ContainerOf(pptStream, "x", pptCurrent, pptBytes(0, 0x0FF6, le32(20, 0, 0))), format.Malformed},
		"no slide": {pptDeck(0, pptBytes(15, 0x03E8)), format.Empty},
	} {
		if got := extractCode("a.ppt", c.data, format.DefaultLimits()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzExtractPPT(f *testing.F) {
	for _, deck := range [][]byte{fareDeck(), pptDeck(0, pptBytes(15, 0x03E8))} {
		c, err := format.OpenContainer(deck, format.DefaultLimits())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(c.Streams[pptStream], c.Streams[pptCurrent], c.Streams["SummaryInformation"])
	}
	f.Fuzz(func(t *testing.T, records, current, summary []byte) {
		if len(records)+len(current)+len(summary) < largestStream {
			formattest.Fuzz(t, Reader(nil), formattest.ContainerOf(pptStream, string(records), pptCurrent, string(current), "SummaryInformation", string(summary)))
		}
	})
}
