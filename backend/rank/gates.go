package rank

import (
	"strings"
	"unicode"
)

// Gates are the decisions for one question: about the vectors of the index, and
// about the sentence encoder.
type Gates struct{ Index, Encoder Gate }

// GatesOf asks what an embedder says of a question. One that counts its word
// pieces (Pieces) is made for English, as the sentence encoder is. Of another,
// which the reader chose, nothing is known: it may be asked whatever has a
// letter. nil is no embedder, and words alone.
func GatesOf(query string, embedder any) Gates {
	if embedder == nil {
		return Gates{}
	}
	if p, ok := embedder.(interface {
		Pieces(text string) (n, unknown int)
	}); ok {
		gate := GateOf(query, p.Pieces)
		return Gates{gate, gate}
	}
	gates := Gates{Encoder: GateOf(query, func(string) (int, int) { return 1, 0 })}
	if strings.ContainsFunc(query, unicode.IsLetter) {
		gates.Index = Latin
	}
	return gates
}
