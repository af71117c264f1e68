package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
)

var quick = pace{least: 64, window: 300 * time.Millisecond, whole: time.Second}

// quickly opens a house that waits for bodies no longer than a test does.
func quickly(t *testing.T) *house {
	t.Helper()
	return open(t, func(p *plan) {
		p.opt.Protocol = func(context.Context) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				writeJSON(w, http.StatusOK, map[string]any{"took": len(body), "failed": err != nil})
			})
		}
		p.tune = func(s *Server) { s.pace = quick }
	})
}

// trickle sends a request whose body comes by a piece each step, until it is
// answered or all is sent, and gives what was answered.
func (h *house) trickle(t *testing.T, head string, size int, step time.Duration, piece []byte) (status int, body string, took time.Duration) {
	t.Helper()
	began := time.Now()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", head, strings.TrimPrefix(h.base, "http://"), testToken, size)
	ended := make(chan struct{})
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for size > 0 {
			select {
			case <-ended:
				return
			case <-time.After(step):
			}
			n, err := conn.Write(piece[:min(size, len(piece))])
			if size -= n; err != nil {
				return
			}
		}
	}()
	defer func() { close(ended); <-sent }()
	if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err.Error(), time.Since(began)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body) // a stream that is cut off still has its beginning
	return resp.StatusCode, string(text), time.Since(began)
}

func TestABodyThatTricklesIsCutOff(t *testing.T) {
	t.Parallel()
	h := quickly(t)
	const asJSON = "\r\nContent-Type: application/json"
	for name, head := range map[string]string{
		"a question":           "POST /api/runs HTTP/1.1" + asJSON,
		"a chat":               "POST /v1/chat/completions HTTP/1.1" + asJSON,
		"a message":            "POST /mcp HTTP/1.1" + asJSON,
		"an upload":            "POST /api/library/uploads HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x",
		"a bundle":             "POST /api/import HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x",
		"settings":             "PUT /api/settings HTTP/1.1" + asJSON,
		"a search of Vane":     "POST /api/search HTTP/1.1" + asJSON,
		"the answer of a form": "POST /api/ask HTTP/1.1" + asJSON,
	} {
		status, body, took := h.trickle(t, head, 4000, 20*time.Millisecond, []byte(" "))
		if status != http.StatusRequestTimeout || !strings.Contains(body, string(fault.RequestTimeout)) {
			t.Errorf("%s: %d %s", name, status, body)
		}
		if took > quick.window+5*time.Second {
			t.Errorf("%s: after %v", name, took)
		}
	}
}

func TestABodyThatNobodyReadsHoldsNoConnection(t *testing.T) {
	t.Parallel()
	h := quickly(t)
	for _, head := range []string{"GET /api/library/events HTTP/1.1", "GET /mcp HTTP/1.1", "GET /api/threads HTTP/1.1", "POST /nowhere HTTP/1.1"} {
		if _, body, took := h.trickle(t, head, 4000, 20*time.Millisecond, []byte(" ")); took > drainLimit+8*time.Second {
			t.Errorf("%s: after %v %s", head, took, body)
		}
	}
}

func TestJSONThatMovesHasALimitAllTheSame(t *testing.T) {
	t.Parallel()
	h := quickly(t)
	status, body, took := h.trickle(t, "POST /api/runs HTTP/1.1\r\nContent-Type: application/json", 1<<20, 20*time.Millisecond, bytes.Repeat([]byte(" "), 64))
	if status != http.StatusRequestTimeout || took < quick.window {
		t.Errorf("%d %s after %v", status, body, took)
	}
}

func TestAnUploadThatMovesGoesOn(t *testing.T) {
	t.Parallel()
	h := quickly(t)
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreateFormFile("file", "notes.md")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(part, strings.Repeat("The bridge was opened in 1932. ", 400))
	if err := parts.Close(); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	go func() {
		for form.Len() > 0 {
			time.Sleep(20 * time.Millisecond)
			if _, err := w.Write(form.Next(100)); err != nil {
				return
			}
		}
		w.Close()
	}()
	began := time.Now()
	a := h.send(t, "POST", "/api/library/uploads", r, func(req *http.Request) { req.Header.Set("Content-Type", parts.FormDataContentType()) })
	if a.status != http.StatusAccepted || time.Since(began) < quick.whole {
		t.Errorf("%d %s after %v", a.status, a.body, time.Since(began))
	}
}
