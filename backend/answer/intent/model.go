package intent

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"sync"
)

// Width is the number of components of what the classifier reads of a message: the
// vector of the sentence encoder for many languages.
const Width = 384

// Model is a logistic regression over the vectors of messages, so that what means the
// same is told alike in any language, and the words that messages other than searches
// have: "How do I add a user?" is near to "How do I add a folder?".
type Model struct {
	Weights [len(classes)][Width]float32
	Bias    [len(classes)]float32
	Seen    [marks / 8]byte // a bit for each hashed word
}

var magic = []byte("FNI2")

//go:embed model.bin
var trained []byte

// shipped is the model that is part of the program.
var shipped = sync.OnceValue(func() *Model {
	m, err := Read(trained)
	if err != nil {
		panic(err)
	}
	return m
})

// Read takes a model from its file.
func Read(file []byte) (*Model, error) {
	m := &Model{}
	if !bytes.HasPrefix(file, magic) || len(file) != len(magic)+binary.Size(m) {
		return nil, errors.New("no classifier of intents")
	}
	return m, binary.Read(bytes.NewReader(file[len(magic):]), binary.LittleEndian, m)
}

// Bytes is the file of a model.
func (m *Model) Bytes() []byte {
	var b bytes.Buffer
	b.Write(magic)
	binary.Write(&b, binary.LittleEndian, m) // never fails on a buffer
	return b.Bytes()
}

// Classify is what the model alone makes of a message, and of its vector.
func (m *Model) Classify(text string, vector []float32) Intent {
	if isLong(text) || isWord(text) || len(vector) != Width || m.strangeness(text) > mostStrange {
		return Search
	}
	return m.classify(vector)
}

// isWord reports whether a message is one word, which is searched for unless it is known
// by heart. Where no spaces are put, nobody can tell.
func isWord(text string) bool {
	w := words(text)
	return len(w) == 1 && !unspaced([]rune(w[0]))
}

// leastSure is the least probability of a message that is no search.
const leastSure = 0.8

// classify takes a message for other than a search only where that is nearly certain.
func (m *Model) classify(vector []float32) Intent {
	p := m.probabilities(vector)
	best := 1
	for c := range p {
		if c > 0 && p[c] > p[best] {
			best = c
		}
	}
	if 1-p[0] < leastSure {
		return Search
	}
	return classes[best]
}

func (m *Model) probabilities(v []float32) (p [len(classes)]float64) {
	most := math.Inf(-1)
	for c := range p {
		p[c] = float64(m.Bias[c])
		for i, w := range m.Weights[c] {
			p[c] += float64(w * v[i])
		}
		most = max(most, p[c])
	}
	return softmax(p, most)
}

func softmax(sum [len(classes)]float64, most float64) (p [len(classes)]float64) {
	total := 0.0
	for c := range sum {
		p[c] = math.Exp(sum[c] - most)
		total += p[c]
	}
	for c := range p {
		p[c] /= total
	}
	return p
}
