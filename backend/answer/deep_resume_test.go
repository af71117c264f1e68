package answer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// killed is what a process that is killed right after an event leaves behind.
type killed struct {
	*memory
	at   int
	left *memory
}

func (k *killed) Append(ctx context.Context, events ...contract.Event) error {
	if err := k.memory.Append(ctx, events...); err != nil {
		return err
	}
	if last := events[len(events)-1]; k.left == nil && last.Seq >= k.at {
		k.left = k.memory.copied()
	}
	return nil
}

// TestResearchGoesOnAfterAKillAtAnyEvent kills a research after every few of its
// events, and lets another process go on with what is left.
func TestResearchGoesOnAfterAKillAtAnyEvent(t *testing.T) {
	gap := func() *researcher {
		return &researcher{judge: []string{`{"complete":false,"gaps":["When was it opened?"]}`, `{"complete":true,"gaps":[]}`}}
	}
	whole := gap().stage(t, nil).ask(t, lorneQuestion, inDeepMode)
	want := finished(t, whole)
	kills := 30
	if testing.Short() {
		kills = 6
	}
	step := max(1, len(whole)/kills)
	for at := 1; at < len(whole); at += step {
		left := leftAfter(t, gap(), at)
		if left == nil {
			continue
		}
		run := left.runs[0].ID
		before := left.events[run]
		if before[len(before)-1].Kind.Terminal() {
			continue
		}
		m := gap()
		kept, err := left.Study(t.Context(), run)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			t.Fatal(err)
		}
		if kept.Pass > 1 { // the first verdict was followed
			m.judge = m.judge[1:]
		}
		s := m.stage(t, func(s *stage) { s.memory, s.studies = left, left })
		if n, err := s.Resume(t.Context()); n != 1 || err != nil {
			t.Fatalf("event %d: %d resumed, %v", at, n, err)
		}
		events := s.eventsOf(t, run)
		for i, e := range before {
			if events[i].Seq != e.Seq || events[i].Kind != e.Kind {
				t.Fatalf("killed at %d: event %d changed", at, i+1)
			}
		}
		a := finished(t, events)
		if a.Outcome != want.Outcome || !slices.Equal(headings(a.Answer), headings(want.Answer)) || a.Research.Iterations != want.Research.Iterations {
			t.Errorf("killed at %d (%s): %s, %d passes, %q", at, before[len(before)-1].Kind, a.Outcome, a.Research.Iterations, headings(a.Answer))
		}
		checkOnce(t, at, kept, events[len(before):])
	}
}

// leftAfter runs a research until an event is stored, and gives what is left of
// it; nil when it had ended by then.
func leftAfter(t *testing.T, m *researcher, at int) *memory {
	t.Helper()
	k := &killed{memory: newMemory(), at: at}
	s := m.stage(t, func(s *stage) { s.memory, s.studies, s.journal = k.memory, k, k })
	s.ask(t, lorneQuestion, inDeepMode)
	if k.left == nil || len(k.left.runs) == 0 || k.left.runs[0].Answer != nil {
		return nil
	}
	return k.left
}

// checkOnce holds that no dimension that was kept is looked into again.
func checkOnce(t *testing.T, at int, kept contract.Study, later []contract.Event) {
	t.Helper()
	for _, d := range of[contract.DimensionBegun](later) {
		if slices.ContainsFunc(kept.Done, func(x contract.Explored) bool { return x.Question == d.Dimension && x.Pass == d.Iteration }) {
			t.Errorf("killed at %d: %q was looked into again", at, d.Dimension)
		}
	}
}

// eventsOf follows a run that may have stages cut off by a kill.
func (s *stage) eventsOf(t *testing.T, run contract.RunID) []contract.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var events []contract.Event
	for e, err := range s.Follow(ctx, run, 0) {
		if err != nil {
			t.Fatalf("follow: %v after %d events", err, len(events))
		}
		if events = append(events, e); e.Seq != len(events) {
			t.Fatalf("event %d has number %d", len(events), e.Seq)
		}
	}
	open := 0
	for _, b := range of[contract.StageChanged](events) {
		switch b.State {
		case "start":
			open++
		case "end", "error":
			open--
		}
		if open < 0 || open > 1 {
			t.Fatalf("stages are not paired: %d open at %s", open, b.Stage)
		}
	}
	return events
}

func TestResearchThatIsShutDownGoesOnInTheNextProcess(t *testing.T) {
	m := &researcher{slow: map[string]time.Duration{"judge": 30 * time.Second}}
	first := m.stage(t, nil)
	q := first.Defaults()
	q.Text, q.Mode = lorneQuestion, contract.ModeDeep
	run, err := first.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	reach(t, first, run.ID, contract.StageEvaluating)
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range first.memory.events[run.ID] {
		if e.Kind.Terminal() {
			t.Fatalf("the run ended: %#v", e.Body)
		}
	}
	second := (&researcher{}).stage(t, func(s *stage) { s.memory, s.studies = first.memory, first.memory })
	if n, err := second.Resume(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d resumed, %v", n, err)
	}
	finished(t, second.eventsOf(t, run.ID))
}

func TestResearchThatCannotGoOnBecomesInterrupted(t *testing.T) {
	for name, spoil := range map[string]func(m *memory, run contract.RunID){
		"damaged":   func(m *memory, run contract.RunID) { m.states[run] = []byte("{") },
		"too often": func(m *memory, run contract.RunID) { m.states[run] = []byte(`{"resumed":5}`) },
		"too old":   func(m *memory, run contract.RunID) { m.runs[0].Started = m.runs[0].Started.Add(-25 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			left := leftAfter(t, &researcher{}, 12)
			run := left.runs[0].ID
			left.events[run] = left.events[run][:12] // events are stored several at once, the last with them where the machine is busy
			spoil(left, run)
			s := (&researcher{}).stage(t, func(s *stage) { s.memory, s.studies = left, left })
			if _, err := s.Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			events := s.eventsOf(t, run)
			if b, ok := events[len(events)-1].Body.(contract.FailedRun); !ok || b.Code != fault.Interrupted {
				t.Errorf("%#v", events[len(events)-1].Body)
			}
		})
	}
}

func TestAPrivateResearchLeavesNothing(t *testing.T) {
	s := (&researcher{}).stage(t, nil)
	finished(t, s.ask(t, lorneQuestion, func(q *contract.Question) { q.Mode, q.Private = contract.ModeDeep, true }))
	if len(s.memory.states)+len(s.memory.kept)+len(s.memory.events) != 0 {
		t.Errorf("%d studies, %d sources, %d runs", len(s.memory.states), len(s.memory.kept), len(s.memory.events))
	}
}
