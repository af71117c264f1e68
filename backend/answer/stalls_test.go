package answer_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web"
)

// stall is a part of a run that does not go on by itself.
type stall struct {
	part     string
	stage    contract.Stage // that waits for it
	deadline time.Duration
	says     string // code of the notice or of the unread page that names it
	arrange  func(*stage)
	reply    llmtest.Reply // in place of the model's own
}

func late(r llmtest.Reply) llmtest.Reply {
	r.FirstDelay = time.Hour
	return r
}

// stalls are all the things a quick run waits for.
func stalls() []stall {
	halfway := chat(strings.Repeat("The bridge was opened in 1932 [1]. ", 20))
	halfway.Delay = time.Hour
	return []stall{
		{part: "the rewording", stage: contract.StagePlan, deadline: 3 * time.Second, says: "rewrite-fallback", reply: late(rewrite("Lorne bridge"))},
		{part: "an engine", stage: contract.StageGather, deadline: 6 * time.Second, says: "search-blocked", arrange: func(s *stage) {
			s.web.SearchDelay = time.Hour
			s.engines = web.NewSearcher(func() []web.Engine { return []web.Engine{{Name: "frozen", Finder: s.web}} },
				func() web.SearchPlan { return web.SearchPlan{Order: []string{"frozen"}} }, time.Now)
		}},
		{part: "the files", stage: contract.StageGather, deadline: 30 * time.Second, says: "search-partial", arrange: func(s *stage) { s.shelf.delay = time.Hour }},
		{part: "a page", stage: contract.StageRead, deadline: 4 * time.Second, says: "timeout", arrange: func(s *stage) { s.web.Pages[0].Delay = time.Hour }},
		{part: "the next questions", stage: contract.StageCheck, deadline: 4 * time.Second, reply: late(llmtest.Reply{Text: "[]", When: purpose("follow-ups")})},
		{part: "the first word", stage: contract.StageCompose, reply: late(chat("The bridge was opened in 1932 [1]."))},
		{part: "the next word", stage: contract.StageCompose, reply: halfway},
	}
}

func (x stall) set(t *testing.T) *stage {
	model := llmtest.NewScripted(x.reply, rewrite("Lorne bridge"), chat("The bridge was opened in 1932 [1]."), llmtest.Reply{Text: "[]"})
	if x.reply.When == nil {
		model = llmtest.NewScripted(rewrite("Lorne bridge"), chat("The bridge was opened in 1932 [1]."), llmtest.Reply{Text: "[]"})
	}
	return set(t, oneModel{name: "test/m", model: model}, func(s *stage) {
		if x.arrange != nil {
			x.arrange(s)
		}
	})
}

// stuck asks a question and comes back when nothing of its run moves any more.
func (s *stage) stuck(t *testing.T) contract.Run {
	t.Helper()
	q := s.Defaults()
	q.Text, q.Mode = "When was the bridge over the Lorne opened?", contract.ModeBalanced
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return run
}

// TestAStalledPartEndsWithItsDeadlineAndIsNamed (RUN-5): whatever stalls, the run
// shows which stage waits, and is answered a second after its deadline at most.
func TestAStalledPartEndsWithItsDeadlineAndIsNamed(t *testing.T) {
	for _, x := range stalls() {
		if x.deadline == 0 {
			continue // the model's own limits end it: llm/llmtest
		}
		t.Run(x.part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := x.set(t)
				events := s.events(t, s.stuck(t).ID)
				a := finished(t, events)
				if took := events[len(events)-1].At.Sub(events[0].At); took > x.deadline+time.Second {
					t.Errorf("the run took %v", took)
				}
				told := map[string]bool{}
				for _, n := range a.Notices {
					told[n.Code] = true
				}
				for _, u := range of[contract.Unread](events) {
					told[u.Code] = true
				}
				if len(a.Citations) == 0 || x.says != "" && !told[x.says] {
					t.Errorf("%q cites %d, told %v", a.Answer, len(a.Citations), slices.Collect(maps.Keys(told)))
				}
			})
		})
	}
}

// TestStopEndsEveryStageAtOnce (RUN-3): a stop waits for nothing, keeps what there
// is, and leaves no run and no goroutine; the bubble fails with one that is left.
func TestStopEndsEveryStageAtOnce(t *testing.T) {
	for _, x := range stalls() {
		t.Run(x.part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := x.set(t)
				run := s.stuck(t)
				began := time.Now()
				if err := s.Stop(t.Context(), run.ID, "user"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 200*time.Millisecond {
					t.Errorf("the stop took %v", took)
				}
				events := s.events(t, run.ID)
				last, ok := events[len(events)-1].Body.(contract.StoppedRun)
				if !ok || last.By != "user" {
					t.Fatalf("ended as %#v", events[len(events)-1].Body)
				}
				if x.part == "the next word" && last.Partial == "" {
					t.Error("the text that stood is gone")
				}
				if !waited(events, x.stage) {
					t.Errorf("stage %s was not waiting", x.stage)
				}
				if s.RunningIn(run.Thread) != nil || fault.CodeOf(s.Stop(t.Context(), run.ID, "user")) != fault.AlreadyEnded {
					t.Error("the run is still known as one in progress")
				}
			})
		})
	}
}

// TestAnswerNowEndsEveryWaitForEvidence (RUN-1): the answer begins within a second.
func TestAnswerNowEndsEveryWaitForEvidence(t *testing.T) {
	for _, x := range stalls() {
		if x.stage == contract.StageCheck || x.stage == contract.StageCompose {
			continue // nothing is looked for any more
		}
		t.Run(x.part, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := x.set(t)
				run := s.stuck(t)
				began := time.Now()
				if err := s.AnswerNow(t.Context(), run.ID); err != nil {
					t.Fatal(err)
				}
				events := s.events(t, run.ID)
				finished(t, events)
				if took := events[len(events)-1].At.Sub(began); took > time.Second || !has(events, "answering") {
					t.Errorf("the answer came after %v", took)
				}
			})
		})
	}
}

// waited reports whether a stage began.
func waited(events []contract.Event, stage contract.Stage) bool {
	return slices.ContainsFunc(events, func(e contract.Event) bool {
		b, ok := e.Body.(contract.StageChanged)
		return ok && b.Stage == stage
	})
}
