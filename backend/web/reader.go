package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/feed"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

// ExtractBytes reads a document that is no page, such as a PDF, in a place where
// it cannot hurt. The document's source has title, digest and date only.
type ExtractBytes func(ctx context.Context, mediaType, name string, data []byte) (evidence.Document, error)

// ReaderOptions make a Reader. Client is one of NewClient with the same Guard.
// Cache nil keeps nothing; Extract nil reads no PDF; Robots gives web.robots
// (nil means true), Timeout gives web.fetch_timeout_s (nil means 20 s). Specials
// read what pages of some sites are about. Browser gives the one that draws pages
// which only scripts make; nil, or nil from it, where the reader does not allow one.
type ReaderOptions struct {
	Client   *http.Client
	Guard    *Guard
	Cache    *Cache
	Extract  ExtractBytes
	Robots   func() bool
	Timeout  func() time.Duration
	Specials []Special
	Browser  func() Renderer
	Now      func() time.Time
	Log      *slog.Logger
}

// Reader reads pages. It implements answer.Reader and is safe for concurrent
// use.
type Reader struct {
	opt    ReaderOptions
	robots *robots
	parses chan struct{} // trees in memory at once
}

var _ gather.Reader = (*Reader)(nil)

const (
	fetchLimit   = 20 * time.Second
	parsesAtOnce = 2 // a large tree is a hundred megabytes
)

// NewReader makes a reader.
func NewReader(opt ReaderOptions) *Reader {
	if opt.Robots == nil {
		opt.Robots = func() bool { return true }
	}
	if opt.Timeout == nil {
		opt.Timeout = func() time.Duration { return fetchLimit }
	}
	return &Reader{opt: opt, robots: newRobots(opt.Client, opt.Now), parses: make(chan struct{}, parsesAtOnce)}
}

// Read gives the text of the page a lead names. A page that stopped arriving is
// used when enough of it came; its coverage says so.
func (r *Reader) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	u, err := parseAddress(lead.Source.Address)
	if err != nil {
		return evidence.Document{}, false, err
	}
	if err := r.opt.Guard.check(u); err != nil {
		return evidence.Document{}, false, err
	}
	u.Fragment, u.RawFragment = "", ""
	key := u.String()
	if doc, ok := r.kept(ctx, key); ok {
		return doc, true, nil
	}
	doc, err := r.load(ctx, u, lead)
	if err != nil {
		return evidence.Document{}, false, unread(err)
	}
	if r.opt.Cache != nil && doc.Coverage.Share() == 1 && !privacy.Traceless(ctx) {
		r.opt.Cache.Put(key, doc)
	}
	return doc, false, nil
}

// kept is the page as the cache has it. A private conversation leaves no mark on
// it either.
func (r *Reader) kept(ctx context.Context, key string) (evidence.Document, bool) {
	switch {
	case r.opt.Cache == nil || answer.Fresh(ctx):
		return evidence.Document{}, false
	case privacy.Traceless(ctx):
		return r.opt.Cache.Peek(key)
	}
	return r.opt.Cache.Get(key)
}

func (r *Reader) load(ctx context.Context, u *url.URL, lead evidence.Lead) (evidence.Document, error) {
	if s := r.special(u); s != nil {
		return r.readSpecial(ctx, s, u, lead)
	}
	return r.fetch(ctx, u, lead)
}

func (r *Reader) fetch(ctx context.Context, u *url.URL, lead evidence.Lead) (evidence.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, r.opt.Timeout())
	defer cancel()
	if r.opt.Robots() {
		ok, err := r.robots.allow(ctx, u)
		if err != nil {
			return evidence.Document{}, err
		}
		if !ok {
			return evidence.Document{}, refuse("robots", robotsReason, nil)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return evidence.Document{}, refuse("bad-address", "The address cannot be understood.", err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1")
	resp, err := r.opt.Client.Do(req)
	if err != nil {
		return evidence.Document{}, err
	}
	defer resp.Body.Close()
	if refused := refusedStatus(resp); refused != nil {
		return evidence.Document{}, refused
	}
	if refused := refusedType(resp); refused != nil {
		return evidence.Document{}, refused
	}
	body, cut := io.ReadAll(resp.Body)
	if cut != nil && (len(body) == 0 || errors.Is(cut, context.Canceled)) {
		return evidence.Document{}, cut
	}
	doc, err := r.document(ctx, resp, body, cut, lead)
	if errors.Is(err, errScripted) {
		return r.drawn(ctx, resp.Request.URL, lead)
	}
	return doc, err
}

// document makes the document of a body; cut is why the body is not whole. It
// waits no longer than its context: what is being read then is thrown away.
func (r *Reader) document(ctx context.Context, resp *http.Response, body []byte, cut error, lead evidence.Lead) (evidence.Document, error) {
	select {
	case r.parses <- struct{}{}:
	case <-ctx.Done():
		return evidence.Document{}, ctx.Err()
	}
	var doc evidence.Document
	read := make(chan error, 1)
	go func() {
		defer func() { <-r.parses }()
		var err error
		doc, err = r.extract(ctx, contentKind(resp.Header.Get("Content-Type"), body), resp, body, cut)
		read <- err
	}()
	select {
	case err := <-read:
		if err != nil {
			return evidence.Document{}, err
		}
	case <-ctx.Done():
		return evidence.Document{}, ctx.Err()
	}
	if cut != nil {
		if utf8.RuneCountInString(doc.Text) < enoughText {
			return evidence.Document{}, partial(cut)
		}
		partly(&doc, partial(cut).Reason)
	}
	r.finish(&doc, resp.Request.URL, lead)
	return doc, nil
}

// partly marks a page of which something was left out.
func partly(doc *evidence.Document, why string) {
	doc.Coverage.Truncated, doc.Coverage.Reason = true, why
	if !slices.Contains(doc.Flags, "partly-read") {
		doc.Flags = append(doc.Flags, "partly-read")
	}
}

// partial says why a page is not whole.
func partial(cut error) *gather.UnreadError {
	var why *gather.UnreadError
	if errors.Is(cut, ErrCut) {
		return refuse("too-large", "The page is larger than Footnote reads.", cut)
	}
	if errors.As(unread(cut), &why) {
		return why
	}
	return refuse("connection", "The page arrived only in part.", cut)
}

func (r *Reader) extract(ctx context.Context, kind string, resp *http.Response, body []byte, cut error) (evidence.Document, error) {
	switch kind {
	case typePDF:
		return r.extractPDF(ctx, resp, body, cut)
	case typeHTML, typeText:
	default:
		return evidence.Document{}, refuse("not-text", "The address leads to something that is not text.", nil)
	}
	text, ok := decodeText(body, resp.Header.Get("Content-Type"))
	if !ok {
		return evidence.Document{}, refuse("not-text", "The page holds no readable characters.", nil)
	}
	if page, cut, ok := feed.Page(text); ok {
		p := readWhole(page)
		p.cut = p.cut || cut
		return r.pageDocument(p, resp.Request.URL)
	}
	if kind == typeText {
		return plainDocument(text)
	}
	return r.pageDocument(readPage(text, resp.Request.URL), resp.Request.URL)
}

func (r *Reader) extractPDF(ctx context.Context, resp *http.Response, body []byte, cut error) (evidence.Document, error) {
	if cut != nil {
		return evidence.Document{}, partial(cut)
	}
	if r.opt.Extract == nil {
		return evidence.Document{}, refuse("not-text", "PDF pages are not read here.", nil)
	}
	doc, err := r.opt.Extract(ctx, typePDF, fileNameOf(resp.Request.URL), body)
	if err != nil {
		return doc, refuse("not-text", "The PDF could not be read.", err)
	}
	if strings.TrimSpace(doc.Text) == "" {
		return doc, refuse("empty", "The PDF has no readable text.", nil)
	}
	doc.Source.MediaType = typePDF
	if evidence.Instructs(doc.Text) {
		doc.Flags = append(doc.Flags, "instructions")
	}
	return doc, nil
}

func (r *Reader) pageDocument(p page, at *url.URL) (evidence.Document, error) {
	if refused := refusedPage(p.metadata, p.text); refused != nil {
		return evidence.Document{}, refused
	}
	doc := evidence.Document{
		Source: evidence.Source{Title: p.title, MediaType: typeHTML, Published: p.published},
		Text:   p.text, Blocks: p.blocks, Image: r.picture(at, p.image),
	}
	if p.cut {
		partly(&doc, fmt.Sprintf("The page has more than %d parts; the first of them were read.", bounded.Nodes))
	}
	if p.published.After(r.opt.Now().Add(48 * time.Hour)) {
		doc.Source.Published = time.Time{}
	}
	if p.orders {
		doc.Flags = append(doc.Flags, "instructions")
	}
	return doc, nil
}

// picture is the absolute address of a page's preview, when it may be fetched.
func (r *Reader) picture(base *url.URL, link string) string {
	address := resolveLink(base, link)
	if address == "" || r.opt.Guard.CheckURL(address) != nil {
		return ""
	}
	return address
}

func plainDocument(text string) (evidence.Document, error) {
	var b blockBuilder
	cut := false
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if cut = len(b.blocks) >= bounded.Nodes; cut {
			break
		}
		b.text(strings.ReplaceAll(part, "\n", lineBreak))
		b.flush()
	}
	doc := evidence.Document{Source: evidence.Source{MediaType: typeText}, Text: b.out.String(), Blocks: b.blocks}
	if cut {
		partly(&doc, fmt.Sprintf("The text has more than %d paragraphs; the first of them were read.", bounded.Nodes))
	}
	if doc.Text == "" {
		return doc, refuse("empty", "The page has no readable text.", nil)
	}
	if evidence.Instructs(doc.Text) {
		doc.Flags = append(doc.Flags, "instructions")
	}
	return doc, nil
}

// finish fills what all kinds of page have: address after redirects, title,
// digest, identity, time.
func (r *Reader) finish(doc *evidence.Document, at *url.URL, lead evidence.Lead) {
	s := &doc.Source
	s.Kind = cmp.Or(s.Kind, lead.Source.Kind, evidence.Web)
	s.Address = normalAddress(at)
	if s.Title = cleanLine(s.Title, titleRunes); s.Title == "" {
		s.Title = lead.Source.Title
	}
	if s.Title == "" {
		s.Title = evidence.Domain(s.Address)
	}
	s.Digest = evidence.PageDigest(s.Address, cmp.Or(s.Digest, doc.Text))
	s.Seen = r.opt.Now().UTC()
	s.ID = evidence.NewSourceID(s.Kind, s.Address, s.Digest)
}

const (
	typeHTML = "text/html"
	typeText = "text/plain"
	typePDF  = "application/pdf"
)

// readable are types of text that are not called so.
var readable = map[string]bool{
	"application/xhtml+xml": true, "application/xml": true, "application/json": true, "application/rss+xml": true, "application/atom+xml": true, "application/rdf+xml": true,
}

// refusedType refuses by the declared type before the body is read.
func refusedType(resp *http.Response) *gather.UnreadError {
	declared, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || declared == "" {
		return nil // judged by its bytes
	}
	switch {
	case strings.HasPrefix(declared, "text/"), readable[declared]:
		return nil
	case declared == typePDF:
		if resp.ContentLength > wireBytes {
			return refuse("too-large", "The PDF is larger than Footnote reads.", nil)
		}
		return nil
	}
	return refuse("not-text", "The address leads to a file of type "+cleanLine(declared, 80)+", not to a page.", nil)
}

// contentKind is what a body is: its first bytes win over what was declared.
func contentKind(declared string, body []byte) string {
	media, _, err := mime.ParseMediaType(declared)
	if err != nil {
		media = ""
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case sniffed == typePDF:
		return typePDF
	case media == typeHTML, media == "application/xhtml+xml":
		return typeHTML
	case sniffed == typeHTML, sniffed == "text/xml" && media != typeText:
		return typeHTML
	case media != "" && media != typePDF:
		return typeText
	case sniffed == typeText:
		return typeText
	}
	return ""
}

func fileNameOf(u *url.URL) string {
	name := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	if name == "" {
		return "page"
	}
	return name
}

// normalAddress is the address under which a page is known: without fragment
// and tracking parameters.
func normalAddress(u *url.URL) string { return rank.NormalizeURL(u.String()) }
