package answer_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/agent"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/research"
	"footnote/backend/settings"
	"footnote/backend/web/webtest"
)

// memory is a journal, a record keeper and an archive of a test.
type memory struct {
	mu     sync.Mutex
	events map[contract.RunID][]contract.Event
	runs   []contract.Run
	kept   map[evidence.SourceID][]evidence.Passage
	fail   error
	states map[contract.RunID][]byte // studies, as JSON

	sources map[evidence.SourceID]evidence.Source // of what was kept
}

func newMemory() *memory {
	return &memory{events: map[contract.RunID][]contract.Event{}, kept: map[evidence.SourceID][]evidence.Passage{}, states: map[contract.RunID][]byte{}, sources: map[evidence.SourceID]evidence.Source{}}
}

func (m *memory) Append(_ context.Context, events ...contract.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	for _, e := range events {
		m.events[e.Run] = append(m.events[e.Run], e)
	}
	return nil
}

func (m *memory) Since(_ context.Context, run contract.RunID, seq int) ([]contract.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events[run][min(seq, len(m.events[run])):]), nil
}

func (m *memory) Begin(_ context.Context, run contract.Run, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs = append(m.runs, run)
	return nil
}

func (m *memory) End(_ context.Context, run contract.Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.runs {
		if m.runs[i].ID == run.ID {
			m.runs[i] = run
		}
	}
	return nil
}

func (m *memory) History(_ context.Context, thread contract.ThreadID, before contract.RunID, n int) ([]contract.Turn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var turns []contract.Turn
	for _, r := range m.runs {
		if r.Thread == thread && r.ID != before && r.Answer != nil {
			turns = append(turns, contract.Turn{
				Question: r.Question.Text, Answer: r.Answer.Told(), Cited: m.cited(*r.Answer),
				Untold: r.Question.Untold, Proposed: r.Answer.FollowUps, Files: r.UsedFiles(),
			})
		}
	}
	return turns[max(0, len(turns)-n):], nil
}

// cited finds what an answer cites among what was kept.
func (m *memory) cited(a contract.Answer) (found []evidence.Found) {
	for _, c := range a.Citations {
		for _, p := range m.kept[c.Source] {
			if p.ID == c.Passage {
				found = append(found, evidence.Found{Source: m.sources[c.Source], Passage: p})
			}
		}
	}
	return found
}

func (m *memory) CloseOpen(context.Context) (int, error) { return 0, nil }

func (m *memory) Keep(_ context.Context, texts ...answer.Kept) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range texts {
		m.kept[t.Source.ID] = t.Passages
		m.sources[t.Source.ID] = t.Source
	}
	return nil
}

// shelf is a library of a test.
type shelf struct {
	mu    sync.Mutex
	files map[string]string // path → text
	delay time.Duration
	err   error
	asked []string
	read  int // texts given as a whole
}

// queries is what the library was asked. A search may outlive its run, so that
// the lock is needed here as well.
func (s *shelf) queries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// texts is how many texts were given as a whole.
func (s *shelf) texts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

func (s *shelf) Search(ctx context.Context, query string, _ contract.Scope, n int) ([]evidence.Found, error) {
	s.mu.Lock()
	s.asked = append(s.asked, query)
	s.mu.Unlock()
	select {
	case <-time.After(s.delay):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var found []evidence.Found
	for path, text := range s.files {
		src := evidence.Source{Kind: evidence.File, Address: path, Title: filepath.Base(path), Digest: evidence.Digest([]byte(text)), Seen: day}
		src.ID = evidence.NewSourceID(src.Kind, src.Address, src.Digest)
		length := len([]rune(text))
		found = append(found, evidence.Found{
			Source: src, Via: "library", Score: evidence.Score{BM25: 1, Changed: day},
			Passage: evidence.Passage{ID: evidence.NewPassageID(src.Digest, 0, length), Source: src.ID, Text: text, At: evidence.Locator{Line: 1, End: length}},
		})
	}
	slices.SortFunc(found, func(a, b evidence.Found) int { return strings.Compare(a.Source.Address, b.Source.Address) })
	return found[:min(n, len(found))], s.err
}

type oneModel struct {
	name  string
	model llm.Model
	err   error
	abil  llm.Ability
}

func (o oneModel) Resolve(_ context.Context, want string) (llm.ResolvedModel, error) {
	if want == "none" || o.model == nil && o.err == nil {
		return llm.ResolvedModel{}, nil
	}
	return llm.ResolvedModel{Name: o.name, Model: o.model, ID: o.name, Ability: o.abil}, o.err
}

var day = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

const (
	bridgeFile = "The bridge over the Lorne was opened on 3 May 1932. It cost 4.2 million pounds.\n\nEight years of work went before it, and eleven workers died."
	bridgePage = "# Lorne bridge\nThe Lorne bridge is 503 metres long. It carries a road and two railway tracks.\nIts arch was closed in August 1930."
)

// stage is an engine with everything around it under the test's hand.
type stage struct {
	*answer.Engine
	memory *memory
	shelf  *shelf
	web    *webtest.Frozen
	set    settings.Settings
	now    func() time.Time
	search gather.Shelf // in place of the shelf's; nil for the shelf's

	computer answer.Computer
	pictures answer.Pictures
	wishes   answer.Preferences
	studies  contract.Studies
	consents answer.Consents
	journal  journal.Store    // in place of the memory; nil for the memory
	log      *slog.Logger     // nil for none
	reader   gather.Reader    // in place of the web's; nil for the web's
	engines  gather.WebSearch // in place of the web's; nil for the web's
}

func set(t *testing.T, model llm.ModelSource, change func(*stage)) *stage {
	t.Helper()
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{
		memory: newMemory(), set: settings.Default(), now: time.Now,
		shelf: &shelf{files: map[string]string{"/home/ann/History.txt": bridgeFile}},
		web: &webtest.Frozen{Seen: day, Pages: []webtest.Page{
			{Address: "https://example.org/lorne", Title: "Lorne bridge", Text: bridgePage, Published: day.AddDate(0, -2, 0)},
		}},
	}
	s.set.Rank.Prioritise = "off" // what a model thinks of sources has its own tests
	if change != nil {
		change(s)
	}
	if model == nil {
		model = oneModel{}
	}
	config := answer.Config{
		Settings: func() settings.Settings { return s.set }, Stores: answer.Stores{Journal: s.memory, Records: s.memory, Archive: s.memory, Preferences: s.wishes, Studies: s.studies, Consents: s.consents},
		Models: model, Checker: checker, Investigate: agent.Investigate, Research: research.New().Run, Computer: s.computer, Pictures: s.pictures, Now: s.now, Log: slog.New(slog.DiscardHandler),
	}
	if s.shelf != nil {
		config.Shelf, config.Texts = s.shelf, s.shelf
	}
	if s.search != nil {
		config.Shelf = s.search
	}
	if s.web != nil {
		config.Web, config.Reader = s.web, s.web
	}
	if s.journal != nil {
		config.Journal = s.journal
	}
	if s.log != nil {
		config.Log = s.log
	}
	if s.engines != nil {
		config.Web = s.engines
	}
	if s.reader != nil {
		config.Reader = s.reader
	}
	s.Engine = answer.NewEngine(config)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("close engine: %v", err)
		}
	})
	return s
}

func (s *stage) ask(t *testing.T, text string, change func(*contract.Question)) []contract.Event {
	t.Helper()
	q := s.Defaults()
	q.Text = text
	if change != nil {
		change(&q)
	}
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return s.events(t, run.ID)
}

func (s *stage) events(t *testing.T, run contract.RunID) []contract.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var events []contract.Event
	for e, err := range s.Follow(ctx, run, 0) {
		if err != nil {
			t.Fatalf("follow: %v after %d events", err, len(events))
		}
		events = append(events, e)
	}
	checkLog(t, events)
	return events
}

// checkLog holds what is true of every run: numbers without a gap, stages
// paired and in order, one last event, markers that resolve.
func checkLog(t *testing.T, events []contract.Event) {
	t.Helper()
	order := []contract.Stage{"plan", "gather", "read", "select", "compose", "scope", "plan-review", "research", "evaluating", "synthesis", "check", "images", "finish"}
	open, at := contract.Stage(""), -1
	for i, e := range events {
		if e.Seq != i+1 {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		if e.Kind.Terminal() != (i == len(events)-1) {
			t.Fatalf("event %d of %d is %s", e.Seq, len(events), e.Kind)
		}
		b, ok := e.Body.(contract.StageChanged)
		switch {
		case !ok || b.State == "progress":
		case b.State == "start":
			if b.Stage == contract.StageResearch && at == slices.Index(order, contract.StageEvaluating) {
				at-- // the next pass
			}
			if open != "" || slices.Index(order, b.Stage) < at {
				t.Errorf("stage %s starts while %q is open, or out of order", b.Stage, open)
			}
			open, at = b.Stage, slices.Index(order, b.Stage)
		default:
			if open != b.Stage {
				t.Errorf("stage %s ends while %q is open", b.Stage, open)
			}
			open = ""
		}
	}
	if open != "" {
		t.Errorf("stage %s never ends", open)
	}
	if last, ok := events[len(events)-1].Body.(contract.FinishedRun); ok {
		checkAnswer(t, events, last.Answer)
	}
}

var anyMarker = regexp.MustCompile(`\[(\d+)\]`)

func checkAnswer(t *testing.T, events []contract.Event, a contract.Answer) {
	t.Helper()
	passages := map[evidence.PassageID]bool{}
	for _, s := range a.Sources {
		for _, p := range s.Passages {
			passages[p.ID] = true
		}
	}
	runes := []rune(a.Answer)
	for _, c := range a.Citations {
		if !passages[c.Passage] {
			t.Errorf("citation of %s, which is no passage of the run", c.Passage)
		}
		if got := string(runes[c.Claim.Start:c.Claim.End]); got != c.Claim.Text {
			t.Errorf("claim span covers %q, not %q", got, c.Claim.Text)
		}
	}
	for _, m := range anyMarker.FindAllStringSubmatch(a.Answer, -1) {
		if !slices.ContainsFunc(a.Sources, func(s contract.SourceCard) bool { return fmt.Sprint(s.N) == m[1] }) {
			t.Errorf("marker %s names no source", m[0])
		}
	}
	if a.LatencyMs <= 0 || a.Timestamp.Time().IsZero() {
		t.Error("the answer has no time")
	}
}

func finished(t *testing.T, events []contract.Event) contract.Answer {
	t.Helper()
	last, ok := events[len(events)-1].Body.(contract.FinishedRun)
	if !ok {
		t.Fatalf("the run ended as %#v", events[len(events)-1].Body)
	}
	return last.Answer
}

func has(events []contract.Event, kind contract.Kind) bool {
	return slices.ContainsFunc(events, func(e contract.Event) bool { return e.Kind == kind })
}

func noticed(a contract.Answer, code string) bool {
	return slices.ContainsFunc(a.Notices, func(n contract.Notice) bool { return n.Code == code })
}

func chat(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "chat" }}
}

func rewrite(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "rewrite" }}
}
