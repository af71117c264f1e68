package intent

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	epochs = 20
	rate   = 0.5
	decay  = 2e-6
	seed   = 17
)

// costs are what a mistake on a sample costs: what is to be searched weighs as much as
// all else, though there may be more or less of it.
func costs(samples []Sample) map[Intent]float64 {
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

// Train makes a model of samples, which have their vectors. The same samples make the
// same model.
func Train(samples []Sample) *Model {
	samples = slices.Clone(samples)
	t := newTrainer(samples)
	random, cost := rand.New(rand.NewPCG(seed, seed)), costs(samples)
	for range epochs {
		random.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		for _, s := range samples {
			t.learn(s.Vector, slices.Index(classes[:], s.Is), cost[s.Is])
		}
	}
	m := &Model{}
	for _, s := range samples {
		if s.Is != Search {
			m.see(s.Text)
		}
	}
	t.fill(m)
	return m
}

// trainer learns by gradients, each weight at a rate of its own (Duchi, Hazan, Singer
// 2011). Vectors are taken from their mean: all of them lie in one direction.
type trainer struct {
	mean [Width]float64
	w, g [len(classes)][Width]float64
	bias [len(classes)]float64
}

func newTrainer(samples []Sample) *trainer {
	t := &trainer{}
	for _, s := range samples {
		for i, x := range s.Vector {
			t.mean[i] += float64(x) / float64(len(samples))
		}
	}
	return t
}

func (t *trainer) learn(vector []float32, class int, cost float64) {
	var x [Width]float64
	for i, v := range vector {
		x[i] = float64(v) - t.mean[i]
	}
	sum, most := t.bias, math.Inf(-1)
	for c := range sum {
		for i, v := range x {
			sum[c] += t.w[c][i] * v
		}
		most = max(most, sum[c])
	}
	p := softmax(sum, most)
	p[class]--
	for c := range p {
		step := p[c] * cost
		t.bias[c] -= 0.01 * step
		for i, v := range x {
			d := step*v + decay*t.w[c][i]
			t.g[c][i] += d * d
			t.w[c][i] -= rate * d / (math.Sqrt(t.g[c][i]) + 1e-3)
		}
	}
}

// fill takes the mean into the bias.
func (t *trainer) fill(m *Model) {
	for c := range t.w {
		bias := t.bias[c]
		for i, w := range t.w[c] {
			bias -= w * t.mean[i]
			m.Weights[c][i] = float32(w)
		}
		m.Bias[c] = float32(bias)
	}
}
