package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

// tinyModel is an upstream file of one layer: dimension 32, inner layer 64, three
// words, two positions. Every tensor holds 0, 1, 2 and on, times step.
func tinyModel(t *testing.T, without string) []byte {
	t.Helper()
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight": {3, 32}, "embeddings.position_embeddings.weight": {2, 32}, "embeddings.token_type_embeddings.weight": {2, 32},
		"embeddings.LayerNorm.weight": {32}, "embeddings.LayerNorm.bias": {32},
		layerName(0, "intermediate.dense.weight"): {64, 32}, layerName(0, "intermediate.dense.bias"): {64},
		layerName(0, "output.dense.weight"): {32, 64}, layerName(0, "output.dense.bias"): {32},
	}
	for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
		shapes[layerName(0, part+".weight")], shapes[layerName(0, part+".bias")] = []int{32, 32}, []int{32}
	}
	for _, part := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
		shapes[layerName(0, part+".weight")], shapes[layerName(0, part+".bias")] = []int{32}, []int{32}
	}
	delete(shapes, without)
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var payload []byte
	for name, shape := range shapes {
		start, n := len(payload), 1
		for _, d := range shape {
			n *= d
		}
		for i := range n {
			payload = binary.LittleEndian.AppendUint32(payload, math.Float32bits(float32(i)))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{start, len(payload)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), payload...)
}

func TestEncoderFileHoldsTheModelInEightBits(t *testing.T) {
	file, err := encoderFile(tinyModel(t, ""), []byte("a\nb\nc\n"))
	if err != nil {
		t.Fatal(err)
	}
	length := binary.LittleEndian.Uint32(file[8:])
	head, payload := file[16:16+length], file[16+length:]
	var h packedHeader
	if err := json.Unmarshal(head, &h); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(payload)
	if crc32.ChecksumIEEE(head) != binary.LittleEndian.Uint32(file[12:]) || hex.EncodeToString(sum[:]) != h.SHA256 || (16+length)%64 != 0 {
		t.Error("checksums or boundaries are wrong")
	}
	if h.Dim != 32 || h.Layers != 1 || h.Heads != 1 || h.FFN != 64 || h.Vocab != 3 || h.Tokens != 2 {
		t.Errorf("header is %+v", h)
	}
	at := map[string]packedTensor{}
	for _, tensor := range h.Tensors {
		if tensor.Offset%64 != 0 {
			t.Errorf("%s begins at %d", tensor.Name, tensor.Offset)
		}
		at[tensor.Name] = tensor
	}
	float := func(name string, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(payload[at[name].Offset+4*i:]))
	}
	if got := float("pos", 33); got != 33+1 {
		t.Errorf("second position is %v, want itself and the first kind of token", got)
	}
	if q, s := payload[at["tok.q"].Offset+32:][:32], float("tok.s", 1); q[31] != 127 || s != float32(63)/127 {
		t.Errorf("second word ends with %d × %v", q[31], s)
	}
	if shape := at["l0.qkv.q"].Shape; shape[0] != 96 || shape[1] != 32 {
		t.Errorf("queries, keys and values have shape %v", shape)
	}
	if !bytes.HasSuffix(file, []byte("a\nb\nc\n")) {
		t.Error("the vocabulary is not there")
	}
}

func TestModelsThatAreDamagedAreRefused(t *testing.T) {
	good := tinyModel(t, "")
	bad := map[string][]byte{
		"empty": nil, "cut header": good[:100], "cut payload": good[:len(good)-4], "no JSON": append(binary.LittleEndian.AppendUint64(nil, 1), '{'),
		"other type":     bytes.Replace(good, []byte("F32"), []byte("F16"), 1),
		"no words":       tinyModel(t, "embeddings.word_embeddings.weight"),
		"no bias":        tinyModel(t, layerName(0, "output.dense.bias")),
		"no norm":        tinyModel(t, layerName(0, "output.LayerNorm.bias")),
		"negative shape": bytes.Replace(good, []byte("[64,32]"), []byte("[-4,32]"), 1),
		"other shape":    bytes.Replace(good, []byte("[64,32]"), []byte("[32,64]"), 1),
	}
	for name, data := range bad {
		if _, err := encoderFile(data, []byte("a\n")); err == nil || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}
