// Package recordstest is the suite that every store of conversations must pass.
package recordstest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
)

// Store is what one reader keeps.
type Store interface {
	journal.Store
	journal.Enders
	answer.Records
	answer.Archive
	answer.Preferences
	answer.Consents
	trace.Traces
	trace.Tapes
	contract.Studies
	records.Threads
	records.Changes
	records.Branches
	records.Sessions
	records.Runs
	records.Sources
	records.Passages
	AddPersona(ctx context.Context, p records.Persona) (records.Persona, error)
	SetLenses(ctx context.Context, list contract.Lenses) error
	Consent(ctx context.Context, provider string, allowed bool) error
	Kept(ctx context.Context, id contract.ThreadID) (trace.KeptThread, error)
	Bring(ctx context.Context, k trace.KeptThread) error
}

// Start is the time that stores are to be opened at.
var Start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// Run runs the suite; open gives an empty store at Start.
func Run(t *testing.T, open func(*testing.T) Store) {
	for what, holds := range map[string]func(*testing.T, Store){
		"a journal is contiguous and ends once":         contiguous,
		"replay gives exactly what was missed":          replay,
		"a run is as it was asked, and as it ended":     runs,
		"threads are listed page by page, and searched": threads,
		"a thread is changed, branched and deleted":     changes,
		"an ending comes with what was noted":           endings,
		"what was read is kept as it was read":          sources,
		"a thread is taken away and brought back":       bundles,
		"preferences are kept":                          preferences,
		"history is the turns that have an answer":      history,
		"what is not there is not found":                absent,
	} {
		t.Run(what, func(t *testing.T) { holds(t, open(t)) })
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func begin(t testing.TB, s Store, id contract.RunID, thread contract.ThreadID, question string) contract.Run {
	t.Helper()
	run := contract.Run{ID: id, Thread: thread, Status: contract.Running, Started: Start, Question: contract.Question{Text: question, Thread: thread, Focus: contract.FocusWeb, Mode: contract.ModeBalanced}}
	must(t, s.Begin(t.Context(), run, ""))
	return run
}

// Finished is a run that has ended with an answer.
func Finished(run contract.Run, text string) contract.Run {
	at := Start.Add(time.Second)
	run.Status, run.Ended = contract.Finished, &at
	run.Answer = &contract.Answer{Answer: text, Run: run.ID, Thread: run.Thread}
	return run
}

func event(run contract.RunID, seq int, body contract.Body) contract.Event {
	return contract.Event{Run: run, Seq: seq, At: Start, Kind: body.Kind(), Body: body}
}

func contiguous(t *testing.T, s Store) {
	begin(t, s, "run_1", "thr_1", "why?")
	for _, bad := range []int{0, 2, -1} {
		refused(t, s.Append(t.Context(), event("run_1", bad, contract.Thinking{Delta: "x"})), fault.Internal)
	}
	must(t, s.Append(t.Context(), event("run_1", 1, contract.Started{Question: "why?"}), event("run_1", 2, contract.StoppedRun{By: "user", Partial: "Be"})))
	refused(t, s.Append(t.Context(), event("run_1", 3, contract.Thinking{Delta: "late"})), fault.Internal)
	refused(t, s.Append(t.Context(), event("run_2", 1, contract.Thinking{Delta: "whose?"})), fault.Internal)
}

func replay(t *testing.T, s Store) {
	begin(t, s, "run_1", "thr_1", "why?")
	must(t, s.Append(t.Context(), event("run_1", 1, contract.Started{Question: "why?"}), event("run_1", 2, contract.TextDelta{Delta: "a\x00b"}), event("run_1", 3, contract.TextDelta{Delta: "b", At: 1})))
	for after, want := range []int{3, 2, 1, 0} {
		events, err := s.Since(t.Context(), "run_1", after)
		must(t, err)
		if len(events) != want || want > 0 && events[0].Seq != after+1 {
			t.Errorf("after %d: %v", after, events)
		}
	}
	events, err := s.Since(t.Context(), "run_1", 1)
	must(t, err)
	if body, ok := events[0].Body.(contract.TextDelta); !ok || body.Delta != "a\x00b" || !events[0].At.Equal(Start) {
		t.Errorf("got %#v", events[0])
	}
}

func runs(t *testing.T, s Store) {
	run := begin(t, s, "run_1", "thr_1", "why\x00 100%?")
	got, err := s.Run(t.Context(), "run_1")
	must(t, err)
	if got.Question.Text != run.Question.Text || got.Status != contract.Running || got.Question.Focus != contract.FocusWeb {
		t.Errorf("got %+v", got)
	}
	must(t, s.End(t.Context(), Finished(run, "because")))
	must(t, s.End(t.Context(), Finished(run, "because of that")))
	for i := range 3 {
		begin(t, s, contract.RunID(fmt.Sprint("run_", i+2)), "thr_2", "and?")
	}
	var seen []string
	for after, pages := "", 0; pages < 5; pages++ {
		page, next, err := s.Runs(t.Context(), records.RunQuery{Limit: 3, After: after})
		must(t, err)
		for _, r := range page {
			seen = append(seen, string(r.ID)+" "+string(r.Status))
		}
		if after = next; next == "" {
			break
		}
	}
	if want := "run_4 running, run_3 running, run_2 running, run_1 finished"; strings.Join(seen, ", ") != want {
		t.Errorf("got %v", seen)
	}
	page, _, err := s.Runs(t.Context(), records.RunQuery{Status: contract.Finished, Thread: "thr_1"})
	must(t, err)
	if len(page) != 1 || page[0].Answer == nil || page[0].Answer.Answer != "because of that" {
		t.Errorf("got %+v", page)
	}
	again := contract.Run{ID: "run_9", Thread: "thr_2", Status: contract.Running, Started: Start, Question: contract.Question{Text: "anew", Thread: "thr_2", Replaces: "run_3"}}
	must(t, s.Begin(t.Context(), again, ""))
	thread, err := s.Thread(t.Context(), "thr_2")
	must(t, err)
	if len(thread.Items) != 2 || thread.Items[0].ID != "run_2" || thread.Items[1].ID != "run_9" || !thread.Running {
		t.Errorf("got %+v", thread)
	}
}

func threads(t *testing.T, s Store) {
	for i := range 5 {
		run := begin(t, s, contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i)), fmt.Sprint("Question ", i))
		must(t, s.End(t.Context(), Finished(run, fmt.Sprintf("the Answer %d is 50%d%% sure", i, i))))
	}
	must(t, s.Pin(t.Context(), "thr_3", true))
	var seen []string
	for after, pages := "", 0; pages < 9; pages++ {
		page, next, err := s.Threads(t.Context(), records.ThreadQuery{Limit: 2, After: after})
		must(t, err)
		for _, info := range page {
			seen = append(seen, string(info.ID))
		}
		if after = next; next == "" {
			break
		}
	}
	if want := "thr_3 thr_0 thr_1 thr_2 thr_4"; strings.Join(seen, " ") != want {
		t.Errorf("got %v", seen)
	}
	for q, want := range map[string]int{"answer": 5, "QUESTION 2": 1, "502%": 1, "5_2": 0, "answer question": 5, "nowhere": 0, "": 5} {
		page, _, err := s.Threads(t.Context(), records.ThreadQuery{Q: q})
		must(t, err)
		if len(page) != want {
			t.Errorf("%q finds %d, want %d", q, len(page), want)
		}
	}
	_, _, err := s.Threads(t.Context(), records.ThreadQuery{After: "nonsense"})
	refused(t, err, fault.InvalidRequest)
}

func changes(t *testing.T, s Store) {
	for i := range 3 {
		run := begin(t, s, contract.RunID(fmt.Sprint("run_", i)), "thr_a", fmt.Sprint("q", i))
		must(t, s.End(t.Context(), Finished(run, fmt.Sprint("a", i))))
	}
	must(t, s.Rename(t.Context(), "thr_a", "Bridges"))
	must(t, s.BindSession(t.Context(), "one", "thr_a"))
	if id, err := s.Session(t.Context(), "one"); err != nil || id != "thr_a" {
		t.Errorf("%s %v", id, err)
	}
	n := 0
	must(t, s.Branch(t.Context(), records.Branch{From: "thr_a", Run: "run_1", Version: true, Title: "q1 edited"}, "thr_b", func() contract.RunID { n++; return contract.RunID(fmt.Sprint("run_b", n)) }))
	begin(t, s, "run_b9", "thr_b", "q1 edited")
	b, err := s.Thread(t.Context(), "thr_b")
	must(t, err)
	if b.Title != "Bridges" || len(b.Items) != 2 || b.Items[0].Question.Text != "q0" || b.Items[0].Answer.Thread != "thr_b" || len(b.Versions) != 1 || len(b.Versions[0].Threads) != 2 {
		t.Errorf("got %+v", b)
	}
	if gone, err := s.Repair(t.Context(), "thr_b"); err != nil || gone != 1 {
		t.Errorf("%d repaired: %v", gone, err)
	}
	must(t, s.DeleteThread(t.Context(), "thr_a", true))
	_, err = s.Run(t.Context(), "run_0")
	refused(t, err, fault.NotFound)
	_, err = s.Session(t.Context(), "one")
	refused(t, err, fault.NotFound)
}

func endings(t *testing.T, s Store) {
	run := begin(t, s, "run_1", "thr_1", "why?")
	done := Finished(run, "because")
	last := contract.FinishedRun{Answer: *done.Answer}
	must(t, s.AppendEnding(t.Context(), []contract.Event{event("run_1", 1, last)}, []journal.Ending{{Run: done, Ranking: &trace.Ranking{Question: "why?"}, Tape: &trace.Tape{}}}))
	if got, err := s.Run(t.Context(), "run_1"); err != nil || got.Answer == nil {
		t.Errorf("%+v %v", got, err)
	}
	if r, err := s.Ranking(t.Context(), "run_1"); err != nil || r.Question != "why?" {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := s.Tape(t.Context(), "run_1"); err != nil {
		t.Error(err)
	}
	must(t, s.KeepStudy(t.Context(), "run_1", contract.Study{Pass: 1}))
	must(t, s.KeepStudy(t.Context(), "run_1", contract.Study{Pass: 2}))
	if study, err := s.Study(t.Context(), "run_1"); err != nil || study.Pass != 2 {
		t.Errorf("%+v %v", study, err)
	}
}

// Page is a page of the web as it was read, a passage a line.
func Page(address string, lines ...string) answer.Kept {
	text := strings.Join(lines, "\n")
	digest := evidence.Digest([]byte(text))
	src := evidence.Source{ID: evidence.NewSourceID(evidence.Web, address, digest), Kind: evidence.Web, Title: "T", Address: address, MediaType: "text/html", Digest: digest, Seen: Start}
	k := answer.Kept{Document: evidence.Document{Source: src, Text: text, Flags: []string{"partly-read"}}}
	at := 0
	for i, line := range lines {
		n := len([]rune(line))
		where := evidence.Locator{Page: 1, Line: i + 1, Start: at, End: at + n}
		k.Passages = append(k.Passages, evidence.Passage{ID: evidence.NewPassageID(digest, where.Start, where.End), Source: src.ID, Text: line, At: where, Index: i})
		at += n + 1
	}
	return k
}

func sources(t *testing.T, s Store) {
	page := Page("https://example.org/bridge", "The bridge was opened in 1932.", "It is 80 m löng.", "Nobody fell.")
	must(t, s.Keep(t.Context(), page))
	later := page
	later.Source.Title, later.Source.Seen = "other", Start.Add(time.Hour)
	must(t, s.Keep(t.Context(), later))
	src, err := s.Source(t.Context(), page.Source.ID)
	must(t, err)
	if src.Title != "T" || !src.Seen.Equal(Start.Add(time.Hour)) || src.Chars != len([]rune(page.Text)) || len(src.Flags) != 1 || src.Brought {
		t.Errorf("got %+v", src)
	}
	if text, _, err := s.SourceText(t.Context(), page.Source.ID); err != nil || text != page.Text {
		t.Errorf("%q %v", text, err)
	}
	if text, _, err := s.Text(t.Context(), page.Source.Digest); err != nil || text != page.Text {
		t.Errorf("%q %v", text, err)
	}
	p, from, err := s.Passage(t.Context(), page.Passages[1].ID)
	must(t, err)
	if p.Text != "It is 80 m löng." || p.At.Line != 2 || from.ID != page.Source.ID || p.Source != page.Source.ID {
		t.Errorf("got %+v of %+v", p, from)
	}
	around, err := s.Neighbours(t.Context(), p.ID)
	must(t, err)
	if len(around) != 2 || around[0].Index != 0 || around[1].Index != 2 {
		t.Errorf("got %+v", around)
	}
}

func bundles(t *testing.T, s Store) {
	page := Page("https://example.org/bridge", "The bridge was opened in 1932.")
	run := begin(t, s, "run_1", "thr_1", "when?")
	must(t, s.Keep(t.Context(), page))
	done := Finished(run, "In 1932 [1].")
	done.Answer.Sources = []contract.SourceCard{{ID: page.Source.ID, N: 1}}
	done.Answer.Citations = []contract.Citation{{Passage: page.Passages[0].ID, Source: page.Source.ID}}
	must(t, s.AppendEnding(t.Context(), []contract.Event{event("run_1", 1, contract.FinishedRun{Answer: *done.Answer})}, []journal.Ending{{Run: done}}))
	bundle, err := s.Kept(t.Context(), "thr_1")
	must(t, err)
	if len(bundle.Documents) != 1 || bundle.Documents[0].Text != page.Text || len(bundle.Documents[0].Passages) != 1 || len(bundle.Runs) != 1 || len(bundle.Runs[0].Events) != 1 {
		t.Fatalf("got %+v", bundle)
	}
	refused(t, s.Bring(t.Context(), bundle), fault.ConfirmNeeded)
	must(t, s.DeleteThread(t.Context(), "thr_1", true))
	_, err = s.Source(t.Context(), page.Source.ID)
	refused(t, err, fault.NotFound)
	must(t, s.Bring(t.Context(), bundle))
	src, err := s.Source(t.Context(), page.Source.ID)
	must(t, err)
	if got, err := s.Run(t.Context(), "run_1"); err != nil || got.Answer.Answer != "In 1932 [1]." || !src.Brought {
		t.Errorf("%+v %v", got, err)
	}
}

func preferences(t *testing.T, s Store) {
	p, err := s.AddPersona(t.Context(), records.Persona{Name: "Brief", Text: "One sentence."})
	must(t, err)
	_, err = s.AddPersona(t.Context(), records.Persona{Name: "brief", Text: "Two."})
	refused(t, err, fault.InvalidRequest)
	if text, err := s.PersonaText(t.Context(), []string{p.ID}); err != nil || text != "One sentence." {
		t.Errorf("%q %v", text, err)
	}
	must(t, s.SetLenses(t.Context(), contract.Lenses{{Pattern: "example.org", Action: contract.Block}}))
	if lenses, err := s.Lenses(t.Context()); err != nil || lenses.OfHost("www.example.org") != contract.Block {
		t.Errorf("%v %v", lenses, err)
	}
	must(t, s.Consent(t.Context(), "openai", true))
	if may, err := s.MaySend(t.Context(), "openai"); err != nil || !may {
		t.Errorf("%v %v", may, err)
	}
}

func history(t *testing.T, s Store) {
	for i := range 3 {
		run := begin(t, s, contract.RunID(fmt.Sprint("run_", i)), "thr_1", fmt.Sprint("q", i))
		if i != 1 {
			must(t, s.End(t.Context(), Finished(run, fmt.Sprint("a", i))))
		}
	}
	turns, err := s.History(t.Context(), "thr_1", "", 9)
	must(t, err)
	if len(turns) != 2 || turns[0].Question != "q0" || turns[1].Answer != "a2" {
		t.Errorf("got %+v", turns)
	}
	if turns, err = s.History(t.Context(), "thr_1", "run_2", 9); err != nil || len(turns) != 1 {
		t.Errorf("before the last: %+v %v", turns, err)
	}
}

func absent(t *testing.T, s Store) {
	ctx := t.Context()
	_, err := s.Run(ctx, "run_x")
	refused(t, err, fault.NotFound)
	_, err = s.Thread(ctx, "thr_x")
	refused(t, err, fault.NotFound)
	_, err = s.Title(ctx, "thr_x")
	refused(t, err, fault.NotFound)
	_, err = s.Source(ctx, "src_x")
	refused(t, err, fault.NotFound)
	_, _, err = s.Passage(ctx, "pas_x")
	refused(t, err, fault.NotFound)
	_, err = s.Ranking(ctx, "run_x")
	refused(t, err, fault.NotFound)
	refused(t, s.Rename(ctx, "thr_x", "y"), fault.NotFound)
	refused(t, s.Pin(ctx, "thr_x", true), fault.NotFound)
	refused(t, s.DeleteThread(ctx, "thr_x", false), fault.NotFound)
	refused(t, s.End(ctx, contract.Run{ID: "run_x"}), fault.NotFound)
	if events, err := s.Since(ctx, "run_x", 0); err != nil || len(events) > 0 {
		t.Errorf("%v %v", events, err)
	}
}
