package server

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/library"
	"footnote/backend/llm/llmtest"
	"footnote/backend/refresh"
	"footnote/backend/web/webtest"
)

// kept opens a house in which answers are kept fresh.
func kept(t *testing.T, change func(*plan)) *house {
	t.Helper()
	h := open(t, change)
	h.keeps(t)
	return h
}

func (h *house) keeps(t *testing.T) {
	t.Helper()
	shelf := h.rooms.Library
	h.rooms.Refresher = refresh.New(refresh.Config{
		Engine: h.rooms.Engine, Store: h.db, Renew: shelf.Renew, Stirs: func(ctx context.Context) iter.Seq[struct{}] { return library.Stirs(ctx, shelf) }, Now: h.rooms.Engine.Now, Log: h.rooms.Log,
		Tell: func(n refresh.News) { shelf.Publish(n) },
	})
	h.rooms.Refresher.Start(t.Context())
	t.Cleanup(func() { // before the rooms end
		if err := h.rooms.Refresher.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// later moves the clock on and wakes the refresher, which would sleep for as long.
func (h *house) later(d time.Duration) {
	h.clock.Add(int64(d))
	h.rooms.Refresher.Wake()
}

func (h *house) keep(t *testing.T, run contract.RunID, wish map[string]any) refresh.Subscription {
	t.Helper()
	var s refresh.Subscription
	a := h.send(t, "PUT", "/api/runs/"+string(run)+"/fresh", wish, nil)
	if a.into(t, &s); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return s
}

func (h *house) standing(t *testing.T, run contract.RunID) refresh.Subscription {
	t.Helper()
	return must[refresh.Subscription](t)(h.api.Subscriptions.Of(t.Context(), api.ID{ID: string(run)}))
}

func (h *house) thread(t *testing.T, id contract.ThreadID) api.ThreadView {
	t.Helper()
	return must[api.ThreadView](t)(h.api.Threads.Get(t.Context(), api.ID{ID: string(id)}))
}

// news gathers what the stream of library events tells of checks.
type news struct {
	mu   sync.Mutex
	told []string
}

func (n *news) has(state string) func() bool {
	return func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return slices.Contains(n.told, state)
	}
}

func (h *house) hear(t *testing.T) *news {
	t.Helper()
	n := &news{}
	resp := h.open(t, "GET", "/api/library/events", nil, func(r *http.Request) { r.Header.Set("Accept", "text/event-stream") })
	next := frames(resp.Body)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for f, err := next(); err == nil; f, err = next() {
			if f.event == "fresh" {
				_, state, _ := strings.Cut(f.data, `"state":"`)
				state, _, _ = strings.Cut(state, `"`)
				n.mu.Lock()
				n.told = append(n.told, state)
				n.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() { resp.Body.Close(); <-done })
	return n
}

const everyDay = 24 * 3600 * 1000

func TestAnAnswerIsKeptFreshByTheClock(t *testing.T) {
	h := kept(t, func(p *plan) { p.web = &webtest.Frozen{Pages: towerPages()} })
	run := h.about(t, "web")
	heard := h.hear(t)
	if s := h.keep(t, run.ID, map[string]any{"every_ms": everyDay}); s.Run != run.ID || s.Thread != run.Thread || s.Due == nil || s.EveryMs != everyDay {
		t.Errorf("%+v", s)
	}
	h.later(25 * time.Hour)
	housetest.Until(t, "the answer was checked", func() bool { return h.standing(t, run.ID).Checked != nil })
	housetest.Until(t, "the window hears of it", heard.has("same"))
	thread := h.thread(t, run.Thread)
	if len(thread.Runs) != 1 || thread.Unseen || !thread.ThreadInfo.Fresh || len(thread.Fresh) != 1 || thread.Running {
		t.Errorf("%+v", thread)
	}
	all := must[api.Page[contract.Run]](t)(h.api.Runs.List(t.Context(), api.RunsQuery{Thread: string(run.Thread)}))
	if len(all.Items) != 1 {
		t.Errorf("%d runs are listed", len(all.Items))
	}

	onPage(0, func(p *webtest.Page) { p.Text = strings.Replace(tower, "61", "62", 1) })(t, h)
	h.later(25 * time.Hour)
	housetest.Until(t, "the change was found", func() bool { return h.standing(t, run.ID).Changed != nil })
	housetest.Until(t, "the window hears of it", heard.has("changed"))
	thread = h.thread(t, run.Thread)
	if len(thread.Runs) != 2 || !thread.Unseen {
		t.Fatalf("%+v", thread)
	}
	if got, want := told(thread.Runs[1].Answer.Diff), webScenarios[1].wanted; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if s := h.standing(t, thread.Runs[1].ID); s.Run != run.ID || !s.Unseen {
		t.Errorf("the newer answer stands otherwise: %+v", s)
	}
	var list api.Page[api.FreshView]
	if status := h.get(t, "/api/fresh", &list); status != 200 || len(list.Items) != 1 || list.Items[0].Title != thread.Title {
		t.Errorf("%d %+v", status, list)
	}
	if status := h.post(t, "/api/threads/"+string(run.Thread)+"/seen", map[string]any{}, nil); status != 204 || h.thread(t, run.Thread).Unseen {
		t.Errorf("%d", status)
	}
	h.later(25 * time.Hour)
	housetest.Until(t, "it was checked again", func() bool { s := h.standing(t, run.ID); return s.Checked.After(*s.Changed) })
	if n := len(h.thread(t, run.Thread).Runs); n != 2 {
		t.Errorf("nothing changed, and there are %d turns", n)
	}
	if a := h.send(t, "DELETE", "/api/runs/"+string(thread.Runs[1].ID)+"/fresh", nil, nil); a.status != 204 {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantFault(t, "dropped", h.send(t, "GET", "/api/runs/"+string(run.ID)+"/fresh", nil, nil), 404, fault.NotFound)
}

func TestAnAnswerIsCheckedWhenAFileItCitesChanges(t *testing.T) {
	h := kept(t, func(p *plan) { p.files = map[string]string{"tower.md": tower, "lights.md": lights} })
	run := h.about(t, "local")
	h.keep(t, run.ID, map[string]any{"on_change": true})
	c := fileScenarios[0]
	c.plant(t, h)
	housetest.Until(t, "the library told of the change", func() bool { h.later(time.Minute); return h.standing(t, run.ID).Changed != nil })
	thread := h.thread(t, run.Thread)
	if len(thread.Runs) != 2 {
		t.Fatalf("%d turns", len(thread.Runs))
	}
	if got := told(thread.Runs[1].Answer.Diff); !slices.Equal(got, c.wanted) {
		t.Errorf("found %q, want %q", got, c.wanted)
	}
	rewrite(map[string]string{"tower.md": strings.Replace(tower, "61", "64", 1)})(t, h)
	housetest.Until(t, "the next change was found", func() bool { h.later(time.Minute); return len(h.thread(t, run.Thread).Runs) == 3 })
	last := h.thread(t, run.Thread).Runs[2]
	if last.Question.Refreshes != thread.Runs[1].ID || !strings.Contains(last.Answer.Answer, "64 metres") || last.Question.Focus != "local" {
		t.Errorf("%+v", last)
	}
	if ledger := api.LedgerOf(last); len(ledger) != 0 {
		t.Errorf("files alone were asked, and yet %+v was sent", ledger)
	}
}

func TestACheckThatWouldNeedConsentSendsNothingAndSaysSo(t *testing.T) {
	h := kept(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.replies = []llmtest.Reply{{Text: "The bridge over the Lorne was opened on 3 May 1932 [1]."}}
		p.origin = "https://cloud.example"
	})
	if _, err := h.api.Consents.Give(t.Context(), api.Provider{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	if run.Answer.Outcome != contract.Answered {
		t.Fatalf("%+v", run.Answer)
	}
	if _, err := h.api.Consents.Withdraw(t.Context(), api.Provider{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	calls := len(h.model.Calls())
	h.keep(t, run.ID, map[string]any{"every_ms": everyDay})
	h.later(25 * time.Hour)
	housetest.Until(t, "the check ended", func() bool { return h.standing(t, run.ID).Failure != nil })
	if s := h.standing(t, run.ID); s.Failure.Code != fault.ConfirmNeeded || s.Checked != nil || s.Failures != 1 || len(h.model.Calls()) != calls || len(h.thread(t, run.Thread).Runs) != 1 {
		t.Errorf("%+v %+v after %d calls", s, s.Failure, len(h.model.Calls())-calls)
	}
}

func TestAPrivateAnswerIsNotKeptFreshAndADeletedOneIsGone(t *testing.T) {
	h := kept(t, func(p *plan) { p.files = map[string]string{"tower.md": tower} })
	q := local("How high is the tower of Arden?")
	q["private"] = true
	private := h.ask(t, q)
	wantFault(t, "private", h.send(t, "PUT", "/api/runs/"+string(private.ID)+"/fresh", map[string]any{"every_ms": everyDay}, nil), 400, fault.InvalidRequest)
	run := h.about(t, "local")
	wantFault(t, "too often", h.send(t, "PUT", "/api/runs/"+string(run.ID)+"/fresh", map[string]any{"every_ms": 1000}, nil), 400, fault.InvalidRequest)
	wantFault(t, "no run", h.send(t, "PUT", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/fresh", map[string]any{"every_ms": everyDay}, nil), 404, fault.NotFound)
	h.keep(t, run.ID, map[string]any{"every_ms": everyDay})
	if _, err := h.api.Threads.Delete(t.Context(), api.DeleteThread{ID: string(run.Thread), Erase: true}); err != nil {
		t.Fatal(err)
	}
	if list := must[api.Page[api.FreshView]](t)(h.api.Subscriptions.List(t.Context(), api.None{})); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
}
