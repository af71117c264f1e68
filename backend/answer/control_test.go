package answer_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
)

func TestStopEndsEverythingAndKeepsTheText(t *testing.T) {
	long := chat(strings.Repeat("The bridge was opened in 1932 [1]. ", 200))
	long.Delay = 20 * time.Millisecond
	s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("x"), long)}, nil)
	q := s.Defaults()
	q.Text = "When was the bridge opened?"
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for e := range s.Follow(t.Context(), run.ID, 0) {
		if b, ok := e.Body.(contract.TextDelta); ok && b.At > 60 {
			break
		}
	}
	began := time.Now()
	if err := s.Stop(t.Context(), run.ID, "user"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("stopping took %v", took)
	}
	events := s.events(t, run.ID)
	last, ok := events[len(events)-1].Body.(contract.StoppedRun)
	if !ok || last.By != "user" || !strings.Contains(last.Partial, "opened in 1932") {
		t.Errorf("%#v", events[len(events)-1].Body)
	}
	if err := s.Stop(t.Context(), run.ID, "user"); fault.CodeOf(err) != fault.AlreadyEnded {
		t.Errorf("a second stop gives %v", err)
	}
}

func TestAnswerNowWritesFromWhatIsThere(t *testing.T) {
	s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("Lorne"), chat("Opened in 1932 [1]."))}, func(s *stage) {
		s.web.SearchDelay = time.Minute
		s.set.Web.TimeoutMs, s.set.Web.CloseMs = 60000, 60000
	})
	q := s.Defaults()
	q.Text = "When was the bridge opened?"
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for e := range s.Follow(t.Context(), run.ID, 0) {
		if b, ok := e.Body.(contract.StageChanged); ok && b.Stage == "gather" {
			break
		}
	}
	began := time.Now()
	if err := s.AnswerNow(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	events := s.events(t, run.ID)
	if a := finished(t, events); a.Outcome != contract.Answered || !has(events, "answering") || time.Since(began) > 30*time.Second {
		t.Errorf("%s after %v", a.Outcome, time.Since(began))
	}
}

func TestFollowLosesAndRepeatsNothing(t *testing.T) {
	s := set(t, nil, nil)
	whole := s.ask(t, "When was the bridge over the Lorne opened?", nil)
	for after := range len(whole) {
		var rest []contract.Event
		for e, err := range s.Follow(t.Context(), whole[0].Run, after) {
			if err != nil {
				t.Fatal(err)
			}
			rest = append(rest, e)
		}
		if len(rest) != len(whole)-after || rest[0].Seq != after+1 {
			t.Fatalf("after %d come %d events from %d", after, len(rest), rest[0].Seq)
		}
	}
}

func TestAFullDiskDoesNotTakeTheAnswer(t *testing.T) {
	s := set(t, nil, nil)
	s.memory.fail = fault.New(fault.DiskFull, "The disk is full.", "")
	q := s.Defaults()
	q.Text = "When was the bridge over the Lorne opened?"
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a := finished(t, s.events(t, run.ID)); a.Outcome != contract.Extracted {
		t.Errorf("%s", a.Outcome)
	}
}

func TestAnEndedRunThatNoJournalHasCanStillBeFollowed(t *testing.T) {
	s := set(t, nil, nil)
	q := s.Defaults()
	q.Text, q.Private = "When was the bridge over the Lorne opened?", true
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if a := finished(t, s.events(t, run.ID)); a.Outcome != contract.Extracted {
		t.Errorf("%s", a.Outcome)
	}
}

func TestBadQuestionsAreRefused(t *testing.T) {
	s := set(t, nil, nil)
	for want, q := range map[fault.Code]contract.Question{
		fault.QuestionEmpty:   {Text: "  ", Focus: "all", Mode: "speed"},
		fault.QuestionTooLong: {Text: strings.Repeat("ä", 1001), Focus: "all", Mode: "speed"},
		fault.InvalidFocus:    {Text: "x", Focus: "moon", Mode: "speed"},
		fault.InvalidMode:     {Text: "x", Focus: "all", Mode: "slow"},
		fault.LocalOnly:       {Text: "x", Focus: "web", Mode: "speed", Offline: true},
		fault.TooLarge:        {Text: "x", Context: strings.Repeat("x", 50001), Focus: "all", Mode: "speed"},
	} {
		if _, err := s.Ask(t.Context(), q); fault.CodeOf(err) != want {
			t.Errorf("%s: got %v", want, err)
		}
	}
	s.set.Privacy.Scope = "local-only"
	for _, focus := range []contract.Focus{contract.FocusWeb, contract.FocusAcademic, contract.FocusVideo, contract.FocusCommunity} {
		if _, err := s.Ask(t.Context(), contract.Question{Text: "x", Focus: focus, Mode: "speed"}); fault.CodeOf(err) != fault.LocalOnly {
			t.Errorf("%s where all is local: %v", focus, err)
		}
	}
}

func TestATimestampHasThreeDigitsOfASecond(t *testing.T) {
	for at, want := range map[time.Time]string{
		time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC):                              `"2026-05-01T09:00:00.000Z"`,
		time.Date(2026, 5, 1, 9, 0, 0, 120_000_000, time.FixedZone("CET", 3600)): `"2026-05-01T08:00:00.120Z"`,
		time.Date(2026, 5, 1, 9, 0, 0, 123_456_789, time.UTC):                    `"2026-05-01T09:00:00.123Z"`,
	} {
		written, err := json.Marshal(contract.Answer{Timestamp: contract.StampOf(at)})
		if err != nil || !strings.Contains(string(written), `"timestamp":`+want) {
			t.Errorf("%s: %s %v", want, written, err)
		}
		var back contract.Answer
		if err := json.Unmarshal(written, &back); err != nil || !back.Timestamp.Time().Equal(at.Truncate(time.Millisecond)) {
			t.Errorf("%s comes back as %s, %v", want, back.Timestamp, err)
		}
	}
}
