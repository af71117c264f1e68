package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestABrokenWayEndsWithAReasonAndTheNextPageIsRead puts the fault kit's proxy
// between the reader and a site.
func TestABrokenWayEndsWithAReasonAndTheNextPageIsRead(t *testing.T) {
	tool := shared(t, "faults/chaos_proxy.py")
	page := article("<p>" + strings.Repeat("It carries a road and two tracks over the river. ", 400) + "</p>")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(site.Close)
	const partly = "partly"
	for _, c := range []struct{ mode, arg, wanted string }{
		{"pass", "0", "read"}, {"delay", "50", "read|timeout"}, {"slow", "2000", "timeout|" + partly}, {"cut", "60", "bad-response|connection|timeout"}, {"cut", "6000", "connection|timeout|" + partly},
		{"rst", "60", "bad-response|connection|timeout"}, {"rst", "6000", "connection|bad-response|timeout|" + partly}, {"blackhole", "0", "timeout"}, {"freeze", "60", "timeout"}, {"freeze", "6000", "timeout|" + partly},
		{"refuse", "0", "bad-response|connection"}, {"corrupt", "20", "bad-response|connection|timeout|http-|not-text|read|" + partly},
	} {
		t.Run(c.mode+" "+c.arg, func(t *testing.T) {
			t.Parallel()
			port := freePort(t)
			proxy := "http://127.0.0.1:" + port
			start(t, tool, port, strings.TrimPrefix(site.URL, "http://"), c.mode, "--arg", c.arg)
			guard := NewGuard(func() []string { return []string{proxy, site.URL} })
			r := NewReader(ReaderOptions{
				Client: NewClient(Options{Guard: guard, idle: 2 * time.Second, header: 2 * time.Second}), Guard: guard, Now: time.Now, Log: quiet,
				Robots: func() bool { return false }, Timeout: func() time.Duration { return 8 * time.Second },
			})
			began := time.Now()
			doc, _, err := r.Read(t.Context(), lead(proxy+"/page"))
			got := unreadCode(err)
			switch {
			case err == nil && doc.Coverage.Share() < 1:
				got = partly
			case err == nil:
				got = "read"
			}
			t.Logf("%-9s %5s: %s in %v", c.mode, c.arg, got, time.Since(began).Round(time.Second/10))
			if !strings.Contains("|"+c.wanted, "|"+got) {
				t.Errorf("%s %s: %s (%v), want %s", c.mode, c.arg, got, err, c.wanted)
			}
			if _, _, err := r.Read(t.Context(), lead(site.URL+"/next")); err != nil {
				t.Errorf("%s %s: the next page is not read: %v", c.mode, c.arg, err)
			}
		})
	}
}
