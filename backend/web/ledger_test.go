package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/privacy"
)

// tap counts what really stands on the wire, on the server's side of it.
type tap struct {
	net.Listener
	in, out atomic.Int64 // as the client sees it
}

type tapped struct {
	net.Conn
	tap *tap
}

func (t *tap) Accept() (net.Conn, error) {
	conn, err := t.Listener.Accept()
	return &tapped{conn, t}, err
}

func (c *tapped) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.tap.out.Add(int64(n))
	return n, err
}

func (c *tapped) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.tap.in.Add(int64(n))
	return n, err
}

// frozenServer answers like pages, engines and models do: whole, packed, in
// chunks, by redirect, as a stream, with refusals.
func frozenServer(t *testing.T, encrypted bool) (*httptest.Server, *tap) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat("<p>words</p>", 1+int(r.ContentLength+1)*17))
	})
	mux.HandleFunc("/packed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.Repeat("packed words ", 3000))
		z.Close()
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page", http.StatusFound) })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusTooManyRequests) })
	mux.HandleFunc("/chat", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for i := range 20 {
			fmt.Fprintf(w, "data: {\"delta\": \"word %d\"}\n\n", i)
			w.(http.Flusher).Flush()
		}
	})
	server := httptest.NewUnstartedServer(mux)
	wire := &tap{Listener: server.Listener}
	server.Listener = wire
	if encrypted {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server, wire
}

// exchange makes one request of a kind and takes all of its answer.
func exchange(t *testing.T, ctx context.Context, client *http.Client, base, path string) {
	t.Helper()
	method, purpose, body := "GET", "page", io.Reader(nil)
	if path == "/chat" {
		method, purpose, body = "POST", "chat", strings.NewReader(strings.Repeat("prompt ", rand.IntN(4000)))
	}
	req, err := http.NewRequestWithContext(privacy.WithPurpose(ctx, purpose), method, base+path, body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}

// ledgers makes runs one after the other, as they share connections, and holds
// what each ledger says against the wire.
func ledgers(t *testing.T, client *http.Client, server *httptest.Server, wire *tap, runs int) {
	t.Helper()
	paths := []string{"/page", "/packed", "/moved", "/busy", "/chat"}
	var total privacy.LedgerEntry
	for range runs {
		ctx, meter := privacy.WithMeter(t.Context())
		requests := map[string]int{}
		for range 1 + rand.IntN(6) {
			path := paths[rand.IntN(len(paths))]
			exchange(t, ctx, client, server.URL, path)
			purpose := "page"
			if path == "/chat" {
				purpose = "chat"
			}
			requests[purpose]++
			if path == "/moved" {
				requests[purpose]++
			}
		}
		for _, e := range meter.Entries() {
			if e.Host != strings.TrimPrefix(strings.TrimPrefix(server.URL, "https://"), "http://") || e.Requests != requests[e.Purpose] {
				t.Errorf("%+v, made were %v", e, requests)
			}
			total.BytesIn += e.BytesIn
			total.BytesOut += e.BytesOut
		}
	}
	deadline := time.Now().Add(20 * time.Second) // the other side may still be counting its last write
	for (total.BytesIn != wire.in.Load() || total.BytesOut != wire.out.Load()) && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	if total.BytesIn != wire.in.Load() || total.BytesOut != wire.out.Load() {
		t.Errorf("the ledgers say %d out, %d in; on the wire were %d and %d", total.BytesOut, total.BytesIn, wire.out.Load(), wire.in.Load())
	}
	t.Logf("%d runs: %d bytes out, %d in", runs, total.BytesOut, total.BytesIn)
}

func TestTheLedgerEqualsTheWireByteForByte(t *testing.T) {
	server, wire := frozenServer(t, false)
	client := NewClient(Options{Guard: NewGuard(func() []string { return []string{server.URL} })})
	ledgers(t, client, server, wire, 200)
	client.CloseIdleConnections()
}

func TestTheLedgerOfModelServersEqualsTheWire(t *testing.T) {
	server, wire := frozenServer(t, false)
	ledgers(t, NewModelClient(server.URL, nil, nil), server, wire, 40)
}

func TestTheLedgerCountsBelowEncryption(t *testing.T) {
	server, wire := frozenServer(t, true)
	// On a busy machine requests overtake the return of connections, and of one that
	// is closed for being too many nobody reads the other side's farewell.
	transport := &http.Transport{
		MaxIdleConnsPerHost: 100,
		DialContext:         privacy.MeteredDial((&net.Dialer{}).DialContext),
		TLSClientConfig:     server.Client().Transport.(*http.Transport).TLSClientConfig, DisableCompression: true,
	}
	ledgers(t, &http.Client{Transport: privacy.Metered(transport)}, server, wire, 40)
}

func TestConnectionsOutsideOfARunAreOnNobodysLedger(t *testing.T) {
	server, _ := frozenServer(t, false)
	client := NewModelClient(server.URL, nil, nil)
	ctx, meter := privacy.WithMeter(t.Context())
	exchange(t, ctx, client, server.URL, "/page")
	before := fmt.Sprint(meter.Entries())
	exchange(t, context.Background(), client, server.URL, "/chat") // over the same connection
	if after := fmt.Sprint(meter.Entries()); after != before {
		t.Errorf("before %s, after %s", before, after)
	}
	if !bytes.Contains([]byte(before), []byte("page")) {
		t.Errorf("nothing was counted: %s", before)
	}
}

// TestAnAnswerThatIsCutOffIsCountedAsItCame: what has arrived when a reader
// stops, or gives up before the first byte of the body, is on the ledger at once.
func TestAnAnswerThatIsCutOffIsCountedAsItCame(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system does not say how much waits to be read")
	}
	for _, how := range []string{"closed", "stopped", "waiting"} {
		t.Run(how, func(t *testing.T) {
			sent, over := make(chan struct{}), make(chan struct{})
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if how == "waiting" {
					w.WriteHeader(http.StatusEarlyHints)
				} else {
					io.WriteString(w, strings.Repeat("word ", 20_000))
					w.(http.Flusher).Flush()
				}
				close(sent)
				<-over
			}))
			wire := &tap{Listener: server.Listener}
			server.Listener = wire
			server.Start()
			t.Cleanup(server.Close)
			t.Cleanup(func() { close(over) })
			ctx, meter := privacy.WithMeter(t.Context())
			cutOff(t, ctx, NewModelClient(server.URL, nil, nil), server.URL, how, sent)
			if in := meter.Entries()[0].BytesIn; in != wire.in.Load() {
				t.Errorf("the ledger says %d in, on the wire were %d", in, wire.in.Load())
			}
		})
	}
}

// cutOff asks and stops: by closing the body after some of it, by its context
// after some of it, or by its context while it waits for the answer.
func cutOff(t *testing.T, ctx context.Context, client *http.Client, address, how string, sent <-chan struct{}) {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if how == "waiting" {
		go func() { <-sent; stop() }()
	}
	req, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return
	}
	<-sent
	io.ReadFull(resp.Body, make([]byte, 1000))
	if how == "stopped" {
		stop()
		io.Copy(io.Discard, resp.Body)
	}
	resp.Body.Close()
}
