package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/export"
	"footnote/backend/extract"
	"footnote/backend/hostile"
	"footnote/backend/llm"
	"footnote/backend/llm/ollama"
	"footnote/backend/llm/openai"
	"footnote/backend/settings"
	"footnote/backend/web"
)

// asPage gives one body for every address, as a page.
type asPage string

func (p asPage) RoundTrip(req *http.Request) (*http.Response, error) {
	return replying(req, "text/html", []byte(p))
}

// attack reads one hostile text, picture or archive as the program would, which
// gives it so long.
type attack struct {
	name  string
	limit time.Duration
	read  func(ctx context.Context)
}

// archiveTime is what a bundle may take: as long as a file.
const archiveTime = 30 * time.Second

func attacks(pages int, drawer *extract.Pool) (all []attack) {
	guard, s := web.NewGuard(nil), settings.Default()
	page, reply, call := time.Duration(s.Web.FetchTimeoutS)*time.Second, time.Duration(s.Web.TimeoutMs)*time.Millisecond, time.Duration(s.Models.IdleTimeoutS)*time.Second
	for name, markup := range hostile.Pages(pages) {
		reader := web.NewReader(web.ReaderOptions{Client: &http.Client{Transport: asPage(markup)}, Guard: guard, Robots: func() bool { return false }, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		lead := evidence.Lead{Source: evidence.Source{Kind: evidence.Web, Address: "https://site.example/page"}}
		all = append(all, attack{"page: " + name, page, func(ctx context.Context) { _, _, _ = reader.Read(ctx, lead) }})
	}
	for name, picture := range hostile.Pictures() {
		all = append(all, attack{"picture: " + name, pictureLimits().Time, func(ctx context.Context) { _, _ = drawer.Redraw(ctx, picture) }})
	}
	for name, bundle := range hostile.Bundles() {
		all = append(all, attack{"bundle: " + name, archiveTime, func(ctx context.Context) { _, _ = export.ReadBundle(ctx, bundle) }})
	}
	for name, text := range hostile.XML() {
		all = append(all, attack{"feed: " + name, reply, func(ctx context.Context) { askAll(ctx, []byte(text)) }})
	}
	for name, text := range hostile.JSON() {
		all = append(all, attack{"engine: " + name, reply, func(ctx context.Context) { askAll(ctx, []byte(text)) }}, attack{"model: " + name, call, func(ctx context.Context) { chatAll(ctx, []byte(text)) }})
	}
	return all
}

func askAll(ctx context.Context, reply []byte) {
	for _, engine := range enginesOver(reply) {
		_, _ = engine.Find(ctx, gather.WebQuery{Text: "a bridge", N: 10})
	}
}

func chatAll(ctx context.Context, reply []byte) {
	client, at := &http.Client{Transport: oneReply(reply)}, "http://model.example/v1"
	a, b := openai.New(openai.Config{Name: "x", BaseURL: at, Client: client, Now: time.Now}), ollama.New(ollama.Config{BaseURL: at, Client: client, Now: time.Now})
	for _, m := range []interface {
		llm.Model
		llm.Lister
		Embedder(string) llm.Embedder
	}{a, b} {
		_, _ = llm.Collect(m.Stream(ctx, llm.Call{Model: "m"}))
		_, _ = m.List(ctx)
		_, _ = m.Embedder("m").Embed(ctx, []string{"one word"})
	}
}

// heapTaken is what the heap holds of the system's memory.
func heapTaken() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() + s[1].Value.Uint64() + s[2].Value.Uint64())
}

// peakOf is how much the heap grew at most while something was done.
func peakOf(do func()) int64 {
	debug.FreeOSMemory()
	before, done, peak := heapTaken(), make(chan struct{}), make(chan int64)
	go func() {
		most, tick := int64(0), time.NewTicker(2*time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, heapTaken()-before)
			select {
			case <-done:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	do()
	close(done)
	return <-peak
}

// endured is how one attack went.
type endured struct {
	name  string
	limit time.Duration
	took  time.Duration
	grown int64
	stop  time.Duration // how long it went on after it was stopped half-way
}

// corpus is every attack, endured, and how long the end of the program takes
// while pictures, pages and replies are being read.
type corpus struct {
	each []endured
	end  time.Duration
}

// enduring reads what strangers may send to do harm, one after the other.
func enduring(tb testing.TB) (c corpus) {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	drawer := extract.NewPool([]string{exe, "extract-worker"}, picturesAtOnce, pictureLimits)
	defer drawer.Close()
	all := attacks(4_900_000, drawer)
	for _, a := range all {
		e := endured{name: a.name, limit: a.limit}
		ctx, cancel := context.WithTimeout(tb.Context(), a.limit)
		begun := time.Now()
		e.grown = peakOf(func() { a.read(ctx) })
		e.took = time.Since(begun)
		cancel()
		e.stop = stopped(tb.Context(), a, e.took/2)
		c.each = append(c.each, e)
	}
	c.end = ended(tb.Context(), all, drawer)
	return c
}

// stopped is how long an attack goes on after it was stopped.
func stopped(ctx context.Context, a attack, after time.Duration) time.Duration {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { a.read(ctx); close(done) }()
	time.Sleep(after)
	stop()
	begun := time.Now()
	<-done
	return time.Since(begun)
}

// ended is how long it takes until all is quiet when the program ends in the
// middle of things: every tenth attack at once, and as many costly pictures as
// pages have.
func ended(ctx context.Context, all []attack, drawer *extract.Pool) time.Duration {
	ctx, stop := context.WithCancel(ctx)
	costly := hostile.Progressive(2000, 60) // what is allowed, just
	var going sync.WaitGroup
	for i := 0; i < len(all); i += 10 {
		going.Go(func() { all[i].read(ctx); _, _ = drawer.Redraw(ctx, costly) })
	}
	time.Sleep(100 * time.Millisecond)
	begun := time.Now()
	stop()
	drawer.Close()
	going.Wait()
	return time.Since(begun)
}

// late is how far past its limit the latest run went.
func (c corpus) late() (most time.Duration) {
	most = -time.Hour
	for _, e := range c.each {
		most = max(most, e.took-e.limit)
	}
	return most
}

// grown is what the heap grew by at most.
func (c corpus) grown() (most int64) {
	for _, e := range c.each {
		most = max(most, e.grown)
	}
	return most
}

// stop is how long nearly all of those that were stopped took to end.
func (c corpus) stop() time.Duration {
	all := make([]time.Duration, len(c.each))
	for i, e := range c.each {
		all[i] = e.stop
	}
	slices.Sort(all)
	return all[len(all)*95/100]
}

// Bars of the corpus.
const (
	mostGrown = 300 << 20
	mostLate  = time.Second
	mostStop  = 200 * time.Millisecond
	mostEnd   = 2 * time.Second
)

// hold fails where a bar is broken. A crowded machine may take longer by a factor.
func (c corpus) hold(tb testing.TB, crowded time.Duration) {
	tb.Helper()
	if len(c.each) < 60 {
		tb.Errorf("only %d attacks", len(c.each))
	}
	for _, e := range c.each {
		if e.grown > mostGrown || e.took > e.limit+crowded*mostLate {
			tb.Errorf("%s: took %v of %v, the heap grew by %d MB", e.name, e.took, e.limit, e.grown>>20)
		}
	}
	if stop := c.stop(); stop > crowded*mostStop {
		tb.Errorf("stopped ones ended after %v (p95)", stop)
	}
	if c.end > crowded*mostEnd {
		tb.Errorf("the end took %v", c.end)
	}
}

// TestHostileCorpus holds what does not hang on the machine, and ten times the
// time that BenchmarkHostileCorpus allows: what hangs is found here, what is slow
// there.
func TestHostileCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: memory is measured, which the race detector makes more of")
	}
	enduring(t).hold(t, 10)
}

// BenchmarkHostileCorpus prints a line an attack and holds the bars as they are:
//
//	go test ./backend/app -run '^$' -bench HostileCorpus -benchtime 1x
func BenchmarkHostileCorpus(b *testing.B) {
	for b.Loop() {
		c := enduring(b)
		for _, e := range c.each {
			fmt.Printf("%-34s %6d ms of %6d  +%3d MB  stop %4d ms\n", e.name, e.took.Milliseconds(), e.limit.Milliseconds(), e.grown>>20, e.stop.Milliseconds())
		}
		b.ReportMetric(float64(len(c.each)), "attacks")
		b.ReportMetric(float64(c.grown()>>20), "MB")
		b.ReportMetric(float64(c.late().Milliseconds()), "late-ms")
		b.ReportMetric(float64(c.stop().Milliseconds()), "stop-p95-ms")
		b.ReportMetric(float64(c.end.Milliseconds()), "end-ms")
		c.hold(b, 1)
	}
}
