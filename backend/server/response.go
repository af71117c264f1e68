package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"footnote/backend/fault"
)

// response knows whether it has begun and where the causes of its errors are
// logged: what is told to a client never holds them.
type response struct {
	http.ResponseWriter
	log      *slog.Logger
	path     string
	patience time.Duration // with a client that takes nothing
	begun    bool
}

const (
	writePiece = 16 << 10  // what has to be taken within the server's patience
	sendBuffer = 128 << 10 // of a connection: what is moving is seen by what leaves it
)

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. A client may be as slow as it wants, and has
// to go on reading.
func (w *response) Write(b []byte) (n int, err error) {
	w.begun = true
	for {
		w.wait()
		wrote, err := w.ResponseWriter.Write(b[:min(len(b), writePiece)])
		n, b = n+wrote, b[wrote:]
		if err != nil || len(b) == 0 {
			return n, err
		}
	}
}

// wait gives the client time for what is written next.
func (w *response) wait() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.patience)) // what takes no deadline is no connection
}

func smallBuffer(ctx context.Context, c net.Conn) context.Context {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // or the system's
	}
	return ctx
}

// Unwrap lets http.ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// failed logs the cause of an error of ours. A client that left is none.
func (w *response) failed(status int, err error) {
	if status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) {
		w.log.Error("request failed", "path", w.path, "status", status, "err", err)
	}
}

// recovered turns a panic of a handler into an internal error; a response that
// had begun is broken off, so that nobody takes it for whole.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &response{ResponseWriter: w, log: s.opt.Log, path: r.URL.Path, patience: s.patience}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				s.opt.Log.Error("handler panicked", "path", r.URL.Path, "panic", p)
			}
			if out.begun {
				panic(http.ErrAbortHandler)
			}
			writeError(out, fault.New(fault.Internal, "Footnote could not answer because of an internal error.", "Try again; the log has the details."))
		}()
		next.ServeHTTP(out, r)
		out.wait() // what is buffered goes out now
	})
}

// lasting is the context of a request that may take long: it ends with the
// client or the server, whichever is first, and the time limit for reading a
// request does not cut it once the request is there.
func (s *Server) lasting(w http.ResponseWriter, r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(s.ctx, cancel)
	if err := drained(r); err != nil {
		cancel() // without the rest of the request its connection has no end
		return ctx, func() { stop() }
	}
	if err := http.NewResponseController(w).SetReadDeadline(time.Time{}); err != nil {
		s.opt.Log.Debug("lift the read deadline", "err", err)
	}
	return ctx, func() { stop(); cancel() }
}
