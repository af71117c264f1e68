package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/embed"
	"footnote/backend/eval"
	"footnote/backend/fault"
)

// run executes one command line without a program behind it.
func run(t *testing.T, dir string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Execute(t.Context(), &Env{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: dir,
		Open: func(context.Context, Flags) (*House, error) {
			return nil, fault.New(fault.DataDamaged, "This test has no program.", "None is needed.")
		},
	})
	return code, stdout.String(), stderr.String()
}

func writeAll(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvalRetrievalPrintsALineASetAndMethod(t *testing.T) {
	dir := writeAll(t, map[string]string{
		"corpus.jsonl":  `{"id":"a","title":"Tower","text":"The tower is high."}` + "\n" + `{"id":"b","title":"Bread","text":"Dough rests."}`,
		"queries.jsonl": `{"id":"q","text":"how high is the tower"}`, "qrels.tsv": "query-id\tcorpus-id\tscore\nq\ta\t1\n",
	})
	trec := filepath.Join(dir, "run.txt")
	code, out, errs := run(t, dir, "eval", "retrieval", ".", "--method", "words", "--limit", "5", "--run", trec, "--json")
	var row eval.Row
	if err := json.Unmarshal([]byte(out), &row); code != 0 || err != nil || row.Method != "words" || row.NDCG10 != 1 {
		t.Fatalf("%d %s %s %v", code, out, errs, err)
	}
	if b, err := os.ReadFile(trec); err != nil || !strings.HasPrefix(string(b), "q Q0 a 1 ") {
		t.Errorf("run file %s %v", b, err)
	}
	code, out, _ = run(t, dir, "eval", "retrieval", ".")
	lines := 3 // and four with the encoder, where this processor has a kernel for it
	if _, err := embed.NewEncoder(); err == nil {
		lines = 7
	}
	if code != 0 || strings.Count(out, "nDCG@10") != lines {
		t.Errorf("%d %s", code, out)
	}
	if code, _, errs := run(t, dir, "eval", "retrieval", ".", "--method", "guess"); code != int(exitUsage) || !strings.Contains(errs, "no method") {
		t.Errorf("%d %s", code, errs)
	}
}

func TestEvalCitationsPrintsALineAFile(t *testing.T) {
	dir := writeAll(t, map[string]string{"few.jsonl": `{"id":"a","claim":"The tower is high.","passage":"The tower is high.","label":"supported"}`})
	scores := filepath.Join(dir, "scores.jsonl")
	code, out, errs := run(t, dir, "eval", "citations", "few.jsonl", "few.jsonl", "--table", "words", "--json", "--scores", scores)
	if code != 0 || strings.Count(out, `{"set":"few","table":"words","pairs":1`) != 2 {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if b, err := os.ReadFile(scores); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("scores %s %v", b, err)
	}
	if code, _, errs := run(t, dir, "eval", "citations", "nowhere.jsonl"); code != int(exitUsage) || !strings.Contains(errs, "nowhere.jsonl") {
		t.Errorf("a missing file: %d %s", code, errs)
	}
}

func TestEvalAskLeavesNothingBehindWhenItCannotBegin(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if code, _, errs := run(t, t.TempDir(), "eval", "ask", "few.jsonl"); code != int(exitData) || !strings.Contains(errs, "no program") {
		t.Errorf("%d %s", code, errs)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
