package eval

import (
	"math"
	"slices"
	"time"
)

// quality of one ranked list against the wanted documents.
type quality struct{ ndcg10, recall10, recall100, mrr10 float64 }

func judge(ranked []string, wanted map[string]int) quality {
	return quality{
		ndcg10: dcg(ranked, wanted, 10) / idealDCG(wanted, 10), recall10: recall(ranked, wanted, 10),
		recall100: recall(ranked, wanted, 100), mrr10: reciprocal(ranked, wanted, 10),
	}
}

func dcg(ranked []string, wanted map[string]int, k int) (sum float64) {
	for i, id := range ranked[:min(k, len(ranked))] {
		sum += float64(wanted[id]) / math.Log2(float64(i+2))
	}
	return sum
}

func idealDCG(wanted map[string]int, k int) (sum float64) {
	grades := make([]int, 0, len(wanted))
	for _, g := range wanted {
		grades = append(grades, g)
	}
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	for i, g := range grades[:min(k, len(grades))] {
		sum += float64(g) / math.Log2(float64(i+2))
	}
	return sum
}

func recall(ranked []string, wanted map[string]int, k int) float64 {
	found := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if wanted[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(len(wanted))
}

func reciprocal(ranked []string, wanted map[string]int, k int) float64 {
	for i, id := range ranked[:min(k, len(ranked))] {
		if wanted[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func mean(list []quality) (m quality) {
	for _, q := range list {
		m.ndcg10 += q.ndcg10
		m.recall10 += q.recall10
		m.recall100 += q.recall100
		m.mrr10 += q.mrr10
	}
	n := float64(max(len(list), 1))
	return quality{m.ndcg10 / n, m.recall10 / n, m.recall100 / n, m.mrr10 / n}
}

// percentile of a list of durations, in milliseconds. p is in (0, 1].
func percentile(times []time.Duration, p float64) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return float64(sorted[max(i, 0)].Microseconds()) / 1000
}
