package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/quote/statements"
	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store"
)

const (
	strangers     = 6 // sentences of other passages that have most of a question's words
	mostPassages  = 5000
	fewestLetters = 25
	likeAnswer    = 0.6 // share of tokens from which a sentence may say the same as one that answers
)

// written is a question that was written for a passage, with bytes of its text that stand
// in the statements that answer, and of those that tell a part. Nothing answers one
// without. Bytes, so that another cut into statements changes nothing.
type written struct {
	Question string             `json:"question"`
	Passage  evidence.PassageID `json:"passage"`
	Answers  []int              `json:"answers"`
	Half     []int              `json:"half"`
	Package  string             `json:"package"`
	Aside    bool               `json:"aside"` // measured on, never learned from
}

// pair is a question with what may answer it, cut into tokens as the joint encoder reads
// them.
type pair struct {
	Question  string    `json:"question"`
	Package   string    `json:"package"`
	Aside     bool      `json:"aside"`
	Asked     []int32   `json:"asked"`
	Texts     [][]int32 `json:"texts"`
	Labels    []int     `json:"labels"`
	Strangers [][]int32 `json:"strangers"`
	Right     []string  `json:"right"` // the statements that answer, as they stand
}

// told is a question with a text, and where in it what answers begins: places of
// characters, none where nothing answers.
type told struct {
	Question string `json:"question"`
	Set      string `json:"set"`
	Aside    bool   `json:"aside"`
	Text     string `json:"text"`
	Beside   string `json:"beside"` // of which no sentence answers
	Starts   []int  `json:"starts"`
}

// pairs writes questions with the sentences that may answer them: those of
// written.jsonl.gz and of papers.jsonl.gz from data folders with libraries of the packages
// and the papers that they were written for, and those of files that public.py wrote.
func pairs(out string, from []string) error {
	ctx := context.Background()
	all, err := packedLines[written](filepath.Join("build", "train", "written.jsonl.gz"))
	if err != nil {
		return err
	}
	of := map[evidence.PassageID][]written{}
	for _, w := range all {
		of[w.Passage] = append(of[w.Passage], w)
	}
	shelves, err := papersByFile()
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	to := bufio.NewWriter(file)
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return err
	}
	done := 0
	for _, path := range from {
		made, err := pairsIn(ctx, path, of, shelves, encoder)
		if err != nil {
			return err
		}
		for _, p := range made {
			if err := json.NewEncoder(to).Encode(p); err != nil {
				return err
			}
		}
		done += len(made)
	}
	fmt.Printf("%d questions\n", done)
	return to.Flush()
}

func pairsIn(ctx context.Context, path string, of map[evidence.PassageID][]written, papers map[string]paper, encoder *embed.Encoder) (made []pair, err error) {
	if filepath.Ext(path) != ".gz" {
		return pairsOf(ctx, path, of, papers, encoder)
	}
	all, err := packedLines[told](path)
	for _, t := range all {
		made = append(made, t.pair(encoder))
	}
	return made, err
}

func (t told) pair(encoder *embed.Encoder) pair {
	p := pair{Question: t.Question, Package: t.Set, Aside: t.Aside, Asked: encoder.Query(t.Question).IDs}
	add := func(text string, starts []int) {
		for _, s := range evidence.Sentences(text) {
			from, to := utf8.RuneCountInString(text[:s.Start]), utf8.RuneCountInString(text[:s.End])
			label := 0
			if slices.ContainsFunc(starts, func(at int) bool { return from <= at && at < to }) {
				label = 1
			}
			p.Texts, p.Labels = append(p.Texts, encoder.Sentence(text[s.Start:s.End]).IDs), append(p.Labels, label)
		}
	}
	add(t.Text, t.Starts)
	add(t.Beside, nil)
	return p
}

// has reports whether one of the bytes stands in the statement.
func (t text) has(bytes []int) bool {
	return slices.ContainsFunc(bytes, func(at int) bool { return t.span[0] <= at && at < t.span[1] })
}

// shelf is what the statements of a library are, in tokens, and how rare each token is.
type shelf struct {
	texts  []text
	rarity map[int32]float64
}

type text struct {
	passage evidence.PassageID
	span    [2]int // bytes of the passage
	says    string
	ids     []int32 // with title and heading
	itself  map[int32]bool
}

func pairsOf(ctx context.Context, folder string, of map[evidence.PassageID][]written, papers map[string]paper, encoder *embed.Encoder) (made []pair, err error) {
	db, err := store.Open(ctx, folder, slog.New(slog.NewTextHandler(io.Discard, nil)), time.Now)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	placed, _, _, err := db.Unencoded(ctx, "none", math.MaxInt32)
	if err != nil {
		return nil, err
	}
	var others []library.Placed
	for _, p := range placed {
		if of[p.Passage.ID] != nil || len(others) < mostPassages {
			others = append(others, p)
		}
	}
	s := shelve(others, encoder)
	files := map[string][]text{}
	for _, p := range others {
		own := statementsOf(p, encoder)
		if file := paperAt(p.Path); papers[file].Text != "" {
			files[file] = append(files[file], own...)
		}
		for _, w := range of[p.Passage.ID] {
			made = append(made, s.pair(w, own, encoder.Query(w.Question).IDs))
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, a := range papers[file].Questions {
			made = append(made, s.pairOfPaper(papers[file], a, files[file], encoder.Query(a.Question).IDs))
		}
	}
	return made, nil
}

func shelve(placed []library.Placed, encoder *embed.Encoder) *shelf {
	s := &shelf{rarity: map[int32]float64{}}
	for _, p := range placed {
		for _, t := range statementsOf(p, encoder) {
			s.texts = append(s.texts, t)
			for id := range t.itself {
				s.rarity[id]++
			}
		}
	}
	for id, n := range s.rarity {
		s.rarity[id] = math.Log(float64(len(s.texts)+1) / n)
	}
	return s
}

// statementsOf are the statements of a passage as a question's candidates are read.
func statementsOf(p library.Placed, encoder *embed.Encoder) (texts []text) {
	title := strings.TrimSuffix(filepath.Base(p.Path), filepath.Ext(p.Path))
	if p.Passage.At.Heading != "" {
		title += " > " + p.Passage.At.Heading
	}
	body := p.Passage.Text
	for _, s := range statements.Of(body) {
		read := title + ". "
		if under := body[s.Under.Start:s.Under.End]; under != "" {
			read += under + ". "
		}
		itself := map[int32]bool{}
		for _, id := range encoder.Sentence(body[s.Start:s.End]).IDs {
			itself[id] = true
		}
		if len(body[s.Start:s.End]) < fewestLetters {
			itself = nil
		}
		texts = append(texts, text{p.Passage.ID, [2]int{s.Start, s.End}, body[s.Start:s.End], encoder.Sentence(read + body[s.Start:s.End]).IDs, itself})
	}
	return texts
}

func (s *shelf) pair(w written, own []text, asked []int32) pair {
	p := pair{Question: w.Question, Package: w.Package, Aside: w.Aside, Asked: asked}
	right := p.label(own, func(t text) bool { return t.has(w.Answers) }, func(t text) bool { return t.has(w.Half) })
	if len(w.Answers) > 0 { // else another passage may answer it
		p.Strangers = s.near(asked, right, func(t text) bool { return t.passage == w.Passage })
	}
	return p
}

// label takes in the statements of where a question was written for, and returns those that answer.
func (p *pair) label(own []text, answers, partly func(text) bool) (right []text) {
	for _, t := range own {
		label := 0
		switch {
		case answers(t):
			label = 1
			p.Right, right = append(p.Right, t.says), append(right, t)
		case partly(t):
			continue
		}
		p.Texts, p.Labels = append(p.Texts, t.ids), append(p.Labels, label)
	}
	return right
}

// near are statements that have most of a question's words, but for those of where it was
// written for and those that may say the same as one that answers.
func (s *shelf) near(asked []int32, right []text, own func(text) bool) (ids [][]int32) {
	type scored struct {
		text
		score float64
	}
	var found []scored
	for _, t := range s.texts {
		score := 0.0
		for _, id := range asked {
			if t.itself[id] {
				score += s.rarity[id]
			}
		}
		if score > 0 && !own(t) {
			found = append(found, scored{t, score / math.Sqrt(float64(len(t.itself)))})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, t := range found {
		if len(ids) < strangers && !slices.ContainsFunc(right, func(r text) bool { return alike(t.itself, r.itself) }) {
			ids = append(ids, t.ids)
		}
	}
	return ids
}

// alike reports whether most tokens of one text are in the other.
func alike(a, b map[int32]bool) bool {
	both := 0
	for id := range a {
		if b[id] {
			both++
		}
	}
	return float64(both) > likeAnswer*float64(max(1, min(len(a), len(b))))
}
