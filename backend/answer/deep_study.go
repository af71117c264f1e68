package answer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
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
	Topic      string   `json:"topic"`
	Brief      string   `json:"brief"`
	Dimensions []string `json:"dimensions"` // of the first pass
	Criteria   []string `json:"criteria"`
	Notes      string   `json:"notes"`
	By         string   `json:"by"` // model, rules, user
	Reviewed   bool     `json:"reviewed"`

	Pass       int             `json:"pass"` // from 1
	Plan       []string        `json:"plan"` // dimensions of the pass
	Done       []Explored      `json:"done"` // by pass and index
	Gaps       []string        `json:"gaps"` // that the judge last named
	Misjudged  int             `json:"misjudged"`
	Researched bool            `json:"researched"` // only the report is left
	Warm       []evidence.Lead `json:"warm"`

	Turns    int            `json:"turns"`
	Spent    time.Duration  `json:"spent"`
	Resumed  int            `json:"resumed"` // restarts it has survived
	Usage    UsagePair      `json:"usage"`
	Phases   map[string]int `json:"phases"` // tokens
	Counters Counters       `json:"counters"`
	Early    string         `json:"early"`  // the limit that ended it
	Drafts   []SectionDraft `json:"drafts"` // sections of the report that a model has finished
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

// productive are the dimensions of which a source was extracted.
func (s *Study) productive() []Explored {
	return slices.DeleteFunc(slices.Clone(s.Done), func(x Explored) bool { return x.Sources == 0 })
}

// onePerQuestion joins what several passes found for one subquestion: a report has
// one section on it.
func onePerQuestion(explored []Explored) (all []Explored) {
	for _, x := range explored {
		at := slices.IndexFunc(all, func(o Explored) bool { return o.Question == x.Question })
		if at < 0 {
			all = append(all, x)
			continue
		}
		o := &all[at]
		o.Summary, o.KeyFinding = cmp.Or(o.Summary, x.Summary), cmp.Or(o.KeyFinding, x.KeyFinding)
		o.Facts, o.Quotes = slices.Concat(o.Facts, x.Facts), slices.Concat(o.Quotes, x.Quotes)
		o.Evidence = slices.Concat(o.Evidence, slices.DeleteFunc(slices.Clone(x.Evidence), func(c rank.Candidate) bool { return hasPassage(o.Evidence, c) }))
		o.Weak = o.Weak && x.Weak
	}
	return all
}

// unproductive are the subquestions that found nothing.
func (s *Study) unproductive() (questions []string) {
	for _, x := range s.Done {
		if x.Sources == 0 {
			questions = append(questions, x.Question)
		}
	}
	return questions
}

// material is all that a dimension found, as text for a model.
func (x Explored) material() string {
	var lines []string
	for _, f := range x.Facts {
		lines = append(lines, "- "+f.Text)
	}
	for _, q := range x.Quotes {
		lines = append(lines, "“"+q.Text+"”")
	}
	for _, c := range x.Evidence {
		lines = append(lines, strings.TrimSpace(evidence.WithoutOrders(c.Passage.Text)))
	}
	return strings.Join(lines, "\n")
}

// most of a study that a crash may be survived: what makes the program end every
// time must not make it end for ever.
const mostResumed = 5

// continued is the study of a run that the last process left.
func (p *pipeline) continued(ctx context.Context) (Study, error) {
	s, err := p.engine.Studies.Study(ctx, p.tell.run.ID)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		s = Study{}
	case err != nil:
		p.tell.Log.Error("read how far research had come", "err", err)
		return s, interruptedResearch()
	}
	if s.Resumed++; s.Resumed > mostResumed {
		return s, interruptedResearch()
	}
	return s, nil
}

func interruptedResearch() error {
	return fault.New(fault.Interrupted, "Footnote ended while it was working on this research, and it cannot go on.", "Ask again to get a whole report.")
}

// soFar is the study as it is now.
func (r *research) soFar() Study {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.study
}

// keepStudy stores how far the research has come.
func (r *research) keepStudy(ctx context.Context) {
	spent := r.spent()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.study
	r.p.tell.counting.Lock()
	s.Spent, s.Turns, s.Usage, s.Counters, s.Phases = spent, r.turns.count(), r.p.tell.Usage, r.p.tell.Counters, maps.Clone(r.p.tell.phases.tokens)
	r.p.tell.counting.Unlock()
	if r.p.task.Question.Private || r.p.engine.Studies == nil {
		return
	}
	if err := r.p.engine.Studies.KeepStudy(ctx, r.p.tell.run.ID, *s); err != nil {
		r.p.tell.Log.Error("keep how far research has come", "err", err)
	}
}
