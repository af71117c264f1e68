package embed

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	files "footnote/backend/embed/weights"
)

func crossEncoder(t testing.TB) *CrossEncoder {
	t.Helper()
	c, err := NewCrossEncoder()
	if errors.Is(err, ErrNoKernel) {
		t.Skip("this processor cannot run the cross-encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPairsAreScoredAsUpstream compares with log-odds of the published model in
// 8 bits, which rounds in other places.
func TestPairsAreScoredAsUpstream(t *testing.T) {
	c := crossEncoder(t)
	data, err := os.ReadFile("testdata/pairs.json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs [][3]any
	if err := json.Unmarshal(data, &pairs); err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		got, err := c.Score(t.Context(), p[0].(string), []string{p[1].(string)})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%.2f %.2f %s", got[0], p[2], p[0])
		if math.Abs(float64(got[0])-p[2].(float64)) > 0.6 {
			t.Errorf("%s | %s: %.2f, upstream %.2f", p[0], p[1], got[0], p[2])
		}
	}
}

func TestManyPairsAreScoredAsEachAlone(t *testing.T) {
	texts := []string{"The tower is 46 metres high.", "", "It was painted red.", "塔の高さは四十六メートルです。", "A tower stands in the garden of the old mill by the river.", "Nothing."}
	for name, c := range map[string]*CrossEncoder{"cross-encoder": crossEncoder(t), "joint encoder": jointEncoder(t)} {
		all, err := c.Score(t.Context(), "How high is the tower?", texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			one, err := c.Score(t.Context(), "How high is the tower?", []string{text})
			if err != nil || one[0] != all[i] {
				t.Errorf("%s, %q: %v alone, %v among others (%v)", name, text, one, all[i], err)
			}
		}
	}
}

func TestPassesAreOfLikeLengthAndFit(t *testing.T) {
	for _, lengths := range [][]int{{}, {12}, {160, 160, 160}, {20, 30, 40, 50, 60, 70, 80, 90}, slices.Repeat([]int{75}, 28), slices.Repeat([]int{256}, 5)} {
		pieces, all := make([]Piece, len(lengths)), 0
		for i, n := range lengths {
			pieces[i].IDs = make([]int32, n)
			all += n
		}
		for _, workers := range []int{1, 2, 8} {
			at, most := 0, 0
			for _, pass := range spread(pieces, workers) {
				rows := 0
				for _, p := range pieces[pass.from:pass.to] {
					rows += len(p.IDs)
				}
				if pass.from != at || rows == 0 || rows > batchRows {
					t.Errorf("%v for %d: %+v of %d tokens after %d", lengths, workers, pass, rows, at)
				}
				at, most = pass.to, max(most, rows)
			}
			if at != len(pieces) || len(lengths) == 28 && most > all/workers+75 {
				t.Errorf("%v for %d: ends at %d, %d tokens in one pass", lengths, workers, at, most)
			}
		}
	}
}

func TestScoringEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := crossEncoder(t).Score(ctx, "What?", []string{"a", "b", "c", "d", "e"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestFilesOfPairsAreWhole(t *testing.T) {
	for name, file := range map[string]string{"cross-encoder": files.Cross, "joint encoder": files.Joint} {
		w, err := parseWeights(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := w.verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BenchmarkCrossEncoder reads 20 pairs of about 50 tokens.
func BenchmarkCrossEncoder(b *testing.B) {
	c := crossEncoder(b)
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = "Skerry Point, the lighthouse. The tower was built in 1871 by the brothers Ames from granite that was cut on the mainland, brought over by boat in summer, and it stands 46 metres above the sea at high water."
	}
	for b.Loop() {
		if _, err := c.Score(b.Context(), "How high is the tower of the lighthouse?", texts); err != nil {
			b.Fatal(err)
		}
	}
}
