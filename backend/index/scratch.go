package index

import "sync"

// scratch adds up scores by passage number, without a map and without garbage.
type scratch struct {
	scores  []float64 // by number; 0 = not found
	touched []uint64
	heap    scoredHeap
	marks   marks
}

type scratchPool struct{ pool sync.Pool }

func (p *scratchPool) get() *scratch {
	if s, ok := p.pool.Get().(*scratch); ok {
		return s
	}
	return &scratch{}
}

func (p *scratchPool) put(s *scratch) {
	s.reset()
	p.pool.Put(s)
}

func (s *scratch) reset() {
	for _, n := range s.touched {
		s.scores[n] = 0
	}
	s.touched = s.touched[:0]
	s.marks.reset()
}

func (s *scratch) add(number uint64, score float64) {
	if number >= uint64(len(s.scores)) {
		grown := make([]float64, number+number/4+1024)
		copy(grown, s.scores)
		s.scores = grown
	}
	if s.scores[number] == 0 {
		s.touched = append(s.touched, number)
	}
	s.scores[number] += score
}

// queue is a heap of all found passages, best on top. Making it is linear, and
// only as many are taken as are wanted.
func (s *scratch) queue() scoredHeap {
	h := s.heap[:0]
	for _, n := range s.touched {
		h = append(h, scored{n, s.scores[n]})
	}
	s.heap = h
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	return h
}

type scored struct {
	number uint64
	score  float64
}

type scoredHeap []scored

func (h scoredHeap) before(i, j int) bool {
	if h[i].score != h[j].score {
		return h[i].score > h[j].score
	}
	return h[i].number < h[j].number
}

func (h scoredHeap) pop() (scored, scoredHeap) {
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	h.down(0)
	return top, h
}

func (h scoredHeap) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h.before(child+1, child) {
			child++
		}
		if !h.before(child, i) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
