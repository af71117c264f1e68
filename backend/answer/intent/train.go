package intent

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	epochs = 14
	rate   = 0.5
	decay  = 1e-6
	seed   = 17
)

// weightOf is how much a mistake on a sample costs: what is to be searched weighs
// as much as all else, though there may be more or less of it.
func weightsOf(samples []Sample) map[Intent]float64 {
	n := map[Intent]float64{}
	for _, s := range samples {
		n[s.Is]++
	}
	w := map[Intent]float64{}
	for is, count := range n {
		w[is] = math.Sqrt(float64(len(samples)) / (float64(len(classes)) * count))
	}
	return w
}

// Train makes a model of samples. The same samples make the same model.
func Train(samples []Sample) *Model {
	t := &trainer{w: make([]float64, buckets*len(classes)), g: make([]float64, buckets*len(classes)), m: &Model{seen: make([]byte, marks/8)}}
	random := rand.New(rand.NewPCG(seed, seed))
	samples = slices.Clone(samples)
	cost := weightsOf(samples)
	for _, s := range samples {
		if s.Is != Search {
			t.m.see(s.Text)
		}
	}
	parts := make(map[string][]uint32, len(samples))
	for range epochs {
		random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		for _, s := range samples {
			f, ok := parts[s.Text]
			if !ok {
				f = features(s.Text)
				parts[s.Text] = f
			}
			t.learn(f, slices.Index(classes, s.Is), cost[s.Is])
		}
	}
	return t.model()
}

func (m *Model) see(text string) {
	for _, at := range known(text) {
		m.seen[at/8] |= 1 << (at % 8)
	}
}

// trainer learns by gradients, each weight at a rate of its own.
type trainer struct {
	w, g []float64
	bias [5]float64
	m    *Model
}

func (t *trainer) learn(f []uint32, class int, cost float64) {
	unit := 1 / math.Sqrt(float64(len(f)))
	sum, most := t.bias, math.Inf(-1)
	for c := range sum {
		for _, at := range f {
			sum[c] += t.w[int(at)*len(classes)+c] * unit
		}
		most = max(most, sum[c])
	}
	p := softmax(sum, most)
	p[class]--
	for c := range p {
		step := p[c] * cost
		t.bias[c] -= 0.01 * step
		for _, at := range f {
			i := int(at)*len(classes) + c
			d := step*unit + decay*t.w[i]
			t.g[i] += d * d
			t.w[i] -= rate * d / (math.Sqrt(t.g[i]) + 1e-3)
		}
	}
}

// model rounds the weights to bytes.
func (t *trainer) model() *Model {
	most := 1e-9
	for _, w := range t.w {
		most = max(most, math.Abs(w))
	}
	t.m.scale = float32(most / math.MaxInt8)
	t.m.weights = make([]int8, len(t.w))
	for i, w := range t.w {
		t.m.weights[i] = int8(math.Round(w / most * math.MaxInt8))
	}
	for c := range t.bias {
		t.m.bias[c] = float32(t.bias[c])
	}
	return t.m
}
