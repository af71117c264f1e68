// Command gen writes the assembly of package simd and the Go declarations that
// go with it. Run it with "go generate" in the folder above; a test holds the
// files there to what it writes.
//
//	listing    one file: functions, arguments by name, constants
//	x86        int8 and float32 matrix tiles in 512 and 256 bits
//	x86row     what works on rows: GELU, norm, exponential, rounding
//	arm        the same tiles for arm64, in words where Go's assembler has no name
//	armrow     and the same rows
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	for name, text := range files() {
		if err := os.WriteFile(filepath.Clean(name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "write assembly:", err)
			os.Exit(1)
		}
	}
}

// files is everything that is generated, by file name.
func files() map[string]string {
	avx512, vnni256, avx2, neon := &listing{}, &listing{}, &listing{}, &listing{}
	for _, rows := range wide.heights {
		wide.dot(avx512, "dotVNNI512", vnni, rows)
		wide.mulAdd(avx512, rows)
	}
	for _, rows := range narrow.heights {
		narrow.dot(vnni256, "dotVNNI256", vnni, rows)
		narrow.dot(avx2, "dotAVX2", madd, rows)
		narrow.mulAdd(avx2, rows)
	}
	wide.rowFunctions(avx512)
	wide.round(avx512, "roundU8x512", asU8)
	dotsWide(avx512)
	narrow.rowFunctions(avx2)
	narrow.round(vnni256, "roundU8x256", asU8)
	narrow.round(avx2, "roundI16x256", asI16)
	transpose(avx2)
	addRow(avx2)
	dots(avx2)
	armMatrix(neon)
	armRows(neon)
	return map[string]string{
		"avx512_amd64.s": avx512.assembly(), "avxvnni_amd64.s": vnni256.assembly(), "avx2_amd64.s": avx2.assembly(), "neon_arm64.s": neon.assembly(),
		"asm_amd64.go": declarations(avx512, vnni256, avx2), "asm_arm64.go": declarations(neon),
	}
}
