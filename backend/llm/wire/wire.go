// Package wire is what all model adapters share on the network: sending a
// request within the stream limits, reading its answer line by line, and turning
// refusals into faults that name provider, cause and next step.
//
//	wire.go     Server: requests and whole answers
//	lines.go    Lines: an answer as it arrives, with connect, first-token and idle limits
//	pace.go     how far a reply may fall behind a token a second
//	refusal.go  statuses and error objects → faults; nothing key-shaped gets through
//	events.go   server-sent events of JSON, or one whole answer
//	turn.go     Turn: what one reply consists of, passed on as deltas
//	quirks.go   Quirks: what a server turned out not to take, by model
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

const maxBody = 24 << 20 // bytes of a whole answer; lists and vectors are smaller

// Server is one model server, as an adapter reaches it. All fields but Sign and
// Mask are required.
type Server struct {
	Name   string // for people
	Base   string // address without a slash at its end
	Client *http.Client
	Limits llm.Limits
	Now    func() time.Time
	Sign   func(http.Header)        // adds the key
	Mask   func(text string) string // removes the key from what the server says
}

// Get fetches path and decodes the answer into into.
func (s *Server) Get(ctx context.Context, path string, into any) error {
	return s.exchange(ctx, http.MethodGet, path, "", nil, into)
}

// Post sends body and decodes the whole answer into into. model is the name for
// messages. The first-token limit bounds the exchange.
func (s *Server) Post(ctx context.Context, path, model string, body, into any) error {
	return s.exchange(ctx, http.MethodPost, path, model, body, into)
}

func (s *Server) exchange(ctx context.Context, method, path, model string, body, into any) error {
	lines, err := s.open(ctx, method, path, model, body)
	if err != nil {
		return err
	}
	defer lines.Close()
	data, err := io.ReadAll(io.LimitReader(lines.body, maxBody))
	if err != nil {
		return lines.failure(err)
	}
	if !bounded.Count(data).Within(bounded.Usual) {
		return s.Nonsense(bounded.ErrMany)
	}
	if refused := s.ErrorIn(model, data); refused != nil {
		return refused
	}
	if err := json.Unmarshal(data, into); err != nil {
		return s.Nonsense(err)
	}
	return nil
}

// Stream sends body to path and gives the lines of the answer, which the caller
// closes. A status that is no success is a fault.
func (s *Server) Stream(ctx context.Context, path, model string, body any) (*Lines, error) {
	return s.open(ctx, http.MethodPost, path, model, body)
}

func (s *Server) open(ctx context.Context, method, path, model string, body any) (*Lines, error) {
	lines := s.newLines(ctx)
	response, err := s.send(lines.ctx, method, s.Base+path, body)
	if err != nil {
		err = lines.failure(err)
		lines.Close()
		return nil, err
	}
	lines.adopt(response.Body)
	if response.StatusCode/100 == 2 {
		return lines, nil
	}
	defer lines.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, s.Refused(model, s.statusError(response, text))
}

func (s *Server) send(ctx context.Context, method, address string, body any) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidSetting, s.Name+" has an address that cannot be used.", "Correct the address of "+s.Name+" in the settings.")
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Accept", "application/json, text/event-stream, application/x-ndjson")
	if s.Sign != nil {
		s.Sign(request.Header)
	}
	return s.Client.Do(request)
}

// Hide gives the Mask of a server that is asked with key: shown stands in its
// place.
func Hide(key, shown string) func(text string) string {
	return func(text string) string {
		if key == "" {
			return text
		}
		return strings.ReplaceAll(text, key, shown)
	}
}

// Origin is the scheme, host and port of the server's address.
func (s *Server) Origin() string {
	scheme, rest, ok := strings.Cut(s.Base, "://")
	if !ok {
		return s.Base
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}
