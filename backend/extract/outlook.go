package extract

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// Properties of a message of Outlook, by the numbers in the names of their
// streams.
const (
	propSubject   = 0x0037
	propSubmitted = 0x0039
	propHeaders   = 0x007D
	propSender    = 0x0C1A
	propSenderAt  = 0x0C1F
	propCc        = 0x0E03
	propTo        = 0x0E04
	propDelivered = 0x0E06
	propBody      = 0x1000
	propPage      = 0x1013 // the text as HTML
	propData      = 0x3701 // of an attachment
	propShortName = 0x3704
	propLongName  = 0x3707
	propPageCode  = 0x3FDE // code page of the HTML
	propCodePage  = 0x3FFD // of texts that are not Unicode
	propSMTP      = 0x5D01
)

// Folders and streams of a message.
const (
	fixedProps   = "__properties_version1.0"
	propPrefix   = "__substg1.0_"
	attachPrefix = "__attach_version1.0_"
)

// outlookMessage is one message inside a file: the whole of it, or one that was
// attached to another.
type outlookMessage struct {
	*container
	at    string // path of its folder, with a slash at its end; empty for the whole
	fixed map[int]uint64
}

// readOutlook reads a message that Outlook saved: subject, who and when, text,
// attachments, as those of readMail.
func readOutlook(ctx context.Context, b *builder, name string, data []byte, lim Limits) error {
	if !strings.HasPrefix(string(data[:min(len(data), len(oleMagic))]), string(oleMagic)) {
		return readMail(ctx, b, name, data, lim) // saved by another program under this name
	}
	c, err := openContainer(data, lim)
	if err != nil {
		return err
	}
	if !c.has(fixedProps) {
		return readOldOffice(ctx, b, name, data, lim)
	}
	return readMessage(ctx, b, c, lim)
}

func readMessage(ctx context.Context, b *builder, c *container, lim Limits) error {
	m := &mailReader{b: b, ctx: ctx, lim: lim, parts: lim.Parts}
	o := newOutlook(c, "")
	p := o.envelope()
	b.doc.Source.Title, b.doc.Source.Published = p.text("subject"), p.date()
	o.write(m, 0)
	return m.end()
}

func newOutlook(c *container, at string) *outlookMessage {
	o := &outlookMessage{container: c, at: at, fixed: map[int]uint64{}}
	props := c.streams[at+fixedProps]
	head := 32
	if at != "" {
		head = 24
	}
	for ; len(props) >= head+16; props = props[16:] {
		entry := props[head:]
		o.fixed[int(binary.LittleEndian.Uint16(entry[2:]))] = binary.LittleEndian.Uint64(entry[8:])
	}
	return o
}

// text is a property in words; empty when there is none.
func (o *outlookMessage) text(folder string, prop int) string {
	stream := o.at + folder + fmt.Sprintf("%s%04X", propPrefix, prop)
	if wide, ok := o.streams[stream+"001F"]; ok {
		return fromUTF16(wide)
	}
	return fromCodePage(o.streams[stream+"001E"], o.fixed[propCodePage])
}

func fromUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return strings.Trim(string(utf16.Decode(units)), "\x00")
}

// fromCodePage reads a text in a Windows code page; without one it is guessed.
func fromCodePage(raw []byte, n uint64) string {
	if n == 0 {
		return toUTF8(raw, "")
	}
	text, err := codePage(int(n)).NewDecoder().Bytes(raw)
	if err != nil {
		return toUTF8(raw, "")
	}
	return toUTF8(text, "utf-8")
}

// envelope is subject, senders and date as headers of mail.
func (o *outlookMessage) envelope() mimePart {
	p := parsePart([]byte(o.text("", propHeaders)))
	put := func(name, value string) {
		if value != "" {
			p.header[name] = value
		}
	}
	put("subject", o.text("", propSubject))
	put("to", o.text("", propTo))
	put("cc", o.text("", propCc))
	sender, address := o.text("", propSender), orElse(o.text("", propSMTP), o.text("", propSenderAt))
	if strings.Contains(address, "@") && address != sender {
		sender = strings.TrimSpace(sender + " <" + address + ">")
	}
	put("from", sender)
	for _, prop := range []int{propDelivered, propSubmitted} {
		if t := fileTime(o.fixed[prop]); !t.IsZero() {
			put("date", t.Format(time.RFC1123Z))
		}
	}
	p.params = map[string]string{"charset": "utf-8"}
	return p
}

// fileTime reads a count of 100 ns since 1601; zero when it is no likely date.
func fileTime(n uint64) time.Time {
	const toUnix, second = 11644473600, 10_000_000
	if n/second < toUnix || n/second > toUnix+1<<33 {
		return time.Time{}
	}
	return time.Unix(int64(n/second)-toUnix, 0).UTC()
}

// write gives a message to a reader of mail: headers, text, attachments.
func (o *outlookMessage) write(m *mailReader, depth int) {
	if m.parts--; m.parts < 0 || depth > maxMailDepth {
		m.b.partly("Only the first parts of the message were read: it has too many.")
		return
	}
	p := o.envelope()
	m.heading(depth+1, orElse(p.text("subject"), "(no subject)"))
	m.headers(p)
	if body := o.body(); len(body.body) > 0 {
		name := map[string]string{"text/html": "message.html", "text/plain": "message.txt"}[body.kind]
		m.document(body, body.kind, name, depth)
	}
	for _, folder := range o.folders {
		if inner, ok := strings.CutPrefix(folder, o.at); ok && strings.HasPrefix(inner, attachPrefix) && !strings.Contains(inner, "/") {
			o.attachment(m, inner+"/", depth)
		}
	}
}

// body is the better one of the texts that a message has.
func (o *outlookMessage) body() mimePart {
	part := func(kind, text string) mimePart {
		return mimePart{kind: kind, body: []byte(text), header: map[string]string{}, params: map[string]string{"charset": "utf-8"}}
	}
	page := o.text("", propPage)
	if raw, ok := o.streams[o.at+fmt.Sprintf("%s%04X0102", propPrefix, propPage)]; ok {
		page = fromCodePage(raw, o.fixed[propPageCode])
	}
	plain := o.text("", propBody)
	switch {
	case strings.TrimSpace(page) == "":
		return part("text/plain", plain)
	case strings.TrimSpace(plain) == "":
		return part("text/html", page)
	}
	return bestOf([]mimePart{part("text/plain", plain), part("text/html", page)})
}

// attachment writes a file or a message that came along.
func (o *outlookMessage) attachment(m *mailReader, folder string, depth int) {
	inner := fmt.Sprintf("%s%s%04X000D", folder, propPrefix, propData)
	if slices.Contains(o.folders, o.at+inner) {
		newOutlook(o.container, o.at+inner+"/").write(m, depth+1)
		return
	}
	data := o.streams[o.at+fmt.Sprintf("%s%s%04X0102", folder, propPrefix, propData)]
	name := clean(orElse(o.text(folder, propLongName), o.text(folder, propShortName)), false)
	if m.parts--; m.parts < 0 {
		m.b.partly("Only the first parts of the message were read: it has too many.")
		return
	}
	m.attachment(mimePart{kind: "application/octet-stream", body: data, header: map[string]string{"content-disposition": "attachment"}}, name, depth)
}
