package mcp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/library"
	"footnote/backend/llm"
)

// handbook is a long text about one place, with one fact under one of its headings.
func handbook(place, fact string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Handbook of %s\n\n", place)
	for chapter := range 24 {
		fmt.Fprintf(&b, "## Chapter %d\n\n", chapter+1)
		for line := range 8 {
			fmt.Fprintf(&b, "In part %d of chapter %d the keepers of %s describe duty number %d, the rota for week %d and what is to be written in the log.\n\n", line, chapter+1, place, 8*chapter+line, line+chapter)
		}
		if chapter == 17 {
			b.WriteString(fact + "\n\n")
		}
	}
	return b.String()
}

// TestReadingInStepsTakesFewTokens is a scripted agent that looks for a fact in long
// files: in steps, and by reading the file that was found whole.
func TestReadingInStepsTakesFewTokens(t *testing.T) {
	h := build(t)
	tasks := []struct{ place, fact, query, words, want string }{
		{"Skerry Point", "The lamp of Skerry Point was built by Josef Lindqvist in 1887.", "who built the lamp of Skerry Point", "lamp built", "Josef Lindqvist"},
		{"Arden Quay", "The ferry of Arden Quay was sold for 3,400 crowns.", "price of the ferry of Arden Quay", "ferry sold", "3,400 crowns"},
		{"Moor Hall", "The roof of Moor Hall was laid with slate from Ballachulish.", "roof of Moor Hall slate", "roof slate", "Ballachulish"},
	}
	for _, task := range tasks {
		if err := os.WriteFile(filepath.Join(filepath.Dir(h.file), task.place+".md"), []byte(handbook(task.place, task.fact)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shelf := h.Shelf.(*library.Library)
	if _, err := shelf.Add(t.Context(), []string{filepath.Dir(h.file)}, false); err != nil {
		t.Fatal(err)
	}
	if err := shelf.Wait(t.Context(), []string{filepath.Dir(h.file)}, func(library.File) {}); err != nil {
		t.Fatal(err)
	}
	c := connect(t, h.Rooms)
	read := func(tool string, args map[string]any, into any) (string, int) {
		text, result := c.call(t, tool, args)
		if err := json.Unmarshal(must[[]byte](t)(json.Marshal(result.StructuredContent)), into); err != nil || result.IsError {
			t.Fatalf("%s: %v: %s", tool, err, text)
		}
		return text, llm.EstimateTokens(text)
	}
	inSteps, whole := 0, 0
	for _, task := range tasks {
		var files struct{ Items []foundFile }
		_, found := read("find_files", map[string]any{"query": task.query, "limit": 3}, &files)
		if len(files.Items) == 0 || !strings.Contains(files.Items[0].Path, task.place) {
			t.Fatalf("%s: %+v", task.query, files.Items)
		}
		id := files.Items[0].Source
		var outline, hits struct {
			Items []place
			Total int
		}
		if _, n := read("outline", map[string]any{"id": id}, &outline); outline.Total != 25 || outline.Items[24].Level != 2 {
			t.Errorf("outline %+v", outline)
		} else {
			inSteps += n
		}
		_, grepped := read("grep", map[string]any{"id": id, "query": task.words}, &hits)
		if hits.Total == 0 {
			t.Fatalf("%s: nothing has %q", task.place, task.words)
		}
		var stretch sourceText
		text, n := read("read_source", map[string]any{"id": id, "start": max(0, hits.Items[0].Start-200), "end": hits.Items[0].End + 200}, &stretch)
		inSteps += found + grepped + n
		all, tokens := "", 0
		for start := 0; ; {
			var part sourceText
			said, n := read("read_source", map[string]any{"id": id, "start": start}, &part)
			all, tokens = all+said, tokens+n
			if start = part.End; start >= part.Total {
				break
			}
		}
		whole += found + tokens
		if !strings.Contains(text, task.want) || !strings.Contains(all, task.want) {
			t.Errorf("%s: in steps %q", task.place, text)
		}
	}
	share := float64(inSteps) / float64(whole)
	t.Logf("%d tokens in steps, %d reading whole: %.2f", inSteps, whole, share)
	if share > 0.4 {
		t.Errorf("steps take %.2f of the tokens of reading whole", share)
	}
	if text, _ := c.call(t, "grep", map[string]any{"id": "src_aaaaaaaaaaaaaaaa", "query": "x"}); !strings.Contains(text, "no such source") {
		t.Errorf("%q", text)
	}
}
