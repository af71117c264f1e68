package rank_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestReweighingWithTheSameWeightsChangesNothing(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		cands := make([]rank.Candidate, 1+r.IntN(30))
		for i := range cands {
			cands[i] = rank.Candidate{
				Source:     evidence.Source{ID: evidence.SourceID(fmt.Sprint("src_", i)), Kind: evidence.Web, Address: fmt.Sprintf("https://d%d.org/", r.IntN(5))},
				Passage:    evidence.Passage{ID: evidence.PassageID(fmt.Sprint("psg_", i)), Text: fmt.Sprint("bridge ", r.IntN(4), " opened ", r.IntN(3))},
				EngineRank: 1 + r.IntN(9), Score: evidence.Score{BM25: r.Float64() * 9, Cosine: r.Float64()*2 - 1, Vector: r.IntN(3) > 0, Encoded: r.IntN(2) > 0},
			}
		}
		for _, measure := range []rank.Measure{rank.Cosine, rank.Dot, rank.Euclidean} {
			preset := rank.Preset{Weights: rank.Weights{Semantic: 0.40, Keyword: 0.25, Freshness: 0.15, Authority: 0.20}, K: 6}
			ranked := rank.Rank("when was the bridge opened", cands, preset, now, rank.Options{Measure: measure})
			for i, c := range rank.Reweigh(ranked, preset, measure) {
				if c.Passage.ID != ranked[i].Passage.ID || c.Scores.Composite != ranked[i].Scores.Composite || c.Before != ranked[i].After {
					t.Fatalf("seed %d, %s: place %d is %+v, was %+v", seed, measure, i, c.Scores, ranked[i].Scores)
				}
			}
			kept := rank.DedupAbove(ranked, 0.92)
			alike, n := rank.Alike(ranked, 0.92), 0
			first := map[int]bool{}
			for i := range ranked {
				repeats := false
				for _, j := range alike[i] {
					repeats = repeats || first[j]
				}
				if !repeats {
					first[i] = true
					n++
				}
			}
			if n != len(kept) {
				t.Fatalf("seed %d: %d stay by Alike, %d by DedupAbove", seed, n, len(kept))
			}
		}
	}
}
