package eval

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// set is one labelled collection.
type set struct {
	name    string
	docs    []labelled
	queries []labelled                // only those with a judgement
	wanted  map[string]map[string]int // query id → document id → grade above 0
}

type labelled struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// readSet reads corpus.jsonl, queries.jsonl and qrels.tsv of a folder. A qrels
// file that several languages share may stand one folder up.
func readSet(dir string) (*set, error) {
	s := &set{name: setName(dir)}
	var err error
	if s.docs, err = readLines(filepath.Join(dir, "corpus.jsonl")); err != nil {
		return nil, err
	}
	queries, err := readLines(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	qrels := filepath.Join(dir, "qrels.tsv")
	if _, err := os.Stat(qrels); os.IsNotExist(err) {
		qrels = filepath.Join(filepath.Dir(filepath.Clean(dir)), "qrels.tsv")
	}
	if s.wanted, err = readQrels(qrels); err != nil {
		return nil, err
	}
	for _, q := range queries {
		if len(s.wanted[q.ID]) > 0 {
			s.queries = append(s.queries, q)
		}
	}
	if len(s.docs) == 0 || len(s.queries) == 0 {
		return nil, fmt.Errorf("read set %s: %d documents, %d judged queries", s.name, len(s.docs), len(s.queries))
	}
	return s, nil
}

// setName is the folder's name, with its parent's when it names a language.
func setName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	base := filepath.Base(abs)
	if len(base) <= 3 {
		return filepath.Base(filepath.Dir(abs)) + "/" + base
	}
	return base
}

func readLines(path string) ([]labelled, error) {
	lines, err := decodeLines[labelled](path)
	for i, l := range lines {
		if err == nil && l.ID == "" {
			return nil, fmt.Errorf("read line %d of %s: no id", i+1, path)
		}
	}
	return lines, err
}

// decodeLines reads a file with one JSON object a line, packed where its name ends
// with .gz.
func decodeLines[T any](path string) (out []T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read set: %w", err)
	}
	defer f.Close()
	var text io.Reader = bufio.NewReader(f)
	if filepath.Ext(path) == ".gz" {
		if text, err = gzip.NewReader(text); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
	}
	for d := json.NewDecoder(text); ; {
		var l T
		switch err := d.Decode(&l); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("read line %d of %s: %w", len(out)+1, path, err)
		}
		out = append(out, l)
	}
}

func readQrels(path string) (map[string]map[string]int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read set: %w", err)
	}
	defer f.Close()
	wanted := map[string]map[string]int{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 || strings.TrimSpace(lines.Text()) == "" { // the header
			continue
		}
		col := strings.Split(lines.Text(), "\t")
		if len(col) != 3 {
			return nil, fmt.Errorf("read line %d of %s: %d columns, not 3", n, path, len(col))
		}
		grade, err := strconv.Atoi(strings.TrimSpace(col[2]))
		if err != nil {
			return nil, fmt.Errorf("read line %d of %s: %w", n, path, err)
		}
		if grade <= 0 {
			continue
		}
		if wanted[col[0]] == nil {
			wanted[col[0]] = map[string]int{}
		}
		wanted[col[0]][col[1]] = grade
	}
	return wanted, lines.Err()
}
