package web

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	wireBytes    = 5 << 20
	decodedBytes = 10 << 20
	packRatio    = 100
	ratioSlack   = 1 << 20 // decoded bytes before the ratio is judged
)

// ErrCut ends a body that is larger than its limits. What was read before it is
// good.
var ErrCut = errors.New("body is larger than its limit")

var errIdle = errors.New("body stopped arriving")

// watch ends a body that gives no byte for the idle time, and releases the
// request's context when the body is closed.
func watch(ctx context.Context, cancel context.CancelCauseFunc, body io.ReadCloser, idle time.Duration) io.ReadCloser {
	w := &watched{ctx: ctx, cancel: cancel, body: body, idle: idle}
	if idle > 0 {
		w.timer = time.AfterFunc(idle, func() { cancel(errIdle) })
	}
	return w
}

type watched struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	body   io.ReadCloser
	idle   time.Duration
	timer  *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.timer != nil && n > 0 {
		w.timer.Reset(w.idle)
	}
	if err != nil && err != io.EOF && errors.Is(context.Cause(w.ctx), errIdle) {
		err = errIdle
	}
	return n, err
}

func (w *watched) Close() error {
	if w.timer != nil {
		w.timer.Stop()
	}
	err := w.body.Close()
	w.cancel(context.Canceled)
	return err
}

// limitBody replaces the body by its unpacked, limited form. An encoding that
// was not asked for closes the body and is an UnreadError.
func limitBody(resp *http.Response) error {
	wire := &counted{r: resp.Body, left: wireBytes}
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	unpack, known := unpackers[encoding]
	if !known || len(resp.Header.Values("Content-Encoding")) > 1 {
		resp.Body.Close()
		return refuse("not-text", "The page is packed in a way Footnote does not read.", nil)
	}
	if encoding != "" {
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength = -1
	}
	resp.Body = &limited{wire: wire, unpack: unpack, close: resp.Body}
	return nil
}

var unpackers = map[string]func(io.Reader) (io.Reader, error){
	"":         plain,
	"identity": plain,
	"gzip":     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"x-gzip":   func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate":  inflate,
}

func plain(r io.Reader) (io.Reader, error) { return r, nil }

// inflate reads both meanings of "deflate" that servers know: with a zlib
// header and bare.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// counted gives at most left bytes of the wire and counts them.
type counted struct {
	r    io.Reader
	n    int64
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, ErrCut
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.left -= int64(n)
	return n, err
}

// limited unpacks on the first Read and ends with ErrCut beyond a limit.
type limited struct {
	wire   *counted
	unpack func(io.Reader) (io.Reader, error)
	close  io.Closer
	r      io.Reader
	n      int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.r == nil {
		r, err := l.unpack(l.wire)
		if err != nil {
			return 0, err
		}
		l.r = r
	}
	if l.n >= decodedBytes || (l.n > ratioSlack && l.n > packRatio*l.wire.n) {
		return 0, ErrCut
	}
	if room := decodedBytes - l.n; int64(len(p)) > room {
		p = p[:room]
	}
	n, err := l.r.Read(p)
	l.n += int64(n)
	return n, err
}

func (l *limited) Close() error { return l.close.Close() }
