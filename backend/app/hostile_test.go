package app

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
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
	"footnote/backend/web"
)

// asPage gives one body for every address, as a page.
type asPage string

func (p asPage) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(bytes.NewReader([]byte(p))), Request: req}, nil
}

// attack reads one hostile text, picture or archive as the program would.
type attack struct {
	name string
	read func(ctx context.Context)
}

func attacks(pages int, drawer *extract.Pool) (all []attack) {
	guard := web.NewGuard(nil)
	for name, markup := range hostile.Pages(pages) {
		reader := web.NewReader(web.ReaderOptions{Client: &http.Client{Transport: asPage(markup)}, Guard: guard, Robots: func() bool { return false }, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		lead := evidence.Lead{Source: evidence.Source{Kind: evidence.Web, Address: "https://site.example/page"}}
		all = append(all, attack{"page: " + name, func(ctx context.Context) { _, _, _ = reader.Read(ctx, lead) }})
	}
	for name, picture := range hostile.Pictures() {
		all = append(all, attack{"picture: " + name, func(ctx context.Context) { _, _ = drawer.Redraw(ctx, picture) }})
	}
	for name, bundle := range hostile.Bundles() {
		all = append(all, attack{"bundle: " + name, func(ctx context.Context) { _, _ = export.ReadBundle(ctx, bundle) }})
	}
	for name, text := range hostile.XML() {
		all = append(all, attack{"feed: " + name, func(ctx context.Context) { askAll(ctx, []byte(text)) }})
	}
	for name, text := range hostile.JSON() {
		all = append(all, attack{"engine: " + name, func(ctx context.Context) { askAll(ctx, []byte(text)) }}, attack{"model: " + name, func(ctx context.Context) { chatAll(ctx, []byte(text)) }})
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

// TestHostileCorpus reads what strangers may send to do harm: the program grows by
// 300 MB at most, and all of it ends. How long each took and how soon a stopped one
// ended is told with -v.
func TestHostileCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: memory is measured, which the race detector makes more of")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	drawer := extract.NewPool([]string{exe, "extract-worker"}, picturesAtOnce, pictureLimits)
	defer drawer.Close()
	var longest, stops []time.Duration
	most, all := int64(0), attacks(4_900_000, drawer)
	for _, a := range all {
		begun := time.Now()
		grown := peakOf(func() { a.read(t.Context()) })
		took := time.Since(begun)
		longest, most = append(longest, took), max(most, grown)
		if took > time.Second || grown > 150<<20 {
			t.Logf("%s: %v, %d MB", a.name, took.Round(time.Millisecond), grown>>20)
		}
		if grown > 300<<20 {
			t.Errorf("%s: the heap grew by %d MB", a.name, grown>>20)
		}
		stop := stopped(t.Context(), a)
		if stops = append(stops, stop); stop > 200*time.Millisecond {
			t.Logf("%s ended %v after it was stopped", a.name, stop.Round(time.Millisecond))
		}
	}
	slices.Sort(longest)
	slices.Sort(stops)
	t.Logf("%d attacks; longest %v; heap grew by %d MB at most; a stopped one ended after %v (p95), %v (longest)", len(all), longest[len(longest)-1].Round(time.Millisecond), most>>20,
		stops[len(stops)*95/100].Round(time.Millisecond), stops[len(stops)-1].Round(time.Millisecond))
	if len(all) < 60 {
		t.Errorf("only %d attacks", len(all))
	}
}

// stopped is how long an attack goes on after it was stopped.
func stopped(ctx context.Context, a attack) time.Duration {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { a.read(ctx); close(done) }()
	select {
	case <-done:
		stop()
		return 0
	case <-time.After(30 * time.Millisecond):
	}
	stop()
	begun := time.Now()
	<-done
	return time.Since(begun)
}
