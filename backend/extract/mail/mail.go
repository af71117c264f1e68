package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"footnote/backend/charset"
	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/markup"
)

const (
	Type        = "message/rfc822"
	MailboxType = "application/mbox"
)

const (
	maxMailDepth = 8   // messages and multiparts inside each other
	maxDamage    = 500 // bytes before the first header that are passed over
)

// mailReader writes the parts of messages. Attachments are read by Extract, with
// the same limits, and counted over the whole file.
type mailReader struct {
	b     *format.Builder
	ctx   context.Context
	lim   format.Limits
	parts int  // parts left
	wrote bool // something other than headers was written
	fault *format.Error
}

// Read reads one message: subject, headers, text, attachments. Date and
// subject are the document's own.
func Read(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	if charset.IsWide(data) {
		data = []byte(format.ToUTF8(data, ""))
	}
	data = bytes.TrimLeft(data, "\ufeff\r\n \t")
	if bytes.HasPrefix(data, fromLine) { // cut out of a mailbox
		_, data, _ = cutLine(data)
	}
	p := parsePart(data)
	for damaged := data; len(p.header) == 0 && len(data)-len(damaged) < maxDamage && len(damaged) > 0; p = parsePart(damaged) {
		_, damaged, _ = cutLine(damaged)
	}
	if len(p.header) == 0 && len(data) == 0 {
		return nil
	}
	if len(p.header) == 0 {
		return format.Fail(format.Malformed, "This is no message: it has no headers.", nil)
	}
	b.Doc.Source.Title, b.Doc.Source.Published = p.text("subject"), p.date()
	m := &mailReader{b: b, ctx: ctx, lim: lim, parts: lim.Parts}
	m.message(p, 0)
	return m.end()
}

// end says why a file of mail gave nothing but headers.
func (m *mailReader) end() error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.fault != nil && !m.wrote {
		return m.fault
	}
	return nil
}

// ReadWebArchive reads a page that was saved with its pictures: the page only.
func ReadWebArchive(ctx context.Context, b *format.Builder, name string, data []byte, lim format.Limits) error {
	p := parsePart(bytes.TrimLeft(data, "\ufeff\r\n"))
	b.Doc.Source.Title, b.Doc.Source.Published = p.text("subject"), p.date()
	title, published := b.Doc.Source.Title, b.Doc.Source.Published
	root := savedPage(p, lim.Parts)
	if root == nil {
		return format.Fail(format.Malformed, "The saved page is damaged: no page can be found in it.", nil)
	}
	if err := markup.ReadHTML(ctx, b, name, withCharset(*root), lim); err != nil {
		return err
	}
	if b.Doc.Source.Title == "" {
		b.Doc.Source.Title = title
	}
	if b.Doc.Source.Published.IsZero() {
		b.Doc.Source.Published = published
	}
	return nil
}

// savedPage is the first page among the parts, which the others belong to.
func savedPage(p mimePart, limit int) *mimePart {
	if p.kind == "text/html" || p.kind == "application/xhtml+xml" {
		return &p
	}
	parts, _ := p.parts(limit)
	for _, part := range parts {
		if strings.HasPrefix(part.kind, "multipart/") && part.params["boundary"] != p.params["boundary"] {
			if root := savedPage(part, limit); root != nil {
				return root
			}
		}
		if part.kind == "text/html" || part.kind == "application/xhtml+xml" {
			return &part
		}
	}
	return nil
}

// message writes a message: its subject as a heading, who, when, and its parts.
func (m *mailReader) message(p mimePart, depth int) {
	m.heading(depth+1, cmp.Or(p.text("subject"), "(no subject)"))
	m.headers(p)
	m.part(p, depth)
}

func (m *mailReader) headers(p mimePart) {
	for i, h := range [][2]string{{"From", p.text("from")}, {"To", p.text("to")}, {"Cc", p.text("cc")}, {"Date", dateText(p)}} {
		if h[1] == "" {
			continue
		}
		line := h[0] + ": " + shorten(h[1], 1000)
		if i == 0 {
			m.b.Add(evidence.Block{Kind: evidence.Paragraph}, line)
		} else {
			m.b.AddLine(evidence.Block{Kind: evidence.Paragraph}, line)
		}
	}
}

// dateText is the date in one form, or what the message has in its place.
func dateText(p mimePart) string {
	if t := p.date(); !t.IsZero() {
		return t.Format("2 January 2006 15:04 -0700")
	}
	return p.text("date")
}

func (m *mailReader) heading(level int, text string) {
	m.b.Add(evidence.Block{Kind: evidence.Heading, Level: min(level, 6)}, text)
}

// part writes one part and what is in it.
func (m *mailReader) part(p mimePart, depth int) {
	if m.parts--; m.parts < 0 || depth > maxMailDepth {
		m.b.Partly("Only the first parts of the message were read: it has too many.")
		return
	}
	if m.ctx.Err() != nil || m.b.Full() {
		return
	}
	named := p.fileName()
	switch {
	case p.kind == "multipart/encrypted", p.kind == "application/pkcs7-mime" || p.kind == "application/x-pkcs7-mime":
		m.encrypted(p)
	case strings.HasPrefix(p.kind, "multipart/"):
		m.multipart(p, depth)
	case p.kind == Type || p.kind == "message/global":
		m.message(parsePart(p.decoded()), depth+1)
	case p.attached() && named != "":
		m.attachment(p, named, depth)
	case p.kind == "text/html":
		m.document(p, "text/html", "message.html", depth)
	case strings.HasPrefix(p.kind, "text/") && named == "", p.kind == "message/delivery-status":
		m.document(p, "text/plain", "message.txt", depth)
	default:
		m.attachment(p, named, depth)
	}
}

func (m *mailReader) encrypted(p mimePart) {
	if strings.Contains(p.header["content-type"], "signed-data") {
		m.unread(cmp.Or(p.fileName(), "message"), "the message lies inside a signature")
		return
	}
	m.fault = format.Fail(format.Encrypted, "The message is encrypted. Save it without encryption in your mail program to have it read.", nil)
	m.unread(cmp.Or(p.fileName(), "message"), "it is encrypted")
}

func (m *mailReader) multipart(p mimePart, depth int) {
	parts, cut := p.parts(max(0, m.parts))
	if cut {
		m.b.Partly("Only the first parts of the message were read: it has too many.")
	}
	switch {
	case len(parts) == 0: // no boundary, or none of its parts begins
		p.kind = "text/plain"
		m.document(p, p.kind, "message.txt", depth)
	case p.kind == "multipart/alternative":
		m.part(bestOf(parts), depth+1)
	default:
		for _, part := range parts {
			if part.kind == "application/pgp-signature" || strings.HasSuffix(part.kind, "pkcs7-signature") {
				continue
			}
			m.part(part, depth+1)
		}
	}
}

// bestOf picks the alternative to read: plain text, unless it holds much less
// than the page beside it.
func bestOf(parts []mimePart) mimePart {
	var plain, rich *mimePart
	for i := range parts {
		switch p := &parts[i]; {
		case p.kind == "text/plain" && plain == nil:
			plain = p
		case p.kind == "text/html" || strings.HasPrefix(p.kind, "multipart/"):
			rich = p
		}
	}
	switch {
	case plain == nil && rich == nil:
		return parts[len(parts)-1]
	case plain == nil:
		return *rich
	case rich == nil:
		return *plain
	case strings.HasPrefix(rich.kind, "multipart/") && len(strings.TrimSpace(string(plain.body))) > 0:
		return *plain
	}
	words := 0
	for _, line := range markup.HTMLLines(withCharset(*rich)) {
		words += len(strings.Fields(line))
	}
	if 2*len(bytes.Fields(plain.decoded())) < words {
		return *rich
	}
	return *plain
}

// withCharset is the text of a part in UTF-8, by the charset that it declares.
func withCharset(p mimePart) []byte {
	body := p.decoded()
	if p.params["charset"] == "" { // the text may say so itself
		return body
	}
	return []byte(format.ToUTF8(body, p.params["charset"]))
}

// document writes the text of a part in place.
func (m *mailReader) document(p mimePart, mediaType, name string, depth int) {
	data := withCharset(p)
	if mediaType == "text/plain" {
		data = []byte(plainText(string(data), p.params))
	}
	doc, err := m.extract(mediaType, name, data)
	if isEmpty(err) {
		return
	}
	if err != nil {
		m.unread("message text", reasonOf(err))
		return
	}
	m.wrote = true
	m.b.Embed(doc, depth+1)
}

// attachment writes a file that came with a message, or why it is not read.
func (m *mailReader) attachment(p mimePart, name string, depth int) {
	data := p.decoded()
	if name == "" {
		name = "unnamed" + extensionOf(p.kind)
	}
	mediaType := m.b.Files.MediaType(name, data)
	if p.kind == "application/octet-stream" && mediaType == "text/plain" && !utf8.Valid(data) {
		mediaType = "" // few bytes look like text by chance
	}
	if mediaType == "" || strings.HasPrefix(mediaType, "image/") {
		if p.attached() || p.fileName() != "" {
			m.unread(name, m.b.Files.Unsupported(name, data))
		}
		return
	}
	if mediaType == Type {
		m.message(parsePart(data), depth+1)
		return
	}
	var doc evidence.Document
	err := error(format.Fail(format.Unsupported, "it is a mailbox of its own", nil)) // which may hold another, without end
	if mediaType != MailboxType {
		doc, err = m.extract(mediaType, name, data)
	}
	if err != nil {
		m.unread(name, reasonOf(err))
		if !isEmpty(err) {
			m.b.Lacks(fmt.Sprintf("The attachment %s was not read.", shorten(name, 80)))
		}
		return
	}
	m.wrote = true
	m.heading(depth+2, "Attachment: "+name)
	m.b.Embed(doc, depth+2)
}

// extract reads a part as a file of its own. The limit of the output is what is
// left of the whole file's.
func (m *mailReader) extract(mediaType, name string, data []byte) (evidence.Document, error) {
	lim := m.lim
	lim.Output = m.b.Room()
	lim.Parts = max(1, m.parts)
	lim.OCR = 0 // the time of a message is for its text
	return m.b.Files.Extract(m.ctx, mediaType, name, data, lim)
}

func (m *mailReader) unread(name, reason string) {
	m.b.Add(evidence.Block{Kind: evidence.Paragraph}, fmt.Sprintf("Not read: %s (%s)", shorten(name, 200), strings.TrimSuffix(reason, ".")))
}

func isEmpty(err error) bool {
	var why *format.Error
	return errors.As(err, &why) && why.Code == format.Empty
}

func reasonOf(err error) string {
	var why *format.Error
	if errors.As(err, &why) {
		return why.Reason
	}
	return "it took too long"
}

// extensionOf makes a name for a part without one, so that its kind is known.
func extensionOf(kind string) string {
	switch kind {
	case "application/pdf":
		return ".pdf"
	case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
		return ".docx"
	case "text/csv":
		return ".csv"
	case "text/calendar":
		return ".ics"
	}
	return path.Ext(strings.ReplaceAll(kind, "/", "."))
}

// shorten cuts a text that people read at n characters.
func shorten(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return strings.TrimSpace(string(runes[:n])) + "…"
	}
	return s
}
