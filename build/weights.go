package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
)

// weights remakes the file of the encoder, or of the cross-encoder, from its
// upstream model.safetensors: weights to int8 with a scale for each row, the rest
// as it is. The encoder's wants vocab.txt beside it; the cross-encoder reads the
// same vocabulary.
func weights(_ context.Context, j *job) error {
	if len(os.Args) != 3 {
		return errors.New("name one file: go run ./build weights PATH/model.safetensors")
	}
	model, err := os.ReadFile(os.Args[2])
	if err != nil {
		return err
	}
	base, file, err := weightsFile(model, filepath.Join(filepath.Dir(os.Args[2]), "vocab.txt"))
	if err != nil {
		return err
	}
	name := j.path("backend", "embed", "weights", base)
	if err := os.WriteFile(name, file, 0o644); err != nil {
		return err
	}
	fmt.Printf("wrote %s: %d bytes, SHA-256 %x\n", filepath.Base(name), len(file), sha256.Sum256(file))
	return nil
}

// weightsFile is the .fnw file of a model, with its name in the tree.
func weightsFile(model []byte, vocab string) (name string, file []byte, err error) {
	s, err := openSafetensors(model)
	if err != nil {
		return "", nil, err
	}
	if s.has("classifier.weight") {
		file, err = crossEncoderFile(model)
		return "cross-l12-int8.fnw", file, err
	}
	vocabulary, err := os.ReadFile(vocab)
	if err != nil {
		return "", nil, err
	}
	file, err = encoderFile(model, vocabulary)
	return "minilm-l6-int8.fnw", file, err
}

// encoderFile is the .fnw file of an upstream model and its vocabulary.
func encoderFile(model, vocabulary []byte) ([]byte, error) {
	s, err := openSafetensors(model)
	if err != nil {
		return nil, err
	}
	p := &packer{source: s}
	p.embeddings("all-MiniLM-L6-v2")
	p.layers()
	p.add("vocab", "u8", []int{len(vocabulary)}, vocabulary)
	if s.err != nil {
		return nil, s.err
	}
	return p.file()
}

// crossEncoderFile is the .fnw file of an upstream cross-encoder.
func crossEncoderFile(model []byte) ([]byte, error) {
	s, err := openSafetensors(model)
	if err != nil {
		return nil, err
	}
	p := &packer{source: s}
	p.embeddings("ms-marco-MiniLM-L-12-v2")
	p.layers()
	p.plain("pool.w", "pooler.dense.weight", 2)
	p.plain("pool.b", "pooler.dense.bias", 1)
	row, _ := s.tensor("classifier.weight", 2)
	p.floats("class.w", []int{len(row)}, row)
	p.plain("class.b", "classifier.bias", 1)
	if s.err != nil {
		return nil, s.err
	}
	return p.file()
}

// packedTensor is one entry of the header of a .fnw file.
type packedTensor struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
}

// packedHeader is the header of a .fnw file; the order of its fields is part of it.
type packedHeader struct {
	Format   int            `json:"format"`
	Model    string         `json:"model"`
	Revision string         `json:"revision"`
	Licence  string         `json:"licence"`
	Dim      int            `json:"dim"`
	Layers   int            `json:"layers"`
	Heads    int            `json:"heads"`
	FFN      int            `json:"ffn"`
	Vocab    int            `json:"vocab"`
	Tokens   int            `json:"max_tokens"`
	Epsilon  float64        `json:"ln_eps"`
	SHA256   string         `json:"payload_sha256"`
	Tensors  []packedTensor `json:"tensors"`
}

// packer collects the tensors of a .fnw file.
type packer struct {
	source  *safetensors
	header  packedHeader
	payload []byte
}

const (
	boundary  = 64 // where tensors begin
	headWidth = 32
	maxTokens = 256
)

func (p *packer) add(name, kind string, shape []int, data []byte) {
	for len(p.payload)%boundary != 0 {
		p.payload = append(p.payload, 0)
	}
	p.header.Tensors = append(p.header.Tensors, packedTensor{name, kind, shape, len(p.payload)})
	p.payload = append(p.payload, data...)
}

func (p *packer) floats(name string, shape []int, v []float32) {
	data := make([]byte, 0, 4*len(v))
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	p.add(name, "f32", shape, data)
}

// rounded adds rows in int8, as NAME.q, and a scale for each, as NAME.s.
func (p *packer) rounded(name string, rows int, v []float32) {
	q, scales := make([]byte, len(v)), make([]float32, rows)
	width := len(v) / max(1, rows)
	for r := range scales {
		row := v[r*width : (r+1)*width]
		largest := float32(0)
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		scales[r] = largest / 127
		for i, x := range row {
			if largest > 0 {
				q[r*width+i] = byte(int8(math.RoundToEven(float64(x / scales[r]))))
			}
		}
	}
	p.add(name+".q", "i8", []int{rows, width}, q)
	p.floats(name+".s", []int{rows}, scales)
}

// plain adds a tensor as it is.
func (p *packer) plain(name, source string, dimensions int) {
	v, shape := p.source.tensor(source, dimensions)
	p.floats(name, shape, v)
}

func (p *packer) layers() {
	for i := 0; p.source.has(layerName(i, "output.dense.weight")); i++ {
		p.layer(i)
	}
}

func (p *packer) embeddings(model string) {
	words, shape := p.source.tensor("embeddings.word_embeddings.weight", 2)
	positions, length := p.source.tensor("embeddings.position_embeddings.weight", 2)
	kinds, _ := p.source.tensor("embeddings.token_type_embeddings.weight", 2)
	if p.source.err == nil && (length[1] != shape[1] || len(kinds) < shape[1]) {
		p.source.fail(errors.New("read model: embeddings differ in width"))
	}
	if p.source.err != nil {
		return
	}
	h := &p.header
	h.Format, h.Model, h.Revision, h.Licence, h.Epsilon = 1, model, "int8-r1", "Apache-2.0", 1e-12
	h.Vocab, h.Dim, h.Heads, h.Tokens = shape[0], shape[1], shape[1]/headWidth, min(maxTokens, length[0])
	ofKind := func(kind []float32) []float32 {
		sum := append([]float32(nil), positions[:h.Tokens*h.Dim]...)
		for i := range sum {
			sum[i] += kind[i%h.Dim]
		}
		return sum
	}
	p.rounded("tok", h.Vocab, words)
	p.floats("pos", []int{h.Tokens, h.Dim}, ofKind(kinds))
	if p.source.has("classifier.weight") { // it reads pairs: the second text is of the second kind
		p.floats("pos.second", []int{h.Tokens, h.Dim}, ofKind(kinds[h.Dim:]))
	}
	p.norm("emb.ln", "embeddings.LayerNorm")
}

func (p *packer) norm(name, source string) {
	gain, shape := p.source.tensor(source+".weight", 1)
	shift, _ := p.source.tensor(source+".bias", 1)
	p.floats(name+".g", shape, gain)
	p.floats(name+".b", shape, shift)
}

func layerName(i int, part string) string { return fmt.Sprintf("encoder.layer.%d.%s", i, part) }

func (p *packer) layer(i int) {
	name := fmt.Sprintf("l%d.", i)
	p.linear(name+"qkv", layerName(i, "attention.self.query"), layerName(i, "attention.self.key"), layerName(i, "attention.self.value"))
	p.linear(name+"o", layerName(i, "attention.output.dense"))
	p.linear(name+"up", layerName(i, "intermediate.dense"))
	p.linear(name+"down", layerName(i, "output.dense"))
	p.norm(name+"ln1", layerName(i, "attention.output.LayerNorm"))
	p.norm(name+"ln2", layerName(i, "output.LayerNorm"))
	_, shape := p.source.tensor(layerName(i, "intermediate.dense.bias"), 1)
	if p.source.err == nil {
		p.header.Layers, p.header.FFN = i+1, shape[0]
	}
}

// linear adds the rows of one or more maps, one after another, with their biases.
func (p *packer) linear(name string, sources ...string) {
	var weights, biases []float32
	for _, source := range sources {
		w, shape := p.source.tensor(source+".weight", 2)
		b, _ := p.source.tensor(source+".bias", 1)
		if p.source.err == nil && shape[0] != len(b) {
			p.source.fail(fmt.Errorf("read model: %s has %d rows and %d biases", source, shape[0], len(b)))
		}
		weights, biases = append(weights, w...), append(biases, b...)
	}
	p.rounded(name, len(biases), weights)
	p.floats(name+".b", []int{len(biases)}, biases)
}

// file joins prefix, header and payload.
func (p *packer) file() ([]byte, error) {
	sum := sha256.Sum256(p.payload)
	p.header.SHA256 = hex.EncodeToString(sum[:])
	head, err := json.Marshal(p.header)
	if err != nil {
		return nil, err
	}
	const magic = "FNEMB\x00\x00\x01"
	for (len(magic)+8+len(head))%boundary != 0 {
		head = append(head, ' ')
	}
	file := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(head)))
	file = binary.LittleEndian.AppendUint32(file, crc32.ChecksumIEEE(head))
	return append(append(file, head...), p.payload...), nil
}
