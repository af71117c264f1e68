package mail

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"footnote/backend/extract/format"
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
	*format.Container
	at    string // path of its folder, with a slash at its end; empty for the whole
	fixed map[int]uint64
}

// ReadOutlook reads a message that Outlook saved: subject, who and when, text,
// attachments, as those of Read.
func ReadOutlook(ctx context.Context, b *format.Builder, c *format.Container, lim format.Limits) error {
	m := &mailReader{b: b, ctx: ctx, lim: lim, parts: lim.Parts}
	o := newOutlook(c, "")
	p := o.envelope()
	b.Doc.Source.Title, b.Doc.Source.Published = p.text("subject"), p.date()
	o.write(m, 0)
	return m.end()
}

func newOutlook(c *format.Container, at string) *outlookMessage {
	o := &outlookMessage{Container: c, at: at, fixed: map[int]uint64{}}
	props := c.Streams[at+fixedProps]
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
	if wide, ok := o.Streams[stream+"001F"]; ok {
		return format.FromUTF16(wide)
	}
	return format.FromCodePage(o.Streams[stream+"001E"], o.fixed[propCodePage])
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
	sender, address := o.text("", propSender), cmp.Or(o.text("", propSMTP), o.text("", propSenderAt))
	if strings.Contains(address, "@") && address != sender {
		sender = strings.TrimSpace(sender + " <" + address + ">")
	}
	put("from", sender)
	for _, prop := range []int{propDelivered, propSubmitted} {
		if t := format.FileTime(o.fixed[prop]); !t.IsZero() {
			put("date", t.Format(time.RFC1123Z))
		}
	}
	p.params = map[string]string{"charset": "utf-8"}
	return p
}

// write gives a message to a reader of mail: headers, text, attachments.
func (o *outlookMessage) write(m *mailReader, depth int) {
	if m.parts--; m.parts < 0 || depth > maxMailDepth {
		m.b.Partly("Only the first parts of the message were read: it has too many.")
		return
	}
	p := o.envelope()
	m.heading(depth+1, cmp.Or(p.text("subject"), "(no subject)"))
	m.headers(p)
	if body := o.body(); len(body.body) > 0 {
		name := map[string]string{"text/html": "message.html", "text/plain": "message.txt"}[body.kind]
		m.document(body, body.kind, name, depth)
	}
	for _, folder := range o.Folders {
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
	if raw, ok := o.Streams[o.at+fmt.Sprintf("%s%04X0102", propPrefix, propPage)]; ok {
		page = format.FromCodePage(raw, o.fixed[propPageCode])
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
	if slices.Contains(o.Folders, o.at+inner) {
		newOutlook(o.Container, o.at+inner+"/").write(m, depth+1)
		return
	}
	data := o.Streams[o.at+fmt.Sprintf("%s%s%04X0102", folder, propPrefix, propData)]
	name := format.Clean(cmp.Or(o.text(folder, propLongName), o.text(folder, propShortName)), false)
	if m.parts--; m.parts < 0 {
		m.b.Partly("Only the first parts of the message were read: it has too many.")
		return
	}
	m.attachment(mimePart{kind: "application/octet-stream", body: data, header: map[string]string{"content-disposition": "attachment"}}, name, depth)
}
