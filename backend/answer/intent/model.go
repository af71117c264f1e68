package intent

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"sync"
	"unicode"

	"footnote/backend/lang"
)

// Model is a linear classifier: a weight for each class and feature, and the
// words that messages other than searches have.
type Model struct {
	scale   float32
	bias    [5]float32
	weights []int8 // classes of a feature beside each other
	seen    []byte // a bit for each hashed word
}

var magic = []byte("FNI1")

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
	m := &Model{weights: make([]int8, buckets*len(classes)), seen: make([]byte, marks/8)}
	if !bytes.HasPrefix(file, magic) || len(file) != len(magic)+binary.Size(m.scale)+binary.Size(m.bias)+len(m.weights)+len(m.seen) {
		return nil, errors.New("no classifier of intents")
	}
	r := bytes.NewReader(file[len(magic):])
	for _, part := range []any{&m.scale, &m.bias, m.weights, m.seen} {
		if err := binary.Read(r, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Bytes is the file of a model.
func (m *Model) Bytes() []byte {
	var b bytes.Buffer
	b.Write(magic)
	for _, part := range []any{m.scale, m.bias, m.weights, m.seen} {
		binary.Write(&b, binary.LittleEndian, part) // never fails on a buffer
	}
	return b.Bytes()
}

// Classify is what the model alone makes of a message.
func (m *Model) Classify(text string) Intent {
	if isLong(text) {
		return Search
	}
	return m.classify(text)
}

// classify takes a message for other than a search only where that is nearly
// certain and hardly a word of it is new.
func (m *Model) classify(text string) Intent {
	p := m.probabilities(features(text))
	best := 0
	for c := range p {
		if p[c] > p[best] {
			best = c
		}
	}
	if best == 0 || 1-p[0] < leastSure(text) || m.strangeness(text) > mostStrange {
		return Search
	}
	return classes[best]
}

// mostStrange is the share of new words that a message which is no search may have.
const mostStrange = 0.34

// leastSure is the least probability of a message that is no search. English has
// much more to learn from than the others.
func leastSure(text string) float64 {
	if lang.Detect(text) == lang.English {
		return 0.7
	}
	return 0.8
}

func (m *Model) probabilities(f []uint32) (p [5]float64) {
	sum, most := [5]float64{}, math.Inf(-1)
	unit := float64(m.scale) / math.Sqrt(float64(max(1, len(f))))
	for c := range sum {
		for _, at := range f {
			sum[c] += float64(m.weights[int(at)*len(classes)+c])
		}
		sum[c] = sum[c]*unit + float64(m.bias[c])
		most = max(most, sum[c])
	}
	return softmax(sum, most)
}

func softmax(sum [5]float64, most float64) (p [5]float64) {
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

// strangeness is the share of the words of a message that are in no message other
// than a search. But for English, small words are not counted: with them, a question
// of any matter would be of known words mostly.
func (m *Model) strangeness(text string) float64 {
	if m.namesInLatin(text) {
		return 1
	}
	units, strange := known(matter(text)), 0
	for _, at := range units {
		if m.seen[at/8]&(1<<(at%8)) == 0 {
			strange++
		}
	}
	return float64(strange) / float64(max(1, len(units)))
}

// namesInLatin reports whether a message in other letters names something in Latin
// ones that no small talk does.
func (m *Model) namesInLatin(text string) bool {
	latin, other := false, false
	for _, w := range words(text) {
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.Is(unicode.Latin, r) && !unicode.IsNumber(r) }) {
			other = true
			continue
		}
		for _, at := range known(w) {
			latin = latin || m.seen[at/8]&(1<<(at%8)) == 0
		}
	}
	return latin && other
}

// matter are the words of a message that say something, where it has any.
func matter(text string) string {
	code := lang.Detect(text)
	if code == lang.English {
		return text
	}
	var kept []string
	for _, w := range words(text) {
		if _, asks := code.AskForm(w); !asks && !lang.IsFunctionWord(code, w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return text
	}
	return strings.Join(kept, " ")
}
