package eval

import (
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

// quoter answers with the first words of each document of its folder.
type quoter struct {
	Program
	folder string
	tells  bool
}

func (q quoter) In(folder string) Program { q.folder = folder; return q }

func (q quoter) Ask(context.Context, string) (contract.Answer, error) {
	files, err := filepath.Glob(filepath.Join(q.folder, "*.txt"))
	if err != nil {
		return contract.Answer{}, err
	}
	var a contract.Answer
	var d contract.Disagreement
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return contract.Answer{}, err
		}
		d.Sides = append(d.Sides, contract.Side{Quote: string(text)})
	}
	if q.tells {
		a.Disagreements = []contract.Disagreement{d}
	}
	return a, nil
}

func TestConflictsCountsBothSidesAndFalseAlarms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pairs.jsonl.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(`{"id":"a-q1","question":"Is it open?","disagree":true,"documents":[{"text":"It is open.","answer":"YES"},{"text":"It is shut.","answer":"NO"}]}
{"id":"b","question":"Who?","disagree":true,"documents":[{"text":"Ann did.","answer":"Ann"},{"text":"Bob did.","answer":"Bob"},{"text":"Rain.","answer":"unknown"}]}
{"id":"c","question":"Who?","disagree":false,"documents":[{"text":"Ann did.","answer":"Ann"},{"text":"It was Ann.","answer":"Ann"}]}`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tells := range []bool{true, false} {
		rows, err := Conflicts(t.Context(), []string{file}, ConflictOptions{Part: "all", Over: func(_ context.Context, dir string, use func(Folders) error) error {
			return use(quoter{tells: tells})
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := ConflictRow{Set: rows[0].Set, Differ: 2, Agree: 1, BothShown: one(tells), Told: one(tells), FalseAlarms: one(tells)}
		if rows[0] != want || !strings.Contains(rows[0].Set, "pairs") {
			t.Errorf("telling %v: %+v, want %+v", tells, rows[0], want)
		}
	}
	if rows, err := Conflicts(t.Context(), []string{file + "x"}, ConflictOptions{Part: "all"}); err == nil {
		t.Errorf("a file that is not there gives %v", rows)
	}
}
