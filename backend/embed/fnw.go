package embed

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"unsafe"
)

// weights is a parsed .fnw file. Tensors are views of data, which must not
// change; float32 tensors are copied, as a file in a binary promises no
// alignment.
type weights struct {
	header
	payload string
	tensors map[string]tensor
}

type header struct {
	Format   int      `json:"format"`
	Model    string   `json:"model"`
	Revision string   `json:"revision"`
	Dim      int      `json:"dim"`
	Layers   int      `json:"layers"`
	Heads    int      `json:"heads"`
	FFN      int      `json:"ffn"` // width of the inner layer
	Vocab    int      `json:"vocab"`
	Tokens   int      `json:"max_tokens"`
	Epsilon  float64  `json:"ln_eps"` // added to the variance by layer norms
	SHA256   string   `json:"payload_sha256"`
	Tensors  []tensor `json:"tensors"`
}

type tensor struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // i8, u8, f32
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"` // from the start of the payload, a multiple of 64
	size   int    // bytes
}

const (
	fnwMagic  = "FNEMB\x00\x00\x01"
	fnwPrefix = len(fnwMagic) + 8 // magic, length and checksum of the header
)

// parseWeights checks magic, header checksum, and that every tensor lies inside
// the payload. It does not hash the payload: verify does.
func parseWeights(data string) (*weights, error) {
	if len(data) < fnwPrefix || data[:len(fnwMagic)] != fnwMagic {
		return nil, errors.New("read weights: not a weights file")
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32([]byte(data[at : at+4])) }
	length, sum := uint64(word(len(fnwMagic))), word(len(fnwMagic)+4)
	if uint64(fnwPrefix)+length > uint64(len(data)) {
		return nil, errors.New("read weights: header ends after the file")
	}
	head := []byte(data[fnwPrefix : fnwPrefix+int(length)])
	if crc32.ChecksumIEEE(head) != sum {
		return nil, errors.New("read weights: header is damaged")
	}
	w := &weights{payload: data[fnwPrefix+int(length):], tensors: map[string]tensor{}}
	if err := json.Unmarshal(head, &w.header); err != nil {
		return nil, fmt.Errorf("read header of weights: %w", err)
	}
	for _, t := range w.Tensors {
		if err := w.place(t); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// place checks that a tensor lies inside the payload and files it by name.
func (w *weights) place(t tensor) error {
	t.size = map[string]int{"i8": 1, "u8": 1, "f32": 4}[t.Type]
	if t.size == 0 || len(t.Shape) == 0 {
		return fmt.Errorf("read weights: tensor %q has type %q and shape %v", t.Name, t.Type, t.Shape)
	}
	for _, d := range t.Shape {
		if d <= 0 || t.size > math.MaxInt32/d { // keeps size from overflowing
			return fmt.Errorf("read weights: tensor %q has shape %v", t.Name, t.Shape)
		}
		t.size *= d
	}
	if t.Offset < 0 || t.Offset%64 != 0 || t.Offset > len(w.payload)-t.size {
		return fmt.Errorf("read weights: tensor %q lies outside the file", t.Name)
	}
	w.tensors[t.Name] = t
	return nil
}

// raw is the bytes of a tensor that must have this type and shape.
func (w *weights) raw(name, kind string, shape ...int) (string, error) {
	t, ok := w.tensors[name]
	if !ok || t.Type != kind || len(t.Shape) != len(shape) {
		return "", fmt.Errorf("read weights: no %s tensor %q of %d dimensions", kind, name, len(shape))
	}
	for i, d := range shape {
		if t.Shape[i] != d {
			return "", fmt.Errorf("read weights: tensor %q has shape %v, not %v", name, t.Shape, shape)
		}
	}
	return w.payload[t.Offset : t.Offset+t.size], nil
}

// int8s is a view of an int8 tensor: it must never be written.
func (w *weights) int8s(name string, shape ...int) ([]int8, error) {
	s, err := w.raw(name, "i8", shape...)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(s))), len(s)), nil
}

// float32s is a copy of a float32 tensor.
func (w *weights) float32s(name string, shape ...int) ([]float32, error) {
	s, err := w.raw(name, "f32", shape...)
	if err != nil {
		return nil, err
	}
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
