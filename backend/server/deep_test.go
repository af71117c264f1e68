package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

const deepReportText = "## Summary\n\nThe bridge was opened in 1932 [1]."

// researched is the log of a piece of research that went well, up to its end.
func researched(end contract.Body) []contract.Body {
	stage := func(s contract.Stage, state string) contract.Body {
		return contract.StageChanged{Stage: s, State: state, Label: "Label of " + string(s)}
	}
	lead := func(id, title string) contract.LeadCard {
		return contract.LeadCard{Source: evidence.SourceID("src_" + id), Title: title, Address: "https://example.org/" + id}
	}
	card := contract.SourceCard{N: 1, ID: "src_aaaaaaaaaa", Kind: evidence.Web, Title: "Bridge", URL: "https://example.org/aaaaaaaaaa"}
	bodies := []contract.Body{
		contract.Started{Question: "The Lorne bridge", Mode: contract.ModeDeep},
		stage(contract.StageScope, "start"),
		contract.Searching{Query: "Lorne bridge", Engine: "web", Page: 1},
		contract.FoundLeads{Query: "Lorne bridge", Engine: "searxng", Count: 2, Leads: []contract.LeadCard{lead("aaaaaaaaaa", "Bridge"), lead("bbbbbbbbbb", "Ferry")}},
		contract.Scoped{Brief: "All about it.", Dimensions: []string{"History", "Cost"}},
		stage(contract.StageScope, "end"),
		stage(contract.StagePlanReview, "start"),
		stage(contract.StagePlanReview, "end"),
		stage(contract.StageResearch, "start"),
		contract.DimensionBegun{Index: 0, Total: 2, Dimension: "History", Iteration: 1},
		contract.Searching{Query: "Lorne bridge history", Engine: "wikipedia", Page: 1},
		contract.FoundLeads{Query: "Lorne bridge history", Engine: "wikipedia", Leads: []contract.LeadCard{}},
		contract.Searching{Query: "Lorne bridge history", Engine: "library", Page: 1},
		contract.FoundLeads{Query: "Lorne bridge history", Engine: "library", Count: 1, Leads: []contract.LeadCard{lead("cccccccccc", "Log")}},
		contract.Reading{Source: "src_aaaaaaaaaa", Address: "https://example.org/aaaaaaaaaa"},
		contract.ReadDone{Source: "src_aaaaaaaaaa"},
		contract.Counters{Searches: 3, Sources: 3},
		contract.Finding{Text: "It was opened in 1932.", Dimension: "History"},
		contract.Compressing{Dimension: "History"},
		contract.Compressed{Dimension: "History", NoteLength: 120},
		stage(contract.StageResearch, "end"),
		stage(contract.StageEvaluating, "start"),
		contract.Evaluation{Complete: true},
		stage(contract.StageEvaluating, "end"),
		stage(contract.StageSynthesis, "start"),
		contract.TextDelta{Delta: deepReportText[:12], At: 0},
		contract.TextDelta{Delta: deepReportText[12:], At: 12},
		stage(contract.StageSynthesis, "end"),
		stage(contract.StageCheck, "start"),
		stage(contract.StageCheck, "end"),
	}
	if end == nil {
		end = contract.FinishedRun{Outcome: contract.Answered, Answer: contract.Answer{Question: "The Lorne bridge", Answer: deepReportText, Outcome: contract.Answered, Sources: []contract.SourceCard{card}}}
	}
	return append(bodies, end)
}

func numbered(id contract.RunID, bodies []contract.Body) []contract.Event {
	var events []contract.Event
	began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for i, b := range bodies {
		events = append(events, contract.Event{Run: id, Seq: i + 1, At: began.Add(time.Duration(i) * time.Second), Kind: b.Kind(), Body: b})
	}
	return events
}

func foldAll(events []contract.Event) (out []deepEvent) {
	f := newDeepFold()
	for _, e := range events {
		out = append(out, f.take(e)...)
	}
	return out
}

func TestResearchIsToldInTheEventsOfItsClients(t *testing.T) {
	var got []string
	for _, e := range foldAll(numbered("run_a", researched(nil))) {
		data := must[[]byte](t)(json.Marshal(e.Data))
		got = append(got, fmt.Sprintf("%s %s", e.Type, data))
		if e.Timestamp < 1795255200000 {
			t.Errorf("%s is of %d", e.Type, e.Timestamp)
		}
	}
	want := []string{
		`phase.started {"label":"Label of scope","phase":"scope"}`,
		`search.started {"query":"Lorne bridge","source":"web"}`,
		`search.completed {"query":"Lorne bridge","resultCount":2,"source":"web"}`,
		`counters.update {"searches":1,"sources":2}`,
		`scope.completed {"brief":"All about it.","dimensions":["History","Cost"]}`,
		`phase.completed {"phase":"scope"}`,
		`phase.started {"label":"Label of plan-review","phase":"plan-review"}`,
		`phase.completed {"phase":"plan-review"}`,
		`phase.started {"label":"Label of research","phase":"research"}`,
		`research.dimension {"dimension":"History","index":0,"iteration":1,"total":2}`,
		`search.started {"query":"Lorne bridge history","source":"wikipedia"}`,
		`search.completed {"query":"Lorne bridge history","resultCount":0,"source":"wikipedia"}`,
		`counters.update {"searches":2,"sources":2}`,
		`search.started {"query":"Lorne bridge history","source":"files"}`,
		`search.completed {"query":"Lorne bridge history","resultCount":1,"source":"files"}`,
		`counters.update {"searches":3,"sources":3}`,
		`research.finding {"text":"It was opened in 1932."}`,
		`research.compressing {"dimension":"History"}`,
		`research.compressed {"dimension":"History","noteLength":120}`,
		`phase.completed {"phase":"research"}`,
		`phase.started {"label":"Label of evaluating","phase":"evaluating"}`,
		`research.evaluation {"complete":true,"gaps":[]}`,
		`phase.completed {"phase":"evaluating"}`,
		`phase.started {"label":"Label of synthesis","phase":"synthesis"}`,
		`phase.completed {"phase":"synthesis"}`,
		`report.chunk {"text":"## Summary\n\nThe bridge was opened in 1932 [1]."}`,
		`report.completed {"length":46}`,
		`research.completed {"duration":30000,"findingsCount":1,"iterations":1,"notesCount":1,"reportLength":46,"searches"`,
		`state {"status":"completed","phase":"synthesis","finalReport":"## Summary\n\nThe bridge was opene`,
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestChunksOfAReportAreTheReport takes words back in a section, a section, and, on a
// restart, all of it.
func TestChunksOfAReportAreTheReport(t *testing.T) {
	stage := func(state string) contract.Body {
		return contract.StageChanged{Stage: contract.StageSynthesis, State: state}
	}
	answer := contract.Answer{Answer: "## One\n\nFirst [1].\n\n## Three\n\nThird [1]."}
	written := []contract.Body{
		stage("start"), stage("progress"), contract.TextDelta{Delta: "## One\n\nFrist"}, contract.TextDelta{At: 8, Delta: "First [1]."},
		stage("progress"), contract.TextDelta{At: 18, Delta: "\n\n## Two\n\nNothing"}, contract.TextDelta{At: 18},
		stage("progress"), contract.TextDelta{At: 18, Delta: "\n\n## Three\n\nThird [1]."}, stage("end"),
		contract.FinishedRun{Answer: answer},
	}
	before := []contract.Body{stage("start"), stage("progress"), contract.TextDelta{Delta: "## Other"}, stage("progress")}
	for name, c := range map[string]struct {
		log    []contract.Body
		held   bool
		chunks int
	}{"a run": {written, false, 2}, "held": {written, true, 2}, "after a restart": {slices.Concat(before, written), false, 3}} {
		f := newDeepFold()
		f.held = c.held
		got, chunks := "", 0
		for _, e := range numbered("run_a", c.log) {
			for _, told := range f.take(e) {
				switch told.Type {
				case "report.restarted":
					got = ""
				case "report.chunk":
					chunks++
					got += told.Data.(map[string]any)["text"].(string)
				}
			}
		}
		if got != answer.Answer || chunks != c.chunks {
			t.Errorf("%s: %d chunks: %q", name, chunks, got)
		}
	}
}

func TestTheStateOfResearchTellsHowItEnded(t *testing.T) {
	for want, end := range map[string]contract.Body{
		"completed research.completed": nil,
		"cancelled research.cancelled": contract.StoppedRun{By: "user", Partial: "## Sum"},
		"failed research.error":        contract.FailedRun{Failure: contract.Failure{Code: fault.ModelAuth, Message: "The key was refused."}, Partial: "## Sum"},
		"interrupted research.error":   contract.FailedRun{Failure: contract.Failure{Code: fault.Interrupted, Message: "Footnote was closed."}, Partial: "## Sum"},
	} {
		all := foldAll(numbered("run_a", researched(end)))
		state, ok := all[len(all)-1].Data.(deepState)
		if got := state.Status + " " + all[len(all)-2].Type; !ok || got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if state.Report == "" || state.Report != state.FinalReport || len(state.Sources) != 1 || len(state.Findings) != 1 || len(state.Dimensions) != 2 || state.Brief == "" || state.Counters != (deepCounters{3, 3}) || state.SearchCount != 3 {
			t.Errorf("%s: %+v", want, state)
		}
		if failed := strings.Contains(want, "error"); failed == (state.Error == "") {
			t.Errorf("%s: error %q", want, state.Error)
		}
	}
}

// lay puts a log into the store as the engine would have.
func (h *house) lay(t *testing.T, bodies []contract.Body) contract.RunID {
	t.Helper()
	id := contract.RunID("run_aaaaaaaaaaaaaaaaaaaaaaaaaa")
	began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	run := contract.Run{ID: id, Thread: "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa", Question: contract.Question{Text: "The Lorne bridge", Mode: contract.ModeDeep}, Status: contract.Running, Started: began}
	if err := h.db.Begin(t.Context(), run, "The Lorne bridge"); err != nil {
		t.Fatal(err)
	}
	for _, e := range numbered(id, bodies) {
		if err := h.db.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	run.Status, run.Ended = contract.Finished, &began
	if err := h.db.End(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestResearchResumesAtEveryEvent(t *testing.T) {
	h := open(t, nil)
	path := "/api/research/deep/" + string(h.lay(t, researched(nil)))
	after := func(n int) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Last-Event-ID", strconv.Itoa(n)) }
	}
	whole := h.follow(t, path, nil)
	if whole[0].retry != "5000" || len(whole) != 30 {
		t.Fatalf("%d frames, first %+v", len(whole), whole[0])
	}
	for i, f := range whole[1:] {
		var e deepEvent
		if f.id != strconv.Itoa(i+1) || f.event != "" || json.Unmarshal([]byte(f.data), &e) != nil || e.Type == "" {
			t.Errorf("frame %d: %+v", i+1, f)
		}
	}
	again := h.restart(t, nil)
	for n := range len(whole) {
		if got := again.follow(t, path, after(n))[1:]; !slices.Equal(got, whole[1+n:]) {
			t.Errorf("after %d: %d frames, want %d", n, len(got), len(whole)-1-n)
		}
	}
	if got := again.follow(t, path, after(1000)); len(got) != 1 {
		t.Errorf("after what never was: %v", got)
	}
	wantDeepFault(t, "a bad number", again.send(t, "GET", path, nil, func(r *http.Request) { r.Header.Set("Last-Event-ID", "x") }), 400, fault.InvalidRequest)
	wantDeepFault(t, "JSON", again.send(t, "GET", path, nil, func(r *http.Request) { r.Header.Set("Accept", "application/json") }), 406, fault.NotAcceptable)
}

func TestTheStatusOfResearchIsTheLogFolded(t *testing.T) {
	h := open(t, nil)
	path := "/api/research/deep/" + string(h.lay(t, researched(nil))) + "/status"
	var out deepStatus
	if status := h.get(t, path, &out); status != 200 || !out.Success {
		t.Fatalf("%d %+v", status, out)
	}
	d := out.Data
	if d.Status != "completed" || d.Query != "The Lorne bridge" || d.Iteration != 1 || d.Iterations != 3 || d.NotesCount != 1 || d.SourcesCount != 3 || d.EventCount != 29 ||
		d.FinalReport != deepReportText || len(d.Sources) != 1 || d.Error != nil || d.CompletedAt == nil || d.Elapsed != 30000 || d.Progress != "" {
		t.Errorf("%+v", d)
	}
	events := numbered("run_a", researched(nil))
	f := newDeepFold()
	for _, e := range events[:len(events)-2] {
		f.take(e)
	}
	if got, want := f.words(events[0].At.Add(3*time.Minute), 15*time.Minute), "Label of synthesis · 1 page read · 1 finding · 12 min left at most"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestResearchIsStartedFollowedAndStopped(t *testing.T) {
	h := open(t, slow)
	var started deepStarted
	if status := h.post(t, "/api/research/deep", deepQuestion{Query: "When was the bridge over the Lorne opened?", Mode: "due-diligence"}, &started); status != 200 {
		t.Fatalf("starting gives %d", status)
	}
	run := must[contract.Run](t)(h.db.Run(t.Context(), started.ID))
	if q := run.Question; q.Mode != contract.ModeDeep || q.SubMode != contract.DueDiligence || !q.Unattended {
		t.Errorf("asked as %+v", q)
	}
	path := "/api/research/deep/" + string(started.ID)
	var out deepStatus
	if h.get(t, path+"/status", &out); out.Data.Status != "running" || out.Data.CompletedAt != nil {
		t.Errorf("%+v", out)
	}
	var stopped map[string]bool
	if a := h.send(t, "DELETE", path, nil, nil); a.status != 200 || json.Unmarshal(a.body, &stopped) != nil || !stopped["success"] {
		t.Errorf("stopping gives %d %s", a.status, a.body)
	}
	frames := h.follow(t, path, nil)
	var last struct {
		Type string
		Data deepState
	}
	if json.Unmarshal([]byte(frames[len(frames)-1].data), &last) != nil || last.Type != "state" || last.Data.Status != "cancelled" {
		t.Errorf("the last frame is %+v", frames[len(frames)-1])
	}
	wantDeepFault(t, "stopping again", h.send(t, "DELETE", path, nil, nil), 400, fault.NotRunning)
}

func TestAStreamOfResearchHasALimit(t *testing.T) {
	h := open(t, func(p *plan) {
		slow(p)
		p.tune = func(s *Server) { s.deepLimit = 300 * time.Millisecond }
	})
	asked := h.start(t, map[string]any{"question": "When was the bridge over the Lorne opened?", "mode": "deep", "focus": "local"})
	frames := h.follow(t, "/api/research/deep/"+string(asked.Run), nil)
	if last := frames[len(frames)-1]; last.data != `{"type":"timeout"}` || last.id != "" {
		t.Errorf("%+v", last)
	}
	if err := h.rooms.Engine.Stop(t.Context(), asked.Run, "user"); err != nil {
		t.Fatal(err)
	}
}

func wantDeepFault(t *testing.T, what string, a answered, status int, code fault.Code) {
	t.Helper()
	wantFault(t, what, a, status, code)
	var f deepFailure
	if a.into(t, &f); f.Success || f.Error == "" || f.Error != f.Message || !strings.Contains(string(a.body), `"success":false`) {
		t.Errorf("%s: %s", what, a.body)
	}
}

func TestBadResearchIsRefused(t *testing.T) {
	h := open(t, shelved)
	for _, c := range []struct {
		name string
		body any
		code fault.Code
	}{
		{"no query", map[string]any{}, fault.QuestionEmpty},
		{"one character", deepQuestion{Query: " x "}, fault.InvalidRequest},
		{"501 characters", deepQuestion{Query: strings.Repeat("x", 501)}, fault.QuestionTooLong},
		{"a bad mode", deepQuestion{Query: "xy", Mode: "quick"}, fault.InvalidMode},
		{"no JSON", "{", fault.InvalidJSON},
	} {
		wantDeepFault(t, c.name, h.send(t, "POST", "/api/research/deep", c.body, nil), 400, c.code)
	}
	quick := h.ask(t, local("When was the bridge over the Lorne opened?"))
	for _, id := range []string{"run_aaaaaaaaaaaaaaaaaaaaaaaaaa", "nothing", string(quick.ID)} {
		for _, at := range []struct{ method, tail string }{{"GET", ""}, {"DELETE", ""}, {"GET", "/status"}} {
			wantDeepFault(t, at.method+" of "+id+at.tail, h.send(t, at.method, "/api/research/deep/"+id+at.tail, nil, nil), 404, fault.NotFound)
		}
	}
}
