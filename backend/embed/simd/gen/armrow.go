package main

// armRows writes what works on rows. Rows are a multiple of 32 floats.
func armRows(l *listing) {
	armGELU(l)
	armNorm(l)
	armExp2(l)
	armRound(l)
	armTranspose(l)
	armAddRow(l)
	armDots(l)
}

// armEach writes a loop that counts R6 down from the row length in R1, two
// registers a turn, with R5 at the row's start.
func armEach(l *listing, name string, body func()) {
	l.do("MOVD R2, R5")
	l.do("MOVD R1, R6")
	l.label(name)
	body()
	l.do("SUBS $1, R6, R6")
	l.do("BNE %s", name)
}

func armGELU(l *listing) {
	l.function("geluNEON", geluParams)
	l.load("MOVD", "n R0", "x R1")
	at := map[string]int{}
	for i, name := range geluNames {
		at[name] = 8 + i // to V23
		l.fill(name, at[name])
	}
	l.do("LSR $4, R0")
	l.label("loop")
	l.do("VLD1 (R1), %s", four(4))
	for x := 4; x < 8; x++ {
		armGELUOf(l, x, at)
	}
	l.do("VST1.P %s, 64(R1)", four(4))
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	l.do("RET")
}

// armGELUOf works on register x with V0 and V24 to V29 as scratch.
func armGELUOf(l *listing, x int, at map[string]int) {
	const z, zz = 0, 24
	l.three("FMUL", z, x, at["rootHalf"])
	l.three("FMIN", z, z, at["four"])
	l.three("FMAX", z, z, at["minusFour"])
	l.three("FMUL", zz, z, z)
	p := armPolynomial(l, erfP, zz, 25, 26, at)
	q := armPolynomial(l, erfQ, zz, 27, 28, at)
	l.three("FMUL", p, p, z)
	l.three("FDIV", p, p, q)
	l.three("FMUL", x, x, at["half"])
	l.copy(29, x)
	l.three("FMLA", x, 29, p)
}

// armPolynomial evaluates by Horner's rule with t and u in turn; it returns the
// register that holds the value.
func armPolynomial(l *listing, names []string, x, t, u int, at map[string]int) int {
	l.copy(t, at[names[0]])
	for _, name := range names[1:] {
		l.copy(u, at[name])
		l.three("FMLA", u, t, x)
		t, u = u, t
	}
	return t
}

func armExp2(l *listing) {
	l.function("exp2NEON", exp2Params)
	l.load("MOVD", "n R1", "x R2", "inverse R4")
	at := map[string]int{}
	for i, name := range append([]string{"minus126", "i127"}, exponents...) {
		at[name] = 16 + i // to V23
		l.fill(name, at[name])
	}
	l.do("LSR $3, R1")
	l.do("VLD1R (R2), [V0.S4]")
	armEach(l, "largest", func() {
		l.do("VLD1.P 32(R5), [V2.S4, V3.S4]")
		l.three("FMAX", 0, 0, 2)
		l.three("FMAX", 0, 0, 3)
	})
	l.two("FMAXV", 7, 0)
	l.do("VDUP V7.S[0], V7.S4")
	l.clear(0)
	l.clear(1)
	armEach(l, "power", func() {
		l.do("VLD1 (R5), [V2.S4, V3.S4]")
		for i, x := range []int{2, 3} {
			armPowerOf(l, x, 4+i, at)
			l.three("FADD", i, i, x)
		}
		l.do("VST1.P [V2.S4, V3.S4], 32(R5)")
	})
	armFold(l)
	l.do("FMOVS $1.0, F1")
	l.do("FDIVS F0, F1, F0")
	l.do("FMOVS F0, (R4)")
	l.do("RET")
}

// armPowerOf raises 2 to register x less V7.
func armPowerOf(l *listing, x, whole int, at map[string]int) {
	l.three("FSUB", x, x, 7)
	l.three("FMAX", x, x, at["minus126"])
	l.two("FRINTN", whole, x)
	l.three("FSUB", x, x, whole)
	p := armPolynomial(l, exponents, x, 26, 27, at)
	l.two("FCVTNS", whole, whole)
	l.do("VADD V%d.S4, V%d.S4, V%d.S4", at["i127"], whole, whole)
	l.two("SHL23", whole, whole)
	l.three("FMUL", x, p, whole)
}

// armFold adds the running registers 0 and 1 and their lanes.
func armFold(l *listing) {
	l.three("FADD", 0, 0, 1)
	l.three("FADDP", 0, 0, 0)
	l.three("FADDP", 0, 0, 0)
}

func armRound(l *listing) {
	l.function("roundNEON", roundParams)
	l.load("MOVD", "n R1", "x R2", "q R7", "sx R3")
	l.do("LSR $4, R1")
	l.clear(8)
	armEach(l, "largest", func() {
		l.do("VLD1.P 64(R5), %s", four(0))
		for i := range 4 {
			l.two("FABS", i, i)
			l.three("FMAX", 8, 8, i)
		}
	})
	l.two("FMAXV", 8, 8)
	l.fill("f127", 9)
	l.fill("tiny", 10)
	l.do("FDIVS F9, F8, F11")
	l.do("FMOVS F11, (R3)")
	l.three("FMAX", 8, 8, 10) // a row of zeros stays zeros
	l.do("FDIVS F8, F9, F8")
	l.do("VDUP V8.S[0], V8.S4")
	armEach(l, "store", func() {
		l.do("VLD1.P 64(R5), %s", four(0))
		for i := range 4 {
			l.three("FMUL", i, i, 8)
			l.two("FCVTNS", i, i)
		}
		l.two("XTNH", 4, 0)
		l.two("XTNH2", 4, 1)
		l.two("XTNH", 5, 2)
		l.two("XTNH2", 5, 3)
		l.two("XTNB", 6, 4)
		l.two("XTNB2", 6, 5)
		l.do("VST1.P [V6.B16], 16(R7)")
	})
	l.do("RET")
}

func armNorm(l *listing) {
	l.function("normNEON", normParams)
	l.load("MOVD", "n R1", "x R2", "y R3", "gain R4", "shift R8")
	l.load("FMOVS", "eps F15")
	l.do("SCVTFS R1, F14")
	l.do("LSR $3, R1")
	l.clear(0)
	l.clear(1)
	armEach(l, "sum", func() {
		l.do("VLD1 (R5), [V2.S4, V3.S4]")
		l.do("VLD1.P 32(R3), [V4.S4, V5.S4]")
		for i := range 2 {
			l.three("FADD", 2+i, 2+i, 4+i)
			l.three("FADD", i, i, 2+i)
		}
		l.do("VST1.P [V2.S4, V3.S4], 32(R5)")
	})
	armFold(l)
	l.do("FDIVS F14, F0, F6")
	l.do("VDUP V6.S[0], V6.S4") // the mean
	l.clear(0)
	l.clear(1)
	armEach(l, "variance", func() {
		l.do("VLD1.P 32(R5), [V2.S4, V3.S4]")
		for i := range 2 {
			l.three("FSUB", 2+i, 2+i, 6)
			l.three("FMLA", i, 2+i, 2+i)
		}
	})
	armFold(l)
	l.do("FDIVS F14, F0, F0")
	l.do("FADDS F15, F0, F0")
	l.do("FSQRTS F0, F0")
	l.do("FMOVS $1.0, F1")
	l.do("FDIVS F0, F1, F7")
	l.do("VDUP V7.S[0], V7.S4")
	armEach(l, "scale", func() {
		l.do("VLD1 (R5), [V2.S4, V3.S4]")
		l.do("VLD1.P 32(R4), [V16.S4, V17.S4]")
		l.do("VLD1.P 32(R8), [V18.S4, V19.S4]")
		for i := range 2 {
			l.three("FSUB", 2+i, 2+i, 6)
			l.three("FMUL", 2+i, 2+i, 7)
			l.three("FMLA", 18+i, 2+i, 16+i)
		}
		l.do("VST1.P [V18.S4, V19.S4], 32(R5)")
	})
	l.do("RET")
}

// armTranspose writes dst[d][i] = src[i][d] for 4 rows and 32 columns.
func armTranspose(l *listing) {
	l.function("transposeNEON", transposeParams)
	l.load("MOVD", "src R1", "lds R2", "dst R5", "ldd R6")
	armRowBases(l, 4)
	l.do("MOVD $8, R0")
	l.label("loop")
	for i := range 4 {
		l.do("VLD1.P 16(%s), [V%d.S4]", armRow(i), i)
	}
	for half, zip := range []string{"VZIP1", "VZIP2"} {
		l.do("%s V2.S4, V0.S4, V%d.S4", zip, 4+2*half)
		l.do("%s V3.S4, V1.S4, V%d.S4", zip, 5+2*half)
	}
	for i := range 4 {
		l.do("%s V%d.S4, V%d.S4, V%d.S4", []string{"VZIP1", "VZIP2"}[i%2], 5+i/2*2, 4+i/2*2, 16+i)
		l.do("VST1 [V%d.S4], (R5)", 16+i)
		l.do("ADD R6, R5")
	}
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	l.do("RET")
}

func armAddRow(l *listing) {
	l.function("addRowNEON", addRowParams)
	l.load("MOVD", "n R0", "dst R1", "row R2")
	l.load("FMOVS", "scale F8")
	l.do("VDUP V8.S[0], V8.S4")
	l.do("LSR $4, R0")
	l.label("loop")
	l.do("VLD1.P 16(R2), [V0.B16]")
	l.do("VLD1 (R1), %s", four(4))
	l.two("SXTLH", 1, 0)
	l.two("SXTLH2", 2, 0)
	for i, half := range []string{"SXTLS", "SXTLS2", "SXTLS", "SXTLS2"} {
		l.two(half, 3, 1+i/2)
		l.two("SCVTF", 3, 3)
		l.three("FMLA", 4+i, 3, 8)
	}
	l.do("VST1.P %s, 64(R1)", four(4))
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	l.do("RET")
}

// armDots writes out[i] = Σ q[k] rows[i][k] for n rows that begin stride bytes apart.
func armDots(l *listing) {
	l.function("dotsNEON", dotsParams)
	l.load("MOVD", "width R0", "q R1", "n R2", "rows R3", "stride R4", "out R5")
	l.label("row")
	for i := range 2 {
		l.clear(i)
	}
	l.do("MOVD R1, R6")
	l.do("MOVD R3, R7")
	l.do("MOVD R0, R8")
	l.label("step")
	l.do("VLD1.P 32(R6), [V2.B16, V3.B16]")
	l.do("VLD1.P 32(R7), [V4.B16, V5.B16]")
	for i := range 2 {
		for j, half := range []string{"", "2"} {
			l.three("SMULL"+half, 6+j, 2+i, 4+i)
			l.two("SADALP", j, 6+j)
		}
	}
	l.do("SUBS $32, R8, R8")
	l.do("BNE step")
	l.do("VADD V1.S4, V0.S4, V0.S4")
	l.do("VADDV V0.S4, V0")
	l.do("VMOV V0.S[0], R6")
	l.do("MOVW R6, (R5)")
	l.do("ADD $4, R5")
	l.do("ADD R4, R3")
	l.do("SUBS $1, R2, R2")
	l.do("BNE row")
	l.do("RET")
}
