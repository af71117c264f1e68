package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/eval/keys"
)

// Folders is a Program that can answer from one folder of its library alone.
type Folders interface {
	Program
	In(folder string) Program
}

// ConflictOptions of Conflicts.
type ConflictOptions struct {
	Part       string // of the documents: test, train or all
	Limit      int    // questions of a set; 0 = all
	ScoresFile string // also write what became of each question here; empty = no

	// Over runs a function with the program over a folder of files.
	Over func(ctx context.Context, files string, use func(Folders) error) error
}

// ConflictRow is the result of one set of documents that disagree or not.
type ConflictRow struct {
	Set         string  `json:"set"`
	Differ      int     `json:"differ"`       // questions whose documents hold several answers
	BothShown   float64 `json:"both_shown"`   // of them: two answers are quoted
	Told        float64 `json:"told"`         // and that they differ is said
	Agree       int     `json:"agree"`        // questions whose documents hold one
	FalseAlarms float64 `json:"false_alarms"` // of them: a disagreement is said
	Failed      int     `json:"failed"`
}

// String is one line for people.
func (r ConflictRow) String() string {
	return fmt.Sprintf("%-24s differ %d: both shown %.3f, told %.3f  agree %d: false alarms %.3f  failed %d", r.Set, r.Differ, r.BothShown, r.Told, r.Agree, r.FalseAlarms, r.Failed)
}

// conflictLine is a question over documents of its own.
type conflictLine struct {
	ID        string `json:"id"`
	Question  string `json:"question"`
	Disagree  bool   `json:"disagree"`
	Documents []struct {
		Text   string `json:"text"`
		Answer string `json:"answer"`
		Type   string `json:"type"`
	} `json:"documents"`
}

// conflictOutcome is what became of one.
type conflictOutcome struct {
	ID            string                  `json:"id"`
	Question      string                  `json:"question"`
	Disagree      bool                    `json:"disagree"`
	Said          string                  `json:"said"`
	Disagreements []contract.Disagreement `json:"disagreements"`
	Both          bool                    `json:"both_shown"`
	Error         string                  `json:"error,omitempty"`
}

// Conflicts asks each question over its own documents and measures whether
// answers that differ are shown, and said to.
func Conflicts(ctx context.Context, paths []string, opt ConflictOptions) (rows []ConflictRow, err error) {
	var all []conflictOutcome
	for _, path := range paths {
		lines, err := decodeLines[conflictLine](path)
		if err != nil {
			return rows, err
		}
		lines = slices.DeleteFunc(lines, func(l conflictLine) bool { return !inPart(opt.Part, l.document()) })
		if opt.Limit > 0 {
			lines = lines[:min(opt.Limit, len(lines))]
		}
		results, err := askConflicts(ctx, lines, opt)
		if err != nil {
			return rows, fmt.Errorf("ask %s: %w", path, err)
		}
		rows, all = append(rows, conflictRow(askName(path), results)), append(all, results...)
	}
	if opt.ScoresFile != "" {
		err = writeScores(opt.ScoresFile, all)
	}
	return rows, err
}

// document is what a set is split by: one passage has several questions.
func (l conflictLine) document() string {
	if doc, _, edited := strings.Cut(l.ID, "-q"); edited {
		return doc
	}
	return l.ID
}

func askConflicts(ctx context.Context, lines []conflictLine, opt ConflictOptions) (results []conflictOutcome, err error) {
	dir, err := os.MkdirTemp("", "footnote-conflicts-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, l := range lines {
		if err := l.write(filepath.Join(dir, fileName(l.ID))); err != nil {
			return nil, err
		}
	}
	err = opt.Over(ctx, dir, func(p Folders) error {
		for _, l := range lines {
			results = append(results, l.ask(ctx, p.In(filepath.Join(dir, fileName(l.ID)))))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return results, err
}

func (l conflictLine) write(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("write set: %w", err)
	}
	for i, d := range l.Documents {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("document-%d.txt", i)), []byte(d.Text), 0o600); err != nil {
			return fmt.Errorf("write set: %w", err)
		}
	}
	return nil
}

func (l conflictLine) ask(ctx context.Context, p Program) conflictOutcome {
	r := conflictOutcome{ID: l.ID, Question: l.Question, Disagree: l.Disagree}
	a, err := p.Ask(ctx, l.Question)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Said, r.Disagreements = a.Answer, a.Disagreements
	r.Both = l.bothIn(a)
	return r
}

// bothIn reports whether an answer quotes two documents with different answers:
// their answers in words, or, where those are yes and no, two sides of a
// disagreement.
func (l conflictLine) bothIn(a contract.Answer) bool {
	shown := keys.Letters(a.Answer)
	var quotes []string
	for _, d := range a.Disagreements {
		for _, s := range d.Sides {
			quotes = append(quotes, keys.Letters(s.Quote))
			shown += " " + keys.Letters(s.Quote)
		}
	}
	said := map[string]bool{}
	for _, d := range l.Documents {
		text, own := keys.Letters(d.Answer), keys.Letters(d.Text)
		stands := strings.Contains(shown, text)
		if text == "yes" || text == "no" {
			stands = slices.ContainsFunc(quotes, func(q string) bool { return q != "" && strings.Contains(own, q) })
		}
		if stands && text != "" && text != "unknown" {
			said[text] = true
		}
	}
	return len(said) > 1
}

func conflictRow(set string, results []conflictOutcome) ConflictRow {
	r := ConflictRow{Set: set}
	for _, q := range results {
		switch {
		case q.Error != "":
			r.Failed++
		case q.Disagree:
			r.Differ++
			r.BothShown += one(q.Both)
			r.Told += one(len(q.Disagreements) > 0)
		default:
			r.Agree++
			r.FalseAlarms += one(len(q.Disagreements) > 0)
		}
	}
	r.BothShown /= float64(max(1, r.Differ))
	r.Told /= float64(max(1, r.Differ))
	r.FalseAlarms /= float64(max(1, r.Agree))
	return r
}
