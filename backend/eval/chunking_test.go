package eval

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/evidence"
)

func TestPlacesOfAnswersAreFoundInTheTextsOfAFolder(t *testing.T) {
	split := evidence.SplitOptions{Max: 300, Whole: -1}
	rows, err := Chunking(context.Background(), []string{"testdata/harbour"}, ChunkingOptions{Split: split})
	methods, _ := namesOf("all")
	if err != nil || len(rows) != len(methods) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, r := range rows {
		if r.Set != "harbour" || r.Method != methods[i] || r.Questions != 6 || r.Passages < 8 || r.Max != 300 || r.Length > 300 {
			t.Errorf("row is %+v", r)
		}
		if r.Recall5 > r.Recall6 || r.In3000 > r.In6000 || r.Recall6 < 0.8 || r.Precision6 <= 0 || !strings.Contains(r.String(), "recall@5") {
			t.Errorf("row is %s", r)
		}
	}
	line, err := json.Marshal(rows[0])
	if err != nil || !strings.Contains(string(line), `"recall_at_6":`) {
		t.Errorf("%s %v", line, err)
	}
	one, err := Chunking(context.Background(), []string{"testdata/harbour"}, ChunkingOptions{Method: "words", Limit: 1})
	if err != nil || len(one) != 1 || one[0].Questions != 1 || one[0].Max != evidence.PassageChars {
		t.Errorf("one question by words: %v %v", one, err)
	}
}

func TestCharactersThatOverlapCountOnce(t *testing.T) {
	gold := []place{{"a", 10, 20}, {"b", 0, 10}}
	for _, c := range []struct {
		found []place
		share float64
	}{
		{nil, 0},
		{[]place{{"a", 0, 100}}, 0.5},
		{[]place{{"a", 0, 15}, {"a", 5, 15}, {"a", 8, 12}}, 0.25},
		{[]place{{"b", 5, 30}, {"a", 20, 40}}, 0.25},
		{[]place{{"a", 0, 100}, {"b", 0, 100}}, 1},
	} {
		if got := covered(gold, c.found); math.Abs(got-c.share) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.found, got, c.share)
		}
	}
	if got := within([]place{{"a", 0, 30}, {"b", 0, 30}, {"c", 0, 30}}, 50); len(got) != 2 || got[1].end != 20 {
		t.Errorf("50 characters of 30s: %v", got)
	}
}

func TestHeadingsAreFoundInATextAsItStands(t *testing.T) {
	text := "\ufeffNote = 3\n = Tower = \n = = Light = = \nIt burns. = not a heading\n\n## Market ##\nOpen.\n#5 of ten\n== Ferry ==\r\nSix = 6 ="
	var got []string
	for _, b := range blocksOf(text) {
		if b.Kind == evidence.Heading {
			got = append(got, strings.Repeat(">", b.Level)+text[b.Start:b.End])
		}
	}
	if want := ">Tower|>>Light|>>Market|>>Ferry"; strings.Join(got, "|") != want {
		t.Errorf("headings are %q, want %q", got, want)
	}
}

func TestPlacesThatCannotBeMeasuredAreNamed(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON":        `{`,
		"no question":    `{"corpus":"a","references":[{"start":0,"end":2}]}`,
		"no references":  `{"question":"x","corpus":"a"}`,
		"no such text":   `{"question":"x","corpus":"b","references":[{"start":0,"end":2}]}`,
		"beyond the end": `{"question":"x","corpus":"a","references":[{"start":0,"end":99}]}`,
		"an empty place": `{"question":"x","corpus":"a","references":[{"start":3,"end":3}]}`,
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "corpora", "a.txt"), "Five.")
		put(t, filepath.Join(dir, "questions.jsonl"), line+"\n")
		if _, err := Chunking(context.Background(), []string{dir}, ChunkingOptions{}); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	empty := t.TempDir()
	put(t, filepath.Join(empty, "corpora", "a.txt"), "Five.")
	put(t, filepath.Join(empty, "questions.jsonl"), "")
	for _, dir := range []string{empty, "testdata/none", "testdata/garden"} {
		if _, err := Chunking(context.Background(), []string{dir}, ChunkingOptions{}); err == nil {
			t.Errorf("%s: accepted", dir)
		}
	}
	if _, err := Chunking(context.Background(), []string{"testdata/harbour"}, ChunkingOptions{Method: "magic"}); err == nil {
		t.Error("an unknown method is no error")
	}
}

// TestPassagesKeepTheirBar holds the measured recall of the six best passages.
func TestPassagesKeepTheirBar(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data", "retrieval", "chunking-eval")
	if _, err := os.Stat(dir); err != nil || testing.Short() {
		t.Skip("no reference texts beside the project")
	}
	bars := []struct {
		method                string
		five, six, in3k, in6k float64
	}{{"hybrid", 0.932, 0.948, 0.914, 0.965}, {"s2-50", 0.954, 0.966, 0.932, 0.978}}
	for _, b := range bars {
		if b.method == "s2-50" && (os.Getenv("FOOTNOTE_EVAL") != "full" || !hasEncoder()) {
			t.Log("set FOOTNOTE_EVAL=full, on a processor that runs the sentence encoder, for " + b.method)
			continue
		}
		rows, err := Chunking(context.Background(), []string{dir}, ChunkingOptions{Method: b.method})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(rows[0])
		if r := rows[0]; r.Recall5 < b.five-0.005 || r.Recall6 < b.six-0.005 || r.In3000 < b.in3k-0.005 || r.In6000 < b.in6k-0.005 {
			t.Errorf("%s is below %v", r, b)
		}
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
