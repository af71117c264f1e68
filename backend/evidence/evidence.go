// Package evidence holds what an answer may rest on: sources, the text that was
// read from them, and the passages that are searched and cited.
//
// Words. A Lead is what a search engine suggests: never evidence until it is
// read. A Document is the text of a source with places. A Passage is the unit of
// retrieval and of citation. A Locator says where a passage stands. Identity is
// content: the same text at the same place has the same id, whatever its score.
//
// Offsets. Span and Block count bytes of the text they speak of. Locator.Start
// and End count Unicode code points of the source's extracted text, as the API
// does; Split converts once.
package evidence

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// SourceID names one source as it was read: address and content together.
type SourceID string

// PassageID names one passage: the digest of the source's bytes and the place.
type PassageID string

// Kind says what a source is.
type Kind string

// Kinds of source.
const (
	Web        Kind = "web"
	File       Kind = "file"
	Video      Kind = "video"
	Discussion Kind = "discussion"
	Paper      Kind = "paper"
	Computed   Kind = "computed"
	Pasted     Kind = "pasted" // text that came along with a question
)

// Source is a page or a file as it was read.
type Source struct {
	ID        SourceID
	Kind      Kind
	Title     string
	Address   string // absolute URL for web kinds, absolute path for files
	MediaType string
	Digest    string    // hex SHA-256 of the bytes that were read
	Published time.Time // the document's own date; zero when unknown
	Seen      time.Time // when it was read
}

// SavedAnswer is the media type of a note that Footnote wrote: an answer that was
// saved. It is found and opened like any file, and proves no other answer (ADR 95).
const SavedAnswer = "text/markdown; variant=Footnote"

// Domain is the host of an address without "www."; empty when there is none.
func Domain(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// Locator is a place in a source's extracted text.
type Locator struct {
	Page    int    `json:"page"`            // from 1; 0 when the source has no pages
	Line    int    `json:"line"`            // from 1; 0 when lines mean nothing here
	Heading string `json:"heading"`         // heading path, outermost first, joined by " > "
	Start   int    `json:"start"`           // code points, in the source's extracted text
	End     int    `json:"end"`             // exclusive
	Place   string `json:"place,omitempty"` // in the words of its format where pages and lines are none: "Slide 4", "Sheet 'Costs' B2:D9"
}

// Passage is the unit of retrieval and of citation. Text is a verbatim
// substring of its source's extracted text.
type Passage struct {
	ID     PassageID
	Source SourceID
	Text   string
	At     Locator
	Index  int // position among the passages of its source, from 0
}

// Lead is what a search engine suggests. Its Source has no digest: nobody has
// read it yet.
type Lead struct {
	Source  Source
	Snippet string
	Via     string  // engine that suggested it
	Score   float64 // the engine's own score; 0 when it gives none
	Image   string  // preview address, when the engine gave one
}

// Found is a passage that a search of read text returned.
type Found struct {
	Passage Passage
	Source  Source
	Score   Score
	Via     string
}

// Score is what retrieval knows about a found passage.
type Score struct {
	BM25    float64   // raw; 0 when no word matched
	Cosine  float64   // raw cosine of question and passage; meaningful when Vector
	Vector  bool      // a vector existed for this passage and this question
	Encoded bool      // the cosine is the sentence encoder's, not the index's
	Boost   float64   // added by the file-name rule
	Fused   float64   // the order of the search
	AlsoIn  []string  // where copies of the passage stand
	Partial bool      // the file it comes from was read only in part
	Changed time.Time // when a file was last written; zero when unknown
}

// Scope restricts a search of the reader's own files. All empty means the whole
// library.
type Scope struct {
	Files       []string `json:"files"` // file ids or absolute paths
	Folders     []string `json:"folders"`
	Collections []string `json:"collections"`
}

// Empty reports whether nothing is ticked.
func (s Scope) Empty() bool {
	return len(s.Files) == 0 && len(s.Folders) == 0 && len(s.Collections) == 0
}

// BlockKind says what a run of text is.
type BlockKind string

// Kinds of block.
const (
	Heading   BlockKind = "heading"
	Paragraph BlockKind = "paragraph"
	ListItem  BlockKind = "list"
	TableRow  BlockKind = "row"
	Code      BlockKind = "code"
)

// Block is a run of a document's text with its place. Blocks stand in order,
// do not overlap, and lie inside Document.Text.
type Block struct {
	Start int       `json:"s"` // bytes of Document.Text
	End   int       `json:"e"`
	Kind  BlockKind `json:"k"`
	Level int       `json:"l,omitempty"` // of a heading, 1–6; of a row, the columns of its cells (ColumnBits) and whether they are heads (HeadRow), 0 where that is not known; of a paragraph or an item, Nested.Level
	Page  int       `json:"p,omitempty"`
	Line  int       `json:"n,omitempty"`
	Unit  Unit      `json:"u,omitempty"` // what Page counts
	Label string    `json:"b,omitempty"` // what is printed as the number of its page, where pages have such numbers: "xii"; of code, its language as the file names it
	Cells string    `json:"c,omitempty"` // of a row of a sheet, which its outermost heading names: "B2:D2"
}

// Unit says what the pages of a block are.
type Unit string

// Units: pages of paper unless said otherwise. Seconds count from the beginning
// of a recording, the first being 0; they are no pages of a Locator.
const (
	Pages   Unit = ""
	Slides  Unit = "slide"
	Seconds Unit = "second"
)

// Document is the text of a source with places.
type Document struct {
	Source   Source
	Text     string
	Blocks   []Block
	Coverage Coverage
	Flags    []string // "instructions", "partly-read", "garbled" …
	Image    string   // og:image address of a page; empty when none
}

// Coverage says what of a source was read.
type Coverage struct {
	Pages     int     `json:"pages"`       // 0 when the source has no pages
	Read      int     `json:"pages_read"`  // pages that gave text
	Empty     int     `json:"pages_empty"` // scanned or blank pages
	Garbled   float64 `json:"garbled"`     // share of characters that are no text
	Truncated bool    `json:"truncated"`
	Reason    string  `json:"reason"`            // why it was read only in part; empty when whole
	ReadAs    string  `json:"read_as,omitempty"` // the character set its letters were read in where that is doubtful
}

// Share is the part of the source that was read, 0 to 1. What was cut off where
// nobody counted is taken for a half.
func (c Coverage) Share() float64 {
	share := 1.0
	if c.Pages > 0 {
		share = float64(c.Read) / float64(c.Pages)
	}
	if c.Truncated && share == 1 {
		return 0.5
	}
	return share
}

// Span is a half-open range of bytes of the text it speaks of.
type Span struct{ Start, End int }

// Digest is the hex SHA-256 of b.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// PageDigest names what was read at an address: equal pages at two addresses are
// two texts, so that a passage has one source.
func PageDigest(address, content string) string { return Digest([]byte(address + "\x00" + content)) }

// NewSourceID names a source by its kind, address and digest.
func NewSourceID(kind Kind, address, digest string) SourceID {
	return SourceID(ID("src", string(kind), address, digest))
}

// NewPassageID names the passage of a text with this digest at these code points.
func NewPassageID(digest string, start, end int) PassageID {
	return PassageID(ID("psg", digest, strconv.Itoa(start), strconv.Itoa(end)))
}

var base32Lower = base32.NewEncoding(idLetters).WithPadding(base32.NoPadding)

// ID makes a stable opaque id from parts: prefix, "_" and 26 letters and digits.
func ID(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + "_" + base32Lower.EncodeToString(sum[:16])
}
