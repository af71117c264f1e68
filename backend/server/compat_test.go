package server

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/llm/llmtest"
	"footnote/backend/records"
	"footnote/backend/web/webtest"
)

func (h *house) compat(t *testing.T, session, query string) compatAnswer {
	t.Helper()
	var out compatAnswer
	if status := h.post(t, "/api/ask", compatQuestion{Session: session, Query: query, Focus: "local"}, &out); status != http.StatusOK {
		t.Fatalf("asking gives %d", status)
	}
	return out
}

func TestASessionIsAThread(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	first := h.compat(t, "", "When was the bridge over the Lorne opened?")
	if !sessionForm.MatchString(first.Session) || !strings.Contains(first.Answer, "3 May 1932") || time.Since(first.Timestamp.Time()) > time.Minute || first.LatencyMs < 0 {
		t.Fatalf("%+v", first)
	}
	if s := first.Sources; len(s) != 1 || s[0].ID != 1 || s[0].Title == "" || !regexp.MustCompile(`^footnote://source/src_[0-9a-z]+#psg_[0-9a-z]+$`).MatchString(s[0].URL) {
		t.Errorf("sources %+v", s)
	}
	again := h.compat(t, first.Session, "And what did it cost?")
	if again.Session != first.Session {
		t.Errorf("the follow-up is in %s", again.Session)
	}
	var thread api.ThreadView
	if h.get(t, "/api/threads/"+first.Session, &thread); len(thread.Runs) != 2 || thread.Session != first.Session {
		t.Errorf("%d runs in the thread of session %q", len(thread.Runs), thread.Session)
	}

	named := h.compat(t, "my.own-session_1", "When was the bridge opened?")
	if named.Session != "my.own-session_1" {
		t.Errorf("a name of the client's became %q", named.Session)
	}
	if h.compat(t, "my.own-session_1", "What did it cost?"); h.threadOf(t, "my.own-session_1") == h.threadOf(t, first.Session) {
		t.Error("two sessions share a thread")
	}
	if h.get(t, "/api/threads/"+string(h.threadOf(t, "my.own-session_1")), &thread); len(thread.Runs) != 2 {
		t.Errorf("%d runs in the named session", len(thread.Runs))
	}
}

func (h *house) threadOf(t *testing.T, session string) contract.ThreadID {
	t.Helper()
	return must[contract.ThreadID](t)(h.rooms.DB.Session(t.Context(), session))
}

func TestQuestionsOfOneNewSessionAtOnceShareItsThread(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { h.compat(t, "crowd", "When was the bridge over the Lorne opened?") })
	}
	all.Wait()
	page := must[api.Page[records.ThreadInfo]](t)(h.api.Threads.List(t.Context(), api.ThreadsQuery{}))
	if len(page.Items) != 1 || page.Items[0].Runs != 4 {
		t.Errorf("%+v", page.Items)
	}
}

func TestCompatQuestionsAreChecked(t *testing.T) {
	h := open(t, nil)
	for _, c := range []struct {
		name string
		body any
		code fault.Code
	}{
		{"no query", map[string]any{}, fault.QuestionEmpty},
		{"an empty query", compatQuestion{Query: " "}, fault.QuestionEmpty},
		{"1001 characters", compatQuestion{Query: strings.Repeat("x", 1001)}, fault.QuestionTooLong},
		{"a bad focus", compatQuestion{Query: "x", Focus: "all of it"}, fault.InvalidFocus},
		{"a bad mode", compatQuestion{Query: "x", Mode: "fast"}, fault.InvalidMode},
		{"a session that is a path", compatQuestion{Query: "x", Session: "../x"}, fault.InvalidRequest},
		{"a long session", compatQuestion{Query: "x", Session: strings.Repeat("x", 129)}, fault.InvalidRequest},
		{"a session that is no text", map[string]any{"query": "x", "session_id": 3}, fault.InvalidRequest},
	} {
		wantFault(t, c.name, h.send(t, "POST", "/api/ask", c.body, nil), 400, c.code)
	}
}

func TestAQuestionThatShallStayHereIsHeldTo(t *testing.T) {
	h := open(t, nil)
	web := map[string]any{"query": "How long is the Lorne bridge?", "focus": "web", "offline": true}
	wantFault(t, "ask", h.send(t, "POST", "/api/ask", web, nil), 403, fault.LocalOnly)
	web["question"] = web["query"]
	wantFault(t, "runs", h.send(t, "POST", "/api/runs", web, nil), 403, fault.LocalOnly)
	delete(web, "focus")
	if a := h.send(t, "POST", "/api/ask", web, nil); a.status != 200 || len(h.web.Queries()) > 0 {
		t.Errorf("%d, and %q went out", a.status, h.web.Queries())
	}
}

func TestNoEvidenceIsAnAnswerWithoutSources(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	out := h.compat(t, "", "Which colour has the submarine of the mayor of Atlantis?")
	if out.Answer == "" || out.Sources == nil || len(out.Sources) != 0 {
		t.Errorf("%+v", out)
	}
}

func TestWebSourcesKeepTheirAddress(t *testing.T) {
	h := open(t, func(p *plan) {
		p.web = &webtest.Frozen{Seen: time.Now(), Pages: []webtest.Page{{
			Address: "https://example.org/lorne", Title: "Lorne bridge", Text: "The Lorne bridge is 503 metres long.\nIt carries a road and two railway tracks.",
		}}}
	})
	var out compatAnswer
	if h.post(t, "/api/ask", compatQuestion{Query: "How long is the Lorne bridge?", Focus: "web"}, &out); len(out.Sources) != 1 || out.Sources[0].URL != "https://example.org/lorne" {
		t.Errorf("%+v", out)
	}
}

func (h *house) progress(t *testing.T, session string) []progressEvent {
	t.Helper()
	var out struct{ Events []progressEvent }
	if status := h.get(t, "/api/progress/"+session, &out); status != 200 || out.Events == nil {
		t.Fatalf("progress of %s: %d, %v", session, status, out.Events)
	}
	return out.Events
}

func steps_(events []progressEvent) (out []string) {
	for _, e := range events {
		out = append(out, e.Step+" "+e.Event)
	}
	return out
}

var allSteps = []string{
	"search start", "search end", "prioritize_sources start", "prioritize_sources end", "synthesize start", "synthesize end",
	"enrich_images start", "enrich_images end", "format_output start", "format_output end",
}

func TestProgressHasAllStepsInOrder(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	for _, query := range []string{"When was the bridge over the Lorne opened?", "Hello!", "Which colour has the submarine of Atlantis?"} {
		events := h.progress(t, h.compat(t, "", query).Session)
		if got := steps_(events); !slices.Equal(got, allSteps) {
			t.Errorf("%s: %v", query, got)
		}
		for i, e := range events {
			if e.Label == "" || e.TS.IsZero() || i > 0 && e.TS.Before(events[i-1].TS) {
				t.Errorf("%s: event %d is %+v", query, i, e)
			}
		}
	}
}

func TestProgressIsOfTheLatestRunAndOfItsSessionAlone(t *testing.T) {
	h := open(t, slow)
	for _, unknown := range []string{"nobody", "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa", "..%2f..", strings.Repeat("x", 200)} {
		if got := h.progress(t, unknown); len(got) != 0 {
			t.Errorf("%s has %v", unknown, got)
		}
	}
	go func() {
		_, _ = plainClient.Do(must[*http.Request](t)(h.request(t, `{"query":"When was the bridge opened?","session_id":"busy","focus":"local"}`)))
	}()
	housetest.Until(t, "the answer is being written", func() bool { return slices.Contains(steps_(h.progress(t, "busy")), "synthesize start") })
	if got := steps_(h.progress(t, "busy")); !slices.Equal(got, allSteps[:5]) {
		t.Errorf("while it is written: %v", got)
	}
	for _, id := range h.rooms.Engine.RunningIn(h.threadOf(t, "busy")) {
		if err := h.rooms.Engine.Stop(t.Context(), id, "user"); err != nil {
			t.Fatal(err)
		}
	}
	events := h.progress(t, "busy")
	if got := steps_(events); !slices.Equal(got, append(slices.Clone(allSteps[:5]), "synthesize error")) || events[5].Message == "" {
		t.Errorf("stopped: %v", got)
	}
}

func (h *house) request(t *testing.T, body string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(t.Context(), "POST", h.base+"/api/ask", strings.NewReader(body))
	if err == nil {
		req.Header = http.Header{"Authorization": {"Bearer " + testToken}, "Content-Type": {"application/json"}}
	}
	return req, err
}

func TestAFailedRunEndsItsStepWithTheReason(t *testing.T) {
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.set = []string{"models.chat=test/m"}
		p.replies = []llmtest.Reply{{Err: fault.New(fault.ModelAuth, "The key was refused.", "Enter it again.")}}
	})
	a := h.send(t, "POST", "/api/ask", compatQuestion{Session: "s", Query: "When was the bridge over the Lorne opened?", Focus: "local"}, nil)
	events := h.progress(t, "s")
	if a.status == http.StatusOK { // answered without the model after all
		if got := steps_(events); !slices.Equal(got, allSteps) {
			t.Errorf("%v", got)
		}
		return
	}
	wantFault(t, "a refused key", a, 502, fault.ModelAuth)
	last := events[len(events)-1]
	if last.Event != "error" || last.Message != "The key was refused." {
		t.Errorf("%v", events)
	}
}

func TestStepsArePairedHoweverARunEnds(t *testing.T) {
	at := time.Now()
	stage := func(s contract.Stage) contract.Body { return contract.StageChanged{Stage: s, State: "start"} }
	for name, bodies := range map[string][]contract.Body{
		"failed before anything":    {contract.Started{}, contract.FailedRun{Failure: contract.Failure{Message: "No."}}},
		"stopped before anything":   {contract.StoppedRun{}},
		"failed while searching":    {stage(contract.StageGather), contract.FailedRun{Failure: contract.Failure{Message: "No."}}},
		"stopped while writing":     {stage(contract.StagePlan), stage(contract.StageGather), stage(contract.StageSelect), stage(contract.StageCompose), contract.StoppedRun{}},
		"finished after one stage":  {stage(contract.StageCompose), contract.FinishedRun{}},
		"finished without a stage":  {contract.FinishedRun{}},
		"a stage that goes back":    {stage(contract.StageCompose), stage(contract.StageGather), contract.FinishedRun{}},
		"a stage that is not known": {stage("scope"), contract.FinishedRun{}},
		"still running":             {stage(contract.StageGather), stage(contract.StageSelect)},
		"nothing yet":               {},
	} {
		var events []contract.Event
		for i, b := range bodies {
			events = append(events, contract.Event{Seq: i + 1, At: at, Kind: b.Kind(), Body: b})
		}
		open := ""
		for i, e := range foldSteps(events) {
			if (e.Event == "start") != (open == "") || e.Event != "start" && e.Step != open {
				t.Errorf("%s: event %d is %s of %s while %q is open", name, i, e.Event, e.Step, open)
			}
			if open = ""; e.Event == "start" {
				open = e.Step
			}
		}
		if ended := len(bodies) > 0 && bodies[len(bodies)-1].Kind().Terminal(); ended && open != "" {
			t.Errorf("%s: %s never ends", name, open)
		}
	}
}

func TestRespondNowTakesAnyMessage(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	for _, id := range []string{string(asked.Run), "run_aaaaaaaaaaaaaaaaaaaaaaaaaa", "anything"} {
		var out map[string]bool
		if status := h.post(t, "/api/respond-now", map[string]string{"messageId": id}, &out); status != 200 || !out["success"] {
			t.Errorf("%s: %d %v", id, status, out)
		}
	}
	wantFault(t, "no message", h.send(t, "POST", "/api/respond-now", map[string]any{}, nil), 400, fault.MissingID)
	if err := h.rooms.Engine.Stop(t.Context(), asked.Run, "user"); err != nil {
		t.Fatal(err)
	}
}

func TestProvidersHaveStableIds(t *testing.T) {
	h := open(t, func(p *plan) { p.replies = []llmtest.Reply{{Text: "x"}} })
	var first, second struct{ Providers []compatProvider }
	h.get(t, "/api/providers", &first)
	h.get(t, "/api/providers", &second)
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if len(first.Providers) != 1 || !form.MatchString(first.Providers[0].ID) || first.Providers[0].Chat[0].Key != "m" || fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("%+v then %+v", first, second)
	}
}
