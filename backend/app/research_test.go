package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"footnote/backend/command"
	"footnote/backend/eval"
)

// TestTheSampleLibraryIsResearched holds a report over files, without a model and
// without the network, to the bars that footnote eval research measures.
func TestTheSampleLibraryIsResearched(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	questions := filepath.Join(t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(questions, []byte(`{"id":"1","question":"What is known about the lamp of Skerry Point?","gold":["Lamp and lens.md"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, submode := range []string{"deep-research", "due-diligence"} {
		var out, errs bytes.Buffer
		code := program.Run(t.Context(), &command.Env{
			Args: []string{"eval", "research", questions, "--files", filepath.Join("..", "..", "build", "library"), "--offline", "--json", "--submode", submode,
				"--set", "models.chat=none", "--set", "deep.review_ms=0"},
			Stdout: &out, Stderr: &errs, Dir: dir,
		})
		var row eval.ResearchRow
		if err := json.Unmarshal(out.Bytes(), &row); code != 0 || err != nil {
			t.Fatalf("%d %s %s %v", code, &out, &errs, err)
		}
		if row.Failed != 0 || row.InBudget != 1 || row.Whole != 1 || row.GoldInSources != 1 || row.Quotes < 5 || row.Departed != 0 || row.Invented != 0 || row.Supported != 1 {
			t.Errorf("%s: %s", submode, row)
		}
	}
}
