package refresh_test

import (
	"context"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/refresh"
	"footnote/backend/settings"
	"footnote/backend/web/webtest"
)

// vigil is a refresher over an engine of a test, its subscriptions in memory.
type vigil struct {
	*memory
	engine    *answer.Engine
	refresher *refresh.Refresher
	web       *webtest.Frozen
	set       settings.Settings
	model     llm.ModelSource
	files     map[string]string // path → digest
	stirs     chan struct{}

	at     sync.Mutex // of what follows
	rows   map[contract.RunID]refresh.Subscription
	turns  []contract.RunID // checks that became one
	news   []string
	checks int
}

func (v *vigil) Run(_ context.Context, id contract.RunID) (contract.Run, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if at := slices.IndexFunc(v.runs, func(r contract.Run) bool { return r.ID == id }); at >= 0 {
		return v.runs[at], nil
	}
	return contract.Run{}, fault.New(fault.NotFound, "no run", "")
}

// History knows nothing of earlier questions: each test asks one.
func (v *vigil) History(context.Context, contract.ThreadID, contract.RunID, int) ([]contract.Turn, error) {
	return nil, nil
}

func (v *vigil) Passage(_ context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for source, passages := range v.kept {
		for _, p := range passages {
			if p.ID == id {
				return p, v.sources[source], nil
			}
		}
	}
	return evidence.Passage{}, evidence.Source{}, fault.New(fault.NotFound, "no passage", "")
}

func (v *vigil) Subscriptions(_ context.Context, thread contract.ThreadID) (all []refresh.Subscription, err error) {
	v.at.Lock()
	defer v.at.Unlock()
	for _, s := range v.rows {
		if thread == "" || s.Thread == thread {
			all = append(all, s)
		}
	}
	return all, nil
}

func (v *vigil) PutSubscription(_ context.Context, s refresh.Subscription) error {
	v.at.Lock()
	defer v.at.Unlock()
	v.rows[s.Run] = s
	return nil
}

func (v *vigil) EditSubscription(_ context.Context, run contract.RunID, change func(*refresh.Subscription)) error {
	v.at.Lock()
	defer v.at.Unlock()
	s, ok := v.rows[run]
	if !ok {
		return fault.New(fault.NotFound, "not kept fresh", "")
	}
	change(&s)
	v.rows[run] = s
	return nil
}

func (v *vigil) DropSubscription(_ context.Context, run contract.RunID) error {
	v.at.Lock()
	defer v.at.Unlock()
	delete(v.rows, run)
	return nil
}

func (v *vigil) Freshest(ctx context.Context, run contract.RunID) (contract.Run, error) {
	v.at.Lock()
	if len(v.turns) > 0 {
		run = v.turns[len(v.turns)-1]
	}
	v.at.Unlock()
	return v.Run(ctx, run)
}

func (v *vigil) SettleCheck(ctx context.Context, subscription, check contract.RunID, turn bool, change func(*refresh.Subscription)) error {
	v.at.Lock()
	v.checks++
	if turn {
		v.turns = append(v.turns, check)
	}
	v.at.Unlock()
	return v.EditSubscription(ctx, subscription, change)
}

func (v *vigil) SweepChecks(context.Context) error { return nil }

func (v *vigil) FileDigests(_ context.Context, paths []string) (map[string]string, error) {
	v.at.Lock()
	defer v.at.Unlock()
	digests := maps.Clone(v.files)
	maps.DeleteFunc(digests, func(path, _ string) bool { return !slices.Contains(paths, path) })
	return digests, nil
}

// watch builds a vigil inside a bubble of time.
func watch(t *testing.T, change func(*vigil)) *vigil {
	t.Helper()
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	v := &vigil{
		memory: newMemory(), set: settings.Default(), model: oneModel{}, rows: map[contract.RunID]refresh.Subscription{}, files: map[string]string{}, stirs: make(chan struct{}),
		web: &webtest.Frozen{Seen: day, Pages: []webtest.Page{{Address: "https://example.org/lorne", Title: "Lorne bridge", Text: bridgePage}}},
	}
	v.set.Rank.Prioritise = "off"
	shelf := &shelf{files: map[string]string{}}
	if change != nil {
		change(v)
	}
	for path := range v.files {
		shelf.files[path] = bridgeFile
		v.files[path] = evidence.Digest([]byte(bridgeFile))
	}
	log := slog.New(slog.DiscardHandler)
	v.engine = answer.NewEngine(answer.Config{
		Settings: func() settings.Settings { return v.set }, Stores: answer.Stores{Journal: v.memory, Records: v, Archive: v.memory}, Shelf: shelf, Web: v.web, Reader: v.web,
		Models: v.model, Checker: checker, Now: time.Now, Log: log,
	})
	v.refresher = refresh.New(refresh.Config{
		Engine: v.engine, Store: v, Now: time.Now, Log: log,
		Stirs: func(ctx context.Context) iter.Seq[struct{}] {
			return func(yield func(struct{}) bool) {
				for {
					select {
					case <-v.stirs:
						yield(struct{}{})
					case <-ctx.Done():
						return
					}
				}
			}
		},
		Tell: func(n refresh.News) {
			v.at.Lock()
			defer v.at.Unlock()
			v.news = append(v.news, n.State)
		},
	})
	t.Cleanup(func() {
		if err := v.refresher.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := v.engine.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return v
}

func (v *vigil) answered(t *testing.T, text string, focus contract.Focus) contract.RunID {
	t.Helper()
	q := v.engine.Defaults()
	q.Text, q.Focus = text, focus
	run, err := v.engine.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if last, err := v.engine.Wait(t.Context(), run.ID); err != nil || last.Kind != "finished" {
		t.Fatalf("%+v %v", last, err)
	}
	return run.ID
}

func (v *vigil) keep(t *testing.T, run contract.RunID, w refresh.Schedule) {
	t.Helper()
	if _, err := v.refresher.Keep(t.Context(), run, w); err != nil {
		t.Fatal(err)
	}
}

// row is how an answer stands, once everything has come to rest.
func (v *vigil) row(t *testing.T, run contract.RunID) refresh.Subscription {
	t.Helper()
	synctest.Wait()
	s, err := v.refresher.Of(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (v *vigil) counts(t *testing.T, checks, turns int) {
	t.Helper()
	synctest.Wait()
	v.at.Lock()
	defer v.at.Unlock()
	if v.checks != checks || len(v.turns) != turns {
		t.Errorf("%d checks made %d turns, want %d and %d; told %v", v.checks, len(v.turns), checks, turns, v.news)
	}
}

// plant changes what checks will meet, before anything that happens later.
func (v *vigil) plant(change func()) {
	synctest.Wait()
	change()
	v.refresher.Wake()
	synctest.Wait()
}

const lengthAsked = "How long is the Lorne bridge?"

var daily = refresh.Schedule{EveryMs: (24 * time.Hour).Milliseconds()}

// bubble runs a test in a time of its own, a moment after which nothing is due.
func bubble(t *testing.T, do func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, do)
}

// pass lets time go by.
func pass(d time.Duration) { time.Sleep(d); synctest.Wait() }

func TestAnAnswerIsCheckedByTheClockAndTurnsOnlyWhereItChanged(t *testing.T) {
	bubble(t, func(t *testing.T) {
		v := watch(t, nil)
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		v.refresher.Start(t.Context())
		pass(23 * time.Hour)
		v.counts(t, 0, 0)
		pass(2 * time.Hour)
		v.counts(t, 1, 0)
		if s := v.row(t, run); s.Checked == nil || s.Changed != nil || s.Unseen || s.Due.Sub(*s.Checked) != 24*time.Hour {
			t.Errorf("%+v", s)
		}
		v.plant(func() { v.web.Pages[0].Text = strings.Replace(bridgePage, "503", "504", 1) })
		pass(24 * time.Hour)
		v.counts(t, 2, 1)
		if s := v.row(t, run); !s.Unseen || s.Changed == nil || !s.Changed.Equal(*s.Checked) {
			t.Errorf("%+v", s)
		}
		pass(24 * time.Hour)
		v.counts(t, 3, 1) // compared with the newer answer, nothing has changed
		last, err := v.Run(t.Context(), v.turns[0])
		if err != nil || last.Question.Refreshes != run || !last.Question.Unattended || last.Answer.Diff.Run != run {
			t.Errorf("%v %+v", err, last)
		}
	})
}

func TestWhatIsOverdueIsCheckedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		v := watch(t, nil)
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		pass(10 * 24 * time.Hour) // Footnote does not run
		v.refresher.Start(t.Context())
		pass(time.Minute)
		v.counts(t, 1, 0)
		pass(23 * time.Hour)
		v.counts(t, 1, 0)
	})
}

func TestFailuresAreTriedAgainLaterAndLaterThenGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		v := watch(t, nil)
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		v.refresher.Start(t.Context())
		v.plant(func() { v.web.SearchError = fault.New(fault.Offline, "The network cannot be reached.", "") })
		pass(24*time.Hour + time.Minute)
		for i, wait := range []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour} {
			v.counts(t, i+1, 0)
			if s := v.row(t, run); s.Failures != i+1 || s.Paused || s.Failure == nil || s.Due.Sub(*s.Tried).Round(time.Minute) != wait {
				t.Errorf("after failure %d: %+v %+v", i+1, s, s.Failure)
			}
			pass(wait + time.Minute)
		}
		v.counts(t, 5, 0)
		if s := v.row(t, run); !s.Paused || s.Due != nil || s.Failure.Message == "" || v.news[len(v.news)-1] != "paused" {
			t.Errorf("%+v %v", s, v.news)
		}
		pass(30 * 24 * time.Hour)
		v.counts(t, 5, 0)
		v.plant(func() { v.web.SearchError = nil })
		v.keep(t, run, daily) // a person says so again
		pass(time.Minute)
		v.counts(t, 6, 0)
		if s := v.row(t, run); s.Failures != 0 || s.Failure != nil || s.Checked == nil {
			t.Errorf("%+v", s)
		}
	})
}

func TestAChangedFileMakesItsAnswersDue(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const path = "/home/ann/History.txt"
		v := watch(t, func(v *vigil) { v.files = map[string]string{path: ""} })
		run := v.answered(t, "When was the bridge over the Lorne opened?", contract.FocusLocal)
		v.keep(t, run, refresh.Schedule{OnChange: true})
		v.refresher.Start(t.Context())
		pass(time.Hour)
		v.stirs <- struct{}{} // touched, or another file
		pass(time.Minute)
		v.counts(t, 0, 0)
		v.at.Lock()
		v.files[path] = "another"
		v.at.Unlock()
		for range 100 { // written again and again: looked at after a minute at the latest
			v.stirs <- struct{}{}
			pass(time.Second)
		}
		v.counts(t, 1, 0)
		if s := v.row(t, run); s.Due != nil || s.Files[path] != "another" {
			t.Errorf("%+v %v", s, s.Files)
		}
		v.stirs <- struct{}{}
		pass(24 * time.Hour)
		v.counts(t, 1, 0)
	})
}

func TestAChangeThatNobodyToldOfIsSeenBySelf(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const path = "/home/ann/History.txt"
		v := watch(t, func(v *vigil) { v.files = map[string]string{path: ""} })
		run := v.answered(t, "When was the bridge over the Lorne opened?", contract.FocusLocal)
		v.keep(t, run, refresh.Schedule{OnChange: true})
		v.at.Lock()
		v.files[path] = "changed while Footnote was closed"
		v.at.Unlock()
		v.refresher.Start(t.Context())
		pass(time.Minute)
		v.counts(t, 1, 0)
		v.at.Lock()
		v.files[path] = "changed where no watch reaches"
		v.at.Unlock()
		pass(3 * time.Minute)
		v.counts(t, 2, 0)
	})
}

func TestAPersonsQuestionComesFirst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		model := llmtest.NewScripted(llmtest.Reply{Text: strings.Repeat("It is 503 metres long [1]. ", 30), Delay: 10 * time.Second})
		v := watch(t, func(v *vigil) { v.model = oneModel{name: "test/m", model: model} })
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, refresh.Schedule{EveryMs: time.Hour.Milliseconds()})
		q := v.engine.Defaults()
		q.Text, q.Cache = "What does the Lorne bridge carry?", false
		pass(2 * time.Hour)
		mine, err := v.engine.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		v.refresher.Start(t.Context())
		pass(time.Second)
		if s := v.row(t, run); s.Checking || s.Tried != nil {
			t.Errorf("a check runs beside a question: %+v", s)
		}
		if _, err := v.engine.Wait(t.Context(), mine.ID); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if s := v.row(t, run); !s.Checking {
			t.Fatalf("no check runs: %+v", s)
		}
		if mine, err = v.engine.Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		v.counts(t, 1, 0) // given up for the question
		if s := v.row(t, run); s.Checking || s.Failures != 0 {
			t.Errorf("%+v", s)
		}
		if last, err := v.engine.Wait(t.Context(), mine.ID); err != nil || last.Kind != "finished" {
			t.Errorf("%v %v", last.Kind, err)
		}
		pass(12 * time.Hour)
		if s := v.row(t, run); s.Checked == nil {
			t.Errorf("never checked: %+v", s)
		}
	})
}

func TestAModelThatWordsTheSameTextsAnewIsNoChange(t *testing.T) {
	bubble(t, func(t *testing.T) {
		model := llmtest.NewScripted(chat("The Lorne bridge is 503 metres long [1]."), chat("Its length is 503 metres, as far as is known [1]."))
		v := watch(t, func(v *vigil) { v.model = oneModel{name: "test/m", model: model} })
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		v.refresher.Start(t.Context())
		pass(25 * time.Hour)
		v.counts(t, 1, 0)
		if s := v.row(t, run); s.Checked == nil || s.Failure != nil {
			t.Errorf("%+v %+v", s, s.Failure)
		}
	})
}

func TestWhatCannotBeKeptFreshIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		v := watch(t, nil)
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		q := v.engine.Defaults()
		q.Text, q.Private = lengthAsked, true
		private, err := v.engine.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			run      contract.RunID
			schedule refresh.Schedule
			code     fault.Code
		}{
			"nothing is asked":       {run, refresh.Schedule{}, fault.InvalidRequest},
			"every minute":           {run, refresh.Schedule{EveryMs: 60_000}, fault.InvalidRequest},
			"a negative time":        {run, refresh.Schedule{EveryMs: -1}, fault.InvalidRequest},
			"no file is cited":       {run, refresh.Schedule{OnChange: true}, fault.InvalidRequest},
			"a private conversation": {private.ID, daily, fault.InvalidRequest},
			"no run":                 {"run_none", daily, fault.NotFound},
		} {
			if _, err := v.refresher.Keep(t.Context(), c.run, c.schedule); fault.CodeOf(err) != c.code {
				t.Errorf("%s: %v", what, err)
			}
		}
		if len(v.rows) != 0 {
			t.Errorf("stored %v", v.rows)
		}
		if err := v.refresher.Drop(t.Context(), run); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%v", err)
		}
	})
}

func TestADroppedAnswerIsCheckedNoMore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		v := watch(t, nil)
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		v.refresher.Start(t.Context())
		if err := v.refresher.Drop(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		pass(48 * time.Hour)
		v.counts(t, 0, 0)
		if !slices.Equal(v.news, []string{"off"}) {
			t.Errorf("told %v", v.news)
		}
	})
}

func TestDroppingAnAnswerEndsItsCheck(t *testing.T) {
	bubble(t, func(t *testing.T) {
		model := llmtest.NewScripted(llmtest.Reply{Text: strings.Repeat("It is 503 metres long [1]. ", 30), Delay: 10 * time.Second})
		v := watch(t, func(v *vigil) { v.model = oneModel{name: "test/m", model: model} })
		run := v.answered(t, lengthAsked, contract.FocusWeb)
		v.keep(t, run, daily)
		v.refresher.Start(t.Context())
		pass(23*time.Hour + 45*time.Minute) // each answer is half an hour in the writing
		if s := v.row(t, run); !s.Checking {
			t.Fatalf("no check runs: %+v", s)
		}
		if err := v.refresher.Drop(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if quiet, _ := v.engine.Quiet(); !quiet || len(v.engine.RunningIn(v.runs[0].Thread)) != 0 {
			t.Error("the check goes on")
		}
		pass(48 * time.Hour)
		v.counts(t, 1, 0)
	})
}
