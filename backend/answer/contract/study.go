package contract

import (
	"context"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Studies keeps how far deep research has come, so that it goes on after a
// restart. A run without a study is fault not-found. Unfinished are the runs of
// deep research whose journal has no last event, oldest first.
type Studies interface {
	KeepStudy(ctx context.Context, run RunID, s Study) error
	Study(ctx context.Context, run RunID) (Study, error)
	Unfinished(ctx context.Context) ([]Run, error)
}

// Study is all that deep research knows at a moment at which it could go on
// later: its plan, and the dimensions that are finished.
type Study struct {
	Outline

	Pass       int             `json:"pass"` // from 1
	Plan       []string        `json:"plan"` // dimensions of the pass
	Done       []Explored      `json:"done"` // by pass and index
	Gaps       []string        `json:"gaps"` // that the judge last named
	Misjudged  int             `json:"misjudged"`
	Researched bool            `json:"researched"` // only the report is left
	Warm       []evidence.Lead `json:"warm"`

	Effort
	Early  string         `json:"early"`  // the limit that ended it
	Drafts []SectionDraft `json:"drafts"` // sections of the report that a model has finished
}

// Steering is what the reader wants done with a subquestion while the research runs.
type Steering string

// Ways to steer.
const (
	Skip   Steering = "skip"   // it is left out
	Deepen Steering = "deepen" // it is looked into further, or once more
	Edit   Steering = "edit"   // another question takes its place
)

// Outline is what deep research is about.
type Outline struct {
	Topic      string   `json:"topic"`
	Brief      string   `json:"brief"`
	Dimensions []string `json:"dimensions"` // of the first pass
	Criteria   []string `json:"criteria"`
	Notes      string   `json:"notes"`
	By         string   `json:"by"` // model, rules, user
	Reviewed   bool     `json:"reviewed"`
}

// Effort is what deep research has cost so far.
type Effort struct {
	Turns    int            `json:"turns"`
	Spent    time.Duration  `json:"spent"`
	Resumed  int            `json:"resumed"` // restarts it has survived
	Usage    UsagePair      `json:"usage"`
	Phases   map[string]int `json:"phases"` // tokens
	Counters Counters       `json:"counters"`
}

// Explored is one dimension that was looked into.
type Explored struct {
	Question   string           `json:"question"`
	Pass       int              `json:"pass"`
	Index      int              `json:"index"`
	Sources    int              `json:"sources"` // that bear on it
	Facts      []Fact           `json:"facts"`
	Quotes     []Excerpt        `json:"quotes"`
	Weak       bool             `json:"weak"`
	Deepened   bool             `json:"deepened"` // had its depth pass
	Skipped    bool             `json:"skipped"`  // the reader left it out
	Summary    string           `json:"summary"`
	KeyFinding string           `json:"key_finding"`
	Fallback   bool             `json:"fallback"` // the summary is an excerpt
	Evidence   []rank.Candidate `json:"evidence"` // may be cited, best first
}

// Fact is what a model took from a source, found again in passages of it.
type Fact struct {
	Text     string               `json:"text"`
	Source   evidence.SourceID    `json:"source"`
	Passages []evidence.PassageID `json:"passages"`
}

// Excerpt is a verbatim piece of a source.
type Excerpt struct {
	Text    string             `json:"text"`
	Source  evidence.SourceID  `json:"source"`
	Passage evidence.PassageID `json:"passage"` // in which it begins
}

// SectionDraft is a section as a model wrote it, before its markers are read. From are
// the passages it was written from, with their numbers: under others it is void.
type SectionDraft struct {
	Section string `json:"section"`
	From    string `json:"from"`
	Text    string `json:"text"`
}

// Research is what a report came from; it goes with the answer of deep research.
type Research struct {
	SubMode     SubMode  `json:"submode"`
	Brief       string   `json:"brief"`
	Dimensions  []string `json:"dimensions"`   // that something was found on
	Open        []string `json:"open"`         // that nothing was found on
	KeyFindings []string `json:"key_findings"` // the best six
	Related     []string `json:"related"`
	Iterations  int      `json:"iterations"` // passes
	Findings    int      `json:"findings"`
	Early       string   `json:"early,omitempty"` // the limit that ended it
}

// Told is the answer as the next question of its thread is given it: a report by
// its brief, dimensions and key findings, anything else as it is.
func (a Answer) Told() string {
	if a.Research == nil {
		return a.Answer
	}
	t := a.Research
	lines := []string{"Research on: " + a.Question, t.Brief}
	if len(t.Dimensions) > 0 {
		lines = append(lines, "Looked into: "+strings.Join(t.Dimensions, "; "))
	}
	for _, f := range t.KeyFindings {
		lines = append(lines, "- "+f)
	}
	return strings.Join(lines, "\n")
}

// Productive are the dimensions of which a source was extracted.
func (s *Study) Productive() []Explored {
	return slices.DeleteFunc(slices.Clone(s.Done), func(x Explored) bool { return x.Sources == 0 })
}

// Unproductive are the subquestions that found nothing.
func (s *Study) Unproductive() (questions []string) {
	for _, x := range s.Done {
		if x.Sources == 0 && !x.Skipped {
			questions = append(questions, x.Question)
		}
	}
	return questions
}
