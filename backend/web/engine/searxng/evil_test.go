package searxng

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/rank"
	"footnote/backend/web"
)

// evilSite starts the misbehaving search service of the fault kit beside the
// project; the test is skipped without it.
func evilSite(t *testing.T) string {
	t.Helper()
	tool := filepath.Join("..", "..", "..", "..", "..", "shared", "faults", "evil_web.py")
	if _, err := os.Stat(tool); err != nil {
		t.Skip("no fault kit beside the project")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cmd := exec.Command(python, tool, "--port", freePort(t), "--canary", freePort(t))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Skip("the fault kit does not start")
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

func TestAMisbehavingInstanceIsNamedAndHurtsNobody(t *testing.T) {
	site := evilSite(t)
	guard := web.NewGuard(func() []string { return []string{site} })
	for name, c := range map[string]struct {
		code  fault.Code // empty: leads come
		least int
		says  string
	}{
		"ok": {"", 10, ""}, "empty": {"", 0, ""}, "captcha": {fault.SearchBlocked, 0, "google (CAPTCHA)"}, "json-off": {fault.SearchFailed, 0, "JSON format"},
		"html": {fault.SearchFailed, 0, "web page"}, "429": {fault.SearchBlocked, 0, "rate-limited until"}, "500": {fault.SearchFailed, 0, "status 500"},
		"hang": {fault.SearchTimeout, 0, "in time"}, "broken-json": {fault.SearchFailed, 0, "understood"}, "types": {"", 1, ""}, "evil-urls": {"", 2, ""},
		"evil-text": {"", 1, ""}, "same": {"", 1, ""}, "many": {"", 10, ""},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		e := New(web.Access{Name: "searxng", Label: "SearXNG", Base: site + "/searx/" + name, Client: web.NewEndpointClient(site, nil), Guard: guard, Now: time.Now})
		began := time.Now()
		leads, err := e.Find(ctx, gather.WebQuery{Text: "velnor bridge", N: 10})
		cancel()
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if fault.CodeOf(err) != c.code || len(leads) < c.least || len(leads) > 10 {
			t.Errorf("%s: %d leads, %v", name, len(leads), err)
		}
		if err != nil && !strings.Contains(fault.Of(err).Message, c.says) {
			t.Errorf("%s: says %q", name, fault.Of(err).Message)
		}
		for _, l := range leads {
			if guard.CheckURL(l.Source.Address) != nil || strings.Contains(l.Snippet, "<") || !strings.HasPrefix(l.Source.Address, "http") {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if name == "same" {
			if n := len(rank.DedupLeads(leads)); n != 1 {
				t.Errorf("ten copies became %d sources", n)
			}
		}
	}
}
