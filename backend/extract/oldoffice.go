package extract

import (
	"context"
	"encoding/binary"
	"time"
)

// readOldOffice reads a document of Word, Excel or PowerPoint up to 2003, or a
// message of Outlook: whatever the streams in the container say it is.
func readOldOffice(ctx context.Context, b *builder, _ string, data []byte, lim Limits) error {
	c, err := openContainer(data, lim)
	if err != nil {
		if why := oldContainer(data); why.Code == Encrypted {
			return why
		}
		return err
	}
	switch {
	case c.has("EncryptedPackage"):
		return oldContainer(data)
	case c.has("WordDocument"):
		return readWordDoc(b, c)
	case c.has("Workbook"), c.has("Book"):
		return readExcel(ctx, b, c, lim)
	case c.has(pptStream):
		return readPowerPoint(ctx, b, c, lim)
	case c.has(fixedProps):
		return readMessage(ctx, b, c, lim)
	}
	return oldContainer(data)
}

// Properties that describe a document, and their types.
const (
	summaryPage  = 1 // code page of the texts
	summaryTitle = 2
	summaryMade  = 12
	summarySaved = 13

	summaryText = 30
	summaryTime = 64
)

// titled reads title and date from the stream that describes an old document. What
// is damaged there is as good as missing.
func (b *builder) titled(c *container) {
	values := summary(c.streams["SummaryInformation"])
	page := uint64(0)
	if v := values[summaryPage]; len(v) >= 6 {
		page = uint64(binary.LittleEndian.Uint16(v[4:]))
	}
	if v := values[summaryTitle]; len(v) > 8 && binary.LittleEndian.Uint32(v) == summaryText {
		raw := v[8:min(len(v), 8+int(binary.LittleEndian.Uint32(v[4:])))]
		if page == 1200 {
			b.title(fromUTF16(raw))
		} else {
			b.title(fromCodePage(raw, page))
		}
	}
	for _, property := range []uint32{summaryMade, summarySaved} {
		if t := summaryMoment(values[property]); !t.IsZero() {
			b.doc.Source.Published = t
		}
	}
}

func summaryMoment(v []byte) time.Time {
	if len(v) < 12 || binary.LittleEndian.Uint32(v) != summaryTime {
		return time.Time{}
	}
	return fileTime(binary.LittleEndian.Uint64(v[4:]))
}

// summary gives the values of the first set of properties by number, each from its
// type to the end of the set.
func summary(stream []byte) map[uint32][]byte {
	if len(stream) < 48 {
		return nil
	}
	at := binary.LittleEndian.Uint32(stream[44:])
	if int64(at)+8 > int64(len(stream)) {
		return nil
	}
	set, values := stream[at:], map[uint32][]byte{}
	count := binary.LittleEndian.Uint32(set[4:])
	for list := set[8:]; count > 0 && len(list) >= 8; count, list = count-1, list[8:] {
		if from := binary.LittleEndian.Uint32(list[4:]); int64(from) < int64(len(set)) {
			values[binary.LittleEndian.Uint32(list)] = set[from:]
		}
	}
	return values
}
