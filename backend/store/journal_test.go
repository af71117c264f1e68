package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

func TestTheJournalIsContiguousAndEndsOnce(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	for _, bad := range []int{0, 2, -1} {
		wantFault(t, db.Append(t.Context(), event("run_1", bad, contract.Thinking{Delta: "x"})), fault.Internal)
	}
	journaled(t, db, "run_1", contract.Started{Question: "why?"}, contract.TextDelta{Delta: "Be"}, contract.StoppedRun{By: "user", Partial: "Be"})
	wantFault(t, db.Append(t.Context(), event("run_1", 3, contract.Thinking{Delta: "again"})), fault.Internal)
	wantFault(t, db.Append(t.Context(), event("run_1", 4, contract.Thinking{Delta: "late"})), fault.Internal)
}

func TestReplayGivesExactlyWhatWasMissed(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	journaled(t, db, "run_1", contract.Started{Question: "why?"}, contract.TextDelta{Delta: "a", At: 0}, contract.TextDelta{Delta: "b", At: 1})
	for after, want := range []int{3, 2, 1, 0} {
		events, err := db.Since(t.Context(), "run_1", after)
		must(t, err)
		if len(events) != want {
			t.Errorf("after %d: %d events, want %d", after, len(events), want)
		}
		for i, e := range events {
			if e.Seq != after+i+1 {
				t.Errorf("after %d: number %d at place %d", after, e.Seq, i)
			}
		}
	}
	events, err := db.Since(t.Context(), "run_1", 2)
	must(t, err)
	if body, ok := events[0].Body.(contract.TextDelta); !ok || body.Delta != "b" || !events[0].At.Equal(start) {
		t.Errorf("got %#v", events[0])
	}
}

func TestOnlyOneOfManyWritersTakesANumber(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	var wg sync.WaitGroup
	taken := make(chan int, 20)
	for i := range 20 {
		wg.Go(func() {
			if db.Append(t.Context(), event("run_1", 1, contract.Thinking{Delta: fmt.Sprint(i)})) == nil {
				taken <- i
			}
		})
	}
	wg.Wait()
	if len(taken) != 1 {
		t.Errorf("%d writers took number 1", len(taken))
	}
}

func TestADamagedEventKeepsItsNumberAndTheRest(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	journaled(t, db, "run_1", contract.Started{Question: "why?"}, contract.TextDelta{Delta: "a"}, contract.StoppedRun{By: "user"})
	_, err := db.w.Exec(`UPDATE events SET body = '{"delta' WHERE seq >= 2`)
	must(t, err)
	events, err := db.Since(t.Context(), "run_1", 0)
	must(t, err)
	if len(events) != 3 || events[1].Kind != "notice" || !events[2].Kind.Terminal() {
		t.Errorf("got %v", events)
	}
}

func TestReadersGoOnWhileTheWriterWrites(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	tx, err := db.w.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.Exec(`UPDATE threads SET title = 'half done'`)
	must(t, err)
	thread, err := db.Thread(t.Context(), "thr_1") // one that waits gets an error: nothing ends the transaction meanwhile
	must(t, err)
	if thread.Title != "why?" {
		t.Errorf("read %q", thread.Title)
	}
	must(t, tx.Rollback())
}

func TestRunsLeftOpenAreClosedAsInterruptedWithTheirText(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	journaled(t, db, "run_1", contract.Started{Question: "why?"},
		contract.StageChanged{Stage: contract.StageGather, State: "start", Label: "Searching sources…"},
		contract.StageChanged{Stage: contract.StageGather, State: "end"},
		contract.StageChanged{Stage: contract.StageCompose, State: "start", Label: "Synthesizing answer…"},
		contract.TextDelta{Delta: "Because "}, contract.TextDelta{Delta: "of", At: 8})
	begin(t, db, newRun("run_2", "thr_1", "no event yet"))
	must(t, db.End(t.Context(), finish(begin(t, db, newRun("run_3", "thr_1", "done")), "Yes.")))

	n, err := db.CloseOpen(t.Context())
	must(t, err)
	if n != 2 {
		t.Fatalf("closed %d, want 2", n)
	}
	events, err := db.Since(t.Context(), "run_1", 6)
	must(t, err)
	stage, _ := events[0].Body.(contract.StageChanged)
	failed, _ := events[1].Body.(contract.FailedRun)
	if len(events) != 2 || stage.State != "error" || stage.Stage != contract.StageCompose || failed.Code != fault.Interrupted ||
		failed.Partial != "Because of" || failed.Stage != contract.StageCompose || events[1].Seq != 8 {
		t.Errorf("got %+v", events)
	}
	run, err := db.Run(t.Context(), "run_1")
	must(t, err)
	if run.Status != contract.Failed || run.Partial != "Because of" || run.Failure.Code != fault.Interrupted || run.Ended == nil {
		t.Errorf("got %+v", run)
	}
	if n, err = db.CloseOpen(t.Context()); n != 0 || err != nil {
		t.Errorf("second time: %d %v", n, err)
	}
}

func TestARunWhoseLastEventIsStoredKeepsThatEnd(t *testing.T) {
	db := open(t)
	run := begin(t, db, newRun("run_1", "thr_1", "why?"))
	journaled(t, db, "run_1", contract.Started{}, contract.FinishedRun{Outcome: contract.Answered, Answer: *finish(run, "Because.").Answer})
	_, err := db.CloseOpen(t.Context())
	must(t, err)
	got, err := db.Run(t.Context(), "run_1")
	must(t, err)
	if got.Status != contract.Finished || got.Answer == nil || got.Answer.Answer != "Because." {
		t.Errorf("got %+v", got)
	}
}

// TestNothingConfirmedIsLostByKill starts itself as a child that journals events
// and tells each number, kills it, and looks for every number it was told.
func TestNothingConfirmedIsLostByKill(t *testing.T) {
	if dir := os.Getenv("STORE_TEST_CHILD"); dir != "" {
		writeUntilKilled(t, dir, os.Getenv("STORE_TEST_ROUND"))
		return
	}
	dir := t.TempDir()
	for round := range 6 {
		run := contract.RunID(fmt.Sprint("run_", round))
		told := killWhileWriting(t, dir, fmt.Sprint(round), time.Duration(40+30*round)*time.Millisecond)
		began := time.Now()
		db, err := Open(t.Context(), dir, quiet(), clock())
		must(t, err)
		if !db.Unclean() {
			t.Error("the kill was not noticed")
		}
		_, err = db.CloseOpen(t.Context())
		must(t, err)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("start took %v", took)
		}
		events, err := db.Since(t.Context(), run, 0)
		must(t, err)
		if len(events) <= told {
			t.Errorf("round %d: %d events, %d were confirmed", round, len(events), told)
		}
		if last := events[len(events)-1]; last.Kind != "failed" || last.Seq != len(events) {
			t.Errorf("round %d ends in %s %d", round, last.Kind, last.Seq)
		}
		must(t, db.Close())
	}
}

func writeUntilKilled(t *testing.T, dir, round string) {
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	run := contract.RunID("run_" + round)
	must(t, db.Begin(t.Context(), newRun(run, "thr_1", "why?"), ""))
	for seq := 1; ; seq++ {
		must(t, db.Append(t.Context(), event(run, seq, contract.TextDelta{Delta: "x", At: seq})))
		fmt.Println("ACK", seq)
	}
}

func killWhileWriting(t *testing.T, dir, round string, after time.Duration) (told int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestNothingConfirmedIsLostByKill$")
	child.Env = append(os.Environ(), "STORE_TEST_CHILD="+dir, "STORE_TEST_ROUND="+round)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	var timer *time.Timer
	for lines.Scan() {
		if timer == nil {
			timer = time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		if n, ok := strings.CutPrefix(lines.Text(), "ACK "); ok {
			_, err := fmt.Sscan(n, &told)
			must(t, err)
		}
	}
	if child.Wait() == nil {
		t.Fatal("the child was not killed")
	}
	return told
}

func BenchmarkAppend(b *testing.B) {
	db := open(b)
	begin(b, db, newRun("run_1", "thr_1", "why?"))
	seq := 0
	for b.Loop() {
		seq++
		must(b, db.Append(b.Context(), event("run_1", seq, contract.TextDelta{Delta: "a few words of text ", At: seq})))
	}
}
