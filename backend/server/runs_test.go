package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/llm/llmtest"
	"footnote/backend/records"
)

var runningRuns = records.RunQuery{Status: contract.Running}

func TestAQuestionIsAnsweredAndKept(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	if run.Status != contract.Finished || run.Answer.Outcome != contract.Extracted || !strings.Contains(run.Answer.Answer, "3 May 1932") || len(run.Answer.Citations) == 0 {
		t.Fatalf("%s: %+v", run.Status, run.Answer)
	}
	if stats := run.Metadata.Stats; stats == nil || stats.Ms == 0 {
		t.Errorf("metadata %+v", run.Metadata)
	}
	var again api.RunView
	if h.get(t, "/api/runs/"+string(run.ID), &again); again.Answer == nil || again.Answer.Answer != run.Answer.Answer {
		t.Errorf("read again: %+v", again)
	}
	var runs api.Page[contract.Run]
	if h.get(t, "/api/runs?thread="+string(run.Thread)+"&status=finished", &runs); len(runs.Items) != 1 || runs.Items[0].ID != run.ID {
		t.Errorf("listed %+v", runs)
	}
	var thread api.ThreadView
	if h.get(t, "/api/threads/"+string(run.Thread), &thread); len(thread.Runs) != 1 || thread.Title != "When was the bridge over the Lorne opened?" {
		t.Errorf("thread %+v", thread)
	}
}

func TestWhatAQuestionNamesMustExist(t *testing.T) {
	h := open(t, nil)
	first := h.ask(t, map[string]any{"question": "Hello!"})
	other := h.ask(t, map[string]any{"question": "Hello again!"})
	for _, c := range []struct {
		name string
		q    map[string]any
		want int
		code fault.Code
	}{
		{"no text", map[string]any{}, 400, fault.QuestionEmpty},
		{"too long", map[string]any{"question": strings.Repeat("ü", 1001)}, 400, fault.QuestionTooLong},
		{"long context", map[string]any{"question": "a", "context": strings.Repeat("x", 50001)}, 413, fault.TooLarge},
		{"no such focus", map[string]any{"question": "a", "focus": "everything"}, 400, fault.InvalidFocus},
		{"no such mode", map[string]any{"question": "a", "mode": "fast"}, 400, fault.InvalidMode},
		{"no such thread", map[string]any{"question": "a", "thread": "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa"}, 404, fault.NotFound},
		{"a thread that is a path", map[string]any{"question": "a", "thread": "../../x"}, 404, fault.NotFound},
		{"replacing without a thread", map[string]any{"question": "a", "replaces": first.ID}, 400, fault.InvalidRequest},
		{"replacing a run of another thread", map[string]any{"question": "a", "thread": first.Thread, "replaces": other.ID}, 400, fault.InvalidRequest},
		{"weights of three", map[string]any{"question": "a", "weights": map[string]float64{"semantic": 0.5}}, 400, fault.InvalidRequest},
		{"negative weights", map[string]any{"question": "a", "weights": map[string]float64{"semantic": 2, "keyword": -1}}, 400, fault.InvalidRequest},
	} {
		wantFault(t, c.name, h.send(t, "POST", "/api/runs", c.q, nil), c.want, c.code)
	}
	var thread api.ThreadView
	if h.get(t, "/api/threads/"+string(first.Thread), &thread); len(thread.Runs) != 1 {
		t.Errorf("a refused question changed the thread: %d runs", len(thread.Runs))
	}
}

func TestReplacingTakesLaterRunsOutAndKeepsTheThread(t *testing.T) {
	h := open(t, nil)
	first := h.ask(t, map[string]any{"question": "Hello!"})
	in := func(text string) map[string]any { return map[string]any{"question": text, "thread": first.Thread} }
	second := h.ask(t, in("Hello once more!"))
	third := h.ask(t, in("Hello a third time!"))
	refused := in(" ")
	refused["replaces"] = second.ID
	wantFault(t, "an empty replacement", h.send(t, "POST", "/api/runs", refused, nil), 400, fault.QuestionEmpty)
	if status := h.get(t, "/api/runs/"+string(second.ID), nil); status != 200 {
		t.Fatalf("a refused replacement dropped what it was to replace: %d", status)
	}
	edited := in("Good morning!")
	edited["replaces"] = second.ID
	now := h.ask(t, edited)
	var thread api.ThreadView
	h.get(t, "/api/threads/"+string(first.Thread), &thread)
	ids := []contract.RunID{}
	for _, r := range thread.Runs {
		ids = append(ids, r.ID)
	}
	if !slices.Equal(ids, []contract.RunID{first.ID, now.ID}) {
		t.Errorf("the thread has %v", ids)
	}
	for _, gone := range []contract.RunID{second.ID, third.ID} {
		if status := h.get(t, "/api/runs/"+string(gone), nil); status != 404 {
			t.Errorf("run %s is still there: %d", gone, status)
		}
	}
}

func TestReplacingARunInProgressStopsIt(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	stop := map[string]any{"question": "Hello!", "thread": asked.Thread, "replaces": asked.Run, "models": map[string]string{"chat": "none"}}
	h.ask(t, stop)
	if running := h.rooms.Engine.RunningIn(asked.Thread); len(running) != 0 {
		t.Errorf("%v still runs", running)
	}
}

func TestRetryAsksAgainInAnotherWay(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	first := h.ask(t, local("When was the bridge over the Lorne opened?"))
	path := "/api/runs/" + string(first.ID) + "/retry"
	var asked api.Asked
	if status := h.post(t, path, map[string]any{"mode": "speed", "models": map[string]string{"chat": "none"}}, &asked); status != http.StatusAccepted || asked.Thread != first.Thread || asked.Run == first.ID {
		t.Fatalf("%d %+v", status, asked)
	}
	if _, err := h.rooms.Engine.Wait(t.Context(), asked.Run); err != nil {
		t.Fatal(err)
	}
	var second api.RunView
	h.get(t, "/api/runs/"+string(asked.Run), &second)
	if q := second.Question; q.Mode != contract.ModeSpeed || q.Models.Chat != "none" || q.Text != first.Question.Text || q.Focus != contract.FocusLocal {
		t.Errorf("asked %+v", q)
	}
	// A run that itself replaced another one can be asked again: what it replaced
	// is long gone.
	edited := local("What did the bridge cost?")
	edited["thread"], edited["replaces"] = first.Thread, second.ID
	third := h.ask(t, edited)
	if status := h.post(t, "/api/runs/"+string(third.ID)+"/retry", map[string]any{}, &asked); status != http.StatusAccepted {
		t.Errorf("retry of a replacement gives %d", status)
	}
	wantFault(t, "an unknown run", h.send(t, "POST", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/retry", map[string]any{}, nil), 404, fault.NotFound)
	wantFault(t, "a bad mode", h.send(t, "POST", path, map[string]any{"mode": "x"}, nil), 400, fault.InvalidMode)
}

func TestAnswerNowAndWhatWaitsForNothing(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	run := "/api/runs/" + string(asked.Run)
	if status := h.post(t, run+"/answer-now", map[string]any{}, nil); status != http.StatusAccepted {
		t.Errorf("answer-now gives %d", status)
	}
	for _, route := range []string{"/clarify", "/plan"} {
		wantFault(t, route, h.send(t, "POST", run+route, map[string]any{"reply": "x"}, nil), 409, fault.NotWaiting)
		wantFault(t, route+" of no run", h.send(t, "POST", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa"+route, map[string]any{}, nil), 404, fault.NotFound)
	}
	if err := h.rooms.Engine.Stop(t.Context(), asked.Run, "user"); err != nil {
		t.Fatal(err)
	}
	wantFault(t, "answer-now of an ended run", h.send(t, "POST", run+"/answer-now", map[string]any{}, nil), 409, fault.AlreadyEnded)
}

func TestAClientThatLeavesWhileItWaitsStopsTheRun(t *testing.T) {
	h := open(t, slow)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		req, err := http.NewRequestWithContext(ctx, "POST", h.base+"/api/runs?wait=true", strings.NewReader(`{"question":"When was the bridge opened?","focus":"local"}`))
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+testToken)
			req.Header.Set("Content-Type", "application/json")
			_, err = plainClient.Do(req)
		}
		left <- err
	}()
	housetest.Until(t, "the run begins", func() bool { return h.running(t) == 1 })
	leave()
	if err := <-left; err == nil {
		t.Error("the client was answered")
	}
	housetest.Until(t, "the run is stopped", func() bool { return h.running(t) == 0 })
}

func TestAPrivateQuestionIsAnsweredAndKeptNowhere(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	q := local("When was the bridge over the Lorne opened?")
	q["private"] = true
	run := h.ask(t, q)
	if run.Status != contract.Finished || run.Answer == nil || !strings.Contains(run.Answer.Answer, "1932") {
		t.Fatalf("%+v", run)
	}
	wantPrivate(t, h, run, 1)
	further := local("And what did it cost?")
	further["thread"] = run.Thread // a question of a private thread is private without saying so
	if run = h.ask(t, further); run.Status != contract.Finished {
		t.Errorf("%+v", run)
	}
	wantPrivate(t, h, run, 2)
}

// wantPrivate holds that a run and its thread can be seen, and that no list has them.
func wantPrivate(t *testing.T, h *house, run api.RunView, runs int) {
	t.Helper()
	var seen api.RunView
	if status := h.get(t, "/api/runs/"+string(run.ID), &seen); status != 200 || seen.Answer == nil || seen.Answer.Answer != run.Answer.Answer {
		t.Errorf("the run gives %d: %+v", status, seen)
	}
	var thread api.ThreadView
	if status := h.get(t, "/api/threads/"+string(run.Thread), &thread); status != 200 || !thread.Private || len(thread.Runs) != runs || thread.Title == "" {
		t.Errorf("the thread gives %d: %+v", status, thread)
	}
	for _, path := range []string{"/api/runs", "/api/threads"} {
		var list api.Page[struct{ ID string }]
		if status := h.get(t, path, &list); status != 200 || len(list.Items) != 0 {
			t.Errorf("%s gives %d: %v", path, status, list)
		}
	}
}

func TestQuestionsAreForgottenWhereTheReaderWantsIt(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	if status := h.send(t, "PUT", "/api/settings", map[string]any{"store.private_default": true}, nil).status; status != 200 && status != 204 {
		t.Fatalf("the setting gives %d", status)
	}
	wantPrivate(t, h, h.ask(t, local("When was the bridge over the Lorne opened?")), 1)
}

func TestTooManyQuestionsAreRefusedAndNoneIsLost(t *testing.T) {
	h := open(t, slow)
	var asked []api.Asked
	refused := 0
	for range 24 {
		var one api.Asked
		a := h.send(t, "POST", "/api/runs", local("When was the bridge opened?"), nil)
		if a.status == http.StatusServiceUnavailable {
			wantFault(t, "the 21st", a, 503, fault.Busy)
			refused++
			continue
		}
		a.into(t, &one)
		asked = append(asked, one)
	}
	if len(asked) != 20 || refused != 4 {
		t.Errorf("%d were taken, %d refused", len(asked), refused)
	}
	for _, one := range asked {
		if err := h.rooms.Engine.Stop(t.Context(), one.Run, "user"); err != nil {
			t.Errorf("stop %s: %v", one.Run, err)
		}
	}
}

func TestThreadsAreListedChangedBranchedAndDeleted(t *testing.T) {
	h := open(t, nil)
	for _, text := range []string{"Hello!", "Good morning!", "Good evening!"} {
		h.ask(t, map[string]any{"question": text})
	}
	var page api.Page[records.ThreadInfo]
	h.get(t, "/api/threads?limit=2", &page)
	if len(page.Items) != 2 || page.Next == nil {
		t.Fatalf("%+v", page)
	}
	id := string(page.Items[0].ID)
	var rest api.Page[records.ThreadInfo]
	if h.get(t, "/api/threads?limit=2&after="+*page.Next, &rest); len(rest.Items) != 1 || rest.Next != nil {
		t.Errorf("the second page is %+v", rest)
	}
	if h.get(t, "/api/threads?q=evening", &page); len(page.Items) != 1 {
		t.Errorf("found %+v", page.Items)
	}
	var changed api.ThreadView
	a := h.send(t, "PATCH", "/api/threads/"+id, map[string]any{"title": "Greetings", "pinned": true}, nil)
	if a.into(t, &changed); a.status != 200 || changed.Title != "Greetings" || !changed.Pinned {
		t.Errorf("%d %+v", a.status, changed.ThreadInfo)
	}
	var made api.Branched
	if status := h.post(t, "/api/threads/"+id+"/branch", api.RunOf{Run: string(changed.Runs[0].ID)}, &made); status != http.StatusCreated || api.CheckID(string(made.Thread)) != nil {
		t.Fatalf("branching gives %d %+v", status, made)
	}
	var branch api.ThreadView
	if h.get(t, "/api/threads/"+string(made.Thread), &branch); len(branch.Runs) != 1 || branch.Runs[0].ID == changed.Runs[0].ID || branch.Runs[0].Answer == nil {
		t.Errorf("the branch is %+v", branch)
	}
	if a := h.send(t, "DELETE", "/api/threads/"+id+"?erase=true", nil, nil); a.status != http.StatusNoContent {
		t.Errorf("deleting gives %d", a.status)
	}
	for what, a := range map[string]answered{
		"a deleted thread":         h.send(t, "GET", "/api/threads/"+id, nil, nil),
		"deleting it again":        h.send(t, "DELETE", "/api/threads/"+id, nil, nil),
		"changing it":              h.send(t, "PATCH", "/api/threads/"+id, map[string]any{"title": "x"}, nil),
		"branching it":             h.send(t, "POST", "/api/threads/"+id+"/branch", api.RunOf{Run: string(changed.Runs[0].ID)}, nil),
		"branching at no such run": h.send(t, "POST", "/api/threads/"+string(made.Thread)+"/branch", api.RunOf{Run: "run_x"}, nil),
	} {
		wantFault(t, what, a, 404, fault.NotFound)
	}
	wantFault(t, "branching nowhere", h.send(t, "POST", "/api/threads/"+string(made.Thread)+"/branch", map[string]any{}, nil), 400, fault.MissingID)
	for _, query := range []string{"limit=0", "limit=201", "limit=x", "limit=-1", "after=x"} {
		wantFault(t, query, h.send(t, "GET", "/api/threads?"+query, nil, nil), 400, fault.InvalidRequest)
	}
}

func TestDeletingAThreadStopsWhatRunsInIt(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	if a := h.send(t, "DELETE", "/api/threads/"+string(asked.Thread), nil, nil); a.status != http.StatusNoContent {
		t.Errorf("deleting gives %d", a.status)
	}
	if running := h.rooms.Engine.RunningIn(asked.Thread); len(running) != 0 {
		t.Errorf("%v still runs", running)
	}
}

func TestTheLedgerTellsWhatWentWhere(t *testing.T) {
	h := open(t, func(p *plan) { p.replies = []llmtest.Reply{{Text: "Hello to you."}} })
	run := h.ask(t, map[string]any{"question": "Write a greeting.", "focus": "writing"})
	for _, path := range []string{"/api/ledger", "/api/ledger?run=" + string(run.ID), "/api/ledger?host=example.org", "/api/runs/" + string(run.ID) + "/ledger"} {
		var page api.Page[api.LedgerLine]
		if status := h.get(t, path, &page); status != 200 || page.Items == nil || len(page.Items) != 0 {
			t.Errorf("%s: %d %+v", path, status, page)
		}
	}
	wantFault(t, "of no run", h.send(t, "GET", "/api/ledger?run=run_aaaaaaaaaaaaaaaaaaaaaaaaaa", nil, nil), 404, fault.NotFound)
}

func TestReadingChangesNothing(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	c := run.Answer.Citations[0]
	state := func() (all []string) {
		for _, path := range []string{"/api/threads", "/api/runs", "/api/library/files", "/api/settings", "/api/threads/" + string(run.Thread)} {
			all = append(all, string(h.send(t, "GET", path, nil, nil).body))
		}
		return all
	}
	before, searched := state(), len(h.web.Queries())+len(h.web.Reads())
	for _, path := range []string{
		"/api/runs", "/api/runs/" + string(run.ID), "/api/runs/" + string(run.ID) + "/events", "/api/runs/" + string(run.ID) + "/stop", "/api/runs/" + string(run.ID) + "/retry",
		"/api/threads/" + string(run.Thread), "/api/threads/" + string(run.Thread) + "/export", "/api/library", "/api/library/files", "/api/library/search?q=bridge",
		"/api/library/rescan", "/api/sources/" + string(c.Source), "/api/sources/" + string(c.Source) + "/text", "/api/sources/" + string(c.Source) + "/file",
		"/api/sources/" + string(c.Source) + "/open", "/api/passages/" + string(c.Passage), "/api/models", "/api/engines", "/api/engines/frozen/test", "/api/models/test",
		"/api/settings", "/api/keys/openai", "/api/health", "/api/ledger", "/api/providers", "/api/ask?query=x", "/api/progress/x", "/launch?code=x", "/?q=x",
	} {
		for _, method := range []string{"HEAD", "GET"} {
			if a := h.send(t, method, path, nil, nil); a.status >= 500 || method == "HEAD" && len(a.body) > 0 {
				t.Errorf("%s %s gives %d %s", method, path, a.status, a.body)
			}
		}
	}
	if after := state(); !slices.Equal(before, after) {
		t.Errorf("before %v\nafter  %v", before, after)
	}
	if n := len(h.web.Queries()) + len(h.web.Reads()); n != searched {
		t.Errorf("reading went to the web %d times", n-searched)
	}
}
