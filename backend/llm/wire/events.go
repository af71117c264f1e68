package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"footnote/backend/llm"
)

const maxPending = 1 << 20 // bytes of an event that spans several data lines

// ErrEnd says that an event was the last one of a reply.
var ErrEnd = errors.New("end of the reply")

var (
	errCut     = errors.New("stream ended without a finish reason")
	errNothing = errors.New("no event of a chat stream")
)

// Events reads the answer as server-sent events of JSON and passes each to hear,
// which sets the turn's Finish when the reply is whole and tells whether the
// event was one of its protocol; it ends the reading with ErrEnd. A server that
// did not stream has its one answer passed on as one event. Broken events are
// passed over, errors inside the stream become faults. Once the turn has its
// Finish, what goes wrong afterwards does not matter.
func (l *Lines) Events(model string, turn *Turn, hear func(event []byte) (known bool, err error)) error {
	e := events{lines: l, turn: turn, model: model, hear: hear}
	err := e.read()
	switch {
	case errors.Is(err, ErrLeft):
		return err
	case e.done && turn.Finish == "" && e.seen:
		turn.Finish = llm.Stop
	case err == nil && turn.Finish == "" && e.noise && !e.seen:
		return l.server.Nonsense(errNothing)
	case err == nil && turn.Finish == "":
		return l.server.Dropped(errCut)
	}
	if turn.Finish != "" && !isRefusal(err) {
		return nil
	}
	return err
}

// isRefusal reports an error that the server sent as such.
func isRefusal(err error) bool {
	var status *llm.StatusError
	return errors.As(err, &status)
}

// events is the state of one stream.
type events struct {
	lines   *Lines
	turn    *Turn
	model   string
	hear    func([]byte) (bool, error)
	pending []byte // of an event whose JSON is not complete
	seen    bool   // an event of the protocol has come
	noise   bool   // something else has come
	done    bool   // the end mark has come
}

func (e *events) read() error {
	for !e.done {
		line, err := e.lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = e.line(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
		}
		if err == nil {
			err = e.lines.Within(e.turn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// line handles one line of the stream. Comments, event names and ids say
// nothing; JSON without a field name means that the server did not stream.
func (e *events) line(line []byte) error {
	data, isData := bytes.CutPrefix(line, []byte("data:"))
	switch {
	case isData:
		return e.data(bytes.TrimSpace(data))
	case len(line) == 0:
		e.noise = e.noise || len(e.pending) > 0
		e.pending = nil
		return nil
	case line[0] == ':' || hasField(line):
		return nil
	case !e.seen && bytes.IndexByte([]byte("{["), firstByte(line)) >= 0:
		return e.wholeAnswer(line)
	}
	e.noise = true
	return nil
}

func firstByte(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) > 0 {
		return line[0]
	}
	return 0
}

func hasField(line []byte) bool {
	for _, name := range []string{"event:", "id:", "retry:"} {
		if bytes.HasPrefix(line, []byte(name)) {
			return true
		}
	}
	return false
}

func (e *events) wholeAnswer(line []byte) error {
	body, err := e.lines.Rest(line)
	if err != nil {
		return err
	}
	e.done = true
	return e.data(bytes.TrimSpace(body))
}

// data handles the JSON of one event. One that is broken is passed over: the
// text around it is whole.
func (e *events) data(data []byte) error {
	if bytes.Equal(data, []byte("[DONE]")) {
		e.done = true
		return nil
	}
	if len(e.pending) > 0 && !json.Valid(data) {
		data = slices.Concat(e.pending, []byte("\n"), data)
	}
	e.pending = nil
	if !json.Valid(data) {
		if len(data) <= maxPending {
			e.pending = bytes.Clone(data)
		}
		e.noise = true
		return nil
	}
	if refused := e.lines.server.ErrorIn(e.model, data); refused != nil {
		return refused
	}
	known, err := e.hear(data)
	e.seen, e.noise = e.seen || known, e.noise || !known
	if errors.Is(err, ErrEnd) {
		e.done = true
		return nil
	}
	return err
}
