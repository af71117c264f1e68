package main

// rowFunctions writes what both widths have: GELU, norm and exponential. Rows are
// a multiple of 32 floats.
func (w width) rowFunctions(l *listing) {
	w.gelu(l)
	w.norm(l)
	w.exp2(l)
}

// broadcast fills register i with a constant.
func (w width) broadcast(l *listing, name string, i int) {
	l.do("VBROADCASTSS %s, %s", l.constant(name), w.v(i))
}

// gelu writes x = x/2 × (1 + erf(x/√2)), two registers at a time. With 32
// registers the constants stay in the upper sixteen.
func (w width) gelu(l *listing) {
	l.function(w.name("gelu"), geluParams)
	l.load("MOVQ", "n CX", "x DI")
	constant := l.constant
	if w.letter == "Z" {
		places := map[string]string{}
		for i, name := range append([]string{"two"}, geluNames...) {
			w.broadcast(l, name, 15+i)
			places[name] = w.v(15 + i)
		}
		constant = func(name string) string { return places[name] }
	}
	l.do("SHLQ $2, CX")
	l.do("XORQ AX, AX")
	l.label("loop")
	for i := range 2 {
		l.do("VMOVUPS %d(DI)(AX*1), %s", i*w.bytes, w.v(5*i))
		w.geluOf(l, 5*i, constant)
		l.do("VMOVUPS %s, %d(DI)(AX*1)", w.v(5*i), i*w.bytes)
	}
	l.do("ADDQ $%d, AX", 2*w.bytes)
	l.do("CMPQ AX, CX")
	l.do("JLT loop")
	l.do("VZEROUPPER")
	l.do("RET")
}

// geluOf works on register at, with the next four as scratch.
func (w width) geluOf(l *listing, at int, constant func(string) string) {
	x, z, zz, p, q := w.v(at), w.v(at+1), w.v(at+2), w.v(at+3), w.v(at+4)
	l.do("VMULPS %s, %s, %s", constant("rootHalf"), x, z)
	l.do("VMINPS %s, %s, %s", constant("four"), z, z)
	l.do("VMAXPS %s, %s, %s", constant("minusFour"), z, z)
	l.do("VMULPS %s, %s, %s", z, z, zz)
	l.do("VMULPS %s, %s, %s", constant("half"), x, x)
	l.do("VMOVUPS %s, %s", constant(erfP[0]), p)
	l.do("VMOVUPS %s, %s", constant(erfQ[0]), q)
	for i := 1; i < len(erfP); i++ {
		l.do("VFMADD213PS %s, %s, %s", constant(erfP[i]), zz, p)
		if i < len(erfQ) {
			l.do("VFMADD213PS %s, %s, %s", constant(erfQ[i]), zz, q)
		}
	}
	l.do("VMULPS %s, %s, %s", z, p, p)
	// 1/q by an estimate and one step of Newton's: a division takes as long as all
	// the rest.
	l.do("%s %s, %s", map[string]string{"Z": "VRCP14PS", "Y": "VRCPPS"}[w.letter], q, zz)
	l.do("VFNMADD213PS %s, %s, %s", constant("two"), zz, q)
	l.do("VMULPS %s, %s, %s", zz, p, p)
	l.do("VMULPS %s, %s, %s", q, p, p)
	l.do("VFMADD231PS %s, %s, %s", x, p, x)
}

// reduce folds the lanes of register r with op into the lowest; t is scratch.
func (w width) reduce(l *listing, op string, r, t int) {
	if w.letter == "Z" {
		l.do("VEXTRACTF64X4 $1, Z%d, Y%d", r, t)
		l.do("%s Y%d, Y%d, Y%d", op, t, r, r)
	}
	l.do("VEXTRACTF128 $1, Y%d, X%d", r, t)
	l.do("%s X%d, X%d, X%d", op, t, r, r)
	for _, order := range []int{0x4E, 0xB1} {
		l.do("VSHUFPS $0x%02X, X%d, X%d, X%d", order, r, r, t)
		l.do("%s X%d, X%d, X%d", op, t, r, r)
	}
}

// each writes a loop over a row of R8 bytes, two registers a turn; body gets the
// offset of one and whether it is the first or second.
func (w width) each(l *listing, name string, body func(offset, i int)) {
	l.do("XORQ AX, AX")
	l.label(name)
	for i := range 2 {
		body(i*w.bytes, i)
	}
	l.do("ADDQ $%d, AX", 2*w.bytes)
	l.do("CMPQ AX, R8")
	l.do("JLT %s", name)
}

// fold adds the two running registers 0 and 1 and their lanes.
func (w width) fold(l *listing, op string) {
	l.do("%s %s, %s, %s", op, w.v(1), w.v(0), w.v(0))
	w.reduce(l, op, 0, 1)
}

// norm writes x = norm(x + y) × gain + shift over one row.
func (w width) norm(l *listing) {
	l.function(w.name("norm"), normParams)
	l.load("MOVQ", "n R8", "x DI", "y SI", "gain R9", "shift R10")
	l.do("VCVTSI2SSQ R8, X14, X14")
	l.do("SHLQ $2, R8")
	w.zero(l, 0)
	w.zero(l, 1)
	w.each(l, "sum", func(offset, i int) {
		l.do("VMOVUPS %d(DI)(AX*1), %s", offset, w.v(2+i))
		l.do("VADDPS %d(SI)(AX*1), %s, %s", offset, w.v(2+i), w.v(2+i))
		l.do("VMOVUPS %s, %d(DI)(AX*1)", w.v(2+i), offset)
		l.do("VADDPS %s, %s, %s", w.v(2+i), w.v(i), w.v(i))
	})
	w.fold(l, "VADDPS")
	l.do("VDIVSS X14, X0, X0")
	l.do("VBROADCASTSS X0, %s", w.v(4)) // the mean
	w.zero(l, 0)
	w.zero(l, 1)
	w.each(l, "variance", func(offset, i int) {
		l.do("VMOVUPS %d(DI)(AX*1), %s", offset, w.v(2+i))
		l.do("VSUBPS %s, %s, %s", w.v(4), w.v(2+i), w.v(2+i))
		l.do("VFMADD231PS %s, %s, %s", w.v(2+i), w.v(2+i), w.v(i))
	})
	w.fold(l, "VADDPS")
	l.do("VDIVSS X14, X0, X0")
	l.do("VADDSS %s, X0, X0", l.arg("eps"))
	l.do("VSQRTSS X0, X0, X0")
	l.do("VMOVSS %s, X1", l.constant("one"))
	l.do("VDIVSS X0, X1, X0")
	l.do("VBROADCASTSS X0, %s", w.v(5))
	w.each(l, "scale", func(offset, i int) {
		l.do("VMOVUPS %d(DI)(AX*1), %s", offset, w.v(2+i))
		l.do("VSUBPS %s, %s, %s", w.v(4), w.v(2+i), w.v(2+i))
		l.do("VMULPS %s, %s, %s", w.v(5), w.v(2+i), w.v(2+i))
		l.do("VMOVUPS %d(R9)(AX*1), %s", offset, w.v(6+i))
		l.do("VFMADD213PS %d(R10)(AX*1), %s, %s", offset, w.v(6+i), w.v(2+i))
		l.do("VMOVUPS %s, %d(DI)(AX*1)", w.v(2+i), offset)
	})
	l.do("VZEROUPPER")
	l.do("RET")
}

// exp2 writes x = 2^(x - largest) over one row and the inverse of its sum.
func (w width) exp2(l *listing) {
	l.function(w.name("exp2"), exp2Params)
	l.load("MOVQ", "n R8", "x DI", "inverse SI")
	l.do("SHLQ $2, R8")
	w.broadcast(l, "minus126", 15)
	for i, name := range exponents {
		w.broadcast(l, name, 8+i)
	}
	if w.letter == "Y" {
		w.broadcast(l, "i127", 14)
	}
	l.do("VMOVUPS (DI), %s", w.v(0))
	l.do("VMOVAPS %s, %s", w.v(0), w.v(1))
	w.each(l, "largest", func(offset, i int) {
		l.do("VMAXPS %d(DI)(AX*1), %s, %s", offset, w.v(i), w.v(i))
	})
	w.fold(l, "VMAXPS")
	l.do("VBROADCASTSS X0, %s", w.v(7))
	w.zero(l, 0)
	w.zero(l, 1)
	w.each(l, "power", func(offset, i int) {
		l.do("VMOVUPS %d(DI)(AX*1), %s", offset, w.v(2+2*i))
		result := w.powerOf(l, 2+2*i, i)
		l.do("VMOVUPS %s, %d(DI)(AX*1)", result, offset)
		l.do("VADDPS %s, %s, %s", result, w.v(i), w.v(i))
	})
	w.fold(l, "VADDPS")
	l.do("VMOVSS %s, X1", l.constant("one"))
	l.do("VDIVSS X0, X1, X0")
	l.do("VMOVSS X0, (SI)")
	l.do("VZEROUPPER")
	l.do("RET")
}

// powerOf raises 2 to register at less register 7; it returns the result's name.
func (w width) powerOf(l *listing, at, i int) string {
	t, whole, power := w.v(at), w.v(at+1), w.v(6)
	if w.letter == "Z" {
		power = w.v(16 + i)
	}
	l.do("VSUBPS %s, %s, %s", w.v(7), t, t)
	l.do("VMAXPS %s, %s, %s", w.v(15), t, t)
	l.do("%s $0, %s, %s", map[string]string{"Z": "VRNDSCALEPS", "Y": "VROUNDPS"}[w.letter], t, whole)
	l.do("VSUBPS %s, %s, %s", whole, t, t)
	l.do("VMOVAPS %s, %s", w.v(8), power)
	for j := 1; j < len(exponents); j++ {
		l.do("VFMADD213PS %s, %s, %s", w.v(8+j), t, power)
	}
	if w.letter == "Z" {
		l.do("VSCALEFPS %s, %s, %s", whole, power, power)
		return power
	}
	l.do("VCVTPS2DQ %s, %s", whole, whole)
	l.do("VPADDD Y14, %s, %s", whole, whole)
	l.do("VPSLLD $23, %s, %s", whole, whole)
	l.do("VMULPS %s, %s, %s", whole, power, power)
	return power
}

// stored is the form of rounded activations.
type stored int

const (
	asU8  stored = iota // 128 more, one byte
	asI16               // two bytes
)

// round writes q = x × 127/largest to the nearest even and sx = largest/127.
func (w width) round(l *listing, name string, form stored) {
	l.function(name, roundParams)
	l.load("MOVQ", "n R8", "x SI", "q DI", "sx DX")
	l.do("SHLQ $2, R8")
	w.broadcast(l, "abs", 4)
	w.zero(l, 0)
	w.zero(l, 1)
	and := map[string]string{"Z": "VPANDD", "Y": "VANDPS"}[w.letter]
	w.each(l, "largest", func(offset, i int) {
		l.do("%s %d(SI)(AX*1), %s, %s", and, offset, w.v(4), w.v(5))
		l.do("VMAXPS %s, %s, %s", w.v(5), w.v(i), w.v(i))
	})
	w.fold(l, "VMAXPS")
	l.do("VMOVSS %s, X2", l.constant("f127"))
	l.do("VDIVSS X2, X0, X1")
	l.do("VMOVSS X1, (DX)")
	l.do("VMAXSS %s, X0, X0", l.constant("tiny")) // a row of zeros stays zeros
	l.do("VDIVSS X0, X2, X0")
	l.do("VBROADCASTSS X0, %s", w.v(6))
	if form == asU8 {
		w.broadcast(l, "i128", 7)
		if w.letter == "Y" {
			l.do("VMOVDQU %s, Y8", l.constant("unpack"))
		}
	}
	l.label("store")
	for i := range 128 / w.bytes {
		l.do("VMULPS %d(SI), %s, %s", i*w.bytes, w.v(6), w.v(i))
		l.do("VCVTPS2DQ %s, %s", w.v(i), w.v(i))
		if form == asU8 {
			l.do("VPADDD %s, %s, %s", w.v(7), w.v(i), w.v(i))
		}
	}
	l.do("ADDQ $%d, DI", w.pack(l, form))
	l.do("ADDQ $128, SI")
	l.do("SUBQ $128, R8")
	l.do("JNZ store")
	l.do("VZEROUPPER")
	l.do("RET")
}

// pack stores 32 integers, the first registers, and returns how many bytes it took.
func (w width) pack(l *listing, form stored) int {
	if w.letter == "Z" {
		l.do("VPMOVDB Z0, (DI)")
		l.do("VPMOVDB Z1, 16(DI)")
		return 32
	}
	narrow := map[stored]string{asU8: "VPACKUSDW", asI16: "VPACKSSDW"}[form]
	l.do("%s Y1, Y0, Y0", narrow)
	l.do("%s Y3, Y2, Y2", narrow)
	if form == asU8 {
		l.do("VPACKUSWB Y2, Y0, Y0")
		l.do("VPERMD Y0, Y8, Y0")
		l.do("VMOVDQU Y0, (DI)")
		return 32
	}
	for i, offset := range []int{0, 32} {
		l.do("VPERMQ $0xD8, Y%d, Y%d", 2*i, 2*i)
		l.do("VMOVDQU Y%d, %d(DI)", 2*i, offset)
	}
	return 64
}

// addRow writes dst += scale × row.
func addRow(l *listing) {
	l.function("addRow256", addRowParams)
	l.load("MOVQ", "n CX", "dst DI", "row SI")
	l.do("VBROADCASTSS %s, Y8", l.arg("scale"))
	l.do("SHRQ $5, CX")
	l.label("loop")
	for i := range 4 {
		l.do("VPMOVSXBD %d(SI), Y%d", 8*i, i)
		l.do("VCVTDQ2PS Y%d, Y%d", i, i)
		l.do("VFMADD213PS %d(DI), Y8, Y%d", 32*i, i)
		l.do("VMOVUPS Y%d, %d(DI)", i, 32*i)
	}
	l.do("ADDQ $32, SI")
	l.do("ADDQ $128, DI")
	l.do("DECQ CX")
	l.do("JNZ loop")
	l.do("VZEROUPPER")
	l.do("RET")
}

// dots writes out[i] = Σ q[k] rows[i][k] for n rows that begin stride bytes apart.
func dots(l *listing) {
	l.function("dots256", dotsParams)
	l.load("MOVQ", "width R8", "q SI", "n CX", "rows DI", "stride R10", "out DX")
	l.label("row")
	narrow.zero(l, 0)
	narrow.zero(l, 1)
	l.do("XORQ AX, AX")
	l.label("step")
	for i := range 2 {
		l.do("VPMOVSXBW %d(DI)(AX*1), Y%d", 16*i, 2+i)
		l.do("VPMOVSXBW %d(SI)(AX*1), Y%d", 16*i, 4+i)
		l.do("VPMADDWD Y%d, Y%d, Y%d", 4+i, 2+i, 2+i)
		l.do("VPADDD Y%d, Y%d, Y%d", 2+i, i, i)
	}
	l.do("ADDQ $32, AX")
	l.do("CMPQ AX, R8")
	l.do("JLT step")
	narrow.fold(l, "VPADDD")
	l.do("VMOVD X0, (DX)")
	l.do("ADDQ R10, DI")
	l.do("ADDQ $4, DX")
	l.do("DECQ CX")
	l.do("JNZ row")
	l.do("VZEROUPPER")
	l.do("RET")
}

// dotsWide does what dots does for a width that is a multiple of 64, four rows at
// a time: more is read than worked, so lines are asked for ahead of their turn.
// Components of rows become unsigned by adding 128, which start takes away.
func dotsWide(l *listing) {
	const ahead = 4096 // bytes
	rows := []string{"DI", "R9", "R12", "R13"}
	product := func(base string, sum int) {
		l.do("VPXORD (%s)(AX*1), Z31, Z5", base)
		l.do("VPDPBUSD Z4, Z5, Z%d", sum)
	}
	next := func(label string) {
		l.do("ADDQ $64, AX")
		l.do("CMPQ AX, R8")
		l.do("JLT %s", label)
	}
	l.function("dotsVNNI512", dotsParams)
	l.load("MOVQ", "width R8", "q SI", "n CX", "rows DI", "stride R10", "out DX")
	l.do("MOVL $0x80808080, AX")
	l.do("VPBROADCASTD AX, Z31")
	l.do("VPXORD Z28, Z28, Z28")
	l.do("VPXORD Z29, Z29, Z29")
	l.do("XORQ AX, AX")
	l.label("start")
	l.do("VPDPBUSD (SI)(AX*1), Z31, Z29")
	next("start")
	l.do("VPSUBD Z29, Z28, Z29")
	l.do("SUBQ $4, CX")
	l.do("JLT rest")
	l.label("four")
	for i, base := range rows[1:] {
		l.do("LEAQ (%s)(R10*1), %s", rows[i], base)
	}
	for i := range rows {
		l.do("VMOVDQA64 Z29, Z%d", i)
	}
	l.do("XORQ AX, AX")
	l.label("step")
	l.do("VMOVDQU64 (SI)(AX*1), Z4")
	for i, base := range rows {
		l.do("PREFETCHT0 %d(%s)(AX*1)", ahead, base)
		product(base, i)
	}
	next("step")
	for i := range rows {
		l.do("VEXTRACTI64X4 $1, Z%d, Y%d", i, 4+i)
		l.do("VPADDD Y%d, Y%d, Y%d", 4+i, i, i)
	}
	l.do("VPHADDD Y1, Y0, Y0")
	l.do("VPHADDD Y3, Y2, Y2")
	l.do("VPHADDD Y2, Y0, Y0")
	l.do("VEXTRACTI128 $1, Y0, X1")
	l.do("VPADDD X1, X0, X0")
	l.do("VMOVDQU X0, (DX)")
	l.do("LEAQ (R13)(R10*1), DI")
	l.do("ADDQ $16, DX")
	l.do("SUBQ $4, CX")
	l.do("JGE four")
	l.label("rest")
	l.do("ADDQ $4, CX")
	l.do("JZ done")
	l.label("row")
	l.do("VMOVDQA64 Z29, Z0")
	l.do("XORQ AX, AX")
	l.label("one")
	l.do("VMOVDQU64 (SI)(AX*1), Z4")
	product("DI", 0)
	next("one")
	wide.reduce(l, "VPADDD", 0, 1)
	l.do("VMOVD X0, (DX)")
	l.do("ADDQ R10, DI")
	l.do("ADDQ $4, DX")
	l.do("DECQ CX")
	l.do("JNZ row")
	l.label("done")
	l.do("VZEROUPPER")
	l.do("RET")
}

// transpose writes dst[d][i] = src[i][d] for 8 rows and 32 columns. Strides are in
// bytes.
func transpose(l *listing) {
	l.function("transpose256", transposeParams)
	l.load("MOVQ", "src R8", "lds R10", "dst DI", "ldd AX")
	rowBases(l, 8)
	l.do("MOVQ $4, CX")
	l.label("loop")
	for i := range 8 {
		l.do("VMOVUPS %s, Y%d", row(i, 0), i)
	}
	for i := 0; i < 8; i += 2 { // pairs of rows
		l.do("VUNPCKLPS Y%d, Y%d, Y%d", i+1, i, 8+i)
		l.do("VUNPCKHPS Y%d, Y%d, Y%d", i+1, i, 9+i)
	}
	for i := 0; i < 8; i += 4 { // fours of rows: columns 0 to 3 of both lanes
		for j, op := range []string{"VUNPCKLPD", "VUNPCKHPD", "VUNPCKLPD", "VUNPCKHPD"} {
			l.do("%s Y%d, Y%d, Y%d", op, 10+i+j/2, 8+i+j/2, i+j)
		}
	}
	for _, lanes := range []string{"0x20", "0x31"} {
		for i := range 4 {
			l.do("VPERM2F128 $%s, Y%d, Y%d, Y8", lanes, 4+i, i)
			l.do("VMOVUPS Y8, (DI)")
			l.do("ADDQ AX, DI")
		}
	}
	advance(l, 8, 32)
	l.do("DECQ CX")
	l.do("JNZ loop")
	l.do("VZEROUPPER")
	l.do("RET")
}
