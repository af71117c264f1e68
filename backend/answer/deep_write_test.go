package answer_test

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

// scribes is a researcher whose sections wait for each other, or are refused.
type scribes struct {
	researcher
	gate func(ctx context.Context, nth int) error // called with each section's call, from 1

	mu     sync.Mutex
	called int
}

func (m *scribes) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	if call.Purpose != "chat" {
		return m.researcher.Stream(ctx, call)
	}
	m.mu.Lock()
	m.called++
	nth := m.called
	m.mu.Unlock()
	return func(yield func(llm.Delta, error) bool) {
		if err := m.gate(ctx, nth); err != nil {
			yield(llm.Delta{}, err)
			return
		}
		for d, err := range m.researcher.Stream(ctx, call) {
			if !yield(d, err) {
				return
			}
		}
	}
}

func (m *scribes) stage(t *testing.T) *stage { return set(t, deeply(m), site) }

// wait waits for a channel to close, or gives an error after a long time.
func wait(ctx context.Context, open <-chan struct{}) error {
	select {
	case <-open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Minute):
		return fault.New(fault.ModelRefused, "Nothing came.", "")
	}
}

func TestSectionsAreWrittenSideBySideAndShownInOrder(t *testing.T) {
	const together = 5
	all := make(chan struct{})
	m := &scribes{gate: func(ctx context.Context, nth int) error {
		if nth == together {
			close(all)
		}
		return wait(ctx, all) // none is finished before so many have begun
	}}
	events := m.stage(t).ask(t, lorneQuestion, inDeepMode)
	a := finished(t, events)
	want := []string{"Executive Summary", "Key Findings", "Detailed Analysis", "Connections & Relationships", "Conclusions", "Related Topics"}
	if got := headings(a.Answer); !slices.Equal(got, want) || noticed(a, "extractive") {
		t.Errorf("%q, %v", got, a.Notices)
	}
	var text []rune
	for _, d := range of[contract.TextDelta](events) {
		if text = append(text[:min(d.At, len(text))], []rune(d.Delta)...); !strings.HasPrefix(a.Answer, string(text)) {
			t.Fatalf("shown out of order: %q", string(text))
		}
	}
}

func TestASectionWaitsForThoseBeforeItOnlyToBeShown(t *testing.T) {
	others := make(chan struct{})
	var mu sync.Mutex
	done := 0
	m := &scribes{}
	m.gate = func(ctx context.Context, nth int) error {
		if nth == 1 {
			return wait(ctx, others)
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; done == 4 {
			close(others)
		}
		return nil
	}
	if a := finished(t, m.stage(t).ask(t, lorneQuestion, inDeepMode)); noticed(a, "extractive") || !strings.HasPrefix(a.Answer, "## Executive Summary") {
		t.Errorf("%v\n%s", a.Notices, a.Answer)
	}
}

func TestAServerThatHasTimeForOneSectionOnlyIsAskedForTheOthersInTurn(t *testing.T) {
	var mu sync.Mutex
	m := &scribes{gate: func(_ context.Context, nth int) error {
		mu.Lock()
		defer mu.Unlock()
		if nth == 2 || nth == 3 {
			return fault.New(fault.ModelTimeout, "The model gave no first word in time.", "")
		}
		return nil
	}}
	a := finished(t, m.stage(t).ask(t, lorneQuestion, inDeepMode))
	if noticed(a, "extractive") || len(headings(a.Answer)) != 6 {
		t.Errorf("%v: %q", a.Notices, headings(a.Answer))
	}
}

// halfWritten is what is left of a research that is killed when so many of its
// sections are written.
type halfWritten struct {
	*memory
	after int
	left  *memory
	taken chan struct{}
}

func (k *halfWritten) KeepStudy(ctx context.Context, run contract.RunID, s contract.Study) error {
	err := k.memory.KeepStudy(ctx, run, s)
	if k.left == nil && len(s.Drafts) >= k.after {
		k.left = k.copied()
		close(k.taken)
	}
	return err
}

func TestSectionsThatAreWrittenOutliveAKill(t *testing.T) {
	want := finished(t, (&researcher{}).stage(t, nil).ask(t, lorneQuestion, inDeepMode))
	const sections = 7
	k := &halfWritten{memory: newMemory(), after: 5, taken: make(chan struct{})}
	killed := &scribes{gate: func(ctx context.Context, nth int) error {
		if nth <= k.after {
			return nil
		}
		return wait(ctx, k.taken)
	}}
	set(t, deeply(killed), func(s *stage) { site(s); s.memory, s.journal, s.studies = k.memory, k, k }).ask(t, lorneQuestion, inDeepMode)
	run := k.left.runs[0].ID
	kept, err := k.left.Study(t.Context(), run)
	if err != nil || len(kept.Drafts) != k.after {
		t.Fatalf("%d drafts are kept, %v", len(kept.Drafts), err)
	}
	m := &researcher{}
	s := m.stage(t, func(s *stage) { s.memory, s.studies = k.left, k.left })
	if n, err := s.Resume(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d resumed, %v", n, err)
	}
	if a := finished(t, s.eventsOf(t, run)); a.Answer != want.Answer {
		t.Errorf("resumed: %s\nwanted: %s", a.Answer, want.Answer)
	}
	if n := len(m.asked("chat")); n != sections-k.after {
		t.Errorf("%d of %d sections were asked for again", n, sections-k.after)
	}
}

var markerOf = regexp.MustCompile(` ?\[\d+\]`)

// sentencesOf are the sentences of a report, without markers and headings.
func sentencesOf(report string) (all []string) {
	for line := range strings.SplitSeq(markerOf.ReplaceAllString(report, ""), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**") {
			continue
		}
		for _, s := range evidence.Sentences(line) {
			if sentence := strings.Trim(line[s.Start:s.End], " -.…*"); len(strings.Fields(sentence)) > 3 {
				all = append(all, strings.ToLower(sentence))
			}
		}
	}
	return all
}

func TestAReportWithoutAModelSaysNothingTwice(t *testing.T) {
	for _, submode := range []contract.SubMode{"", contract.DueDiligence} {
		a := finished(t, set(t, oneModel{}, site).ask(t, lorneQuestion, func(q *contract.Question) { q.Mode, q.SubMode = contract.ModeDeep, submode }))
		seen := map[string]bool{}
		for _, sentence := range sentencesOf(a.Answer) {
			if seen[sentence] {
				t.Errorf("twice: %q\n%s", sentence, a.Answer)
			}
			seen[sentence] = true
		}
		if len(seen) < 4 {
			t.Errorf("%d sentences\n%s", len(seen), a.Answer)
		}
	}
}

func TestAReportSaysWhatNothingWasFoundOn(t *testing.T) {
	m := &researcher{dimensions: `["What did the Lorne bridge cost?","Who was the builder of the Lorne bridge?","xylophone zebrafish"]`}
	a := finished(t, m.stage(t, func(s *stage) { s.web.Pages = s.web.Pages[:4] }).ask(t, "Why is this so?", inDeepMode))
	if n := strings.Count(a.Answer, "Nothing was found on: xylophone zebrafish."); n != 1 {
		t.Errorf("said %d times\n%s", n, a.Answer)
	}
}

func TestAShortSectionIsNotFilledUp(t *testing.T) {
	a := finished(t, (&researcher{}).stage(t, nil).ask(t, lorneQuestion, inDeepMode))
	if strings.Contains(a.Answer, "In the words of the sources") || strings.Contains(a.Answer, "- The toll paid back its cost by 1951. [") { // the model writes two sentences a section
		t.Errorf("%s", a.Answer)
	}
	for _, c := range a.Citations {
		if c.Verdict != contract.Supported {
			t.Errorf("%s: %s", c.Verdict, c.Claim.Text)
		}
	}
}

func TestSearchesAndPagesNameTheSubquestionTheyAreFor(t *testing.T) {
	events := (&researcher{}).stage(t, nil).ask(t, lorneQuestion, inDeepMode)
	named := map[string]bool{}
	for _, e := range events {
		switch b := e.Body.(type) {
		case contract.FoundLeads:
			named["found "+b.Dimension] = true
		case contract.Reading:
			named["reading "+b.Dimension] = true
		case contract.ReadDone:
			named["read "+b.Dimension] = true
		}
	}
	for _, side := range sides {
		for _, kind := range []string{"found ", "reading ", "read "} {
			if !named[kind+side] {
				t.Errorf("no %s%s", kind, side)
			}
		}
	}
	if !named["found "] || named["read "] {
		t.Error("the warm-up is for no subquestion, pages are")
	}
}

func TestFilesAreEnoughWhenEveryEngineIsDown(t *testing.T) {
	a := finished(t, (&researcher{}).stage(t, func(s *stage) {
		s.shelf = &shelf{files: map[string]string{"/home/ann/History.txt": bridgeFile}}
		s.web.SearchError = fault.New(fault.SearchFailed, "No engine answered.", "Try again.")
	}).ask(t, lorneQuestion, inDeepMode))
	if a.Outcome == contract.NoEvidence || len(a.Citations) == 0 {
		t.Errorf("%s\n%s", a.Outcome, a.Answer)
	}
}
