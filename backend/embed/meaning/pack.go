package meaning

import (
	"crypto/sha256"
	"errors"
	"slices"

	"footnote/backend/embed"
	"footnote/backend/rank"
)

// encoded is a passage as the encoder knows it. No vectors: it cannot have any.
type encoded struct {
	key     [32]byte // of the text that was encoded
	vectors []embed.Vector
}

// keyOf names title and body: with another title the vectors are others.
func keyOf(t rank.Text) [32]byte { return sha256.Sum256([]byte(t.Title + "\x00" + t.Body)) }

// nearest is the greatest cosine of question and any piece.
func (e *encoded) nearest(question embed.Vector) (cos float64, has bool) {
	for i, v := range e.vectors {
		if c := embed.Dot(question, v); i == 0 || c > cos {
			cos = c
		}
	}
	return cos, len(e.vectors) > 0
}

// pack writes the key, then the vectors.
func (e *encoded) pack() []byte {
	out := slices.Clone(e.key[:])
	for i := range e.vectors {
		out, _ = e.vectors[i].AppendBinary(out) // its error is always nil
	}
	return out
}

func unpack(packed []byte) (*encoded, error) {
	e := &encoded{}
	if len(packed) < len(e.key) || (len(packed)-len(e.key))%embed.VectorSize != 0 {
		return nil, errors.New("read encoded passage: wrong length")
	}
	copy(e.key[:], packed)
	rest := packed[len(e.key):]
	e.vectors = make([]embed.Vector, len(rest)/embed.VectorSize)
	for i := range e.vectors {
		if err := e.vectors[i].UnmarshalBinary(rest[i*embed.VectorSize:][:embed.VectorSize]); err != nil {
			return nil, err
		}
	}
	return e, nil
}
