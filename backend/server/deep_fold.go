package server

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// deepEvent is an event as the clients of the deep-research routes know it.
type deepEvent struct {
	Type      string `json:"type"`
	Data      any    `json:"data"`
	Timestamp int64  `json:"timestamp"` // Unix milliseconds
}

// deepCounters are how much was looked at so far; they only grow.
type deepCounters struct {
	Searches int `json:"searches"`
	Sources  int `json:"sources"`
}

type deepFinding struct {
	Text      string `json:"text"`
	Dimension string `json:"dimension"`
}

// deepState is what a run has come to: the body of the closing `state`.
type deepState struct {
	Status      string         `json:"status"` // running, completed, cancelled, failed, interrupted
	Phase       string         `json:"phase"`
	FinalReport string         `json:"finalReport"`
	Report      string         `json:"report"`
	Sources     []compatSource `json:"sources"`
	Findings    []deepFinding  `json:"findings"`
	Dimensions  []string       `json:"dimensions"`
	Brief       string         `json:"brief"`
	SearchCount int            `json:"searchCount"`
	Counters    deepCounters   `json:"counters"`
	Error       string         `json:"error,omitempty"`
}

// deepFold turns the log of a run into the compatibility events, one native event
// after the other. The same log gives the same events, so an event keeps its
// number over every reconnection and every restart.
type deepFold struct {
	state deepState
	told  int // events given so far

	detail    string // what goes on in the phase
	iteration int
	notes     int
	began     time.Time
	ended     time.Time
	held      bool   // a check may take back what was written: nothing of the report is told before the end
	report    []rune // as it is now
	sections  int    // characters of it, when the last section was done
	said      string // of it, to clients
	seen      map[evidence.SourceID]contract.LeadCard
	read      []evidence.SourceID
}

func newDeepFold() *deepFold {
	return &deepFold{
		state: deepState{Status: "running", Sources: []compatSource{}, Findings: []deepFinding{}, Dimensions: []string{}},
		seen:  map[evidence.SourceID]contract.LeadCard{},
	}
}

// phases are the stages that these clients know.
var phases = []contract.Stage{contract.StageScope, contract.StagePlanReview, contract.StageResearch, contract.StageEvaluating, contract.StageSynthesis}

// take folds one event and gives what it means to a client: nothing, one event or
// several. A last event is followed by the state.
func (f *deepFold) take(e contract.Event) []deepEvent {
	if f.began.IsZero() {
		f.began = e.At
	}
	var out []deepEvent
	tell := func(kind string, data any) {
		out = append(out, deepEvent{kind, data, e.At.UnixMilli()})
	}
	switch b := e.Body.(type) {
	case contract.StageChanged:
		f.stage(b, tell)
	case contract.Scoped, contract.DimensionBegun, contract.Compressing, contract.Compressed, contract.Finding, contract.Evaluation:
		f.research(b, tell)
	case contract.Searching:
		tell("search.started", map[string]any{"query": b.Query, "source": deepSource(b.Engine)})
	case contract.FoundLeads:
		f.found(b, tell)
	case contract.Reading:
		if _, known := f.seen[b.Source]; !known {
			f.seen[b.Source] = contract.LeadCard{Source: b.Source, Address: b.Address, Title: b.Address}
		}
	case contract.ReadDone:
		f.read = append(f.read, b.Source)
	case contract.Counters:
		f.count(b.Searches, b.Sources, tell)
	case contract.Selected:
		f.state.Sources = compatSources(b.Sources)
	case contract.TextDelta:
		f.report = append(f.report[:min(b.At, len(f.report))], []rune(b.Delta)...)
	case contract.FinishedRun, contract.StoppedRun, contract.FailedRun:
		f.end(e, tell)
	}
	f.told += len(out)
	return out
}

func (f *deepFold) stage(b contract.StageChanged, tell func(string, any)) {
	if !slices.Contains(phases, b.Stage) {
		return
	}
	switch b.State {
	case "start":
		f.state.Phase, f.detail = string(b.Stage), b.Label
		if b.Stage == contract.StageSynthesis {
			f.report, f.sections = nil, 0
		}
		tell("phase.started", map[string]any{"phase": b.Stage, "label": b.Label})
	case "progress":
		f.detail = b.Detail
		f.sectionDone(b.Stage, tell)
	case "end":
		tell("phase.completed", map[string]any{"phase": b.Stage})
	}
}

func (f *deepFold) research(body contract.Body, tell func(string, any)) {
	switch b := body.(type) {
	case contract.Scoped:
		f.state.Dimensions, f.state.Brief = append([]string{}, b.Dimensions...), b.Brief
		tell("scope.completed", map[string]any{"dimensions": f.state.Dimensions, "brief": b.Brief})
	case contract.DimensionBegun:
		f.iteration, f.detail = b.Iteration, b.Dimension
		tell("research.dimension", map[string]any{"index": b.Index, "total": b.Total, "dimension": b.Dimension, "iteration": b.Iteration})
	case contract.Compressing:
		tell("research.compressing", map[string]any{"dimension": b.Dimension})
	case contract.Compressed:
		if b.NoteLength == 0 { // nothing was found
			return
		}
		f.notes++
		tell("research.compressed", map[string]any{"dimension": b.Dimension, "noteLength": b.NoteLength})
	case contract.Finding:
		f.state.Findings = append(f.state.Findings, deepFinding{b.Text, b.Dimension})
		tell("research.finding", map[string]any{"text": b.Text})
	case contract.Evaluation:
		tell("research.evaluation", map[string]any{"complete": b.Complete, "gaps": append([]string{}, b.Gaps...)})
	}
}

// found counts a search and what it brought.
func (f *deepFold) found(b contract.FoundLeads, tell func(string, any)) {
	tell("search.completed", map[string]any{"query": b.Query, "source": deepSource(b.Engine), "resultCount": b.Count})
	for _, lead := range b.Leads {
		f.seen[lead.Source] = lead
	}
	f.state.Counters.Searches++
	f.state.SearchCount = f.state.Counters.Searches
	f.state.Counters.Sources = max(f.state.Counters.Sources, len(f.seen))
	tell("counters.update", f.state.Counters)
}

// count takes the engine's own figures where they are larger: what is shown only
// grows.
func (f *deepFold) count(searches, sources int, tell func(string, any)) {
	before := f.state.Counters
	c := deepCounters{max(before.Searches, searches), max(before.Sources, sources)}
	if c == before {
		return
	}
	f.state.Counters, f.state.SearchCount = c, c.Searches
	tell("counters.update", c)
}

// sectionDone tells the sections that stand when the next one begins: only the last
// one is still taken back. A report that may be taken back as a whole is told empty,
// so that events keep their numbers.
func (f *deepFold) sectionDone(stage contract.Stage, tell func(string, any)) {
	if stage != contract.StageSynthesis || len(f.report) <= f.sections {
		return
	}
	f.sections = len(f.report)
	text := strings.TrimRightFunc(string(f.report), unicode.IsSpace)
	if f.held {
		text = f.said
	}
	f.tellReport(text, tell)
}

// tellReport tells what of the report was not told yet. One that begins otherwise, as
// after a restart, is told anew.
func (f *deepFold) tellReport(text string, tell func(string, any)) {
	rest, grown := strings.CutPrefix(text, f.said)
	if !grown {
		tell("report.restarted", map[string]any{})
		rest = text
	}
	f.said = text
	tell("report.chunk", map[string]any{"text": rest})
}

// end closes the run and gives its state.
func (f *deepFold) end(e contract.Event, tell func(string, any)) {
	f.ended = e.At
	s := &f.state
	switch b := e.Body.(type) {
	case contract.FinishedRun:
		s.Status, s.FinalReport, s.Sources = "completed", b.Answer.Answer, compatSources(b.Answer.Sources)
		f.tellReport(s.FinalReport, tell)
		tell("report.completed", map[string]any{"length": utf8.RuneCountInString(s.FinalReport)})
		tell("research.completed", map[string]any{
			"reportLength": utf8.RuneCountInString(s.FinalReport), "sourcesCount": len(s.Sources), "notesCount": f.notes, "findingsCount": len(s.Findings),
			"iterations": f.iteration, "duration": f.elapsed(e.At).Milliseconds(), "sources": s.Sources, "searches": s.SearchCount,
		})
	case contract.StoppedRun:
		s.Status, s.FinalReport = "cancelled", b.Partial
		tell("research.cancelled", map[string]any{"phase": s.Phase})
	case contract.FailedRun:
		s.Status, s.FinalReport, s.Error = "failed", b.Partial, b.Message
		if b.Code == fault.Interrupted {
			s.Status = "interrupted"
		}
		tell("research.error", map[string]any{"message": b.Message})
	}
	s.Report = s.FinalReport
	if len(s.Sources) == 0 {
		s.Sources = f.readSources()
	}
	tell("state", *s)
}

// readSources are what a run read that chose no sources of its own yet.
func (f *deepFold) readSources() []compatSource {
	out := []compatSource{}
	for _, id := range f.read {
		lead := f.seen[id]
		out = append(out, compatSource{ID: len(out) + 1, Title: lead.Title, URL: lead.Address})
	}
	return out
}

func (f *deepFold) elapsed(now time.Time) time.Duration {
	if !f.ended.IsZero() {
		now = f.ended
	}
	if f.began.IsZero() {
		return 0
	}
	return now.Sub(f.began)
}

// words say what is looked into now, what came of it so far and how long it may take.
func (f *deepFold) words(now time.Time, limit time.Duration) string {
	said := []string{f.detail}
	if n := len(f.read); n > 0 {
		said = append(said, plain.Plural(n, "page", "pages")+" read")
	}
	if n := len(f.state.Findings); n > 0 {
		said = append(said, plain.Plural(n, "finding", "findings"))
	}
	if left := limit - f.elapsed(now); left > 0 {
		said = append(said, fmt.Sprintf("%d min left at most", int(math.Ceil(left.Minutes()))))
	}
	return strings.Join(said, " · ")
}

// deepSource names where a search looks in the words of these clients.
func deepSource(engine string) string {
	switch engine {
	case "library":
		return "files"
	case "wikipedia":
		return "wikipedia"
	}
	return "web"
}
