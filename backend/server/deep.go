package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
)

// deepLimit is how long one stream of research lasts; a client comes back with
// the number of the last event it saw.
const deepLimit = 25 * time.Minute

// deepFailure is an error of these routes.
type deepFailure struct {
	api.Failure
	Success bool   `json:"success"` // false
	Error   string `json:"error"`
}

type deepQuestion struct {
	Query string `json:"query"`
	Mode  string `json:"mode"`
}

// deepStarted names a piece of research.
type deepStarted struct {
	ID contract.RunID `json:"researchId"`
}

// deepStart begins research. Nobody is asked back and no plan waits for a reply:
// these clients have no way to give one.
func (s *Server) deepStart(ctx context.Context, in deepQuestion) (deepStarted, error) {
	sub, err := contract.ParseSubMode(in.Mode)
	if err != nil {
		return deepStarted{}, err
	}
	q := s.rooms.Engine.Defaults()
	q.Text, q.Mode, q.SubMode, q.Unattended = in.Query, contract.ModeDeep, sub, true
	if err := q.Check(s.rooms.Settings.Now().Limits.DeepQueryChars, 0); err != nil {
		return deepStarted{}, err
	}
	if len([]rune(q.Text)) < 2 {
		return deepStarted{}, fault.New(fault.InvalidRequest, "The question has one character; two are the least.", "Say what is to be found out.")
	}
	asked, err := s.api.Runs.Ask(ctx, api.Question{Body: q})
	return deepStarted{asked.Run}, err
}

// deepRun finds research by its id; a run of another mode is none.
func (s *Server) deepRun(ctx context.Context, id string) (contract.Run, error) {
	view, err := s.api.Runs.Get(ctx, api.ID{ID: id})
	if err == nil && view.Question.Mode != contract.ModeDeep {
		err = fault.New(fault.NotFound, "There is no such research.", "Start one with POST /api/research/deep.")
	}
	return view.Run, err
}

// deepStop ends research; what was written is kept.
func (s *Server) deepStop(ctx context.Context, id string) (map[string]bool, error) {
	if _, err := s.deepRun(ctx, id); err != nil {
		return nil, err
	}
	_, err := s.api.Runs.Stop(ctx, api.ID{ID: id})
	if fault.CodeOf(err) == fault.AlreadyEnded {
		err = fault.New(fault.NotRunning, "This research has ended.", "Start it again with POST /api/research/deep.")
	}
	return map[string]bool{"success": true}, err
}

// deepEvents streams research in the compatibility events. Their numbers are
// counted over all of them, so any may be the last one a client saw.
func (s *Server) deepEvents(w http.ResponseWriter, r *http.Request) {
	id, err := idOf(r)
	if err == nil {
		_, err = s.deepRun(r.Context(), id)
	}
	after := 0
	if err == nil {
		after, err = startOf(r)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	s.stream(w, r, serverSent, func(ctx context.Context, out *stream) {
		timed, cancel := context.WithTimeout(ctx, s.deepLimit)
		defer cancel()
		fold := newDeepFold()
		fold.held = s.rooms.Settings.Now().Cite.Unsupported == "withdraw"
		for e, err := range s.rooms.Engine.Follow(timed, contract.RunID(id), 0) {
			if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
				out.send("data: {\"type\":\"timeout\"}\n\n")
			}
			if err != nil {
				return
			}
			n := fold.told
			for _, told := range fold.take(e) {
				if n++; n > after && !out.numbered(n, told) {
					return
				}
			}
		}
	})
}

// numbered sends an event with a number and without a name.
func (s *stream) numbered(n int, v any) bool {
	data, err := json.Marshal(v)
	return err == nil && s.send(fmt.Sprintf("id: %d\ndata: %s\n\n", n, data))
}

// deepStatus is the polling fallback: the log so far, folded.
type deepStatus struct {
	Success bool       `json:"success"`
	Data    deepReport `json:"data"`
}

type deepReport struct {
	ID           string         `json:"id"`
	Query        string         `json:"query"`
	Status       string         `json:"status"`
	Phase        string         `json:"phase"`
	PhaseDetail  string         `json:"phaseDetail"`
	Progress     string         `json:"progress"` // what goes on, pages, findings and the time left in words; empty when the run has ended
	Iteration    int            `json:"supervisorIteration"`
	Iterations   int            `json:"maxIterations"`
	NotesCount   int            `json:"notesCount"`
	SourcesCount int            `json:"sourcesCount"`
	EventCount   int            `json:"eventCount"`
	FinalReport  string         `json:"finalReport"`
	Sources      []compatSource `json:"sources"`
	Error        *string        `json:"error"`
	StartedAt    time.Time      `json:"startedAt"`
	CompletedAt  *time.Time     `json:"completedAt"`
	Elapsed      int64          `json:"elapsed"` // milliseconds
}

func (s *Server) deepStatus(ctx context.Context, id string) (deepStatus, error) {
	run, err := s.deepRun(ctx, id)
	if err != nil {
		return deepStatus{}, err
	}
	events, err := s.rooms.DB.Since(ctx, run.ID, 0)
	if err != nil {
		return deepStatus{}, err
	}
	f := newDeepFold()
	for _, e := range events {
		f.take(e)
	}
	out := deepReport{
		ID: id, Query: run.Question.Text, Status: f.state.Status, Phase: f.state.Phase, PhaseDetail: f.detail, Iteration: f.iteration,
		Iterations: s.rooms.Settings.Now().Deep.Passes, NotesCount: f.notes, SourcesCount: max(f.state.Counters.Sources, len(f.state.Sources)), EventCount: f.told,
		FinalReport: f.state.FinalReport, Sources: f.state.Sources, StartedAt: run.Started, Elapsed: f.elapsed(s.opt.Now()).Milliseconds(),
	}
	if f.ended.IsZero() {
		out.Progress = f.words(s.opt.Now(), time.Duration(s.rooms.Settings.Now().Deep.Minutes)*time.Minute)
	}
	if f.state.Error != "" {
		out.Error = &f.state.Error
	}
	if !f.ended.IsZero() {
		out.CompletedAt = &f.ended
	}
	return deepStatus{Success: true, Data: out}, nil
}
