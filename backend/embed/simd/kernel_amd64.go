package simd

import "golang.org/x/sys/cpu"

func kernels() (list []*Kernel) {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasFMA {
		return nil
	}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		list = append(list, &avx512VNNI)
	}
	if x.HasAVXVNNI {
		list = append(list, &avxVNNI)
	}
	return append(list, &avx2)
}

var avx512VNNI = Kernel{
	name: "avx512vnni", form: unsigned, panel: 32, group: 4,
	tiles:   []tile[dot]{{12, dotVNNI512x12}, {8, dotVNNI512x8}, {4, dotVNNI512x4}},
	columns: 32, mulAdds: []tile[mulAdd]{{12, mulAdd512x12}, {8, mulAdd512x8}, {4, mulAdd512x4}},
	gelu: gelu512, norm: norm512, exp2: exp2512, round: roundU8x512, transpose: transpose256, turned: 8, addRow: addRow256, dots: dots256, dots64: dotsVNNI512,
}

var avxVNNI = Kernel{
	name: "avxvnni", form: unsigned, panel: 16, group: 4,
	tiles:   []tile[dot]{{6, dotVNNI256x6}, {4, dotVNNI256x4}, {2, dotVNNI256x2}},
	columns: 16, mulAdds: []tile[mulAdd]{{6, mulAdd256x6}, {4, mulAdd256x4}, {2, mulAdd256x2}},
	gelu: gelu256, norm: norm256, exp2: exp2256, round: roundU8x256, transpose: transpose256, turned: 8, addRow: addRow256, dots: dots256,
}

var avx2 = Kernel{
	name: "avx2", form: widened, panel: 16, group: 2,
	tiles:   []tile[dot]{{6, dotAVX2x6}, {4, dotAVX2x4}, {2, dotAVX2x2}},
	columns: 16, mulAdds: []tile[mulAdd]{{6, mulAdd256x6}, {4, mulAdd256x4}, {2, mulAdd256x2}},
	gelu: gelu256, norm: norm256, exp2: exp2256, round: roundI16x256, transpose: transpose256, turned: 8, addRow: addRow256, dots: dots256,
}
