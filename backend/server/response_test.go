package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAClientThatReadsNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	h := open(t, func(p *plan) {
		p.opt.Protocol = func(context.Context) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, err := w.Write(make([]byte, 64<<20))
				ended <- err
			})
		}
		p.tune = func(s *Server) { s.patience = 300 * time.Millisecond }
	})
	host := strings.TrimPrefix(h.base, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", host, testToken)
	select {
	case err := <-ended:
		if err == nil {
			t.Error("64 MiB were taken by nobody")
		}
	case <-time.After(time.Minute):
		t.Error("it is still written to")
	}
}

// taking is a connection that takes a little at a time, and knows the time it was
// given for each piece.
type taking struct {
	http.ResponseWriter
	until  time.Time
	given  []time.Time
	pieces []int
	fails  bool
}

func (c *taking) SetWriteDeadline(t time.Time) error { c.until = t; return nil }

func (c *taking) Write(b []byte) (int, error) {
	c.given, c.pieces = append(c.given, c.until), append(c.pieces, len(b))
	c.until = time.Time{}
	if c.fails {
		return 1, errors.New("i/o timeout")
	}
	return len(b), nil
}

func TestEachPieceOfAReplyHasItsTime(t *testing.T) {
	conn := &taking{ResponseWriter: httptest.NewRecorder()}
	out := &response{ResponseWriter: conn, patience: time.Minute}
	whole := bytes.Repeat([]byte("a"), 10*writePiece+1)
	if n, err := out.Write(whole); n != len(whole) || err != nil || len(conn.pieces) != 11 {
		t.Fatalf("%d bytes in %d pieces: %v", n, len(conn.pieces), err)
	}
	for i, until := range conn.given {
		if until.IsZero() || conn.pieces[i] > writePiece {
			t.Errorf("piece %d: %d bytes until %v", i, conn.pieces[i], until)
		}
	}
	if n, err := out.Write(nil); n != 0 || err != nil {
		t.Errorf("nothing: %d, %v", n, err)
	}
	conn.fails = true
	if n, err := out.Write(whole); n != 1 || err == nil {
		t.Errorf("a connection that is gone: %d, %v", n, err)
	}
}
