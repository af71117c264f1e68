package index

import "sync"

// scratch adds up scores by passage number, without a map and without garbage.
type scratch struct {
	scores  []float64 // by number; 0 = not found
	tallies []tally
	heap    scoredHeap
	marks   marks
}

// tally is what one core found. No passage is found by two.
type tally struct {
	core    int // number among the tallies
	touched []uint64
	damping dampings
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
	for i := range s.tallies {
		t := &s.tallies[i]
		for _, n := range t.touched {
			s.scores[n] = 0
		}
		t.touched = t.touched[:0]
	}
	s.marks.reset()
}

// fit makes room for so many numbers and cores. Nothing may have been found yet.
func (s *scratch) fit(numbers uint64, cores int) {
	if numbers > uint64(len(s.scores)) {
		s.scores = make([]float64, numbers+numbers/4+1024)
	}
	for len(s.tallies) < cores {
		s.tallies = append(s.tallies, tally{core: len(s.tallies)})
	}
	s.tallies = s.tallies[:cores]
}

func (s *scratch) add(t *tally, number uint64, score float64) {
	if s.scores[number] == 0 {
		t.touched = append(t.touched, number)
	}
	s.scores[number] += score
}

// queue is a heap of the n best of the passages found, best on top, or of a few
// more.
func (s *scratch) queue(n int) scoredHeap {
	h, floor := s.heap[:0], 0.0
	for _, t := range s.tallies {
		for _, number := range t.touched {
			score := s.scores[number]
			if score < floor {
				continue
			}
			h = append(h, scored{number, score})
			if n <= len(h)/2 {
				h = front(h, n, scored.before)
				floor = h[n-1].score
			}
		}
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

func (a scored) before(b scored) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.number < b.number
}

type scoredHeap []scored

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
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// front moves the n best to the front of a list and cuts off the others. The
// last of them is the worst.
func front[T any](list []T, n int, before func(a, b T) bool) []T {
	if n >= len(list) {
		return list
	}
	for from, to := 0, len(list)-1; from < to; { // the n-th best is among from..to
		pivot := list[(from+to)/2]
		i, j := from, to
		for i <= j {
			for before(list[i], pivot) {
				i++
			}
			for before(pivot, list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n-1 <= j:
			to = j
		case n-1 >= i:
			from = i
		default:
			from = to
		}
	}
	return list[:n]
}
