package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/eval"
)

// TestTheSampleLibraryIsAnswered holds the answers to the questions that a new
// reader will ask first: the right file, quoted as it stands, with what was
// asked for; and no answer where the files have none.
func TestTheSampleLibraryIsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	scores := filepath.Join(t.TempDir(), "scores.jsonl")
	var out, errs bytes.Buffer
	questions := filepath.Join("..", "eval", "testdata", "library.jsonl")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	code := program.Run(t.Context(), &command.Env{
		Args: []string{"eval", "ask", questions, "--files", filepath.Join("..", "..", "build", "library"), "--offline", "--json", "--scores", scores,
			"--set", "models.chat=none"},
		Stdout: &out, Stderr: &errs, Dir: dir,
	})
	var row eval.AskRow
	if err := json.Unmarshal(out.Bytes(), &row); code != 0 || err != nil {
		t.Fatalf("%d %s %s %v", code, &out, &errs, err)
	}
	if row.CitedFirst < 0.9 || row.Verbatim != 1 || row.Failed != 0 || row.NoEvidence == 0 {
		t.Errorf("%s", row)
	}
	if missing := missingAnswers(t, questions, scores); len(missing) > 2 {
		t.Errorf("no answer to %v", missing)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// missingAnswers are the questions whose answer is not in what was said.
func missingAnswers(t *testing.T, questions, scores string) (missing []string) {
	t.Helper()
	said := map[string]string{}
	for _, line := range lines(t, scores) {
		said[line.ID] = line.Answer
	}
	for _, line := range lines(t, questions) {
		wanted := line.Answer
		if wanted == "" {
			wanted = "The sources do not answer this."
		}
		if !strings.Contains(said[line.ID], wanted) {
			missing = append(missing, line.ID)
		}
	}
	return missing
}

type questionLine struct{ ID, Answer string }

func lines(t *testing.T, path string) (out []questionLine) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(b)); d.More(); {
		var l questionLine
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}
