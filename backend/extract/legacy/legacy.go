package legacy

import (
	"context"
	"encoding/binary"
	"time"

	"footnote/backend/extract/format"
)

// Reader makes the reader of documents of Word, Excel or PowerPoint up to 2003:
// whatever the streams in the container say it is. A message of Outlook lies in
// such a container as well; messages reads it.
func Reader(messages func(ctx context.Context, b *format.Builder, c *format.Container, lim format.Limits) error) format.Reader {
	return func(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
		c, err := format.OpenContainer(data, lim)
		if err != nil {
			if why := format.RefuseContainer(data); why.Code == format.Encrypted {
				return why
			}
			return err
		}
		switch {
		case c.Has("EncryptedPackage"):
			return format.RefuseContainer(data)
		case c.Has("WordDocument"):
			return readWordDoc(b, c)
		case c.Has("Workbook"), c.Has("Book"):
			return readExcel(ctx, b, c, lim)
		case c.Has(pptStream):
			return readPowerPoint(ctx, b, c, lim)
		case c.Has("__properties_version1.0"):
			return messages(ctx, b, c, lim)
		}
		return format.RefuseContainer(data)
	}
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
func titled(b *format.Builder, c *format.Container) {
	values := summary(c.Streams["SummaryInformation"])
	page := uint64(0)
	if v := values[summaryPage]; len(v) >= 6 {
		page = uint64(binary.LittleEndian.Uint16(v[4:]))
	}
	if v := values[summaryTitle]; len(v) > 8 && binary.LittleEndian.Uint32(v) == summaryText {
		raw := v[8:min(len(v), 8+int(binary.LittleEndian.Uint32(v[4:])))]
		if page == 1200 {
			b.Title(format.FromUTF16(raw))
		} else {
			b.Title(format.FromCodePage(raw, page))
		}
	}
	for _, property := range []uint32{summaryMade, summarySaved} {
		if t := summaryMoment(values[property]); !t.IsZero() {
			b.Doc.Source.Published = t
		}
	}
}

func summaryMoment(v []byte) time.Time {
	if len(v) < 12 || binary.LittleEndian.Uint32(v) != summaryTime {
		return time.Time{}
	}
	return format.FileTime(binary.LittleEndian.Uint64(v[4:]))
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
