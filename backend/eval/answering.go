package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
)

// AnsweringOptions of Answering.
type AnsweringOptions struct {
	Part  string   // of the documents: test, train or all
	Only  []string // names of sets; empty = all
	Limit int      // questions asked of a set; 0 = all. Its files are always all indexed

	// ScoresFile gets what became of each question, one JSON a line; empty = no.
	ScoresFile string
	// LearnDir gets a folder for each set with questions.jsonl and
	// considered.jsonl, which build/train learns from; empty = no.
	LearnDir string

	// Over runs a function with the program over a folder of files.
	Over func(ctx context.Context, files string, use func(Program) error) error
}

// Answering asks the questions of labelled sets of a folder, each over a library
// of all its files, and measures what is answered, what is not, and how sure the
// answers are. The folder has passages, languages and tables as readAnswerSets
// says; a quarter of the passages, articles and tables is left out of the
// library, so that what they answer is not there.
func Answering(ctx context.Context, dir string, opt AnsweringOptions) (rows []AnsweringRow, err error) {
	sets, err := readAnswerSets(dir, opt.Part)
	if err != nil {
		return nil, err
	}
	var all []outcome
	for _, s := range sets {
		if len(opt.Only) > 0 && !isOneOf(s.name, opt.Only) {
			continue
		}
		results, err := s.ask(ctx, opt)
		if err != nil {
			return rows, fmt.Errorf("ask %s: %w", s.name, err)
		}
		rows = append(rows, answeringRow(s.name, results))
		all = append(all, results...)
		if opt.LearnDir != "" {
			err = s.learn(opt.LearnDir, results)
		}
		if opt.ScoresFile != "" {
			err = errors.Join(err, writeScores(opt.ScoresFile, all))
		}
		if err != nil {
			return rows, err
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no set of these names: %s; it has %s", dir, strings.Join(opt.Only, ", "), strings.Join(setNames(sets), ", "))
	}
	if len(rows) > 1 {
		rows = append(rows, answeringRow("all", all))
	}
	return rows, nil
}

func setNames(sets []answerSet) (names []string) {
	for _, s := range sets {
		names = append(names, s.name)
	}
	return names
}

// outcome is what became of a question.
type outcome struct {
	answerQuestion
	Grade      contract.Grade `json:"grade"`
	Confidence *float64       `json:"confidence"`
	Said       string         `json:"said"` // the first statement
	Right      bool           `json:"right"`
	Right3     bool           `json:"right_in_three"` // one of the first three statements is
	Given      bool           `json:"given"`          // the passages that were read hold what answers
	LatencyMs  int64          `json:"latency_ms"`
	Error      string         `json:"error,omitempty"`
	trace      *quote.Trace
}

// ask puts the questions of a set to a library of its files.
func (s answerSet) ask(ctx context.Context, opt AnsweringOptions) (results []outcome, err error) {
	dir, err := os.MkdirTemp("", "footnote-set-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := s.write(dir); err != nil {
		return nil, err
	}
	questions := s.questions
	if opt.Limit > 0 {
		questions = questions[:min(opt.Limit, len(questions))]
	}
	err = opt.Over(ctx, dir, func(p Program) error {
		for _, q := range questions {
			results = append(results, q.ask(ctx, p))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return results, err
}

func (q answerQuestion) ask(ctx context.Context, p Program) outcome {
	r := outcome{answerQuestion: q}
	a, err := p.Ask(ctx, q.Question)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	if ranking, err := p.Ranking(ctx, a.Run); err == nil { // without evidence there is none
		r.trace = ranking.Answer
	}
	r.Grade, r.Confidence, r.LatencyMs = a.Grade, a.Confidence, a.LatencyMs
	if a.Outcome == contract.NoEvidence {
		r.Grade = contract.GradeNone
	}
	r.Given = q.Kind == there && q.holds(passagesOf(ctx, p, a.Sources))
	for i, c := range a.Citations[:min(3, len(a.Citations))] {
		holds := q.Kind == there && q.holds(c.Claim.Text+" "+c.Quote.Text)
		if i == 0 {
			r.Said, r.Right = c.Claim.Text, holds
		}
		r.Right3 = r.Right3 || holds
	}
	return r
}

// learn writes what build/train/grade.py reads of a set.
func (s answerSet) learn(dir string, results []outcome) error {
	dir = filepath.Join(dir, s.name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write set: %w", err)
	}
	var questions []answerQuestion
	var traces []*quote.Trace
	for _, r := range results {
		if r.trace != nil {
			questions, traces = append(questions, r.answerQuestion), append(traces, r.trace)
		}
	}
	return errors.Join(writeScores(filepath.Join(dir, "questions.jsonl"), questions), writeScores(filepath.Join(dir, "considered.jsonl"), traces))
}
