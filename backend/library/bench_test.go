//go:build unix

package library_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/settings"
	"footnote/backend/store"
)

// prose makes sentences of words that are as unevenly frequent as real ones.
func prose(rnd *rand.Rand, words int) string {
	zipf := rand.NewZipf(rnd, 1.1, 8, 30_000)
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "w%x%s ", zipf.Uint64()*2654435761%1_000_003, []string{"", "al", "er"}[i%3])
		if i%12 == 11 {
			b.WriteString("in the. ")
		}
	}
	return b.String()
}

// searches measures searches of files: as one types, from the query to the cut
// snippets, and by words and static vectors. The passages have 100 words, the
// files 50 of them.
func searches(b *testing.B, passages int) {
	docs, data := b.TempDir(), b.TempDir()
	rnd := rand.New(rand.NewPCG(3, 4))
	var text bytes.Buffer
	for i := range passages / 50 {
		text.Reset()
		for range 50 {
			text.WriteString(prose(rnd, 100) + "\n\n")
		}
		must(b, os.WriteFile(fmt.Sprintf("%s/file %d.txt", docs, i), text.Bytes(), 0o600))
	}
	log := slog.New(slog.DiscardHandler)
	db, err := store.Open(b.Context(), data, log, time.Now)
	must(b, err)
	x, err := index.Open(b.Context(), data+"/index", log)
	must(b, err)
	reader := &reader{}
	static, err := embed.NewStatic()
	must(b, err)
	l := library.New(library.Config{Catalog: db, Index: x, Embedder: static, Settings: settings.Default, Now: time.Now, Log: log, Extract: reader.extract})
	must(b, l.Start(b.Context()))
	defer func() { must(b, l.Close()); must(b, x.Close()); must(b, db.Close()) }()
	began, before := time.Now(), cpuTime(b)
	addTree(b, l, docs)
	b.Logf("%d passages were taken in in %.1f s, %.1f s of CPU", passages, time.Since(began).Seconds(), (cpuTime(b) - before).Seconds())
	for words, vectors := x.Count(); vectors < words; words, vectors = x.Count() {
		time.Sleep(100 * time.Millisecond)
	}
	sample := slices.DeleteFunc(strings.Fields(text.String()), func(w string) bool { return len(w) < 5 }) // phrases that exist
	queries := map[string]func(i int) string{
		"words":  func(i int) string { return sample[i] + " " + sample[i+1] + " " + sample[i+2][:3] },
		"phrase": func(i int) string { return `"` + sample[i] + " " + sample[i+1] + `" ` + sample[i+2][:3] },
		"filter": func(i int) string { return "type:txt after:2020 " + sample[i] + " " + sample[i+2][:3] },
	}
	for _, name := range []string{"words", "phrase", "filter"} {
		b.Run(name, func(b *testing.B) {
			quantiles(b, func(i int) {
				_, err := l.SearchWords(context.Background(), queries[name](i%3000), 20)
				must(b, err)
			})
		})
	}
	b.Run("growing", func(b *testing.B) { // letter by letter
		quantiles(b, func(i int) {
			query := sample[i/4%3000] + " " + sample[i/4%3000+1]
			_, err := l.SearchWords(context.Background(), query[:len(query)-3+i%4], 20)
			must(b, err)
		})
	})
	b.Run("hybrid", func(b *testing.B) {
		quantiles(b, func(i int) {
			_, err := l.Search(context.Background(), "what is "+sample[i%3000]+" "+sample[i%3000+1], evidence.Scope{}, 20)
			must(b, err)
		})
	})
	b.Run("count", func(b *testing.B) {
		quantiles(b, func(i int) {
			_, err := l.Mentions(context.Background(), sample[i%3000], evidence.Scope{})
			must(b, err)
		})
	})
	b.Run("status", func(b *testing.B) {
		quantiles(b, func(int) {
			_, err := l.Status(context.Background())
			must(b, err)
		})
	})
	b.Run("changed file", func(b *testing.B) { // until its new word is found
		path := docs + "/changed.txt"
		quantiles(b, func(i int) {
			word := fmt.Sprintf("changed%dword", i)
			must(b, os.WriteFile(path, []byte("a line that stays\n"+word), 0o600))
			must(b, l.Rescan(context.Background(), docs))
			for {
				found, err := l.SearchWords(context.Background(), word, 1)
				must(b, err)
				if len(found.Items) > 0 && strings.Contains(found.Items[0].Snippet, word) {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	})
}

// quantiles reports how long each call took, and the time of the processor: the
// other figures mean little on a busy machine.
func quantiles(b *testing.B, do func(i int)) {
	var times []time.Duration
	before := cpuTime(b)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		do(i)
		times = append(times, time.Since(began))
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(len(times)), "cpu-ms/op")
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
}

func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func BenchmarkSearch10k(b *testing.B)  { searches(b, 10_000) }
func BenchmarkSearch100k(b *testing.B) { searches(b, 100_000) }
