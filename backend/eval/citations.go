package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/cite"
	"footnote/backend/embed"
	"footnote/backend/embed/meaning"
)

// CitationOptions of Citations.
type CitationOptions struct {
	Table      string // words, encoder or both; empty = both
	ScoresFile string // also write {id, table, label, score, verdict, why} a line here; empty = no
}

// CitationRow is the result of one file of labelled pairs by one table of the
// checker. The rates take supported against everything else; a rate that needs
// both is 0 when the file has only one of them.
type CitationRow struct {
	Set              string                    `json:"set"`
	Table            string                    `json:"table"` // words or encoder
	Pairs            int                       `json:"pairs"`
	AUROC            float64                   `json:"auroc"` // of the support score
	BalancedAccuracy float64                   `json:"balanced_accuracy"`
	MacroF1          float64                   `json:"macro_f1"`
	Verdicts         map[string]int            `json:"verdicts"`
	Confusion        map[string]map[string]int `json:"confusion"`  // label → verdict → pairs
	Rationales       int                       `json:"rationales"` // pairs whose proving sentences people marked
	Hit              float64                   `json:"hit1"`       // share of those whose highlight begins with one
	PairMs           float64                   `json:"pair_ms"`    // mean time a pair
}

// String is one line for people.
func (r CitationRow) String() string {
	line := fmt.Sprintf("%-24s %-7s %4d pairs", r.Set, r.Table, r.Pairs)
	if len(r.Confusion) > 1 { // one label alone leaves nothing to tell apart
		line += fmt.Sprintf("  AUROC %.3f  balanced accuracy %.3f  macro F1 %.3f", r.AUROC, r.BalancedAccuracy, r.MacroF1)
	}
	line += fmt.Sprintf("  supported %d, partly %d, not-found %d, contradicted %d  %.1f ms a pair",
		r.Verdicts[cite.Supported], r.Verdicts[cite.Partly], r.Verdicts[cite.NotFound], r.Verdicts[cite.Contradicted], r.PairMs)
	if r.Rationales > 0 {
		line += fmt.Sprintf("  highlight hit@1 %.3f of %d", r.Hit, r.Rationales)
	}
	return line
}

// citationScore is what the checker says of a pair.
type citationScore struct {
	ID        string  `json:"id"`
	Table     string  `json:"table"`
	Label     string  `json:"label"`
	Score     float64 `json:"score"`
	Verdict   string  `json:"verdict"`
	Why       string  `json:"why"`
	supported bool    // by label
	marked    bool    // by people: which sentences prove it
	hit       bool    // the highlight begins with one of them
	ms        float64
}

// Citations runs the citation checker over files of labelled pairs, one row a
// file and table. A pair with several passages counts with the one that carries
// it best. The error names the file and line that cannot be read.
func Citations(ctx context.Context, files []string, opt CitationOptions) (rows []CitationRow, err error) {
	tables, err := newTables(opt.Table)
	if err != nil {
		return nil, err
	}
	var all []citationScore
	for _, file := range files {
		pairs, err := readPairs(file)
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			scores, err := t.judge(ctx, pairs)
			if err != nil {
				return nil, err
			}
			rows = append(rows, citationRow(file, t.name, scores))
			all = append(all, scores...)
		}
	}
	if opt.ScoresFile != "" {
		return rows, writeScores(opt.ScoresFile, all)
	}
	return rows, nil
}

// table is one way of judging.
type table struct {
	name    string
	checker *cite.Checker
	reader  cite.Reader // nil for words
}

// newTables are the tables that a name stands for. Without vector instructions
// both is words alone, and encoder an error.
func newTables(name string) (tables []table, err error) {
	if !slices.Contains([]string{"", "both", cite.WordTable, cite.EncoderTable}, name) {
		return nil, fmt.Errorf("choose table: %q is none of words, encoder, both", name)
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return nil, err
	}
	if name != cite.EncoderTable {
		tables = append(tables, table{cite.WordTable, checker, nil})
	}
	if name == cite.WordTable {
		return tables, nil
	}
	encoder, err := embed.NewEncoder()
	if errors.Is(err, embed.ErrNoKernel) && name != cite.EncoderTable {
		return tables, nil
	}
	if err != nil {
		return nil, err
	}
	patient := func() meaning.Options { return meaning.Options{On: true, Wait: true} }
	return append(tables, table{cite.EncoderTable, checker, meaning.New(meaning.Config{Tokens: encoder, Options: patient})}), nil
}

func (t table) judge(ctx context.Context, pairs []citationPair) ([]citationScore, error) {
	scores := make([]citationScore, len(pairs))
	for i, p := range pairs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		began := time.Now()
		best := t.finding(ctx, p)
		s := citationScore{ID: p.ID, Table: t.name, Label: p.Label, Score: best.Score, Verdict: best.Verdict, Why: best.Why, supported: p.Label == cite.Supported}
		s.ms = float64(time.Since(began).Microseconds()) / 1000
		if len(p.proofs) > 0 {
			s.marked, s.hit = true, p.proofs[strings.Count(p.texts[0][:best.Best.Start], "\n")]
		}
		scores[i] = s
	}
	return scores, nil
}

// finding is the best of the pair's passages.
func (t table) finding(ctx context.Context, p citationPair) (best cite.Finding) {
	for i, text := range p.texts {
		passage := t.checker.Read(text)
		readings := cite.Readings{}
		if t.reader != nil {
			readings.Add(ctx, t.reader, t.checker.Wants(p.Claim, passage))
		}
		if f := t.checker.CheckEncoded(p.Claim, p.Question, passage, readings); i == 0 || f.Score > best.Score {
			best = f
		}
	}
	return best
}

func citationRow(file, name string, scores []citationScore) CitationRow {
	r := CitationRow{Set: pairsName(file), Table: name, Pairs: len(scores), AUROC: auroc(scores), Confusion: map[string]map[string]int{},
		Verdicts: map[string]int{cite.Supported: 0, cite.Partly: 0, cite.NotFound: 0, cite.Contradicted: 0}}
	var table [2][2]float64 // label × verdict, supported first
	hits := 0.0
	for _, s := range scores {
		r.Verdicts[s.Verdict]++
		if r.Confusion[s.Label] == nil {
			r.Confusion[s.Label] = map[string]int{}
		}
		r.Confusion[s.Label][s.Verdict]++
		r.PairMs += s.ms / float64(len(scores))
		if s.marked {
			r.Rationales++
		}
		if s.hit {
			hits++
		}
		table[side(s.supported)][side(s.Verdict == cite.Supported)]++
	}
	if r.Rationales > 0 {
		r.Hit = hits / float64(r.Rationales)
	}
	for k := range 2 {
		if r.AUROC == 0 {
			break
		}
		right, missed, wrong := table[k][k], table[k][1-k], table[1-k][k]
		if right > 0 {
			r.BalancedAccuracy += right / (right + missed) / 2
			r.MacroF1 += 2 * right / (2*right + missed + wrong) / 2
		}
	}
	return r
}

// side is the column of the table.
func side(supported bool) int {
	if supported {
		return 0
	}
	return 1
}

// auroc is the area under the curve of supported pairs against the others.
func auroc(scores []citationScore) float64 {
	var supported, other []float64
	for _, s := range scores {
		if s.supported {
			supported = append(supported, s.Score)
		} else {
			other = append(other, s.Score)
		}
	}
	return areaUnder(supported, other)
}

// pairsName is the file's name without extension, with its folder's when it says
// no more than "pairs".
func pairsName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if name != "pairs" && name != "items" {
		return name
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return name
	}
	return filepath.Base(filepath.Dir(abs))
}

// writeScores writes one JSON object a line.
func writeScores[T any](path string, scores []T) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write scores: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := json.NewEncoder(f)
	for _, s := range scores {
		if err := w.Encode(s); err != nil {
			return fmt.Errorf("write scores: %w", err)
		}
	}
	return nil
}
