package meaning

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// p95 runs work often enough for a percentile and reports it in milliseconds.
func p95(b *testing.B, work func(i int)) {
	b.Helper()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		work(i)
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkNearest searches 100,000 encoded passages of one piece.
func BenchmarkNearest(b *testing.B) {
	const n = 100_000
	var f flat
	f.clear()
	random := rand.New(rand.NewPCG(1, 2))
	vector := func() (v embed.Vector) {
		for i := range v.Q {
			v.Q[i] = int8(random.IntN(255) - 127)
		}
		v.Scale = 1.0 / 1440
		return v
	}
	for i := range n {
		f.put([]evidence.PassageID{evidence.PassageID(fmt.Sprint("p", i))}, []string{"d"}, []*encoded{{vectors: []embed.Vector{vector()}}})
	}
	asked := vector()
	p95(b, func(int) { f.nearest(asked, nil, nil, 200) })
}

// passagesOf makes passages of about 120 tokens; those of different numbers are
// different.
func passagesOf(number, n int) (out []rank.Text) {
	vocabulary := strings.Fields("the light house keeper wrote in his log that wind from north had broken two panes of glass and that oil for lamps would last until spring came")
	for i := range n {
		random := rand.New(rand.NewPCG(uint64(number), uint64(i)))
		var body []string
		for range 112 {
			body = append(body, vocabulary[random.IntN(len(vocabulary))])
		}
		out = append(out, rank.Text{ID: evidence.PassageID(fmt.Sprint("p", number, "-", i)), Title: "keeper's log", Body: strings.Join(body, " ")})
	}
	return out
}

func benchReranker(b *testing.B) *Reranker {
	b.Helper()
	encoder, err := embed.NewEncoder()
	if errors.Is(err, embed.ErrNoKernel) {
		b.Skip("this processor has no kernel for the encoder")
	}
	if err != nil {
		b.Fatal(err)
	}
	j := New(Config{Encoder: encoder, Store: &shelf{}, Options: func() Options { return Options{On: true, Top: 20, Wait: true} }, Log: slog.New(slog.DiscardHandler)})
	j.work.close() // nothing in the background
	b.Log("kernel", encoder.Kernel())
	return j
}

// BenchmarkCosinesCold encodes 20 passages of one piece for each question.
func BenchmarkCosinesCold(b *testing.B) {
	j := benchReranker(b)
	p95(b, func(i int) {
		j.Cosines(b.Context(), "how much oil was left for the lamps", passagesOf(i, 20), encodeTime)
	})
}

// BenchmarkCosinesCached compares 50 passages whose vectors are at hand.
func BenchmarkCosinesCached(b *testing.B) {
	j := benchReranker(b)
	texts := passagesOf(0, 50)
	for range 3 {
		j.Cosines(b.Context(), "how much oil was left for the lamps", texts, encodeTime)
	}
	p95(b, func(int) { j.Cosines(b.Context(), "how much oil was left for the lamps", texts, encodeTime) })
}

// BenchmarkMatches matches 60 sentences token by token.
func BenchmarkMatches(b *testing.B) {
	j := benchReranker(b)
	var sentences []string
	for i := range 60 {
		sentences = append(sentences, strings.Join(strings.Fields(passagesOf(i, 1)[0].Body)[:20], " "))
	}
	p95(b, func(int) {
		j.Matches(b.Context(), "how much oil was left for the lamps", func(string) float64 { return 1 }, sentences)
	})
}
