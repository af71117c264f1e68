package server

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
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

// Source gives a source by id.
func (v *Verbs) Source(ctx context.Context, id string) (SourceView, error) {
	s, err := v.DB.Source(ctx, evidence.SourceID(id))
	if err != nil {
		return SourceView{}, err
	}
	view := SourceView{
		ID: s.ID, Kind: s.Kind, Title: s.Title, Digest: s.Digest, MediaType: s.MediaType, ReadAt: s.Seen,
		Flags: append([]string{}, s.Flags...), Pages: s.Coverage.Pages, Coverage: s.Coverage.Share(),
	}
	if s.Kind == evidence.File {
		view.Path = s.Address
	} else if u, err := url.Parse(s.Address); err == nil {
		view.URL, view.Domain = s.Address, strings.TrimPrefix(u.Hostname(), "www.")
	}
	if !s.Published.IsZero() {
		day := s.Published.Format(time.DateOnly)
		view.Published = &day
	}
	return view, nil
}

// TextAt chooses a stretch of a source: a passage, a citation ("run:index"), or
// code points.
type TextAt struct {
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Passage  string `json:"passage"`
	Citation string `json:"citation"`
}

// TextView is a stretch of a source's text as it was read. Offsets are code
// points of the whole text.
type TextView struct {
	Text      string         `json:"text"`
	Start     int            `json:"start"`
	End       int            `json:"end"`
	Total     int            `json:"total"`
	Highlight []answer.Range `json:"highlight"`
	Page      int            `json:"page"`
	Line      int            `json:"line"`
	Heading   string         `json:"heading"`
	Digest    string         `json:"digest"`
	Stale     bool           `json:"stale"`
}

const (
	textAround = 3000  // code points shown before and after a passage
	textMost   = 60000 // code points in one response
)

// SourcePicture gives the kept preview of a web source as JPEG.
func (v *Verbs) SourcePicture(id evidence.SourceID) ([]byte, error) {
	if v.Pictures == nil {
		return nil, fault.New(fault.NotFound, "There is no picture of this source.", "Its text is shown instead.")
	}
	return v.Pictures.Open(id)
}

// SourceText gives the text around a place, with what is to be highlighted.
func (v *Verbs) SourceText(ctx context.Context, id string, at TextAt) (TextView, error) {
	src, err := v.DB.Source(ctx, evidence.SourceID(id))
	if err != nil {
		return TextView{}, err
	}
	text, _, err := v.DB.SourceText(ctx, evidence.SourceID(id))
	if err != nil {
		return TextView{}, err
	}
	total := utf8.RuneCountInString(text)
	view := TextView{Total: total, Highlight: []answer.Range{}, Digest: src.Digest, Stale: !src.Brought && stale(src.Source)}
	start, end := at.Start, at.End
	passage, quote, err := v.cited(ctx, at, src.Digest)
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
	view.Text = text[byteOf(text, start):byteOf(text, end)]
	return view, nil
}

// cited resolves a passage or a citation to its passage and the ranges to be
// highlighted, in code points of the whole text. Both must be of the text with
// this digest.
func (v *Verbs) cited(ctx context.Context, at TextAt, digest string) (*evidence.Passage, []answer.Range, error) {
	quote, begins := []answer.Range(nil), evidence.Locator{}
	if at.Citation != "" {
		c, err := v.citation(ctx, at.Citation)
		if err != nil {
			return nil, nil, err
		}
		at.Passage, quote, begins = string(c.Passage), c.Highlight, c.At
		if len(quote) == 0 {
			quote = []answer.Range{{Start: c.Quote.Start, End: c.Quote.End}}
		}
	}
	if at.Passage == "" {
		return nil, nil, nil
	}
	p, src, err := v.DB.Passage(ctx, evidence.PassageID(at.Passage))
	if err != nil {
		return nil, nil, err
	}
	if src.Digest != digest { // of another text: its offsets mean nothing here
		return nil, nil, fault.New(fault.NotFound, "This passage is not of that source.", "Open the source that it belongs to.")
	}
	if quote == nil {
		return &p, []answer.Range{{Start: p.At.Start, End: p.At.End}}, nil
	}
	p.At.Page, p.At.Line = cmp.Or(begins.Page, p.At.Page), cmp.Or(begins.Line, p.At.Line)
	moved := make([]answer.Range, 0, len(quote))
	for _, q := range quote {
		moved = append(moved, answer.Range{Start: p.At.Start + q.Start, End: p.At.Start + q.End})
	}
	return &p, moved, nil
}

func (v *Verbs) citation(ctx context.Context, name string) (answer.Citation, error) {
	run, index, ok := strings.Cut(name, ":")
	missing := fault.New(fault.NotFound, "There is no such citation.", "Name it as run:index.")
	n := 0
	for _, d := range index {
		if d < '0' || d > '9' || n > 1e6 {
			return answer.Citation{}, missing
		}
		n = n*10 + int(d-'0')
	}
	if !ok || index == "" {
		return answer.Citation{}, missing
	}
	r, err := v.DB.Run(ctx, answer.RunID(run))
	if err != nil {
		return answer.Citation{}, err
	}
	if r.Answer == nil || n >= len(r.Answer.Citations) {
		return answer.Citation{}, missing
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

// readElsewhere refuses to open a path that came in a bundle: here it is another
// file's, if it is one.
func readElsewhere() error {
	return fault.New(fault.NotFound, "This file was read on the computer the bundle came from.", "The text that was read is kept and shown here.")
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
func (v *Verbs) Passage(ctx context.Context, id string) (PassageView, error) {
	p, _, err := v.DB.Passage(ctx, evidence.PassageID(id))
	if err != nil {
		return PassageView{}, err
	}
	view := PassageView{ID: p.ID, Source: p.Source, Text: p.Text, Locator: p.At, Chunk: p.Index}
	around, err := v.DB.Neighbours(ctx, p.ID)
	for _, q := range around {
		if q.Index < p.Index {
			view.Neighbours[0] = q.ID
		} else {
			view.Neighbours[1] = q.ID
		}
	}
	return view, err
}

// OpenSource opens a document in the system's own program, and shows any other file
// in its folder: what a link leads to counts, not its name.
func (v *Verbs) OpenSource(ctx context.Context, id string) error {
	s, err := v.DB.Source(ctx, evidence.SourceID(id))
	if err != nil {
		return err
	}
	if s.Brought {
		return readElsewhere()
	}
	if s.Kind != evidence.File || v.OpenPath == nil {
		return fault.New(fault.NotAcceptable, "This source cannot be opened from here.", "Open its address yourself.")
	}
	at, err := filepath.EvalSymlinks(s.Address)
	if err != nil {
		return fault.Wrap(err, fault.NotFound, filepath.Base(s.Address)+" is not where it was read.", "The text that was read is kept and shown here.")
	}
	if !privacy.Opens(at) {
		return v.OpenPath(filepath.Dir(at))
	}
	return v.OpenPath(at)
}
