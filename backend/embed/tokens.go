package embed

import "context"

// Reading is a piece as the encoder reads it.
type Reading struct {
	Sum    []float32 // of the last layer over all tokens, marks included: its direction is the piece's Vector
	Tokens []float32 // unit vectors, Dim components a token, one behind the other; without the marks of start and end
}

// Read gives each piece its reading, in order; that of a piece without ids is
// empty. When ctx ends it stops between pieces, as Encode does.
func (e *Encoder) Read(ctx context.Context, pieces []Piece) ([]Reading, error) {
	readings := make([]Reading, len(pieces))
	read, err := e.passes(ctx, pieces, func(left *workspace, from, to int) {
		at := 0
		for i, p := range pieces[from:to] {
			readings[from+i] = newReading(left.x[at*Dim : (at+len(p.IDs))*Dim])
			at += len(p.IDs)
		}
	})
	return readings[:len(read)], err
}

func newReading(rows []float32) Reading {
	if len(rows) == 0 {
		return Reading{}
	}
	r := Reading{Sum: make([]float32, Dim), Tokens: inner(rows)}
	for i, x := range rows {
		r.Sum[i%Dim] += x
	}
	return r
}

// Tokens is what Read tells of each token.
func (e *Encoder) Tokens(ctx context.Context, pieces []Piece) ([][]float32, error) {
	readings, err := e.Read(ctx, pieces)
	tokens := make([][]float32, len(readings))
	for i, r := range readings {
		tokens[i] = r.Tokens
	}
	return tokens, err
}

// inner copies all rows but the first and the last, at unit length.
func inner(rows []float32) []float32 {
	if len(rows) < 3*Dim {
		return nil
	}
	out := append([]float32(nil), rows[Dim:len(rows)-Dim]...)
	for i := 0; i < len(out); i += Dim {
		normalise(out[i : i+Dim])
	}
	return out
}

// Short is Query cut at 126 tokens and the marks: as much as a piece has.
func (e *Encoder) Short(text string) Piece {
	c := e.model.words()
	return c.whole(c.asks, text, longestPiece)
}
