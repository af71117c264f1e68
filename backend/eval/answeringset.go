package eval

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"footnote/backend/eval/keys"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// expected is what should become of a question.
type expected string

const (
	there expected = "there" // answered by one of the files
	gone  expected = "gone"  // its passage, document or table was taken out
	tempt expected = "tempt" // written so that it seems to be answered
)

// answerQuestion is a question of a labelled set. Doc is what sets are split by.
// One of Answers, Sentence, Golds and Rows says what answers it.
type answerQuestion struct {
	ID       string     `json:"id"`
	Question string     `json:"question"`
	Doc      string     `json:"doc"`
	Kind     expected   `json:"kind"`
	Answers  []string   `json:"answers,omitempty"`
	Sentence string     `json:"sentence"`
	Golds    []string   `json:"golds,omitempty"`
	Rows     [][]string `json:"rows,omitempty"`
	Cells    []string   `json:"cells,omitempty"`
	WorkOut  bool       `json:"work_out,omitempty"` // the answer is a number that stands nowhere
}

// answerSet is a library with the questions that are put to it.
type answerSet struct {
	name      string
	files     map[string]string // name → text
	questions []answerQuestion
}

// Parts of labelled data, by the first byte of the SHA-256 of a document's name.
const (
	testBelow = 96
	devBelow  = 136
)

func firstByte(document string) byte {
	sum := sha256.Sum256([]byte(document))
	return sum[0]
}

// inPart tells whether a document is of a part: test, train (with dev) or all.
func inPart(part, document string) bool {
	b := firstByte(document)
	switch part {
	case "test":
		return b < testBelow
	case "train":
		return b >= testBelow
	}
	return true
}

// takenOut chooses a quarter of the documents, by name.
func takenOut(document string) bool { return firstByte(document+"gone")%4 == 0 }

// fileName makes a name for a file of letters and digits of any script.
func fileName(parts ...string) string {
	keep := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return '_'
	}
	for i, p := range parts {
		letters := []rune(strings.Map(keep, p))
		parts[i] = string(letters[:min(60, len(letters))])
	}
	return strings.Join(parts, "-")
}

// passageLine is a line of passages/*.jsonl.gz and languages/*.jsonl.gz.
type passageLine struct {
	ID         string    `json:"id"`
	Doc        string    `json:"doc"`
	PassageID  string    `json:"passage_id"`
	Question   string    `json:"question"`
	Answerable *bool     `json:"answerable"` // of other kinds of data there is none
	Answers    spanTexts `json:"answers"`
	Sentence   string    `json:"sentence"`
	Passage    string    `json:"passage"`
	Sentences  []string  `json:"sentences"`
	Golds      []string  `json:"gold_sentences"`
}

// spanTexts are the texts of a list of spans; other forms have none.
type spanTexts []string

func (t *spanTexts) UnmarshalJSON(data []byte) error {
	var spans []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &spans) != nil {
		return nil
	}
	for _, s := range spans {
		if s.Text != "" {
			*t = append(*t, s.Text)
		}
	}
	return nil
}

// readAnswerSets reads a folder of labelled sets: passages/*.jsonl.gz,
// languages/*.jsonl.gz and tables/*/questions.jsonl.gz. Other files are left.
func readAnswerSets(dir, part string) (sets []answerSet, err error) {
	add := func(s answerSet, failed error) {
		err = errors.Join(err, failed)
		if failed == nil && len(s.questions) > 0 {
			sets = append(sets, s)
		}
	}
	for _, sub := range []string{"passages", "languages"} {
		files, _ := filepath.Glob(filepath.Join(dir, sub, "*.jsonl.gz")) // the pattern is well formed
		for _, file := range files {
			if _, err := os.Stat(strings.TrimSuffix(file, ".jsonl.gz") + "-docs.jsonl.gz"); err == nil {
				add(readArticleSet(file, part))
			} else if !strings.HasSuffix(file, "-docs.jsonl.gz") {
				add(readPassageSet(file, part))
			}
		}
	}
	tables, _ := filepath.Glob(filepath.Join(dir, "tables", "*", "questions.jsonl.gz"))
	for _, file := range tables {
		lookups, sums, failed := readTableSets(filepath.Dir(file), part)
		add(lookups, failed)
		add(sums, nil)
	}
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("read %s: no passages, languages or tables with questions", dir)
	}
	return sets, err
}

// readPassageSet makes a library of the passages of a file, one file each, with a
// quarter of them left out.
func readPassageSet(file, part string) (answerSet, error) {
	lines, err := decodeLines[passageLine](file)
	s := newAnswerSet(file, part)
	for _, l := range lines {
		if l.Passage == "" {
			l.Passage = strings.Join(l.Sentences, " ")
		}
		if l.Passage == "" || l.Answerable == nil || !inPart(part, l.Doc) {
			continue
		}
		id := l.PassageID
		if id == "" {
			id = l.ID
		}
		out := takenOut(id)
		if !out {
			s.files[fileName(l.Doc, id)+".txt"] = l.Passage
		}
		if !*l.Answerable && out {
			continue // nothing is left that could tempt
		}
		if q := l.question(s.name, l.kind(out)); q.Kind == tempt || len(q.Answers)+len(q.Golds) > 0 {
			s.questions = append(s.questions, q)
		}
	}
	s.shuffle()
	return s, err
}

func (l passageLine) kind(out bool) expected {
	switch {
	case !*l.Answerable:
		return tempt
	case out:
		return gone
	}
	return there
}

func (l passageLine) question(set string, kind expected) answerQuestion {
	return answerQuestion{ID: set + "/" + l.ID, Question: l.Question, Doc: l.Doc, Kind: kind, Answers: l.Answers, Sentence: l.Sentence, Golds: l.Golds}
}

// readArticleSet makes a library of whole articles. Their unanswerable questions
// are made by rule from others and left out: taking out the article is that.
func readArticleSet(file, part string) (answerSet, error) {
	lines, err := decodeLines[passageLine](file)
	docs, errDocs := decodeLines[struct {
		Doc  string `json:"doc"`
		Text string `json:"text"`
	}](strings.TrimSuffix(file, ".jsonl.gz") + "-docs.jsonl.gz")
	s := newAnswerSet(file, part)
	for _, d := range docs {
		if inPart(part, d.Doc) && !takenOut(d.Doc) {
			s.files[fileName(d.Doc)+".txt"] = d.Text
		}
	}
	for _, l := range lines {
		if l.Answerable != nil && *l.Answerable && inPart(part, l.Doc) {
			s.questions = append(s.questions, l.question(s.name, l.kind(takenOut(l.Doc))))
		}
	}
	s.shuffle()
	return s, errors.Join(err, errDocs)
}

// tableLine is a line of tables/*/questions.jsonl.gz.
type tableLine struct {
	ID       string   `json:"id"`
	File     string   `json:"file"`
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
	Kind     string   `json:"kind"`
	Cells    [][2]int `json:"cells"`
}

// readTableSets makes a library of tables and two sets of questions: cells that
// are looked up, and what has to be worked out from several.
func readTableSets(dir, part string) (lookups, sums answerSet, err error) {
	lines, err := decodeLines[tableLine](filepath.Join(dir, "questions.jsonl.gz"))
	if err != nil {
		return lookups, sums, err
	}
	tables, err := csvOf(filepath.Join(dir, "files.tar.gz"))
	lookups, sums = newAnswerSet(dir, part), newAnswerSet(dir+"-arithmetic", part)
	for name, text := range tables {
		if inPart(part, name) && !takenOut(name) {
			lookups.files[fileName(name)+".csv"] = text
		}
	}
	sums.files = lookups.files
	for _, l := range lines {
		if !inPart(part, l.File) {
			continue
		}
		q := answerQuestion{ID: lookups.name + "/" + l.ID, Question: l.Question, Doc: l.File, Kind: there, Answers: l.Answers}
		if takenOut(l.File) {
			q.Kind = gone
		}
		switch {
		case l.Kind == "lookup" && q.withCells(tables[l.File], l.Cells):
			lookups.questions = append(lookups.questions, q)
		case l.Kind == "arithmetic":
			q.WorkOut = true
			sums.questions = append(sums.questions, q)
		}
	}
	lookups.shuffle()
	sums.shuffle()
	return lookups, sums, err
}

// withCells fills in the rows and cells that answer a question. ok is false
// where the table has no such cell.
func (q *answerQuestion) withCells(table string, cells [][2]int) (ok bool) {
	r := csv.NewReader(strings.NewReader(table))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return false
	}
	for _, c := range cells {
		if c[0] >= len(rows) || c[1] >= len(rows[c[0]]) {
			return false
		}
		q.Rows, q.Cells = append(q.Rows, rows[c[0]]), append(q.Cells, rows[c[0]][c[1]])
	}
	return len(cells) > 0
}

func newAnswerSet(file, part string) answerSet {
	name := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
	if part != "all" {
		name += "-" + part
	}
	return answerSet{name: name, files: map[string]string{}}
}

// shuffle mixes the questions, the same way each time, so that the first ones are
// of many documents.
func (s *answerSet) shuffle() {
	rng := rand.New(rand.NewPCG(7, 7))
	rng.Shuffle(len(s.questions), func(i, j int) { s.questions[i], s.questions[j] = s.questions[j], s.questions[i] })
}

// csvOf are the CSV files of an archive, by name without extension.
func csvOf(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read set: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	out := map[string]string{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if h.Typeflag != tar.TypeReg || path.Ext(h.Name) != ".csv" {
			continue
		}
		text, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", h.Name, err)
		}
		out[strings.TrimSuffix(path.Base(h.Name), ".csv")] = string(text)
	}
}

// write lays the files of a set into a folder.
func (s answerSet) write(dir string) error {
	for name, text := range s.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return fmt.Errorf("write set: %w", err)
		}
	}
	return nil
}

// holds reports whether a text has what answers the question.
func (q answerQuestion) holds(text string) bool {
	if q.WorkOut {
		return slices.ContainsFunc(q.Answers, func(a string) bool { return sameNumber(a, text) })
	}
	text = keys.Letters(text)
	in := func(s string) bool { s = keys.Letters(s); return s != "" && strings.Contains(text, s) }
	if len(q.Golds) > 0 {
		return slices.ContainsFunc(q.Golds, func(g string) bool { return in(g) || len(text) > 20 && strings.Contains(keys.Letters(g), text) })
	}
	if len(q.Cells) > 0 {
		return !slices.ContainsFunc(q.Cells, func(c string) bool { return !in(c) })
	}
	if gold := keys.Letters(q.Sentence); gold != "" && len(text) > 10 && (strings.Contains(gold, text) || strings.Contains(text, gold)) {
		return true
	}
	return slices.ContainsFunc(q.Answers, in)
}

// sameNumber reports whether a text begins with a number, to half a percent.
func sameNumber(number, text string) bool {
	read := func(s string) (float64, bool) {
		m := firstNumber.FindString(strings.ReplaceAll(strings.TrimLeft(s, "* "), "−", "-"))
		value, err := strconv.ParseFloat(strings.ReplaceAll(m, ",", ""), 64)
		return value, err == nil
	}
	want, ok := read(number)
	got, also := read(text)
	return ok && also && math.Abs(want-got) <= max(0.005*math.Abs(want), 0.006)
}

var firstNumber = regexp.MustCompile(`^-?\d[\d,]*(?:\.\d+)?`)
