package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestPiece = 128 // tokens, marks included: the unit that passages are embedded in
	longestTitle = 40  // tokens of the title that each piece repeats
	longestText  = 256 // tokens, marks included: what the encoder reads at most
)

// Piece is what the encoder reads at once: token ids between the marks of start
// and end. Key is the SHA-256 of the ids; with Encoder.ID it names the vector, so
// that equal pieces of different documents share one. A Piece without ids has
// nothing to say and the zero Vector.
type Piece struct {
	IDs []int32
	Key [32]byte

	second int // index of the first token of a pair's second text; 0 for a single text
}

func newPiece(ids ...[]int32) Piece {
	p := Piece{IDs: slices.Concat(ids...)}
	bytes := make([]byte, 0, 4*longestText)
	for _, id := range p.IDs {
		bytes = binary.LittleEndian.AppendUint32(bytes, uint32(id))
	}
	p.Key = sha256.Sum256(bytes)
	return p
}

// tokenizer cuts text into the ids of a vocabulary.
type tokenizer interface {
	pieces(dst []int32, text string) []int32
	marks() (start, end int32)
}

// chunker makes of texts what an encoder reads. Some were taught to tell a question
// from a passage by a word before it.
type chunker struct {
	tokenizer
	asks, tells string // before a question, and before a passage
}

// begin is the mark of start and the word before a text.
func (c chunker) begin(before string) []int32 {
	start, _ := c.marks()
	return c.pieces([]int32{start}, before)
}

func (c chunker) end() []int32 {
	_, end := c.marks()
	return []int32{end}
}

// cut makes the pieces of a text: its body in the fewest windows of equal length,
// without overlap, each behind the title.
func (c chunker) cut(title, body string) []Piece {
	if !meaningful(title) && !meaningful(body) {
		return nil
	}
	start := c.begin(c.tells)
	begun := len(start)
	start = c.pieces(start, title)
	start = start[:min(len(start), begun+longestTitle)]
	end := c.end()
	ids := c.pieces(nil, body)
	room := longestPiece - len(start) - len(end)
	windows := max(1, (len(ids)+room-1)/room)
	pieces := make([]Piece, windows)
	for i := range pieces {
		pieces[i] = newPiece(start, ids[i*len(ids)/windows:(i+1)*len(ids)/windows], end)
	}
	return pieces
}

// ends gives the byte of a body at which each of its pieces ends, to within a word: the
// tokens of a long one are taken to be of like length.
func (c chunker) ends(body string, pieces int) []int {
	var from, tokens []int // of words: where they begin, and how many tokens come before
	total := 0
	for at := 0; at < len(body); {
		word := body[at:]
		if i := strings.IndexFunc(word, unicode.IsSpace); i >= 0 {
			_, size := utf8.DecodeRuneInString(word[i:])
			word = word[:i+size]
		}
		from, tokens = append(from, at), append(tokens, total)
		total += len(c.pieces(nil, word))
		at += len(word)
	}
	from, tokens = append(from, len(body)), append(tokens, total)
	out := make([]int, pieces)
	for i, word := range out[:pieces-1] {
		end := (i + 1) * total / pieces
		for tokens[word+1] < end {
			word++
		}
		of := from[word+1] - from[word]
		out[i] = from[word] + of*(end-tokens[word])/max(1, tokens[word+1]-tokens[word])
	}
	out[pieces-1] = len(body)
	return out
}

// question makes one piece of a question, cut at what the encoder reads at most.
func (c chunker) question(text string) Piece { return c.whole(c.asks, text, longestText) }

// whole makes one piece of a text, cut at so many tokens.
func (c chunker) whole(before, text string, most int) Piece {
	if !meaningful(text) {
		return Piece{}
	}
	ids := c.pieces(c.begin(before), beginning(text, most*longestBytes))
	return newPiece(ids[:min(len(ids), most-1)], c.end())
}

// longestBytes is more than the tokens of any text take on average: what stands behind
// so many bytes a token need not be cut into them.
const longestBytes = 64

// beginning is at most n bytes of a text, and whole characters.
func beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// meaningful reports whether a text has a letter or a digit.
func meaningful(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
