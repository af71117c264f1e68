package main

import "fmt"

// width is one size of vector registers.
type width struct {
	letter  string
	bytes   int
	heights []int // rows of a tile; a tile is two registers wide
}

var (
	wide   = width{"Z", 64, []int{12, 8, 4}}
	narrow = width{"Y", 32, []int{6, 4, 2}}
)

func (w width) v(i int) string       { return fmt.Sprintf("%s%d", w.letter, i) }
func (w width) name(s string) string { return fmt.Sprintf("%s%d", s, 8*w.bytes) }

// spare is a register for what is broadcast from row i, beside the accumulators
// and the two registers of the other matrix.
func (w width) spare(i int) int {
	if w.letter == "Z" {
		return 26 + i%6
	}
	return 14 + i%2
}

// Rows of the left matrix are 3b+i with b one of these bases and i times R10 more.
var bases = []string{"R8", "R9", "R12", "R13"}

// row is the address of a byte in row i.
func row(i, offset int) string {
	return fmt.Sprintf("%d(%s)%s", offset, bases[i/3], []string{"", "(R10*1)", "(R10*2)"}[i%3])
}

// rowBases sets the bases from R8, the first row, and R10, the stride.
func rowBases(l *listing, rows int) {
	l.do("LEAQ (R10)(R10*2), R11")
	for i := 1; 3*i < rows; i++ {
		l.do("LEAQ (%s)(R11*1), %s", bases[i-1], bases[i])
	}
}

func advance(l *listing, rows, bytes int) {
	for i := 0; 3*i < rows; i++ {
		l.do("ADDQ $%d, %s", bytes, bases[i])
	}
}

// product is a way to multiply int8 and add in int32.
type product int

const (
	vnni product = iota // unsigned times signed, four at once
	madd                // 16 bits each, two at once
)

// dot writes out[r][j] = (start[j] + Σ a[r][k] w[j][k]) × sx[r] × sw[j] + bias[j].
// The sum is exact. groups counts steps of k, an even number.
func (w width) dot(l *listing, name string, kind product, rows int) {
	l.function(fmt.Sprintf("%sx%d", name, rows), dotParams)
	l.load("MOVQ", "groups CX", "a R8", "lda R10", "w DX", "start SI")
	rowBases(l, rows)
	for i := range rows {
		l.do("VMOVUPS (SI), %s", w.v(2*i))
		l.do("VMOVUPS %d(SI), %s", w.bytes, w.v(2*i+1))
	}
	const unroll = 2
	step := 2 * w.bytes // of weights
	if kind == madd {
		step = w.bytes
	}
	l.do("MOVQ CX, R11")
	l.do("IMULQ $%d, R11", step) // to the next panel: for a text of few rows the weights come from far
	l.do("SHRQ $1, CX")
	l.do("PCALIGN $32")
	l.label("loop")
	for line := 0; line < unroll*step; line += 64 {
		l.do("PREFETCHT0 %d(DX)(R11*1)", line)
	}
	for u := range unroll {
		w.dotStep(l, kind, rows, u*step, 4*u)
	}
	advance(l, rows, 4*unroll)
	l.do("ADDQ $%d, DX", unroll*step)
	l.do("DECQ CX")
	l.do("JNZ loop")
	w.dotEnd(l, rows)
}

// dotStep multiplies one group of k: two registers of weights with every row.
func (w width) dotStep(l *listing, kind product, rows, weights, activations int) {
	b0, b1 := 2*rows, 2*rows+1
	if kind == madd {
		l.do("VPMOVSXBW %d(DX), %s", weights, w.v(b0))
		l.do("VPMOVSXBW %d(DX), %s", weights+w.bytes/2, w.v(b1))
	} else {
		l.do("VMOVUPS %d(DX), %s", weights, w.v(b0))
		l.do("VMOVUPS %d(DX), %s", weights+w.bytes, w.v(b1))
	}
	for i := range rows {
		if kind == madd {
			l.do("VPBROADCASTD %s, Y15", row(i, activations))
			l.do("VPMADDWD %s, Y15, Y14", w.v(b0))
			l.do("VPADDD Y14, %s, %s", w.v(2*i), w.v(2*i))
			l.do("VPMADDWD %s, Y15, Y15", w.v(b1))
			l.do("VPADDD Y15, %s, %s", w.v(2*i+1), w.v(2*i+1))
			continue
		}
		t := w.spare(i)
		l.do("VPBROADCASTD %s, %s", row(i, activations), w.v(t))
		w.dpbusd(l, b0, t, 2*i)
		w.dpbusd(l, b1, t, 2*i+1)
	}
}

// dpbusd adds the products of signed and unsigned bytes to sum. Go's assembler
// knows only the EVEX form, which a processor with AVX-VNNI but without AVX-512
// refuses: 256 bits are written as the bytes of the VEX form.
func (w width) dpbusd(l *listing, signed, unsigned, sum int) {
	if w.letter == "Z" {
		l.do("VPDPBUSD Z%d, Z%d, Z%d", signed, unsigned, sum)
		return
	}
	second := 0xE2 // R, X, B inverted; map 0F38
	if sum >= 8 {
		second &^= 0x80
	}
	if signed >= 8 {
		second &^= 0x20
	}
	third := (^unsigned&15)<<3 | 4 | 1 // W0, register inverted, 256 bits, prefix 66
	l.do("BYTE $0xC4; BYTE $0x%02X; BYTE $0x%02X; BYTE $0x50; BYTE $0x%02X // VPDPBUSD Y%d, Y%d, Y%d",
		second, third, 0xC0|(sum&7)<<3|signed&7, signed, unsigned, sum)
}

// dotEnd scales the accumulators and stores them.
func (w width) dotEnd(l *listing, rows int) {
	l.load("MOVQ", "sx SI", "sw AX", "bias BX", "out DI", "ldo R10")
	sw := []string{w.v(2 * rows), w.v(2*rows + 1)}
	l.do("VMOVUPS (AX), %s", sw[0])
	l.do("VMOVUPS %d(AX), %s", w.bytes, sw[1])
	for i := range rows {
		sx := w.v(w.spare(i))
		l.do("VBROADCASTSS %d(SI), %s", 4*i, sx)
		for half := range 2 {
			sum := w.v(2*i + half)
			l.do("VCVTDQ2PS %s, %s", sum, sum)
			l.do("VMULPS %s, %s, %s", sx, sum, sum)
			l.do("VFMADD213PS %d(BX), %s, %s", half*w.bytes, sw[half], sum)
			l.do("VMOVUPS %s, %d(DI)", sum, half*w.bytes)
		}
		l.do("ADDQ R10, DI")
	}
	l.do("VZEROUPPER")
	l.do("RET")
}

// mulAdd writes out[r][j] = scale[r] × Σ a[r][k] b[k][j]. Strides are in bytes.
func (w width) mulAdd(l *listing, rows int) {
	l.function(fmt.Sprintf("%sx%d", w.name("mulAdd"), rows), mulAddParams)
	l.load("MOVQ", "k CX", "a R8", "lda R10", "b DX", "ldb BX", "scale SI", "out DI", "ldo AX")
	rowBases(l, rows)
	for i := range 2 * rows {
		w.zero(l, i)
	}
	b0, b1 := w.v(2*rows), w.v(2*rows+1)
	l.do("PCALIGN $32")
	l.label("loop")
	l.do("VMOVUPS (DX), %s", b0)
	l.do("VMOVUPS %d(DX), %s", w.bytes, b1)
	for i := range rows {
		t := w.v(w.spare(i))
		l.do("VBROADCASTSS %s, %s", row(i, 0), t)
		l.do("VFMADD231PS %s, %s, %s", b0, t, w.v(2*i))
		l.do("VFMADD231PS %s, %s, %s", b1, t, w.v(2*i+1))
	}
	advance(l, rows, 4)
	l.do("ADDQ BX, DX")
	l.do("DECQ CX")
	l.do("JNZ loop")
	for i := range rows {
		l.do("VBROADCASTSS %d(SI), %s", 4*i, b0)
		for half := range 2 {
			l.do("VMULPS %s, %s, %s", b0, w.v(2*i+half), w.v(2*i+half))
			l.do("VMOVUPS %s, %d(DI)", w.v(2*i+half), half*w.bytes)
		}
		l.do("ADDQ AX, DI")
	}
	l.do("VZEROUPPER")
	l.do("RET")
}

func (w width) zero(l *listing, i int) {
	if w.letter == "Z" {
		l.do("VPXORD Z%d, Z%d, Z%d", i, i, i)
	} else {
		l.do("VXORPS Y%d, Y%d, Y%d", i, i, i)
	}
}
