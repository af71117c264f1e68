package meaning

import (
	"context"
	"sync"
	"testing"
)

func TestTwoWhoWantTheSameHaveItEncodedOnce(t *testing.T) {
	e := &letters{allow: make(chan struct{}, 2)}
	j := newReranker(t, e, &shelf{}, Options{On: true, Top: 20, Wait: true})
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if cosines := j.Cosines(t.Context(), "t one", texts("one", "two"), encodeTime); len(cosines) != 2 || cosines["p0"] < 0.99 {
				t.Errorf("decided: %v", cosines)
			}
		})
	}
	e.allow <- struct{}{} // no third is to come
	e.allow <- struct{}{}
	both.Wait()
	if made := e.made(); len(made) != 2 {
		t.Errorf("encoded %q", made)
	}
}

func TestWhatOneGivesUpTheNextDoes(t *testing.T) {
	e := &letters{allow: make(chan struct{})}
	j := newReranker(t, e, &shelf{}, on)
	text := texts("one")[0]
	ctx, giveUp := context.WithCancel(t.Context())
	var first, next sync.WaitGroup
	first.Go(func() {
		if _, err := j.encodeOnce(ctx, text); err == nil {
			t.Error("encoded without leave")
		}
	})
	until(t, "begun", func() bool {
		j.once.mu.Lock()
		defer j.once.mu.Unlock()
		return len(j.once.doing) == 1
	})
	next.Go(func() {
		if made, err := j.encodeOnce(t.Context(), text); err != nil || len(made.vectors) != 1 {
			t.Errorf("%+v %v", made, err)
		}
	})
	giveUp()
	first.Wait() // else it might take the leave that is the next one's
	e.allow <- struct{}{}
	next.Wait()
}
