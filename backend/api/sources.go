package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/disk"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/records"
)

// SourceView is a source as it was read.
type SourceView struct {
	ID        evidence.SourceID `json:"id"`
	Kind      evidence.Kind     `json:"kind"`
	Title     string            `json:"title"`
	URL       string            `json:"url,omitempty"`
	Domain    string            `json:"domain,omitempty"`
	Path      string            `json:"path,omitempty"`
	Published *string           `json:"published"`
	Digest    string            `json:"digest"`
	MediaType string            `json:"media_type"`
	ReadAt    time.Time         `json:"read_at"`
	Flags     []string          `json:"flags"`
	Pages     int               `json:"pages"`
	Coverage  float64           `json:"coverage"`
}

// Sources are what was read, as it was read.
type Sources struct{ *Rooms }

// Get gives a source by id.
func (s Sources) Get(ctx context.Context, in ID) (SourceView, error) {
	src, err := s.DB.Source(ctx, evidence.SourceID(in.ID))
	if err != nil {
		return SourceView{}, err
	}
	view := SourceView{
		ID: src.ID, Kind: src.Kind, Title: src.Title, Digest: src.Digest, MediaType: src.MediaType, ReadAt: src.Seen,
		Flags: append([]string{}, src.Flags...), Pages: src.Coverage.Pages, Coverage: src.Coverage.Share(),
	}
	if src.Kind == evidence.File {
		view.Path = src.Address
	} else if u, err := url.Parse(src.Address); err == nil {
		view.URL, view.Domain = src.Address, strings.TrimPrefix(u.Hostname(), "www.")
	}
	if !src.Published.IsZero() {
		day := src.Published.Format(time.DateOnly)
		view.Published = &day
	}
	return view, nil
}

// TextAt chooses a stretch of a source: a passage, a citation ("run:index"), or
// code points.
type TextAt struct {
	ID       string `path:"id"`
	Start    int    `query:"start" says:"Code point"`
	End      int    `query:"end" says:"Code point"`
	Passage  string `query:"passage" says:"Around this passage"`
	Citation string `query:"citation" says:"Around this citation, as run:index"`
}

// TextView is a stretch of a source's text as it was read. Offsets are code
// points of the whole text.
type TextView struct {
	Text      string           `json:"text"`
	Start     int              `json:"start"`
	End       int              `json:"end"`
	Total     int              `json:"total"`
	Highlight []contract.Range `json:"highlight"`
	Page      int              `json:"page"`
	Line      int              `json:"line"`
	Heading   string           `json:"heading"`
	Digest    string           `json:"digest"`
	Stale     bool             `json:"stale"`
	Blocks    []TextBlock      `json:"blocks"` // of the stretch, in order: how its file has it
}

const (
	textAround = 3000  // code points shown before and after a passage
	textMost   = 60000 // code points in one response
)

// Image gives the kept preview of a web source.
func (s Sources) Image(_ context.Context, in ID) (Picture, error) {
	if s.Pictures == nil {
		return nil, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead.")
	}
	return s.Pictures.Open(evidence.SourceID(in.ID))
}

// Text gives the text around a place, with what is to be highlighted.
func (s Sources) Text(ctx context.Context, at TextAt) (TextView, error) {
	src, err := s.DB.Source(ctx, evidence.SourceID(at.ID))
	if err != nil {
		return TextView{}, err
	}
	text, blocks, err := s.DB.SourceText(ctx, evidence.SourceID(at.ID))
	if err != nil {
		return TextView{}, err
	}
	total := utf8.RuneCountInString(text)
	view := TextView{Total: total, Highlight: []contract.Range{}, Digest: src.Digest, Stale: !src.Brought && stale(src.Source)}
	start, end := at.Start, at.End
	passage, quote, err := s.cited(ctx, at, src.Digest)
	if err != nil {
		return TextView{}, err
	}
	if passage != nil {
		view.Page, view.Line, view.Heading = passage.At.Page, passage.At.Line, passage.At.Heading
		view.Highlight = quote
		if end == 0 {
			start, end = passage.At.Start-textAround, passage.At.End+textAround
		}
	}
	if end <= 0 || end > total {
		end = total
	}
	start = min(max(0, start), end)
	end = min(end, start+textMost)
	view.Start, view.End = start, end
	from, to := byteOf(text, start), byteOf(text, end)
	view.Text, view.Blocks = text[from:to], blocksWithin(text, blocks, from, to)
	return view, nil
}

// cited resolves a passage or a citation to its passage and the ranges to be
// highlighted, in code points of the whole text. Both must be of the text with
// this digest.
func (s Sources) cited(ctx context.Context, at TextAt, digest string) (*evidence.Passage, []contract.Range, error) {
	quote, begins := []contract.Range(nil), evidence.Locator{}
	if at.Citation != "" {
		c, err := s.citation(ctx, at.Citation)
		if err != nil {
			return nil, nil, err
		}
		at.Passage, quote, begins = string(c.Passage), c.Highlight, c.At
		if len(quote) == 0 {
			quote = []contract.Range{{Start: c.Quote.Start, End: c.Quote.End}}
		}
	}
	if at.Passage == "" {
		return nil, nil, nil
	}
	p, src, err := s.DB.Passage(ctx, evidence.PassageID(at.Passage))
	if err != nil {
		return nil, nil, err
	}
	if src.Digest != digest { // of another text: its offsets mean nothing here
		return nil, nil, fault.New(fault.NotFound, "This passage is not of that source.", "Open the source that it belongs to.")
	}
	if quote == nil {
		return &p, []contract.Range{{Start: p.At.Start, End: p.At.End}}, nil
	}
	p.At.Page, p.At.Line = cmp.Or(begins.Page, p.At.Page), cmp.Or(begins.Line, p.At.Line)
	moved := make([]contract.Range, 0, len(quote))
	for _, q := range quote {
		moved = append(moved, contract.Range{Start: p.At.Start + q.Start, End: p.At.Start + q.End})
	}
	return &p, moved, nil
}

func (s Sources) citation(ctx context.Context, name string) (contract.Citation, error) {
	run, index, ok := strings.Cut(name, ":")
	missing := fault.New(fault.NotFound, "There is no such citation.", "Name it as run:index.")
	n := 0
	for _, d := range index {
		if d < '0' || d > '9' || n > 1e6 {
			return contract.Citation{}, missing
		}
		n = n*10 + int(d-'0')
	}
	if !ok || index == "" {
		return contract.Citation{}, missing
	}
	r, err := s.DB.Run(ctx, contract.RunID(run))
	if err != nil {
		return contract.Citation{}, err
	}
	if r.Answer == nil || n >= len(r.Answer.Citations) {
		return contract.Citation{}, missing
	}
	return r.Answer.Citations[n], nil
}

// stale reports whether a file is gone or was written after it was read.
func stale(s evidence.Source) bool {
	if s.Kind != evidence.File {
		return false
	}
	info, err := os.Stat(s.Address)
	return err != nil || info.ModTime().After(s.Seen)
}

// here is the path of a file of this computer. A name that came in a bundle leads
// nowhere; the file is one of the library that has the same bytes, if there is one.
func (s Sources) here(ctx context.Context, src records.SourceInfo) (string, error) {
	if !src.Brought {
		return src.Address, nil
	}
	path, err := s.DB.PathOf(ctx, src.Digest)
	if fault.CodeOf(err) == fault.NotFound {
		return "", fault.Wrap(err, fault.NotFound, "This file was read on the computer the bundle came from.", "The text that was read is kept and shown here. Add the same file to your library to open it.")
	}
	return path, err
}

// byteOf is the byte offset of a code point.
func byteOf(text string, runes int) int {
	for i := range text {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(text)
}

// PassageView is a passage with the ids of the ones around it.
type PassageView struct {
	ID         evidence.PassageID    `json:"id"`
	Source     evidence.SourceID     `json:"source"`
	Text       string                `json:"text"`
	Locator    evidence.Locator      `json:"locator"`
	Chunk      int                   `json:"chunk"`
	Neighbours [2]evidence.PassageID `json:"neighbours"`
}

// Passage gives a passage by id.
func (s Sources) Passage(ctx context.Context, in ID) (PassageView, error) {
	p, _, err := s.DB.Passage(ctx, evidence.PassageID(in.ID))
	if err != nil {
		return PassageView{}, err
	}
	view := PassageView{ID: p.ID, Source: p.Source, Text: p.Text, Locator: p.At, Chunk: p.Index}
	around, err := s.DB.Neighbours(ctx, p.ID)
	for _, q := range around {
		if q.Index < p.Index {
			view.Neighbours[0] = q.ID
		} else {
			view.Neighbours[1] = q.ID
		}
	}
	return view, err
}

// Open opens a document in the system's own program, and shows any other file in
// its folder: what a link leads to counts, not its name.
func (s Sources) Open(ctx context.Context, in ID) (Nothing, error) {
	src, err := s.DB.Source(ctx, evidence.SourceID(in.ID))
	if err != nil {
		return Nothing{}, err
	}
	if src.Kind != evidence.File || s.OpenPath == nil {
		return Nothing{}, fault.New(fault.NotAcceptable, "This source cannot be opened from here.", "Open its address yourself.")
	}
	path, err := s.here(ctx, src)
	if err != nil {
		return Nothing{}, err
	}
	at, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Nothing{}, fault.Wrap(err, fault.NotFound, filepath.Base(src.Address)+" is not where it was read.", "The text that was read is kept and shown here.")
	}
	if !privacy.Opens(at) {
		at = filepath.Dir(at)
	}
	return Nothing{}, s.OpenPath(at)
}

// File opens the original of a file source as it is now.
func (s Sources) File(ctx context.Context, in ID) (Original, error) {
	src, err := s.DB.Source(ctx, evidence.SourceID(in.ID))
	if err == nil && src.Kind != evidence.File {
		err = fault.New(fault.NotFound, "This source is no file.", "Its text is kept; its page is on the web.")
	}
	path := ""
	if err == nil {
		path, err = s.here(ctx, src)
	}
	if err != nil {
		return Original{}, err
	}
	f, info, err := openRegular(path)
	if err != nil {
		return Original{}, fault.Wrap(err, fault.NotFound, filepath.Base(src.Address)+" is not where it was read.", "The text that was read is kept.")
	}
	return Original{f, info}, nil
}

// openRegular opens a regular file and nothing else: not what a link that took
// its place points to, and not a pipe, which would wait for ever.
func openRegular(path string) (*os.File, os.FileInfo, error) {
	before, err := os.Lstat(path)
	if err == nil && !before.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file", path)
	}
	if err != nil {
		return nil, nil, err
	}
	f, info, err := disk.OpenRegular(path)
	if err != nil {
		return nil, nil, err
	}
	if !os.SameFile(before, info) {
		err = fmt.Errorf("open %s: it changed meanwhile", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
