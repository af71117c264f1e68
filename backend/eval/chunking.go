package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// ChunkingOptions of Chunking.
type ChunkingOptions struct {
	Method string                // as for Retrieval
	Split  evidence.SplitOptions // the zero value is the product's
	Limit  int                   // questions asked, from the first; 0 = all
}

// ChunkRow is the result of one folder and method. Shares are of the characters
// that answer a question, inside what was found, mean per question.
type ChunkRow struct {
	Set        string  `json:"set"`
	Method     string  `json:"method"`
	Max        int     `json:"max"`     // size of a passage, in characters
	Overlap    int     `json:"overlap"` // of two passages
	Questions  int     `json:"questions"`
	Passages   int     `json:"passages"`
	Recall5    float64 `json:"recall_at_5"`
	Recall6    float64 `json:"recall_at_6"`
	In3000     float64 `json:"recall_in_3000"` // in the best passages, 3,000 characters in all, the last one cut
	In6000     float64 `json:"recall_in_6000"`
	Precision6 float64 `json:"precision_at_6"` // share of the characters found that answer
	Length     float64 `json:"length"`         // characters of a passage, mean
}

// String is one line for people.
func (r ChunkRow) String() string {
	return fmt.Sprintf("%-14s %-8s %d characters, overlap %d: recall@5 %.3f  @6 %.3f  in 3,000 characters %.3f  in 6,000 %.3f  precision@6 %.3f  %d questions, %d passages of %.0f",
		r.Set, r.Method, r.Max, r.Overlap, r.Recall5, r.Recall6, r.In3000, r.In6000, r.Precision6, r.Questions, r.Passages, r.Length)
}

// chunkQuestion is a question with the places that answer it, in code points of
// its text.
type chunkQuestion struct {
	ID         string `json:"id"`
	Question   string `json:"question"`
	Corpus     string `json:"corpus"`
	References []struct {
		Start int `json:"start"`
		End   int `json:"end"`
	} `json:"references"`
}

// Chunking measures how texts are cut into passages and found again. Each folder
// has texts in corpora/ and questions.jsonl with the places of the answers; the
// texts are one collection. Errors name the folder, file or line; rows measured
// before one are returned with it.
func Chunking(ctx context.Context, dirs []string, opt ChunkingOptions) (rows []ChunkRow, err error) {
	names, err := namesOf(opt.Method)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		more, err := chunk(ctx, dir, names, opt)
		rows = append(rows, more...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func chunk(ctx context.Context, dir string, names []string, opt ChunkingOptions) (rows []ChunkRow, err error) {
	docs, err := readTexts(filepath.Join(dir, "corpora"))
	if err != nil {
		return nil, err
	}
	questions, err := readChunkQuestions(filepath.Join(dir, "questions.jsonl"), docs)
	if err != nil {
		return nil, err
	}
	if opt.Limit > 0 {
		questions = questions[:min(opt.Limit, len(questions))]
	}
	c, err := collect(ctx, docs, opt.Split)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	for _, name := range names {
		row, err := c.measureChunks(ctx, c.method(name), questions)
		if err != nil {
			return rows, fmt.Errorf("search %s by %s: %w", dir, name, err)
		}
		row.Set, row.Method, row.Max, row.Overlap = setName(dir), name, opt.Split.Max, opt.Split.Overlap
		if row.Max <= 0 {
			row.Max = evidence.PassageChars
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// readTexts reads the texts of a folder, each as it stands: offsets into it must
// hold.
func readTexts(dir string) (docs []evidence.Document, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read texts: %w", err)
		}
		digest := evidence.Digest(data)
		src := evidence.Source{Kind: evidence.File, Title: e.Name(), Address: e.Name(), Digest: digest, ID: evidence.NewSourceID(evidence.File, e.Name(), digest)}
		text := strings.ToValidUTF8(string(data), "?")
		docs = append(docs, evidence.Document{Source: src, Text: text, Blocks: blocksOf(text)})
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("read texts: %s has none", dir)
	}
	return docs, nil
}

// headingLine is a line that Markdown or wiki text makes a heading; the marks may
// stand apart.
var headingLine = regexp.MustCompile(`^\s*(?:(#{1,6}) +|(=(?: ?=){0,5}) *)([^#=\s].*?) *([#= ]*)$`)

// blocksOf finds the headings and paragraphs of a text without changing it.
func blocksOf(text string) (blocks []evidence.Block) {
	at := 0
	for line := range strings.Lines(text) {
		m := headingLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.TrimSpace(line) == "":
		case m != nil && (m[1] != "" || strings.Contains(m[4], "=")):
			start := at + strings.Index(line, m[3])
			blocks = append(blocks, evidence.Block{Start: start, End: start + len(m[3]), Kind: evidence.Heading, Level: len(m[1]) + strings.Count(m[2], "=")})
		default:
			blocks = append(blocks, evidence.Block{Start: at, End: at + len(line), Kind: evidence.Paragraph})
		}
		at += len(line)
	}
	return blocks
}

func readChunkQuestions(path string, docs []evidence.Document) ([]chunkQuestion, error) {
	questions, err := decodeLines[chunkQuestion](path)
	if err != nil {
		return nil, err
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("read %s: no questions", path)
	}
	length := map[string]int{}
	for _, d := range docs {
		length[corpusName(d.Source.Address)] = utf8.RuneCountInString(d.Text)
	}
	for i, q := range questions {
		n, known := length[corpusName(q.Corpus)]
		switch {
		case q.Question == "" || len(q.References) == 0:
			return nil, fmt.Errorf("read line %d of %s: no question or no references", i+1, path)
		case !known:
			return nil, fmt.Errorf("read line %d of %s: no text %q", i+1, path, q.Corpus)
		}
		for _, r := range q.References {
			if r.Start < 0 || r.Start >= r.End || r.End > n {
				return nil, fmt.Errorf("read line %d of %s: no place %d to %d in %s", i+1, path, r.Start, r.End, q.Corpus)
			}
		}
	}
	return questions, nil
}

func corpusName(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) }

// measureChunks asks every question once.
func (c *collection) measureChunks(ctx context.Context, ask method, questions []chunkQuestion) (ChunkRow, error) {
	r := ChunkRow{Questions: len(questions), Passages: len(c.text)}
	for _, q := range questions {
		hits, err := ask(ctx, q.Question, depth)
		if err != nil {
			return r, err
		}
		found := make([]place, len(hits))
		for i, h := range hits {
			found[i] = place{corpusName(c.doc[h.ID]), c.text[h.ID].At.Start, c.text[h.ID].At.End}
		}
		var gold []place
		for _, ref := range q.References {
			gold = append(gold, place{corpusName(q.Corpus), ref.Start, ref.End})
		}
		six := found[:min(6, len(found))]
		r.Recall5 += covered(gold, found[:min(5, len(found))])
		r.Recall6 += covered(gold, six)
		r.In3000 += covered(gold, within(found, 3000))
		r.In6000 += covered(gold, within(found, 6000))
		r.Precision6 += covered(six, gold)
	}
	for _, sum := range []*float64{&r.Recall5, &r.Recall6, &r.In3000, &r.In6000, &r.Precision6} {
		*sum /= float64(len(questions))
	}
	for _, p := range c.text {
		r.Length += float64(p.At.End-p.At.Start) / float64(len(c.text))
	}
	return r, nil
}

// place is a part of a text, in code points.
type place struct {
	text       string
	start, end int
}

// covered is the share of the places' characters that lies in others. Characters
// that overlap count once.
func covered(places, others []place) float64 {
	all, in := 0, 0
	for _, p := range merged(places) {
		all += p.end - p.start
		for _, o := range merged(others) {
			if o.text == p.text {
				in += max(0, min(p.end, o.end)-max(p.start, o.start))
			}
		}
	}
	return float64(in) / float64(max(1, all))
}

// merged joins places that overlap.
func merged(places []place) (out []place) {
	sorted := slices.SortedFunc(slices.Values(places), func(a, b place) int {
		if a.text != b.text {
			return strings.Compare(a.text, b.text)
		}
		return a.start - b.start
	})
	for _, p := range sorted {
		if n := len(out) - 1; n >= 0 && out[n].text == p.text && p.start <= out[n].end {
			out[n].end = max(out[n].end, p.end)
			continue
		}
		out = append(out, p)
	}
	return out
}

// within are the first places of so many characters in all, the last one cut.
func within(found []place, characters int) []place {
	var out []place
	for _, p := range found {
		if characters <= 0 {
			break
		}
		p.end = min(p.end, p.start+characters)
		characters -= p.end - p.start
		out = append(out, p)
	}
	return out
}
