package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A line that is no message must not end the protocol: the client is told, as
// JSON-RPC says, and the next line is read.

// maxMessage is how many bytes a line may have, as the body of a request.
const maxMessage = 1 << 20

const (
	parseError     = -32700 // no JSON
	invalidRequest = -32600 // JSON, but no message
)

// lockedWriter lets the protocol and these answers write whole messages in turn.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// messages gives the lines of in that are messages, one a line; to the others it
// answers on out. The messages of a batch come one after another.
func messages(in io.Reader, out io.Writer) io.ReadCloser {
	good, feed := io.Pipe()
	go func() { feed.CloseWithError(pass(bufio.NewReader(in), feed, out)) }()
	return good
}

// pass copies lines until in ends, or nobody takes them.
func pass(in *bufio.Reader, good, out io.Writer) error {
	for {
		line, end := nextLine(in)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			taken, code := sorted(line)
			for _, message := range taken {
				if _, err := good.Write(append(message, '\n')); err != nil {
					return err
				}
			}
			if code != 0 {
				if err := refuse(out, code); err != nil {
					return err
				}
			}
		}
		if end != nil {
			return end
		}
	}
}

// nextLine reads a line. One that is too long is read to its end and kept so far that
// it can be told to be so.
func nextLine(in *bufio.Reader) (line []byte, end error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// sorted tells the messages of a line, and the code of what is none.
func sorted(line []byte) (taken []json.RawMessage, code int) {
	if len(line) > maxMessage {
		return nil, invalidRequest
	}
	if !json.Valid(line) {
		return nil, parseError
	}
	of := []json.RawMessage{line}
	if line[0] == '[' && (json.Unmarshal(line, &of) != nil || len(of) == 0) {
		return nil, invalidRequest
	}
	for _, message := range of {
		var compact bytes.Buffer
		if _, err := jsonrpc.DecodeMessage(message); err != nil || json.Compact(&compact, message) != nil {
			code = invalidRequest
			continue
		}
		taken = append(taken, compact.Bytes())
	}
	return taken, code
}

func refuse(out io.Writer, code int) error {
	text := map[int]string{parseError: "This line is no JSON.", invalidRequest: "This line is no message of JSON-RPC 2.0, or longer than 1 MiB."}[code]
	reply, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": text}})
	if err != nil {
		return err
	}
	_, err = out.Write(append(reply, '\n'))
	return err
}
