package server

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"footnote/backend/fault"
)

// pace is how fast the body of a request has to come: without one, who sends a byte
// now and then holds a connection for ever.
type pace struct {
	least  int64         // so many bytes
	window time.Duration // have to come in each of these
	whole  time.Duration // and all of a body in this, unless files are sent
}

var bodyPace = pace{least: 64 << 10, window: 30 * time.Second, whole: time.Minute}

// drainLimit is how long what is left of a body is waited for once it is answered.
const drainLimit = 2 * time.Second

// pacedBody is a body with a deadline that moves on with what comes.
type pacedBody struct {
	io.ReadCloser
	pace
	conn  *http.ResponseController
	last  time.Time // after which nothing is read; zero where what comes moves it on without end
	got   int64     // in this window
	ended bool
}

// paced holds bodies to the server's pace.
func (s *Server) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &pacedBody{ReadCloser: r.Body, pace: s.pace, conn: http.NewResponseController(w)}
		if !takesFiles(r) {
			b.last = time.Now().Add(s.pace.whole)
		}
		b.until(time.Now().Add(s.pace.window))
		own := *r
		own.Body = b
		next.ServeHTTP(w, &own)
		if !b.ended {
			b.until(time.Now().Add(drainLimit))
		}
	})
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.got += int64(n)
	switch {
	case errors.Is(err, io.EOF):
		b.ended = true
		b.until(time.Time{}) // what answers may take longer
	case b.got >= b.least:
		b.got = 0
		b.until(time.Now().Add(b.window))
	}
	return n, err
}

func (b *pacedBody) until(t time.Time) {
	if !b.last.IsZero() && t.After(b.last) {
		t = b.last
	}
	_ = b.conn.SetReadDeadline(t) // a connection that takes none is gone, or no connection
}

// drained reads what is left of a body that nobody wants.
func drained(r *http.Request) error {
	if r.Body == nil {
		return nil
	}
	_, err := io.Copy(io.Discard, http.MaxBytesReader(nil, r.Body, bodyLimit))
	return err
}

// readBody reads a body that is no file.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, bodyLimit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, fault.Wrap(err, fault.TooLarge, "The request is larger than 1 MiB.", "Send less, or upload a file.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, tooSlow(err)
	case err != nil:
		return nil, fault.Wrap(err, fault.InvalidRequest, "The request could not be read.", "Send it again.")
	}
	return body, nil
}

func tooSlow(err error) error {
	return fault.Wrap(err, fault.RequestTimeout, "What was sent came too slowly, or stopped coming.", "Send it again.")
}
