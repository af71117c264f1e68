package server

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/cite"
	"footnote/backend/fault"
	"footnote/backend/server/openai"
)

// A run as other programs follow it: sources, then text as it is written, then
// the end. Each mouth says these in its own words; none of them can take back
// what it said.
type follower interface {
	sources(cards []contract.SourceCard) bool
	text(delta string) bool
	finished(a contract.Answer)
	failed(f api.Failure)
}

// appending is what a follower gets of an answer that still grows: only text that
// stands whatever comes. Text without a marker waits, since markers may be put
// into it; so does what a report or a check may take back.
type appending struct {
	to     follower
	limits openai.Limits
	held   bool // nothing is told before the end
	unsaid bool // nor then: the follower tells the end in its own form

	grown []rune
	said  string
}

// answerOf is the answer of a run that has ended, or why there is none.
func answerOf(last contract.Event) (contract.Answer, error) {
	switch body := last.Body.(type) {
	case contract.FinishedRun:
		return body.Answer, nil
	case contract.FailedRun:
		return contract.Answer{}, fault.New(body.Code, body.Message, body.Hint)
	}
	return contract.Answer{}, fault.New(fault.Busy, "The question was stopped before it was answered.", "Ask it again.")
}

// streamed tells a run to a client in the form of its stream.
func (s *Server) streamed(w http.ResponseWriter, r *http.Request, form wireForm, open func(*stream) follower, id contract.RunID) {
	s.stream(w, r, form, func(ctx context.Context, out *stream) { s.tell(ctx, id, appending{to: open(out)}) })
}

// tell follows a run for a client that waits for nothing else. When the client
// leaves or the server closes, the run is stopped.
func (s *Server) tell(ctx context.Context, id contract.RunID, to appending) {
	to.held = s.rooms.Settings.Now().Cite.Unsupported == "withdraw"
	for e, err := range s.rooms.Engine.Follow(ctx, id, 0) {
		if err != nil || !to.hear(e) {
			s.abandon(ctx, id)
			return
		}
	}
}

// hear takes one event; false when the client has left.
func (a *appending) hear(e contract.Event) bool {
	switch b := e.Body.(type) {
	case contract.Started:
		a.held = a.held || a.unsaid || b.Mode == contract.ModeDeep
	case contract.Selected:
		return a.to.sources(b.Sources)
	case contract.TextDelta:
		a.grown = append(a.grown[:min(b.At, len(a.grown))], []rune(b.Delta)...)
		if text := string(a.grown); !a.held && len(cite.Markers(text, 0)) > 0 {
			kept, why := a.limits.Cut(text)
			if why == "" {
				kept = a.limits.Sure(kept)
			}
			return a.say(strings.TrimRightFunc(kept, unicode.IsSpace))
		}
	case contract.FinishedRun:
		return a.end(b.Answer)
	case contract.FailedRun, contract.StoppedRun:
		_, err := answerOf(e)
		a.to.failed(api.FailureOf(err))
	}
	return true
}

// say tells what of a text was not told yet. A text that no longer begins with
// what was told waits for the end.
func (a *appending) say(text string) bool {
	rest, grown := strings.CutPrefix(text, a.said)
	if !grown || rest == "" {
		return true
	}
	a.said = text
	return a.to.text(rest)
}

// end tells the rest of an answer. A client that was told something else is told
// so: it cannot take it back.
func (a *appending) end(answer contract.Answer) bool {
	text, _ := a.limits.Cut(answer.Answer)
	switch {
	case a.unsaid:
	case !strings.HasPrefix(text, a.said):
		a.to.failed(api.FailureOf(fault.New(fault.Internal, "The answer was corrected after its beginning had been sent.", "Ask again, or without a stream.")))
		return true
	case !a.say(text):
		return false
	}
	a.to.finished(answer)
	return true
}

// abandon stops a run that nobody waits for any more.
func (s *Server) abandon(ctx context.Context, id contract.RunID) {
	stopping, done := context.WithTimeout(context.WithoutCancel(ctx), api.StopTime)
	defer done()
	if err := s.api.Runs.StopIfRunning(stopping, id); err != nil {
		s.opt.Log.Warn("stop an abandoned run", "run", id, "err", err)
	}
}

// modelChoice names a model in the ways in which other programs do. An address or
// a key in it is refused: those are for the reader to enter.
type modelChoice struct {
	foreign
	ProviderID string `json:"providerId"`
	Provider   string `json:"provider"`
	Key        string `json:"key"`
	Name       string `json:"name"`
}

// foreign are the fields by which programs would bring their own endpoint.
type foreign struct {
	BaseURL   any `json:"baseUrl"`
	BaseURLs  any `json:"base_url"`
	APIKey    any `json:"apiKey"`
	APIKeys   any `json:"api_key"`
	CustomURL any `json:"customOpenAIBaseURL"`
	CustomKey any `json:"customOpenAIKey"`
}

func (f foreign) check() error {
	for _, v := range []any{f.BaseURL, f.BaseURLs, f.APIKey, f.APIKeys, f.CustomURL, f.CustomKey} {
		if v != nil && v != "" {
			return fault.New(fault.OriginNotAllowed, "A request may not bring the address or the key of a model.", "Enter them in Settings, and name the model here.")
		}
	}
	return nil
}

// modelOf turns a choice into provider/model; no choice is empty. Providers go by
// their name here or the id that GET /api/providers gives.
func (s *Server) modelOf(c *modelChoice) (string, error) {
	if c == nil {
		return "", nil
	}
	if err := c.check(); err != nil {
		return "", err
	}
	provider, model := cmp.Or(c.ProviderID, c.Provider), cmp.Or(c.Key, c.Name)
	if provider == "" && model == "" {
		return "", nil
	}
	for _, p := range s.rooms.Models.Providers() {
		if provider == providerUUID(p.ID) || strings.EqualFold(provider, p.Name) {
			provider = p.ID
		}
	}
	name := provider + "/" + model
	if _, _, err := s.rooms.Models.Find(name); err != nil {
		return "", err
	}
	return name, nil
}

// jsonLines writes JSON objects, one a line, or one a frame for a client that takes
// only server-sent events.
type jsonLines struct {
	out    *stream
	framed bool
}

func (l jsonLines) say(v any) bool {
	data, err := json.Marshal(v)
	switch {
	case err != nil:
		return false
	case l.framed:
		return l.out.send("data: " + string(data) + "\n\n")
	}
	return l.out.send(string(data) + "\n")
}

// waited answers a request with the end of its run.
func (s *Server) waited(w http.ResponseWriter, r *http.Request, id contract.RunID, write func(contract.Answer) any) {
	last, err := s.wait(w, r, id)
	if err == nil {
		var a contract.Answer
		if a, err = answerOf(last); err == nil {
			writeJSON(w, http.StatusOK, write(a))
			return
		}
	}
	writeError(w, err)
}
