package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/evidence"
)

// start runs a tool of the fault kit and gives the first address it prints.
func start(t *testing.T, args ...string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cmd := exec.Command(python, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`http://[0-9.]+:\d+`).FindString(line)
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// fetchJSON reads a control page of a tool.
func fetchJSON(t *testing.T, address string, into any) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatal(err)
	}
}

const fact = "The Velnor bridge was opened in 1987"

// wanted is what a page of the evil web must give: the fact, or an UnreadError
// with one of the codes; "read|…" allows both.
var wanted = map[string]string{
	"/ok": "read", "/ok/gzip": "read", "/ok/redirect": "read", "/ok/text": "read",
	"/redir/empty": "http-302", "/redir/crlf": "http-404", "/redir/loop": "redirects", "/redir/forever": "redirects", "/redir/meta": "read", "/redir/header": "read", "/redir/canonical": "read",
	"/redir/huge": "bad-address|bad-response", "/redir/port": "port", "/redir/schemeless": "port|private-address", "/redir/file": "scheme", "/redir/gopher": "scheme", "/redir/ftp": "scheme", "/redir/data": "scheme", "/redir/javascript": "scheme",
	"/redir/bad": "bad-response|bad-address", "/redir/space": "bad-response|bad-address", "/redir/userinfo": "credentials",
	"/body/drip": "read|timeout", "/body/stall": "read|timeout", "/body/silent": "timeout", "/body/slow-headers": "timeout", "/body/endless": "read|too-large", "/body/big-length": "read|timeout|connection",
	"/body/short": "read", "/body/long": "empty", "/body/reset": "read|connection", "/body/gzip-bomb": "read", "/body/deflate-bomb": "read", "/body/gzip-twice": "not-text", "/body/gzip-cut": "read|connection",
	"/body/gzip-lie": "bad-response", "/body/encoding-unknown": "not-text", "/body/chunk-bad": "bad-response|connection", "/body/chunk-huge": "read|bad-response|connection|timeout", "/body/two-lengths": "bad-response|read|connection",
	"/body/continue-flood": "bad-response", "/body/not-http": "bad-response", "/body/empty": "empty", "/body/close": "bad-response|connection",
	"/hdr/huge": "bad-response", "/hdr/many": "bad-response|timeout", "/hdr/cookies": "read|bad-response", "/hdr/no-type": "read", "/hdr/type-pdf": "read", "/hdr/type-image": "not-text", "/hdr/type-binary": "not-text",
	"/hdr/video": "not-text", "/hdr/attachment": "not-text", "/hdr/429": "http-429", "/hdr/status/206": "read",
	"/cs/nul": "read", "/cs/utf7": "read", "/html/one-tag": "read|empty|not-text|too-large", "/html/script-only": "empty", "/html/consent": "consent", "/html/captcha": "captcha", "/html/paywall": "paywall",
	"/img/ok.png": "not-text", "/img/huge.png": "not-text", "/img/script.svg": "not-text", "/img/lie.png": "not-text",
}

func want(path string) string {
	if w, ok := wanted[path]; ok {
		return w
	}
	switch {
	case strings.HasPrefix(path, "/redir/"):
		return "private-address|port|bad-address"
	case strings.HasPrefix(path, "/hdr/status/"):
		return "blocked|http-404|http-" + path[len("/hdr/status/"):]
	}
	return "read"
}

// TestTheEvilWeb reads every page of the evil web on loopback, let through by
// exact origin; its canary stays forbidden. The bombs take the tool long to
// pack: they go off in the lab, and in the tests of bodies.
func TestTheEvilWeb(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	tool := shared(t, "faults/evil_web.py")
	site := start(t, tool, "--port", freePort(t), "--canary", freePort(t), "--slow", "0.2")
	guard := NewGuard(func() []string { return []string{site} })
	readEvil(t, site, site, NewClient(Options{Guard: guard, idle: 4 * time.Second, header: 8 * time.Second}), guard, "/body/gzip-bomb", "/body/gzip-twice", "/body/deflate-bomb")
}

// TestLab is the evil web behind a public address, with names that change
// theirs; it runs in the lab of the fault kit only.
func TestLab(t *testing.T) {
	site := os.Getenv("LAB_SITE")
	if site == "" {
		t.Skip("not in the lab")
	}
	report := strings.TrimSuffix(os.Getenv("LAB_REPORT"), "/__report")
	guard := NewGuard(nil)
	client := NewClient(Options{Guard: guard})
	readEvil(t, site, report, client, guard)
	r := NewReader(ReaderOptions{Client: client, Guard: guard, Now: time.Now, Log: quiet})
	for host, codes := range map[string]string{
		"rebind-a.test": "read|private-address", "flip-a.test": "read|private-address", "both.test": "read", "both6.test": "read", "many.test": "read", "randx.test": "read",
		"loop.test": "private-address", "meta.test": "private-address", "zero.test": "private-address", "ten.test": "private-address", "mapped.test": "private-address|unreachable", "nat64.test": "private-address",
		"sixto4.test": "private-address", "compat.test": "private-address|unreachable", "cname.test": "private-address|unreachable", "ring1.test": "unreachable", "nx.test": "unreachable", "fail.test": "unreachable|timeout",
		"refused.test": "unreachable|timeout", "empty.test": "unreachable", "slow.test": "timeout", "lost.test": "timeout", "cut.test": "unreachable|timeout",
	} {
		for range 3 {
			began := time.Now()
			doc, _, err := r.Read(t.Context(), lead("http://"+host+"/ok"))
			judge(t, host, codes, doc, err, time.Since(began))
		}
	}
}

func readEvil(t *testing.T, site, control string, client *http.Client, guard *Guard, leave ...string) {
	var index map[string]struct{ Class string }
	fetch := map[string]bool{}
	resp, err := (&http.Transport{}).RoundTrip(mustRequest(t, control+"/__index"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&index); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/body/gzip-bomb", "/body/deflate-bomb"} { // packing them takes the tool longer than a header may
		if slices.Contains(leave, path) {
			continue
		}
		resp, err := (&http.Transport{}).RoundTrip(mustRequest(t, control+path))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := NewReader(ReaderOptions{Client: client, Guard: guard, Now: time.Now, Log: quiet})
	var wg sync.WaitGroup
	var slowest slowestPage
	places := make(chan bool, 12)
	for path, s := range index {
		if s.Class == "search" || slices.Contains(leave, path) {
			continue
		}
		fetch[path] = true
		wg.Go(func() {
			places <- true
			defer func() { <-places }()
			began := time.Now()
			doc, _, err := r.Read(t.Context(), lead(site+path))
			took := time.Since(began)
			judge(t, path, want(path), doc, err, took)
			slowest.note(path, took)
		})
	}
	wg.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d pages read, the slowest %s in %v; heap %d MB, taken from the system %d MB", len(fetch), slowest.path, slowest.took.Round(time.Second/10), after.HeapAlloc>>20, (after.Sys-before.Sys)>>20)
	var report struct {
		Escapes []any
		Hits    []struct {
			Kind    string
			Headers map[string]string
		}
	}
	resp, err = (&http.Transport{}).RoundTrip(mustRequest(t, control+"/__report"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&report); err != nil {
		t.Fatal(err)
	}
	if len(report.Escapes) != 0 {
		t.Errorf("the canary was contacted: %v", report.Escapes)
	}
	for _, h := range report.Hits {
		if h.Kind == "site" && (h.Headers["cookie"] != "" || h.Headers["referer"] != "" || h.Headers["authorization"] != "") {
			t.Errorf("headers: %v", h.Headers)
		}
	}
}

// slowestPage is the page that took longest.
type slowestPage struct {
	mu   sync.Mutex
	path string
	took time.Duration
}

func (s *slowestPage) note(path string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if took > s.took {
		s.path, s.took = path, took
	}
}

func mustRequest(t *testing.T, address string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func judge(t *testing.T, what, codes string, doc evidence.Document, err error, took time.Duration) {
	t.Helper()
	code := unreadCode(err)
	if err == nil {
		code = "read"
	}
	ok := false
	for c := range strings.SplitSeq(codes, "|") {
		ok = ok || c == code
	}
	if !ok {
		t.Errorf("%s gave %q (%v), want %s", what, code, err, codes)
	}
	if took > 30*time.Second { // 20 s by contract; a busy machine adds some
		t.Errorf("%s took %v", what, took)
	}
	if err != nil {
		return
	}
	checkBlocks(t, doc.Text, doc.Blocks)
	if !strings.Contains(doc.Text, fact) && !strings.HasPrefix(what, "/body/endless") {
		t.Errorf("%s: the fact is not in %.200q", what, doc.Text)
	}
	if strings.Contains(doc.Text, "canarysecret") || strings.Contains(doc.Text, "<script") {
		t.Errorf("%s: text is %.200q", what, doc.Text)
	}
	if strings.HasPrefix(what, "/inject/") && !slices.Contains(doc.Flags, "instructions") {
		t.Errorf("%s is not flagged", what)
	}
}

// TestAMiniWeb reads the results of a search over a small web in which some
// pages fail.
func TestAMiniWeb(t *testing.T) {
	tool := shared(t, "miniweb/miniweb.py")
	corpus := shared(t, "data/retrieval")
	files, err := filepath.Glob(filepath.Join(corpus, "*", "corpus.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skip("no corpus")
	}
	site := start(t, tool, "--corpus", files[0], "--limit", "400", "--port", "0", "--faults")
	guard := NewGuard(func() []string { return []string{site} })
	r := NewReader(ReaderOptions{Client: NewClient(Options{Guard: guard, idle: time.Second, header: time.Second}), Guard: guard, Now: time.Now, Log: quiet, Timeout: func() time.Duration { return 2 * time.Second }})
	read, failed, pages := 0, map[string]int{}, map[string]bool{}
	for _, q := range []string{"effect of treatment", "how many people", "history of the city", "what is the cause", "number of cases", "cell growth", "market price", "large study"} {
		var found struct{ Results []struct{ URL string } }
		fetchJSON(t, site+"/search?format=json&q="+url.QueryEscape(q), &found)
		for _, result := range found.Results {
			if pages[result.URL] {
				continue
			}
			pages[result.URL] = true
			doc, _, err := r.Read(context.Background(), lead(result.URL))
			if err != nil {
				failed[unreadCode(err)]++
				continue
			}
			read++
			if strings.Contains(doc.Text, "Accept all cookies") || strings.Contains(doc.Text, "newsletter") || doc.Source.Title == "" || strings.Contains(doc.Source.Title, "Mini Web") {
				t.Errorf("%s: %q %.300q", result.URL, doc.Source.Title, doc.Text)
			}
		}
	}
	t.Logf("%d pages: %d read, failed: %v", len(pages), read, failed)
	if read == 0 || failed[""] > 0 {
		t.Errorf("read %d, failed %v", read, failed)
	}
}
