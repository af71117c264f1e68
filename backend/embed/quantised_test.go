package embed

import (
	"math"
	"testing"
)

func TestHalfFloats(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x0001: math.Ldexp(1, -24), 0x7bff: 65504, 0xfc00: math.Inf(-1)} {
		if got := float64(halfFloat(bits)); got != want {
			t.Errorf("%#04x is %v, want %v", bits, got, want)
		}
	}
}

func TestWeightsOfFourBits(t *testing.T) {
	halves := make([]byte, 2*32) // two rows of 64
	for i := range halves {
		halves[i] = 0x88 // 0
	}
	halves[0], halves[31], halves[47] = 0x9f, 0x08, 0xa8
	b := blocks{string(halves), "\x00\x3c\x00\x38\x00\x40\x00\x3c", 64} // scales 1, 0.5; 2, 1
	row := make([]float32, 64)
	b.add(row, 0)
	if row[0] != 7 || row[16] != 1 || row[63] != -4 || row[1] != 0 {
		t.Errorf("the first row is %v", row)
	}
	q, scales := b.rounded(2)
	if q[0] != 127 || q[63] != -73 || scales[0] != 7.0/127 || q[64+16+15] != 127 || scales[1] != 4.0/127 {
		t.Errorf("rounded to %v, %v", q, scales)
	}
	if b.rounded(1); len(q) != 128 {
		t.Error("a row is lost")
	}
}

func TestWeightsOfFourBitsStandInBlocks(t *testing.T) {
	w := &weights{tensors: map[string]tensor{}}
	if _, err := w.blocks("tok", 2, 40); err == nil {
		t.Error("40 weights are no blocks")
	}
	if _, err := w.blocks("tok", 2, 64); err == nil {
		t.Error("there is no such tensor")
	}
}
