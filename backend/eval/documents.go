package eval

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
)

// DocumentOptions of Documents.
type DocumentOptions struct {
	// Extract reads a file as the library does, in a child process.
	Extract    func(ctx context.Context, path string) (evidence.Document, error)
	ScoresFile string // write what became of each file, one JSON object a line; empty = no
}

// DocumentRow is the result of one group of files. F1 is over words and, for the
// order, over words that stand side by side; Failed files count as 0 in both.
type DocumentRow struct {
	Set        string  `json:"set"`
	Files      int     `json:"files"` // with a reference; all others are read too
	WordF1Mean float64 `json:"word_f1_mean"`
	WordF1P10  float64 `json:"word_f1_p10"`
	OrderF1    float64 `json:"order_f1"`
	Failed     int     `json:"failed"` // normal files that gave no text, with a reason
	Read       int     `json:"read"`   // files of any kind that were tried
	Seconds    float64 `json:"seconds"`
}

// String is one line for people.
func (r DocumentRow) String() string {
	return fmt.Sprintf("%-28s word F1 %.3f  p10 %.3f  order F1 %.3f  %d files with a reference, %d failed; %d read, %.1f s",
		r.Set, r.WordF1Mean, r.WordF1P10, r.OrderF1, r.Files, r.Failed, r.Read, r.Seconds)
}

// sample is a line of manifest.jsonl.
type sample struct {
	File     string      `json:"file"`
	Format   string      `json:"format"`
	Category string      `json:"category"` // normal, broken/odd, scanned, encrypted …
	Refs     []reference `json:"refs"`
}

type reference struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	Path string `json:"path"` // as File, in some manifests
}

// fileScore is what became of one file.
type fileScore struct {
	File     string  `json:"file"`
	Category string  `json:"category"`
	Compared bool    `json:"compared"`
	WordF1   float64 `json:"word_f1"`
	OrderF1  float64 `json:"order_f1"`
	Reason   string  `json:"reason,omitempty"`
	Seconds  float64 `json:"seconds"`
	took     time.Duration
	group    string
}

// Documents reads every file of the folders' manifest.jsonl and compares normal
// ones with their references. Rows come a folder and a kind of file.
func Documents(ctx context.Context, dirs []string, opt DocumentOptions) (rows []DocumentRow, err error) {
	var all []fileScore
	for _, dir := range dirs {
		scores, err := readSamples(ctx, dir, opt)
		if err != nil {
			return rows, err
		}
		all = append(all, scores...)
		rows = append(rows, documentRows(setName(dir), scores)...)
	}
	if opt.ScoresFile != "" {
		err = writeScores(opt.ScoresFile, all)
	}
	return rows, err
}

func readSamples(ctx context.Context, dir string, opt DocumentOptions) (scores []fileScore, err error) {
	samples, err := decodeLines[sample](filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("read set %s: manifest.jsonl names no files", setName(dir))
	}
	for _, s := range samples {
		score, err := s.measure(ctx, dir, opt)
		if err != nil {
			return nil, err
		}
		scores = append(scores, score)
	}
	return scores, nil
}

func (s sample) measure(ctx context.Context, dir string, opt DocumentOptions) (fileScore, error) {
	score := fileScore{File: s.File, Category: s.Category, group: s.group()}
	start := time.Now()
	doc, err := opt.Extract(ctx, filepath.Join(dir, filepath.FromSlash(s.File)))
	if ctx.Err() != nil {
		return score, ctx.Err()
	}
	score.took = time.Since(start)
	score.Seconds = score.took.Seconds()
	if err != nil {
		score.Reason = err.Error()
	}
	want, ok := s.wanted(dir)
	if !ok || s.Category != "normal" {
		return score, nil
	}
	got := wordsOf(doc.Text)
	score.Compared = true
	_, _, score.WordF1 = agreement(bagOf(got), bagOf(want))
	_, _, score.OrderF1 = agreement(pairsOf(got), pairsOf(want))
	return score, nil
}

// group is the kind of file, as its folder names it.
func (s sample) group() string {
	if dir := path.Dir(s.File); dir != "." {
		return dir
	}
	return s.Format
}

// wanted are the words of a file's first reference that is a text with words.
func (s sample) wanted(dir string) ([]string, bool) {
	for _, r := range s.Refs {
		name := r.File
		if name == "" {
			name = r.Path
		}
		switch path.Ext(name) {
		case ".md", ".txt":
		default: // what it was made from is no text to compare with
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		text := string(raw)
		if strings.HasSuffix(name, ".md") {
			text = plainMarkdown(text)
		}
		if words := wordsOf(text); len(words) >= minReference {
			return words, true
		}
	}
	return nil, false
}

// minReference is how many words make a reference.
const minReference = 3

// documentRows are one row for all files and one for each kind.
func documentRows(set string, scores []fileScore) []DocumentRow {
	rows := []DocumentRow{documentRow(set, scores)}
	var groups []string
	for _, s := range scores {
		if !slices.Contains(groups, s.group) {
			groups = append(groups, s.group)
		}
	}
	for _, g := range groups {
		rows = append(rows, documentRow(set+"/"+g, slices.DeleteFunc(slices.Clone(scores), func(s fileScore) bool { return s.group != g })))
	}
	return rows
}

func documentRow(set string, scores []fileScore) DocumentRow {
	row := DocumentRow{Set: set, Read: len(scores)}
	var f1s []float64
	var took time.Duration
	for _, s := range scores {
		took += s.took
		if s.Category == "normal" && s.Reason != "" {
			row.Failed++
		}
		if !s.Compared {
			continue
		}
		f1s = append(f1s, s.WordF1)
		row.WordF1Mean += s.WordF1
		row.OrderF1 += s.OrderF1
	}
	row.Seconds = took.Seconds()
	if row.Files = len(f1s); row.Files > 0 {
		row.WordF1Mean /= float64(row.Files)
		row.OrderF1 /= float64(row.Files)
		slices.Sort(f1s)
		row.WordF1P10 = f1s[row.Files/10]
	}
	return row
}
