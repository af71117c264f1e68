package table

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// State says what a cell is worth.
type State string

// States of a cell.
const (
	Found   State = "found"
	NotSure State = "not-sure" // the closest passage; it may not answer
	Absent  State = "absent"   // not in this file
	Failed  State = "failed"   // not read, or not asked to the end
)

const (
	sure     = 0.7 // confidence from which a cell is filled (ADR 41, 102)
	atOnce   = 2   // cells, so that a person's own question finds a place
	stopMost = 5 * time.Second
)

// Asker answers questions: the engine.
type Asker interface {
	Ask(ctx context.Context, q contract.Question) (contract.Run, error)
	Wait(ctx context.Context, id contract.RunID) (contract.Event, error)
	Stop(ctx context.Context, id contract.RunID, by string) error
}

// File is a row.
type File struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// Cell is what a file answers to a question.
type Cell struct {
	Row        int                `json:"row"`    // of the files, from 0
	Column     int                `json:"column"` // of the questions, from 0
	State      State              `json:"state"`
	Confidence *float64           `json:"confidence"` // that it answers; null where nothing was weighed
	Text       string             `json:"text"`       // the answer
	Quote      string             `json:"quote"`      // as it stands in the file
	Source     evidence.SourceID  `json:"source,omitempty"`
	Passage    evidence.PassageID `json:"passage,omitempty"`
	At         evidence.Locator   `json:"locator"`
	Marks      []contract.Range   `json:"marks,omitempty"` // what is lit in the passage, in code points of it
	Error      string             `json:"error,omitempty"`
	Seq        int                `json:"seq,omitempty"` // in the order in which a stored table was filled, from 1
}

// Table is files, questions and what each file answers to each question.
type Table struct {
	Files     []File   `json:"files"`
	Questions []string `json:"questions"`
	Cells     []Cell   `json:"cells"` // row by row
}

// RowOf is the row of a file, -1 where it has none.
func (t Table) RowOf(file string) int {
	return slices.IndexFunc(t.Files, func(f File) bool { return f.ID == file })
}

// Check refuses a table of nothing.
func (t Table) Check() error {
	switch {
	case len(t.Files) == 0:
		return fault.New(fault.InvalidRequest, "No file with text is left for the table.", "Name files that can be read.")
	case len(t.Questions) == 0:
		return fault.New(fault.InvalidRequest, "The table has no question.", "Ask at least one.")
	}
	return nil
}

// Fill asks each file each question, without a model and without the network, and
// gives the cells as they come. What fails in one cell is told in it; after ctx
// ended nothing more is asked.
func (t Table) Fill(ctx context.Context, asker Asker, base contract.Question) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		ctx, stop := context.WithCancel(ctx)
		cells := make(chan Cell)
		next := make(chan Cell)
		var workers sync.WaitGroup
		defer workers.Wait()
		defer stop()
		workers.Go(func() { t.places(ctx, next) })
		var asking sync.WaitGroup
		for range atOnce {
			asking.Go(func() { t.work(ctx, asker, base, next, cells) })
		}
		workers.Go(func() { asking.Wait(); close(cells) })
		for cell := range cells {
			if !yield(cell) {
				return
			}
		}
	}
}

// places gives out the empty cells, row by row.
func (t Table) places(ctx context.Context, next chan<- Cell) {
	defer close(next)
	filled := map[[2]int]bool{}
	for _, c := range t.Cells {
		filled[[2]int{c.Row, c.Column}] = true
	}
	for row := range t.Files {
		for column := range t.Questions {
			if filled[[2]int{row, column}] {
				continue
			}
			select {
			case next <- Cell{Row: row, Column: column}:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (t Table) work(ctx context.Context, asker Asker, base contract.Question, next <-chan Cell, cells chan<- Cell) {
	for place := range next {
		cell := t.ask(ctx, asker, base, place)
		if ctx.Err() != nil {
			return
		}
		select {
		case cells <- cell:
		case <-ctx.Done():
			return
		}
	}
}

// ask fills one cell.
func (t Table) ask(ctx context.Context, asker Asker, q contract.Question, cell Cell) Cell {
	q.Text, q.Scope = t.Questions[cell.Column], contract.Scope{Files: []string{t.Files[cell.Row].ID}}
	q.Focus, q.Mode, q.Web, q.Offline = contract.FocusLocal, contract.ModeBalanced, false, true
	q.Models = contract.Models{Chat: "none", System: "none"}
	q.Private, q.Unattended, q.Cache = true, true, false // no turn of any conversation
	run, err := asker.Ask(ctx, q)
	if err != nil {
		return cell.failed(err)
	}
	last, err := asker.Wait(ctx, run.ID)
	if ctx.Err() != nil {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopMost)
		defer cancel()
		return cell.failed(errors.Join(ctx.Err(), asker.Stop(stopping, run.ID, "user")))
	}
	if err != nil {
		return cell.failed(err)
	}
	run = run.EndedBy(last)
	if run.Answer == nil {
		return cell.broken(run)
	}
	return cell.of(*run.Answer)
}

func (c Cell) failed(err error) Cell {
	c.State, c.Error = Failed, fault.Of(err).Message
	return c
}

func (c Cell) broken(run contract.Run) Cell {
	c.State, c.Error = Failed, "The question was stopped."
	if run.Failure != nil {
		c.Error = run.Failure.Message
	}
	return c
}

// of is a cell as an answer fills it: by its first quotation.
func (c Cell) of(a contract.Answer) Cell {
	c.State, c.Confidence = Absent, a.Confidence
	if a.Outcome != contract.Extracted || len(a.Citations) == 0 {
		return c
	}
	first := a.Citations[0]
	c.State, c.Text, c.Quote = NotSure, plain.Unescaped(strings.Trim(first.Claim.Text, "* ")), first.Quote.Text
	c.Source, c.Passage, c.At, c.Marks = first.Source, first.Passage, first.At, first.Highlight
	if len(c.Marks) == 0 {
		c.Marks = []contract.Range{{Start: first.Quote.Start, End: first.Quote.End}}
	}
	if a.Grade == contract.GradeAnswers && a.Confidence != nil && *a.Confidence >= sure {
		c.State = Found
	}
	return c
}
