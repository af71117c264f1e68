package main

import "fmt"

// Vector instructions that Go's assembler has no name for, on four lanes of 32
// bits unless the name says otherwise.
var words = map[string]uint32{
	"FMUL": 0x6E20DC00, "FADD": 0x4E20D400, "FSUB": 0x4EA0D400, "FDIV": 0x6E20FC00, "FMAX": 0x4E20F400, "FMIN": 0x4EA0F400,
	"FMLA": 0x4E20CC00, "FADDP": 0x6E20D400, "FABS": 0x4EA0F800, "FMAXV": 0x6E30F800,
	"FCVTNS": 0x4E21A800, "SCVTF": 0x4E21D800, "FRINTN": 0x4E218800, "SHL23": 0x4F375400,
	"XTNH": 0x0E612800, "XTNH2": 0x4E612800, "XTNB": 0x0E212800, "XTNB2": 0x4E212800, // to 16 and to 8 bits
	"SXTLH": 0x0F08A400, "SXTLH2": 0x4F08A400, "SXTLS": 0x0F10A400, "SXTLS2": 0x4F10A400, // to 16 and to 32 bits
	"SMULL": 0x0E20C000, "SMULL2": 0x4E20C000, "SMLAL": 0x0E208000, "SMLAL2": 0x4E208000, "SADALP": 0x4E606800,
}

// two adds an instruction of one source: Vd = op Vn.
func (l *listing) two(op string, d, n int) { l.word(op, d, n, 0) }

// three adds an instruction of two sources: Vd = Vn op Vm.
func (l *listing) three(op string, d, n, m int) { l.word(op, d, n, m) }

func (l *listing) word(op string, d, n, m int) {
	bits, ok := words[op]
	if !ok {
		panic("no instruction " + op)
	}
	l.do("WORD $0x%08x // %s V%d, V%d, V%d", bits|uint32(m)<<16|uint32(n)<<5|uint32(d), op, d, n, m)
}

// sdot adds to Vd the products of Vn with bytes 4i to 4i+3 of Vm.
func (l *listing) sdot(d, n, m, i int) {
	bits := 0x4F80E000 | uint32(i&1)<<21 | uint32(m)<<16 | uint32(i>>1)<<11 | uint32(n)<<5 | uint32(d)
	l.do("WORD $0x%08x // SDOT V%d, V%d, V%d.B[%d]", bits, d, n, m, i)
}

func (l *listing) copy(d, n int) { l.do("VMOV V%d.B16, V%d.B16", n, d) }
func (l *listing) clear(d int)   { l.do("VEOR V%d.B16, V%d.B16, V%d.B16", d, d, d) }

// four names four registers in a row, which one instruction loads or stores.
func four(first int) string {
	return fmt.Sprintf("[V%d.S4, V%d.S4, V%d.S4, V%d.S4]", first, first+1, first+2, first+3)
}

// fill sets every lane of a register to a constant.
func (l *listing) fill(name string, d int) {
	l.do("MOVD $%s, R20", l.constant(name))
	l.do("VLD1R (R20), [V%d.S4]", d)
}

// armMatrix writes the matrix tiles, 16 columns wide: four rows with the dot
// product of bytes, two rows without.
func armMatrix(l *listing) {
	armDot(l)
	armDotV8(l)
	armMulAdd(l)
}

// armRow is the register that walks along row i of the left matrix.
func armRow(i int) string { return []string{"R1", "R3", "R4", "R8"}[i] }

func armRowBases(l *listing, rows int) {
	for i := 1; i < rows; i++ {
		l.do("ADD R2, %s, %s", armRow(i-1), armRow(i))
	}
}

// armDot has its sums in V0 to V15, weights in V16 to V19, rows in V20 to V23.
func armDot(l *listing) {
	l.function("dotSDOTx4", dotParams)
	l.load("MOVD", "groups R0", "a R1", "lda R2", "w R5", "start R6")
	armRowBases(l, 4)
	l.do("VLD1 (R6), %s", four(0))
	for i := 4; i < 16; i++ {
		l.copy(i, i%4)
	}
	l.do("LSR $2, R0")
	l.label("loop")
	for r := range 4 {
		l.do("VLD1.P 16(%s), [V%d.B16]", armRow(r), 20+r)
	}
	for i := range 4 {
		l.do("VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]")
		for r := range 4 {
			for c := range 4 {
				l.sdot(4*r+c, 16+c, 20+r, i)
			}
		}
	}
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	armDotEnd(l, 4)
}

// armDotV8 is for processors without SDOT. Two products of at most 127 × 127 fit
// 16 bits, so two groups of k are multiplied before each widening addition. Two
// lanes belong to one column; they are added at the end.
func armDotV8(l *listing) {
	l.function("dotSMULLx2", dotParams)
	l.load("MOVD", "groups R0", "a R1", "lda R2", "w R5", "start R6")
	armRowBases(l, 2)
	for i := range 16 {
		l.clear(i)
	}
	l.do("LSR $1, R0")
	l.label("loop")
	l.do("VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]")
	l.do("VLD1.P 64(R5), [V20.B16, V21.B16, V22.B16, V23.B16]")
	for r := range 2 {
		l.do("VLD1R.P 4(%s), [V%d.S4]", armRow(r), 24+2*r)
		l.do("VLD1R.P 4(%s), [V%d.S4]", armRow(r), 25+2*r)
	}
	for r := range 2 {
		for c := range 8 { // half registers: two columns each
			t, half := 28+c%4, []string{"", "2"}[c%2]
			l.three("SMULL"+half, t, 16+c/2, 24+2*r)
			l.three("SMLAL"+half, t, 20+c/2, 25+2*r)
			l.two("SADALP", 8*r+c, t)
		}
	}
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	l.do("VLD1 (R6), %s", four(16))
	for i := range 8 {
		l.do("VADDP V%d.S4, V%d.S4, V%d.S4", 2*i+1, 2*i, i)
		l.do("VADD V%d.S4, V%d.S4, V%d.S4", 16+i%4, i, i)
	}
	armDotEnd(l, 2)
}

// armDotEnd scales the sums, which stand in V0 and on, and stores them.
func armDotEnd(l *listing, rows int) {
	l.load("MOVD", "sx R0", "sw R1", "bias R2", "out R7", "ldo R10")
	l.do("VLD1 (R1), %s", four(16))
	l.do("VLD1 (R2), %s", four(20))
	for r := range rows {
		l.do("VLD1R.P 4(R0), [V24.S4]")
		for c := range 4 {
			l.two("SCVTF", 4*r+c, 4*r+c)
			l.three("FMUL", 4*r+c, 4*r+c, 24)
			l.copy(28+c, 20+c)
			l.three("FMLA", 28+c, 4*r+c, 16+c)
		}
		l.do("VST1 %s, (R7)", four(28))
		l.do("ADD R10, R7")
	}
	l.do("RET")
}

func armMulAdd(l *listing) {
	l.function("mulAddNEONx4", mulAddParams)
	l.load("MOVD", "k R0", "a R1", "lda R2", "b R5", "ldb R9", "scale R6", "out R7", "ldo R10")
	armRowBases(l, 4)
	for i := range 16 {
		l.clear(i)
	}
	l.label("loop")
	l.do("VLD1 (R5), %s", four(16))
	l.do("ADD R9, R5")
	for r := range 4 {
		l.do("VLD1R.P 4(%s), [V%d.S4]", armRow(r), 20+r)
		for c := range 4 {
			l.three("FMLA", 4*r+c, 16+c, 20+r)
		}
	}
	l.do("SUBS $1, R0, R0")
	l.do("BNE loop")
	for r := range 4 {
		l.do("VLD1R.P 4(R6), [V16.S4]")
		for c := range 4 {
			l.three("FMUL", 4*r+c, 4*r+c, 16)
		}
		l.do("VST1 %s, (R7)", four(4*r))
		l.do("ADD R10, R7")
	}
	l.do("RET")
}
