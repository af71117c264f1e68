package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptrace"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/fault"
)

const (
	maxLine = 32 << 20        // bytes of one event
	judged  = 64 << 10        // bytes from which its values are counted
	linger  = 5 * time.Second // for usage and end mark once the reply is complete
)

var errLong = errors.New("line longer than 32 MiB")

// Lines reads an answer line by line under the stream limits. The first-token
// limit runs from the request until Progress is called first, then the idle
// limit from each call to the next. Events that carry nothing of the reply hold it
// up no longer than its beginning may take.
type Lines struct {
	server *Server
	parent context.Context
	ctx    context.Context // ends with the parent, a limit, or Close
	cancel context.CancelCauseFunc
	timer  *time.Timer
	armed  time.Duration // limit of timer once progress was made; 0 before
	body   io.ReadCloser
	reader *bufio.Reader
	begun  bool
	whole  bool
	heard  time.Time // when something of the reply came last
	pace   pace
}

func (s *Server) newLines(parent context.Context) *Lines {
	l := &Lines{server: s, parent: parent}
	l.ctx, l.cancel = context.WithCancelCause(parent)
	l.timer = time.AfterFunc(s.Limits.FirstToken, func() {
		l.cancel(s.slow("did not begin to answer", s.Limits.FirstToken))
	})
	l.ctx = httptrace.WithClientTrace(l.ctx, l.connectLimit())
	return l
}

// connectLimit bounds the time between the wish for a connection and having
// one. Both hooks run before the response, so the timer never outlives it.
func (l *Lines) connectLimit() *httptrace.ClientTrace {
	var timer *time.Timer
	return &httptrace.ClientTrace{
		GetConn: func(string) {
			if timer != nil {
				timer.Stop()
			}
			started := time.AfterFunc(l.server.Limits.Connect, func() {
				l.cancel(l.server.unreachable(errors.New("connect limit reached")))
			})
			context.AfterFunc(l.ctx, func() { started.Stop() })
			timer = started
		},
		GotConn: func(httptrace.GotConnInfo) { timer.Stop() },
	}
}

func (l *Lines) adopt(body io.ReadCloser) {
	l.body, l.reader = body, bufio.NewReaderSize(body, 4<<10)
}

// Next gives the next line without its end, valid until the next call. The last
// line may lack its end; then io.EOF. Other errors are faults, or the context's
// error when it was cancelled.
func (l *Lines) Next() ([]byte, error) {
	var long []byte
	for {
		piece, err := l.reader.ReadSlice('\n')
		if err == nil && long == nil {
			return trimEnd(piece), nil
		}
		long = append(long, piece...)
		switch {
		case len(long) > maxLine:
			return nil, l.server.Nonsense(errLong)
		case err == nil:
			return l.counted(long)
		case errors.Is(err, bufio.ErrBufferFull):
			l.Progress(true) // no keep-alive is this long
			l.keepUp(l.pace.tokens)
		case errors.Is(err, io.EOF) && len(long) > 0:
			return l.counted(long)
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, l.failure(err)
		}
	}
}

// counted gives a line that is made of no more than a reply is.
func (l *Lines) counted(line []byte) ([]byte, error) {
	if len(line) > judged && !bounded.Count(line).Within(bounded.Usual) {
		return nil, l.server.Nonsense(bounded.ErrMany)
	}
	return trimEnd(line), nil
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// Rest gives a line and everything after it, for an answer that turns out not to
// be a stream.
func (l *Lines) Rest(line []byte) ([]byte, error) {
	whole := append(bytes.Clone(line), '\n')
	rest, err := io.ReadAll(io.LimitReader(l.reader, maxLine))
	if err != nil {
		return nil, l.failure(err)
	}
	whole = append(whole, rest...)
	return l.counted(whole)
}

// Progress starts the idle limit anew. token says that the event carried
// something of the reply; before the first such one it is no progress yet.
func (l *Lines) Progress(token bool) {
	if token {
		l.begun, l.heard = true, time.Now()
	}
	if most := l.server.Limits.FirstToken; l.begun && !l.whole && time.Since(l.heard) > most {
		l.cancel(l.server.slow("stopped in the middle", most))
		return
	}
	if l.begun && !l.whole {
		l.arm(l.server.Limits.Idle)
	}
}

// Within is the fault of a reply that holds back more than one may. One that is
// slower than one may be ends with the next line.
func (l *Lines) Within(t *Turn) error {
	l.keepUp(t.heard.Total() + t.held/heldToken)
	if t.held > maxHeld {
		return l.server.Nonsense(errHeld)
	}
	return nil
}

// Complete says that the reply is whole: what may follow is not waited for long.
func (l *Lines) Complete() {
	l.whole = true
	l.arm(min(linger, l.server.Limits.Idle))
}

func (l *Lines) arm(limit time.Duration) {
	if running := l.timer.Stop(); running && l.armed == limit {
		l.timer.Reset(limit)
		return
	}
	l.armed = limit
	l.timer = time.AfterFunc(limit, func() { l.cancel(l.server.slow("stopped in the middle", limit)) })
}

// Close hangs up and releases the timers. It may be called more than once.
func (l *Lines) Close() {
	l.timer.Stop()
	l.cancel(context.Canceled)
	if l.body != nil {
		_ = l.body.Close() // the answer is read or given up: nothing to act on
	}
}

// failure explains an error of the connection: the caller's own cancellation, a
// limit, a refusal of the guarded client, nobody there, or a lost connection.
func (l *Lines) failure(err error) error {
	if l.parent.Err() != nil {
		return l.parent.Err()
	}
	var f *fault.Fault
	if errors.As(context.Cause(l.ctx), &f) || errors.As(err, &f) {
		return f
	}
	if isDial(err) {
		return l.server.unreachable(err)
	}
	return l.server.Dropped(err)
}
