package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	grid "footnote/backend/table"
)

// TableOptions of Table.
type TableOptions struct {
	Files     int // rows at most
	Questions int // columns at most; half of them the file answers, the others another file does

	// ScoresFile gets what became of each cell, one JSON a line; empty = no.
	ScoresFile string

	// Over runs a function with what fills cells over a folder of files, and tells
	// whether one opens at its words.
	Over func(ctx context.Context, files string, use func(Filler) error) error
}

// Filler fills the cells of one file, found by its name.
type Filler interface {
	Fill(ctx context.Context, file string, questions []string) ([]grid.Cell, error)
	Opens(ctx context.Context, c grid.Cell) bool
}

// tableCell is what became of a cell.
type tableCell struct {
	File     string  `json:"file"`
	Question string  `json:"question"`
	There    bool    `json:"there"` // the file answers it
	Sure     float64 `json:"confidence"`
	Said     string  `json:"said"`
	Right    bool    `json:"right"`
	Opens    bool    `json:"opens"`
	State    string  `json:"state"`
	half     int     // 0: the threshold is chosen on it; 1: it is reported on
}

// Table asks files questions that they answer and questions that other files
// answer, a cell each, and measures how many of the filled ones are right. The
// threshold is chosen on one half of the files, and reported on the other.
func Table(ctx context.Context, dir string, opt TableOptions) (rows []TableRow, err error) {
	sets, err := readAnswerSets(dir, "all")
	if err != nil {
		return nil, err
	}
	files, texts := filesWithQuestions(sets, opt)
	if len(files) < 4 {
		return nil, fmt.Errorf("%s has no tables/ with questions of four files", dir)
	}
	folder, err := os.MkdirTemp("", "footnote-table-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := (answerSet{files: texts}).write(folder); err != nil {
		return nil, err
	}
	var cells []tableCell
	err = opt.Over(ctx, folder, func(f Filler) error {
		for i := range files {
			more, err := askFile(ctx, f, files, i, opt.Questions)
			if err != nil {
				return err
			}
			cells = append(cells, more...)
		}
		return nil
	})
	if opt.ScoresFile != "" {
		err = errors.Join(err, writeScores(opt.ScoresFile, cells))
	}
	return tableRows(cells), err
}

// fileAsked is a row with the questions that it answers.
type fileAsked struct {
	name      string
	questions []answerQuestion
	half      int
}

// filesWithQuestions are the files of the sets that answer most questions, in turn
// of each set.
func filesWithQuestions(sets []answerSet, opt TableOptions) (files []fileAsked, texts map[string]string) {
	texts = map[string]string{}
	var bySet [][]fileAsked
	for _, s := range sets {
		of := map[string]*fileAsked{}
		for _, q := range s.questions {
			name := fileName(q.Doc) + ".csv"
			if q.Kind != there || q.WorkOut || s.files[name] == "" {
				continue
			}
			if of[name] == nil {
				of[name] = &fileAsked{name: name}
			}
			of[name].questions = append(of[name].questions, q)
		}
		var list []fileAsked
		for _, f := range of {
			list = append(list, *f)
			texts[f.name] = s.files[f.name]
		}
		slices.SortFunc(list, func(a, b fileAsked) int {
			return cmp.Or(len(b.questions)-len(a.questions), strings.Compare(a.name, b.name))
		})
		bySet = append(bySet, list)
	}
	for i := 0; len(files) < opt.Files && slices.ContainsFunc(bySet, func(l []fileAsked) bool { return i < len(l) }); i++ {
		for _, list := range bySet {
			if i < len(list) && len(files) < opt.Files {
				list[i].half = i % 2 // each set has files in both halves
				files = append(files, list[i])
			}
		}
	}
	for name := range texts {
		if !slices.ContainsFunc(files, func(f fileAsked) bool { return f.name == name }) {
			delete(texts, name)
		}
	}
	return files, texts
}

// askFile asks a file what it answers, and what the files after it do, as many of
// each.
func askFile(ctx context.Context, f Filler, files []fileAsked, at, most int) ([]tableCell, error) {
	asked := slices.Clone(files[at].questions[:min(most/2, len(files[at].questions))])
	own := len(asked)
	for i := 1; i < len(files) && len(asked) < most; i++ {
		asked = append(asked, files[(at+i)%len(files)].questions[0])
	}
	texts := make([]string, len(asked))
	for i, q := range asked {
		texts[i] = q.Question
	}
	filled, err := f.Fill(ctx, files[at].name, texts)
	var cells []tableCell
	for _, c := range filled {
		q := asked[c.Column]
		cell := tableCell{File: files[at].name, Question: q.Question, There: c.Column < own, Said: c.Text, State: string(c.State), half: files[at].half}
		if c.Confidence != nil && c.Passage != "" {
			cell.Sure = *c.Confidence
		}
		cell.Right = cell.There && c.Passage != "" && q.holds(c.Text+" "+c.Quote)
		cell.Opens = c.Passage == "" || f.Opens(ctx, c)
		cells = append(cells, cell)
	}
	return cells, err
}

// TableRow is one half of the files at one threshold.
type TableRow struct {
	Half      string  `json:"half"` // tuned or reported
	Threshold float64 `json:"threshold"`
	Cells     int     `json:"cells"`
	Filled    int     `json:"filled"`
	Right     int     `json:"right"`
	Precision float64 `json:"precision"` // of the filled cells, those that are right
	Coverage  float64 `json:"coverage"`  // of the cells that the file answers, those that are filled rightly or not
	Share     float64 `json:"share"`     // of all cells that are filled
	Opens     float64 `json:"opens"`
}

// String is a line for people.
func (r TableRow) String() string {
	return fmt.Sprintf("%-8s threshold %.2f  %d cells, %d filled, %d right: precision %.3f, coverage %.3f of what is there (%.3f of all), opens %.3f",
		r.Half, r.Threshold, r.Cells, r.Filled, r.Right, r.Precision, r.Coverage, r.Share, r.Opens)
}

// wantedPrecision is five points above what is wanted of other files: the half is small.
const wantedPrecision = 0.95

// tableRows choose the lowest threshold that is precise enough on one half, and
// tell what it gives there, on the other half, and the ones around it.
func tableRows(cells []tableCell) (rows []TableRow) {
	best := 1.0
	for step := 38; step <= 95; step++ {
		if row := tableRow("tuned", cells, 0, float64(step)/100); row.Filled > 0 && row.Precision >= wantedPrecision {
			best = row.Threshold
			break
		}
	}
	rows = append(rows, tableRow("tuned", cells, 0, best), tableRow("reported", cells, 1, best))
	for step := 4; step <= 9; step++ {
		rows = append(rows, tableRow("curve", cells, 0, float64(step)/10))
	}
	return rows
}

func tableRow(name string, cells []tableCell, half int, threshold float64) TableRow {
	row := TableRow{Half: name, Threshold: threshold}
	opens, answerable, covered := 0, 0, 0
	for _, c := range cells {
		if c.half != half {
			continue
		}
		row.Cells++
		filled := c.Sure >= threshold
		opens += tally(c.Opens)
		answerable += tally(c.There)
		covered += tally(c.There && filled)
		row.Filled += tally(filled)
		row.Right += tally(filled && c.Right)
	}
	row.Precision, row.Coverage = part(row.Right, row.Filled), part(covered, answerable)
	row.Share, row.Opens = part(row.Filled, row.Cells), part(opens, row.Cells)
	return row
}

func tally(b bool) int {
	if b {
		return 1
	}
	return 0
}

func part(n, of int) float64 { return float64(n) / float64(max(1, of)) }
