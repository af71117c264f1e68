package llmtest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"footnote/backend/llm"
)

// TestReadingModel asks the deterministic model server everything an answer
// engine asks, in both wire forms.
func TestReadingModel(t *testing.T) {
	base := python(t, "miniweb/model.py", "--window", "16384")
	for form, model := range forms(base, llm.Limits{}) {
		t.Run(form, func(t *testing.T) {
			var provider string
			var found llm.Ability
			ok := false
			for tries := 0; tries < 20 && !ok; tries++ { // a busy machine may miss the deadline
				provider, found, ok = llm.FirstChat(llm.Discover(t.Context(), []llm.Candidate{{Provider: form, Lister: model}}))
			}
			if !ok || provider != form || found.Name != "reader" {
				t.Fatalf("discovered %s/%+v", provider, found)
			}
			ability, err := model.Probe(t.Context(), "reader")
			if err != nil || form == "ollama" && (ability.Window != llm.DefaultWindow || !ability.Tools || ability.Embeds) {
				t.Errorf("%+v, %v", ability, err)
			}
			evidence := llm.Message{Author: llm.User, Text: "[1] Source: a\nContent: The Velnor bridge was opened in 1987 by the mayor.\n\nQuestion: When was the Velnor bridge opened?"}
			r, err := llm.Collect(model.Stream(t.Context(), llm.Call{Model: "reader", Messages: []llm.Message{evidence}}))
			if err != nil || !strings.Contains(r.Text, "1987") || !strings.Contains(r.Text, "[1]") || r.Usage.Estimated || r.Finish != llm.Stop {
				t.Errorf("%+v, %v", r, err)
			}
			offered := llm.Call{Model: "reader", Messages: []llm.Message{evidence}, Tools: []llm.Tool{{Name: "web_search", Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}}
			r, err = llm.Collect(model.Stream(t.Context(), offered))
			if err != nil || len(r.Calls) != 1 || r.Finish != llm.UseTools || !json.Valid([]byte(r.Calls[0].Input)) {
				t.Fatalf("%+v, %v", r, err)
			}
			offered.Messages = append(offered.Messages, llm.Message{Author: llm.Assistant, Calls: r.Calls}, llm.Message{Author: llm.ToolReply, Tool: r.Calls[0].ID, Text: "The bridge opened in 1987 after long works."})
			if r, err = llm.Collect(model.Stream(t.Context(), offered)); err != nil || !strings.Contains(r.Text, "1987") {
				t.Errorf("%+v, %v", r, err)
			}
			var judged struct {
				Complete bool     `json:"complete"`
				Queries  []string `json:"queries"`
			}
			schema := json.RawMessage(`{"type":"object","properties":{"complete":{"type":"boolean"},"queries":{"type":"array","items":{"type":"string"}}},"required":["complete","queries"]}`)
			if err := llm.Structured(t.Context(), model, llm.Call{Model: "reader", Messages: []llm.Message{evidence}}, schema, &judged); err != nil || len(judged.Queries) == 0 {
				t.Errorf("%+v, %v", judged, err)
			}
			vectors, err := model.Embedder("reader").Embed(t.Context(), []string{"the velnor bridge", "velnor bridge", "cats and dogs"})
			if err != nil || dot(vectors[0], vectors[1]) < 0.99 || dot(vectors[0], vectors[2]) > 0.5 {
				t.Errorf("vectors: %v", err)
			}
		})
	}
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
