package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
)

const (
	idStart = 101
	idEnd   = 102

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

// cut makes the pieces of a text: its body in the fewest windows of equal length,
// without overlap, each behind the title.
func (w *wordPiece) cut(title, body string) []Piece {
	if !meaningful(title) && !meaningful(body) {
		return nil
	}
	start := w.pieces([]int32{idStart}, title)
	start = start[:min(len(start), 1+longestTitle)]
	end := []int32{idEnd}
	ids := w.pieces(nil, body)
	room := longestPiece - len(start) - len(end)
	windows := max(1, (len(ids)+room-1)/room)
	pieces := make([]Piece, windows)
	for i := range pieces {
		pieces[i] = newPiece(start, ids[i*len(ids)/windows:(i+1)*len(ids)/windows], end)
	}
	return pieces
}

// whole makes one piece of a text, cut at what the encoder reads at most.
func (w *wordPiece) whole(text string) Piece {
	if !meaningful(text) {
		return Piece{}
	}
	ids := w.pieces([]int32{idStart}, text)
	return newPiece(ids[:min(len(ids), longestText-1)], []int32{idEnd})
}

// meaningful reports whether a text has a letter or a digit.
func meaningful(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
