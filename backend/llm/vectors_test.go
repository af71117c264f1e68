package llm

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/fault"
)

func vectorsOf(n int) Embedder {
	return Batched("test/e", 3, func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, text := range texts {
			out[i] = make([]float32, n)
			out[i][len(text)%n] = 3
		}
		return out, nil
	})
}

func TestVectorsAreUnitInOrderAndSkipTextsWithoutWords(t *testing.T) {
	got, err := vectorsOf(8).Embed(t.Context(), []string{"a", "...", "bb", "ccc", "", "dddd", "橋"})
	if err != nil || len(got) != 7 {
		t.Fatal(got, err)
	}
	for i, at := range []int{1, -1, 2, 3, -1, 4, 3} {
		switch {
		case at < 0 && got[i] != nil:
			t.Errorf("text %d has a vector", i)
		case at >= 0 && got[i][at] != 1:
			t.Errorf("vector %d: %v", i, got[i])
		}
	}
}

func TestBadVectorsAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, bad := range map[string][][]float32{
		"fewer": {{1, 0}}, "more": {{1, 0}, {1, 0}, {1, 0}}, "none": {}, "other length": {{1, 0}, {1, 0, 0}},
		"empty": {{}, {}}, "zero": {{1, 0}, {0, 0}}, "nan": {{1, 0}, {nan, 0}}, "infinite": {{1, 0}, {inf, 0}},
	} {
		e := Batched("test/e", 8, func(context.Context, []string) ([][]float32, error) { return bad, nil })
		if v, err := e.Embed(t.Context(), []string{"a", "b"}); fault.CodeOf(err) != fault.ModelRefused || v != nil {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

func TestTheLengthOfVectorsHoldsForLife(t *testing.T) {
	n := 4
	e := Batched("test/e", 8, func(_ context.Context, texts []string) ([][]float32, error) {
		v := make([]float32, n)
		v[0] = 1
		n++
		return [][]float32{v}, nil
	})
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); fault.CodeOf(err) != fault.ModelRefused {
		t.Error(err)
	}
}

func TestEmbeddingYieldsToAnswering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := NewGate()
		var batches atomic.Int32
		embedder := gate.Embedder(Batched("e", 64, func(_ context.Context, texts []string) ([][]float32, error) {
			batches.Add(1)
			time.Sleep(time.Second)
			out := make([][]float32, len(texts))
			for i := range out {
				out[i] = []float32{1}
			}
			return out, nil
		}))
		texts := make([]string, 50)
		for i := range texts {
			texts[i] = "word"
		}
		done := make(chan error, 1)
		go func() {
			v, err := embedder.Embed(t.Context(), texts)
			if err == nil && len(v) != 50 {
				err = errors.New("vectors lost")
			}
			done <- err
		}()
		time.Sleep(1500 * time.Millisecond) // in the second batch
		for range gate.Model(pieces{"a", "b"}).Stream(t.Context(), Call{}) {
			time.Sleep(10 * time.Second)
			if n := batches.Load(); n > 2 {
				t.Errorf("%d batches while an answer ran", n)
			}
		}
		if err := <-done; err != nil || batches.Load() != 4 {
			t.Errorf("%v, %d batches", err, batches.Load())
		}
	})
}

func TestACancelEndsTheWaitAtTheGate(t *testing.T) {
	gate := NewGate()
	defer gate.Hold()()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := gate.Embedder(vectorsOf(2)).Embed(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// lister is a server that answers after a while.
type lister struct {
	wait   time.Duration
	models []Ability
}

func (l lister) List(ctx context.Context) ([]Ability, error) {
	return l.models, sleep(ctx, l.wait)
}

func TestDiscoverAsksAllAtOnceAndTakesTheFirstThatChats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		servers := Discover(t.Context(), []Candidate{
			{"ollama", lister{time.Minute, []Ability{{Name: "never"}}}},
			{"lmstudio", lister{100 * time.Millisecond, []Ability{{Name: "nomic", Embeds: true}, {Name: "whisper-1"}, {Name: "qwen3"}}}},
			{"llamacpp", lister{0, []Ability{{Name: "other"}}}},
		})
		if time.Since(began) != discoverWait {
			t.Errorf("took %s", time.Since(began))
		}
		if servers[0].Err == nil || servers[1].Err != nil {
			t.Errorf("%+v", servers)
		}
		if provider, model, ok := FirstChat(servers); !ok || provider != "lmstudio" || model.Name != "qwen3" {
			t.Errorf("%s/%s", provider, model.Name)
		}
		if _, _, ok := FirstChat(servers[:1]); ok {
			t.Error("found a model on a server that is down")
		}
	})
}

func TestEmbeddersAreKnownByName(t *testing.T) {
	for name, want := range map[string]bool{"nomic-embed-text": true, "text-embedding-3-small": true, "bge-m3": true, "all-minilm:22m": true, "qwen3:8b": false, "llama3.2": false, "gpt-4o": false} {
		if NamedLikeEmbedder(name) != want {
			t.Error(name)
		}
	}
}

func TestAnEmbedderIsAskedAgainWhenItRefusesForTheMoment(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		asked int
	}{
		"busy":    {&StatusError{Status: 429, RetryAfter: time.Millisecond}, 3},
		"failing": {&StatusError{Status: 503, RetryAfter: time.Millisecond}, 3},
		"no key":  {&StatusError{Status: 401}, 1},
		"a day":   {&StatusError{Status: 429, RetryAfter: 24 * time.Hour}, 1},
	} {
		asked := 0
		e := Batched("m", 2, func(context.Context, []string) ([][]float32, error) {
			if asked++; asked < 3 {
				return nil, c.err
			}
			return [][]float32{{1, 0}}, nil
		})
		got, err := e.Embed(t.Context(), []string{"one"})
		if asked != c.asked || (err == nil) != (c.asked == 3) || err == nil && len(got) != 1 {
			t.Errorf("%s: asked %d times, %v", name, asked, err)
		}
	}
}
