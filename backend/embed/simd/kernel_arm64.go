package simd

import "golang.org/x/sys/cpu"

// kernels: every arm64 has NEON, most have the dot product of bytes.
func kernels() []*Kernel {
	if cpu.ARM64.HasASIMDDP {
		return []*Kernel{&sdot, &smull}
	}
	return []*Kernel{&smull}
}

var sdot = neon("sdot", tile[dot]{4, dotSDOTx4})
var smull = neon("smull", tile[dot]{2, dotSMULLx2})

func neon(name string, t tile[dot]) Kernel {
	return Kernel{
		name: name, form: signed, panel: 16, group: 4, tiles: []tile[dot]{t},
		columns: 16, mulAdds: []tile[mulAdd]{{4, mulAddNEONx4}},
		gelu: geluNEON, norm: normNEON, exp2: exp2NEON, round: roundNEON, transpose: transposeNEON, turned: 4, addRow: addRowNEON, dots: dotsNEON,
	}
}
