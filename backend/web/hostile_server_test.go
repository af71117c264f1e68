package web

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
)

// hostileSite says to everybody what say says, for as long as the other end listens.
func hostileSite(t *testing.T, say func(w io.Writer) error) (origin string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := conn.Read(make([]byte, 4096)); err == nil {
					_ = say(conn) // until the client hangs up
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func once(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// forEver repeats a text after a beginning, with a pause between.
func forEver(head, text string, pause time.Duration) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, head)
		for err == nil {
			time.Sleep(pause)
			_, err = io.WriteString(w, text)
		}
		return err
	}
}

func TestAHostileSiteEndsInItsTimeAndItsMemory(t *testing.T) {
	const head, kind = "HTTP/1.1 200 OK\r\n", "Content-Type: text/html\r\n"
	to := func(address string) func(io.Writer) error {
		return once("HTTP/1.1 302 Found\r\nLocation: " + address + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	}
	bomb, many := string(packed("gzip", bytes.Repeat([]byte("<p>a"), 25<<20))), strings.Repeat("a", 64<<10)
	for name, c := range map[string]struct {
		say  func(io.Writer) error
		want string // codes; partly: read in part
	}{
		"sent to a file":          {to("file:///etc/passwd"), "scheme|bad-address"},
		"sent to a private place": {to("http://10.0.0.1/"), "private-address"},
		"sent to this computer":   {to("http://127.0.0.1:9/"), "port|private-address"},
		"sent on and on":          {to("/again"), "redirects"},
		"a packed page":           {once(head + kind + "Content-Encoding: gzip\r\nConnection: close\r\n\r\n" + bomb), "partly"},
		"headers without end":     {forEver(head, "X-Header: "+many+"\r\n", 0), "bad-response|connection"},
		"early hints without end": {forEver("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 0), "bad-response|connection|timeout"},
		"silence":                 {forEver("", "", time.Second), "timeout"},
		"headers, then silence":   {forEver(head+kind+"\r\n", "", time.Second), "timeout"},
		"a byte now and then":     {forEver(head+kind+"\r\n", "a", 100*time.Millisecond), "timeout|partly"},
		"a body without end":      {forEver(head+kind+"\r\n", "<p>"+many, 0), "partly"},
		"a tag without end":       {forEver(head+kind+"\r\n<a href=\"", many, 0), "partly|empty"},
		"cut in a chunk":          {once(head + kind + "Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\nff\r\nab"), "connection|partly|bad-response"},
		"a length of exabytes":    {once(head + kind + "Content-Length: 9223372036854775807\r\n\r\n<p>ab"), "connection|partly|bad-response"},
		"no page at all":          {once(head + "Content-Type: application/octet-stream\r\nConnection: close\r\n\r\n" + many), "not-text"},
	} {
		t.Run(name, func(t *testing.T) {
			site := hostileSite(t, c.say)
			guard := NewGuard(func() []string { return []string{site} })
			r := NewReader(ReaderOptions{
				Client: NewClient(Options{Guard: guard, idle: 2 * time.Second, header: 2 * time.Second}), Guard: guard, Now: time.Now, Log: quiet,
				Robots: func() bool { return false }, Timeout: func() time.Duration { return 10 * time.Second },
			})
			before, began := heapPeak(), time.Now()
			doc, _, err := r.Read(t.Context(), lead(site+"/page"))
			took, grown := time.Since(began), heapPeak()-before
			got := unreadCode(err)
			if err == nil && doc.Coverage.Share() < 1 {
				got = "partly"
			}
			if !strings.Contains("|"+c.want+"|", "|"+got+"|") {
				t.Errorf("%q: %v", got, err)
			}
			if took > 30*time.Second || grown > 150<<20 {
				t.Errorf("%v, and %d MB", took, grown>>20)
			}
		})
	}
}

// An engine's own server is asked through a client that is bound to it.
func TestAHostileEngineLeadsNowhere(t *testing.T) {
	for name, address := range map[string]string{"a file": "file:///etc/passwd", "a private place": "http://10.0.0.1/", "another port": "http://127.0.0.1:9/", "on and on": "/again"} {
		site := hostileSite(t, once("HTTP/1.1 307 Temporary Redirect\r\nLocation: "+address+"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
		resp, err := NewEndpointClient(site, nil).Get(site + "/search")
		if err == nil {
			resp.Body.Close()
		}
		if fault.CodeOf(err) != fault.OriginNotAllowed {
			t.Errorf("%s: %v", name, err)
		}
	}
	site := hostileSite(t, forEver("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[", strings.Repeat("1,", 32<<10), 0))
	resp, err := NewEndpointClient(site, nil).Get(site + "/search")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := EngineBody(resp); !errors.Is(err, ErrCut) {
		t.Errorf("an answer without end: %v", err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Error(resp.Status)
	}
}
