package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/trace"
	"footnote/backend/eval/keys"
	"footnote/backend/evidence"
)

// Program is the product under measurement, over a data folder of its own. Ask
// gives the finished answer of one question; the others show what is stored of
// the passages and sources it cites.
type Program interface {
	Ask(ctx context.Context, question string) (contract.Answer, error)
	Passage(ctx context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error)
	SourceText(ctx context.Context, id evidence.SourceID) (string, []evidence.Block, error)
	Ranking(ctx context.Context, run contract.RunID) (trace.Ranking, error)
}

// AskOptions of Ask.
type AskOptions struct {
	Limit      int    // questions asked, from the first; 0 = all
	ScoresFile string // also write what became of each question here, one JSON a line; empty = no

	// ConsideredFile gets what the answer scorer saw of each question, one JSON a
	// line: what build/train/grade.py learns from; empty = no.
	ConsideredFile string
	LearnFile      string // gets the same of questions with a key, judged, as build/train/sure.py reads it; empty = no
}

// askLine is a question of a file. SourceDocs are names of files, Gold ids or
// addresses of pages that answer it, Answer is what a person wrote; each may be
// absent.
type askLine struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	SourceDocs []string `json:"source_docs"`
	Gold       []string `json:"gold"`
	keys.Key
}

// Ask puts the questions of a file to the product, one after another, and
// measures its answers. path is a file of questions, or a folder with
// queries.jsonl and qrels.tsv, whose documents are the gold of its queries. A
// question that fails is counted and the others go on; the error names a file
// that cannot be read.
func Ask(ctx context.Context, path string, p Program, opt AskOptions) (AskRow, error) {
	lines, err := readQuestions(path)
	if err != nil {
		return AskRow{}, err
	}
	if opt.Limit > 0 {
		lines = lines[:min(opt.Limit, len(lines))]
	}
	var results []asked
	for _, line := range lines {
		results = append(results, askOne(ctx, p, line))
		if err := ctx.Err(); err != nil {
			return AskRow{}, err
		}
	}
	row := askRow(askName(path), results)
	if opt.LearnFile != "" {
		if err := writeScores(opt.LearnFile, judgedTraces(askName(path), lines, results)); err != nil {
			return row, err
		}
	}
	if opt.ConsideredFile != "" {
		if err := writeScores(opt.ConsideredFile, traces(results)); err != nil {
			return row, err
		}
	}
	if opt.ScoresFile != "" {
		return row, writeScores(opt.ScoresFile, results)
	}
	return row, nil
}

// traces are what the answer scorer saw, question by question; of those that it
// had no say in there is none.
func traces(results []asked) (all []*quote.Trace) {
	for _, r := range results {
		if r.trace != nil {
			all = append(all, r.trace)
		}
	}
	return all
}

// judgedTraces are those of questions whose answers the key knows, or that have none.
func judgedTraces(folder string, lines []askLine, results []asked) (all []keys.Taught) {
	for i, r := range results {
		if r.trace != nil && r.Judged != "" && len(r.trace.Considered) > 0 {
			all = append(all, lines[i].Labelled(folder, r.trace))
		}
	}
	return all
}

func askName(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return setName(path)
	}
	name := pairsName(path)
	if name != "questions" {
		return name
	}
	return setName(filepath.Dir(path))
}

func readQuestions(path string) ([]askLine, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	if info.IsDir() {
		return questionsOfSet(path)
	}
	lines, err := decodeLines[askLine](path)
	if err != nil {
		return nil, err
	}
	for i, l := range lines {
		if l.Question == "" {
			return nil, fmt.Errorf("read line %d of %s: no question", i+1, path)
		}
	}
	return lines, nil
}

func questionsOfSet(dir string) (lines []askLine, err error) {
	s, err := readSet(dir)
	if err != nil {
		return nil, err
	}
	for _, q := range s.queries {
		line := askLine{ID: q.ID, Question: q.Text}
		for id := range s.wanted[q.ID] {
			line.Gold = append(line.Gold, id)
		}
		slices.Sort(line.Gold)
		lines = append(lines, line)
	}
	return lines, nil
}

func askOne(ctx context.Context, p Program, line askLine) asked {
	r := asked{ID: line.ID, Question: line.Question, keyed: keyed{Kind: line.Kind}, Wanted: slices.Concat(line.SourceDocs, line.Gold), unprinted: unprinted{sourceDocs: len(line.SourceDocs), gold: len(line.Gold)}}
	a, err := p.Ask(ctx, line.Question)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	if ranking, err := p.Ranking(ctx, a.Run); err == nil { // without evidence there is none
		r.trace = ranking.Answer
	}
	r.Grade, r.Confidence = a.Grade, a.Confidence
	if line.Kind != "" {
		r.Judged = line.Judge(a)
	}
	r.Answer, r.Outcome, r.Calls, r.Citations = a.Answer, a.Outcome, a.Usage.Chat.Calls+a.Usage.System.Calls, len(a.Citations)
	r.LatencyMs, r.WaitedMs, r.FirstMs = a.LatencyMs, a.Timing.Waited, a.Timing.FirstText
	at := map[evidence.SourceID]string{}
	for _, s := range a.Sources {
		at[s.ID] = s.URL + s.Path
		r.Sources = append(r.Sources, at[s.ID])
		r.Gold = r.Gold || isOneOf(at[s.ID], line.Gold)
	}
	r.allGold = shareOf(line.Gold, r.Sources) == 1
	for _, c := range a.Citations {
		address := at[c.Source]
		if !slices.Contains(r.Cited, address) {
			r.Cited = append(r.Cited, address)
		}
		r.goldCited = r.goldCited || isOneOf(address, line.Gold)
		if c.Verdict == contract.Supported {
			r.Supported++
		}
		if verbatim(ctx, p, c) {
			r.Verbatim++
		}
	}
	r.figures(line.Answer, a.Answer, passagesOf(ctx, p, a.Sources))
	r.share = shareOf(line.SourceDocs, r.Cited)
	r.Right, r.first = r.share > 0, len(r.Cited) > 0 && isOneOf(r.Cited[0], line.SourceDocs)
	return r
}

// passagesOf is the text of all passages that an answer may rest on.
func passagesOf(ctx context.Context, p Program, sources []contract.SourceCard) string {
	var b strings.Builder
	for _, s := range sources {
		for _, placed := range s.Passages {
			if passage, _, err := p.Passage(ctx, placed.ID); err == nil {
				b.WriteString(passage.Text + "\n")
			}
		}
	}
	return b.String()
}

// isOneOf tells whether an address is one of these: the whole address, the name
// of the file or the last step of the path, with or without extension.
func isOneOf(address string, names []string) bool {
	base := filepath.Base(address)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	return slices.ContainsFunc(names, func(n string) bool { return n == address || n == base || n == stem })
}

func shareOf(wanted, cited []string) float64 {
	n := 0
	for _, w := range wanted {
		if slices.ContainsFunc(cited, func(c string) bool { return isOneOf(c, []string{w}) }) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(wanted)))
}

// verbatim tells whether the quote stands at its place in the stored passage,
// and the passage at its place in the stored text of the source.
func verbatim(ctx context.Context, p Program, c contract.Citation) bool {
	passage, _, err := p.Passage(ctx, c.Passage)
	if err != nil || c.Quote.Text == "" || runesOf(passage.Text, c.Quote.Start, c.Quote.End) != c.Quote.Text {
		return false
	}
	text, _, err := p.SourceText(ctx, c.Source)
	return err == nil && runesOf(text, passage.At.Start, passage.At.End) == passage.Text
}

func runesOf(text string, start, end int) string {
	runes := []rune(text)
	if start < 0 || start > end || end > len(runes) {
		return ""
	}
	return string(runes[start:end])
}
