package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

// keystroke measures searching as one types: words of the collection, the last
// one cut short.
func keystroke(b *testing.B, passages, wordsEach int) {
	x := openAt(b, b.TempDir())
	rnd := rand.New(rand.NewPCG(11, 12))
	var entries []library.Entry
	start := time.Now()
	for i := range passages {
		e := entry(fmt.Sprintf("psg_%d", i), fmt.Sprint("file", i/20), "note", librarytest.Prose(rnd, wordsEach))
		if entries = append(entries, e); len(entries) == batchEntries {
			put(b, x, entries...)
			entries = entries[:0]
		}
	}
	put(b, x, entries...)
	b.ReportMetric(float64(passages)/time.Since(start).Seconds(), "indexed/s")
	var times []time.Duration
	for b.Loop() {
		q := strings.TrimSpace(librarytest.Prose(rnd, 3))
		began := time.Now()
		if _, err := x.Words(context.Background(), library.Query{Text: q[:len(q)-1], Prefix: true, N: 30}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
}

func BenchmarkSearch10k(b *testing.B)  { keystroke(b, 10_000, 100) }
func BenchmarkSearch100k(b *testing.B) { keystroke(b, 100_000, 20) }
