package index

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"footnote/backend/evidence"
)

func TestPlacesAreThoseOfAMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var p places
	want := map[evidence.PassageID]bool{}
	name := func() evidence.PassageID {
		n := rnd.IntN(3000)
		if n%10 == 0 {
			return evidence.PassageID(fmt.Sprint("odd", n))
		}
		return evidence.NewPassageID("digest", n, n+1)
	}
	for step := range 60_000 {
		id := name()
		at, known := p.find(id)
		if known != want[id] || known && p.id(at) != id {
			t.Fatalf("step %d: %s is at %d (%v), want %v", step, id, at, known, want[id])
		}
		switch grow := step/10_000%2 == 0; {
		case !known && (grow || rnd.IntN(4) == 0):
			want[id] = true
			if at, known := p.findOrAdd(id); known || p.id(at) != id {
				t.Fatalf("step %d: %s was put at %d (%v), where %s is", step, id, at, known, p.id(at))
			}
		case known && (!grow || rnd.IntN(4) == 0):
			delete(want, id)
			p.drop(id)
		}
	}
	if p.count() != len(want) {
		t.Errorf("%d places, want %d", p.count(), len(want))
	}
	for id := range want {
		if at, ok := p.find(id); !ok || p.id(at) != id {
			t.Errorf("%s is lost", id)
		}
	}
	for id := range want {
		p.drop(id)
	}
	if p.count() != 0 || len(p.odd) != 0 {
		t.Errorf("%d places and %d names are left", p.count(), len(p.odd))
	}
}

func TestAnIDIsToldFromItsKeyOrKept(t *testing.T) {
	for _, id := range []evidence.PassageID{"", "a", "psg_", evidence.NewPassageID("d", 0, 1), evidence.NewPassageID("d", 0, 1) + "a",
		"psg_aaaaaaaaaaaaaaaaaaaaaaaaaa", "psg_aaaaaaaaaaaaaaaaaaaaaaaaab", "psg_Aaaaaaaaaaaaaaaaaaaaaaaaaa", "psg_aaaaaaaaaaaaaaaaaaaaaaaa\na"} {
		var p places
		at, _ := p.findOrAdd(id)
		if again, known := p.findOrAdd(id); !known || again != at {
			t.Errorf("%q is at %d, then at %d", id, at, again)
		}
		if got := p.id(at); got != id {
			t.Errorf("%q became %q", id, got)
		}
		if _, ok := p.find(id); !ok {
			t.Errorf("%q is not found", id)
		}
	}
}

func TestTheTextsOfPassagesWithAVectorAreKnown(t *testing.T) {
	for _, n := range []int{3, smallLibrary + 3} { // with chromem, and with the flat scan
		x := openAt(t, t.TempDir())
		for i := range n {
			if err := x.vectors.put(evidence.NewPassageID("d", i, i+1), fmt.Sprint("text ", i%3), []float32{1, float32(i)}); err != nil {
				t.Fatal(err)
			}
		}
		last := evidence.NewPassageID("d", n-1, n)
		got := x.Digests([]evidence.PassageID{last, "nowhere"})
		if want := fmt.Sprint("text ", (n-1)%3); len(got) != 1 || got[last] != want {
			t.Errorf("of %d vectors: %v, want %s", n, got, want)
		}
	}
}
