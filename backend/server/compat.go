package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

var sessionForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// sessions keeps two questions of one session apart while its thread is made.
type sessions struct{ mu sync.Mutex }

type respondNow struct {
	Message string `json:"messageId"`
}

// compatRespondNow ends the retrieval of a run. One that has ended, or never
// was, is no error here.
func (s *Server) compatRespondNow(w http.ResponseWriter, r *http.Request) {
	var in respondNow
	err := readJSON(r, &in)
	if err == nil && in.Message == "" {
		err = fault.New(fault.MissingID, "No message was named.", "Send {\"messageId\": \"run_…\"}.")
	}
	if err == nil {
		_, err = s.api.Runs.AnswerNow(r.Context(), api.ID{ID: in.Message})
	}
	if code := fault.CodeOf(err); err != nil && code != fault.NotFound && code != fault.AlreadyEnded {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]bool{"success": true})
}

type compatModel struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

type compatProvider struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Chat      []compatModel `json:"chatModels"`
	Embedding []compatModel `json:"embeddingModels"`
}

// compatProviders lists the providers that are set up. Their ids have the form
// of a UUID and stay the same.
func (s *Server) compatProviders(ctx context.Context) (map[string][]compatProvider, error) {
	models, err := s.api.Models.List(ctx, api.None{})
	list := []compatProvider{}
	for _, p := range models.Providers {
		if !p.Configured {
			continue
		}
		one := compatProvider{ID: providerUUID(p.ID), Name: p.Name, Chat: []compatModel{}, Embedding: []compatModel{}}
		for _, m := range p.ChatModels {
			one.Chat = append(one.Chat, compatModel{m.Name, m.Key})
		}
		for _, m := range p.EmbeddingModels {
			one.Embedding = append(one.Embedding, compatModel{m.Name, m.Key})
		}
		list = append(list, one)
	}
	return map[string][]compatProvider{"providers": list}, err
}

// providerUUID is a provider's id in the form of a UUID, always the same.
func providerUUID(id string) string {
	sum := sha256.Sum256([]byte("provider " + id))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: made as we like
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

type compatQuestion struct {
	Session string `json:"session_id"`
	Query   string `json:"query"`
	Focus   string `json:"focus"`
	Mode    string `json:"mode"`
	Offline bool   `json:"offline"`
}

type compatSource struct {
	ID    int     `json:"id"`
	Title string  `json:"title"`
	URL   string  `json:"url"`
	Image *string `json:"image,omitempty"`
}

type compatAnswer struct {
	Session   string            `json:"session_id"`
	Answer    string            `json:"answer"`
	Sources   []compatSource    `json:"sources"`
	Timestamp contract.Stamp    `json:"timestamp"`
	LatencyMs int64             `json:"latency_ms"`
	Cached    bool              `json:"cached,omitempty"`
	Notices   []contract.Notice `json:"notices,omitempty"`
}

// compatAsk answers in one synchronous call. The session names a thread; a new
// one is made when none is sent.
func (s *Server) compatAsk(w http.ResponseWriter, r *http.Request) {
	var in compatQuestion
	err := readJSON(r, &in)
	if err == nil && in.Session != "" && !sessionForm.MatchString(in.Session) {
		err = fault.New(fault.InvalidRequest, "session_id may have letters, digits, dot, dash and underscore, up to 128.", "Send another session_id, or none.")
	}
	if err != nil {
		writeError(w, err)
		return
	}
	q := s.rooms.Engine.Defaults()
	q.Text, q.Unattended, q.Offline = in.Query, true, q.Offline || in.Offline
	if in.Focus != "" {
		q.Focus = contract.Focus(in.Focus)
	}
	if in.Mode != "" {
		q.Mode = contract.Mode(in.Mode)
	}
	run, session, err := s.askInSession(r, q, in.Session)
	if err != nil {
		writeError(w, err)
		return
	}
	s.waited(w, r, run.ID, func(a contract.Answer) any { return compatOf(session, a) })
}

func (s *Server) askInSession(r *http.Request, q contract.Question, session string) (contract.Run, string, error) {
	s.await.mu.Lock()
	defer s.await.mu.Unlock()
	if session != "" {
		thread, err := s.rooms.DB.Session(r.Context(), session)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return contract.Run{}, "", err
		}
		q.Thread = thread
	}
	fresh := q.Thread == ""
	run, err := s.rooms.Engine.Ask(r.Context(), q)
	if err != nil {
		return run, "", err
	}
	if session == "" {
		session = string(run.Thread)
	}
	if fresh {
		err = s.rooms.DB.BindSession(r.Context(), session, run.Thread)
	}
	if err != nil {
		err = errors.Join(err, s.api.Runs.StopIfRunning(r.Context(), run.ID))
	}
	return run, session, err
}

func compatOf(session string, a contract.Answer) compatAnswer {
	out := compatAnswer{Session: session, Answer: a.Answer, Sources: []compatSource{}, Timestamp: a.Timestamp, LatencyMs: a.LatencyMs, Cached: a.Cached, Notices: a.Notices}
	if a.Outcome != contract.NoEvidence {
		out.Sources = compatSources(a.Sources)
	}
	return out
}

func compatSources(cards []contract.SourceCard) []compatSource {
	out := []compatSource{}
	for _, c := range cards {
		out = append(out, compatSource{ID: c.N, Title: c.Title, URL: addressOf(c), Image: c.Image})
	}
	return out
}

// addressOf is where a source can be found; a file of the reader's has an address
// that means something to Footnote alone.
func addressOf(c contract.SourceCard) string {
	if c.Kind != evidence.File {
		return c.URL
	}
	address := "footnote://source/" + string(c.ID)
	if len(c.Passages) > 0 {
		address += "#" + string(c.Passages[0].ID)
	}
	return address
}

type progressEvent struct {
	TS      time.Time `json:"ts"`
	Step    string    `json:"step"`
	Event   string    `json:"event"`
	Label   string    `json:"label"`
	Message string    `json:"message,omitempty"`
}

type compatProgressView struct {
	Events []progressEvent `json:"events"`
}

// steps maps the stages of a run to the five steps of the progress route: a
// step starts with its first stage and ends with its last.
var steps = []struct {
	name   string
	label  string
	stages []contract.Stage
}{
	{"search", "Searching sources…", []contract.Stage{contract.StagePlan, contract.StageGather, contract.StageRead}},
	{"prioritize_sources", "Evaluating credibility…", []contract.Stage{contract.StageSelect}},
	{"synthesize", "Synthesizing answer…", []contract.Stage{contract.StageCompose, contract.StageCheck}},
	{"enrich_images", "Adding visuals…", []contract.Stage{contract.StageImages}},
	{"format_output", "Answer ready.", []contract.Stage{contract.StageFinish}},
}

// compatProgress folds the events of the session's latest run into steps.
func (s *Server) compatProgress(w http.ResponseWriter, r *http.Request) {
	out := []progressEvent{}
	session := r.PathValue("session")
	if sessionForm.MatchString(session) {
		thread, err := s.rooms.DB.Session(r.Context(), session)
		if err == nil {
			out, err = s.progressOf(r, thread)
		}
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			writeError(w, err)
			return
		}
	}
	writeJSON(w, http.StatusOK, compatProgressView{out})
}

func (s *Server) progressOf(r *http.Request, thread contract.ThreadID) ([]progressEvent, error) {
	detail, err := s.rooms.DB.Thread(r.Context(), thread)
	if err != nil || len(detail.Items) == 0 {
		return []progressEvent{}, err
	}
	events, err := s.rooms.DB.Since(r.Context(), detail.Items[len(detail.Items)-1].ID, 0)
	return foldSteps(events), err
}

// foldSteps gives every step a start, in order, and an end once the next one
// starts or the run ends. Steps that a run never reaches start and end with it.
func foldSteps(events []contract.Event) []progressEvent {
	out := []progressEvent{}
	current := -1
	enter := func(i int, at time.Time) {
		for current < i {
			if current >= 0 {
				out = append(out, progressEvent{TS: at, Step: steps[current].name, Event: "end", Label: steps[current].label})
			}
			current++
			out = append(out, progressEvent{TS: at, Step: steps[current].name, Event: "start", Label: steps[current].label})
		}
	}
	for _, e := range events {
		switch b := e.Body.(type) {
		case contract.StageChanged:
			if i := stepOf(b.Stage); b.State == "start" && i > current {
				enter(i, e.At)
			}
		case contract.FinishedRun:
			enter(len(steps)-1, e.At)
			out = append(out, progressEvent{TS: e.At, Step: steps[current].name, Event: "end", Label: steps[current].label})
		case contract.FailedRun:
			enter(max(current, 0), e.At)
			out = append(out, progressEvent{TS: e.At, Step: steps[current].name, Event: "error", Label: steps[current].label, Message: b.Message})
		case contract.StoppedRun:
			enter(max(current, 0), e.At)
			out = append(out, progressEvent{TS: e.At, Step: steps[current].name, Event: "error", Label: steps[current].label, Message: "Stopped."})
		}
	}
	return out
}

func stepOf(stage contract.Stage) int {
	for i, step := range steps {
		for _, s := range step.stages {
			if s == stage {
				return i
			}
		}
	}
	return -1
}
