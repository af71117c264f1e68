package mail

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"footnote/backend/extract/format"
)

// ReadMailbox reads a file of many messages, one after the other: each is a
// heading with its date. The document's date is that of the newest.
func ReadMailbox(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	m := &mailReader{b: b, ctx: ctx, lim: lim}
	box, count := mailbox{rest: data}, 0
	var newest time.Time
	for {
		raw, more := box.next()
		if !more {
			break
		}
		if count > 0 && (b.Full() || format.RunningOut(ctx, lim)) {
			b.Partly(fmt.Sprintf("Only the first %d messages were read; about %d %% of the mailbox.", count, 100*(len(data)-len(box.rest)-len(raw))/max(1, len(data))))
			break
		}
		p := parsePart(raw)
		if len(p.header) == 0 {
			continue
		}
		count++
		if t := p.date(); t.After(newest) && t.Year() < 2200 {
			newest = t
		}
		m.parts = lim.Parts
		m.listed(p)
	}
	if count == 0 {
		return format.Fail(format.Malformed, "This is no mailbox: it holds no messages.", nil)
	}
	b.Doc.Source.Published = newest
	return m.end()
}

// listed writes a message among others: its day stands in the heading.
func (m *mailReader) listed(p mimePart) {
	title := cmp.Or(p.text("subject"), "(no subject)")
	if t := p.date(); !t.IsZero() {
		title += t.Format(" (2 January 2006)")
	}
	m.heading(1, title)
	m.headers(p)
	m.part(p, 0)
}

// mailbox walks over the messages of a file in mbox form.
type mailbox struct{ rest []byte }

var fromLine = []byte("From ")

// next gives the next message, without its "From " line. Lines of a text that
// begin so are quoted by most writers; one that is not counts only after a
// blank line and before a header.
func (x *mailbox) next() (message []byte, more bool) {
	if !bytes.HasPrefix(x.rest, fromLine) {
		x.rest = bytes.TrimLeft(x.rest, "\ufeff\r\n")
	}
	if !bytes.HasPrefix(x.rest, fromLine) {
		return nil, false
	}
	_, body, _ := cutLine(x.rest)
	for from := 0; ; {
		at := bytes.Index(body[from:], []byte("\nFrom "))
		if at < 0 {
			x.rest = nil
			return body, true
		}
		at += from + 1
		if beginsMessage(body[at:]) {
			x.rest = body[at:]
			return body[:at], true
		}
		from = at
	}
}

// beginsMessage reports whether a "From " line is followed by a header.
func beginsMessage(data []byte) bool {
	_, rest, more := cutLine(data)
	if !more {
		return false
	}
	line, _, _ := cutLine(rest)
	return isHeaderName(line, bytes.IndexByte(line, ':'))
}

// LooksLikeMailbox recognises a mailbox without a telling name.
func LooksLikeMailbox(head []byte) bool {
	return bytes.HasPrefix(head, fromLine) && beginsMessage(head)
}
