package eval

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"footnote/backend/fault"
	"footnote/backend/rank"
)

// Options of Retrieval.
type Options struct {
	Method  string // one of methodNames, or all
	Limit   int    // documents ranked a query; 0 = 100
	RunFile string // also write a TREC run file here; empty = no
}

// Row is the result of one set and method. Times are in milliseconds; CPU is 0
// where the system does not tell it.
type Row struct {
	Set        string  `json:"set"`
	Method     string  `json:"method"`
	Queries    int     `json:"queries"`
	Documents  int     `json:"documents"`
	NDCG10     float64 `json:"ndcg10"`
	Recall10   float64 `json:"recall10"`
	Recall100  float64 `json:"recall100"`
	MRR10      float64 `json:"mrr10"`
	IndexCPUMs float64 `json:"index_cpu_ms"`
	QueryMsP50 float64 `json:"query_ms_p50"`
	QueryMsP95 float64 `json:"query_ms_p95"`
}

// String is one line for people.
func (r Row) String() string {
	return fmt.Sprintf("%-14s %-10s nDCG@10 %.3f  recall@10 %.3f  @100 %.3f  MRR@10 %.3f  %d queries, %d documents, index %.0f ms CPU, query p50 %.1f p95 %.1f ms",
		r.Set, r.Method, r.NDCG10, r.Recall10, r.Recall100, r.MRR10, r.Queries, r.Documents, r.IndexCPUMs, r.QueryMsP50, r.QueryMsP95)
}

// method ranks passages for a query, best first.
type method func(ctx context.Context, query string, n int) ([]rank.Hit, error)

// methodNames are the methods of "all", in order: by words, by static vectors,
// both fused (S1), by the sentence encoder, S1 with its first 20 and 50 in the
// order of the encoder (S2), and S2 over everything. Those of the encoder are
// left out where it cannot run.
var methodNames = []string{"words", "static", "hybrid", "encoder", "s2-20", "s2-50", "full"}

const withoutEncoder = 3 // of methodNames

func (c *collection) method(name string) method {
	switch name {
	case "words":
		return c.words
	case "static":
		return c.static
	case "encoder":
		return c.byEncoder
	case "s2-20":
		return c.reordered(20)
	case "s2-50":
		return c.reordered(50)
	case "full":
		return c.whole
	}
	return c.hybrid
}

func namesOf(method string) ([]string, error) {
	able := hasEncoder()
	if method == "" || method == "all" {
		if able {
			return methodNames, nil
		}
		return methodNames[:withoutEncoder], nil
	}
	switch at := slices.Index(methodNames, method); {
	case at < 0:
		return nil, fault.New(fault.InvalidRequest, fmt.Sprintf("There is no method %q.", method), "Use "+strings.Join(methodNames, ", ")+" or all.")
	case at >= withoutEncoder && !able:
		return nil, fault.New(fault.InvalidRequest, "This processor cannot run the sentence encoder.", "Use words, static, hybrid or all.")
	}
	return []string{method}, nil
}

// Retrieval measures methods over the sets in dirs. A document's rank is that of
// its best passage. Errors name the folder or file; rows measured before one are
// returned with it.
func Retrieval(ctx context.Context, dirs []string, opt Options) (rows []Row, err error) {
	names, err := namesOf(opt.Method)
	if err != nil {
		return nil, err
	}
	if opt.Limit <= 0 {
		opt.Limit = 100
	}
	run := io.Discard
	if opt.RunFile != "" {
		f, err := os.Create(opt.RunFile)
		if err != nil {
			return nil, fmt.Errorf("write run file: %w", err)
		}
		w := bufio.NewWriter(f)
		defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
		run = w
	}
	for _, dir := range dirs {
		more, err := retrieve(ctx, dir, names, opt.Limit, run)
		rows = append(rows, more...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func retrieve(ctx context.Context, dir string, names []string, limit int, run io.Writer) (rows []Row, err error) {
	s, err := readSet(dir)
	if err != nil {
		return nil, err
	}
	c, err := openCollection(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	for _, name := range names {
		row, err := c.measure(ctx, name, c.method(name), limit, run)
		if err != nil {
			return rows, fmt.Errorf("search %s by %s: %w", s.name, name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// measure asks every query once.
func (c *collection) measure(ctx context.Context, name string, ask method, limit int, run io.Writer) (Row, error) {
	var results []quality
	var times []time.Duration
	for _, q := range c.queries {
		start := time.Now()
		hits, err := ask(ctx, q.Text, 2*depth)
		if err != nil {
			return Row{}, err
		}
		times = append(times, time.Since(start))
		ranked, scores := c.documents(hits, limit)
		results = append(results, judge(ranked, c.wanted[q.ID]))
		for i, id := range ranked {
			if _, err := fmt.Fprintf(run, "%s Q0 %s %d %.6f %s\n", q.ID, id, i+1, scores[i], name); err != nil {
				return Row{}, fmt.Errorf("write run file: %w", err)
			}
		}
	}
	m := mean(results)
	return Row{
		Set: c.name, Method: name, Queries: len(c.queries), Documents: len(c.docs),
		NDCG10: m.ndcg10, Recall10: m.recall10, Recall100: m.recall100, MRR10: m.mrr10,
		IndexCPUMs: float64(c.cpu.Milliseconds()), QueryMsP50: percentile(times, 0.5), QueryMsP95: percentile(times, 0.95),
	}, nil
}

// documents gives each document the rank of its best passage.
func (c *collection) documents(hits []rank.Hit, limit int) (ranked []string, scores []float64) {
	seen := map[string]bool{}
	for _, h := range hits {
		id := c.doc[h.ID]
		if seen[id] || len(ranked) == limit {
			continue
		}
		seen[id] = true
		ranked, scores = append(ranked, id), append(scores, h.Score)
	}
	return ranked, scores
}
