package app

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/settings"
)

// vectorServer is a server with one way to make vectors.
type vectorServer struct {
	made int
	seen []string // texts that it was sent
}

func (s *vectorServer) Embedder(model string) llm.Embedder {
	s.made++
	return llm.Batched("server/"+model, 2, func(_ context.Context, texts []string) ([][]float32, error) {
		s.seen = append(s.seen, texts...)
		vectors := make([][]float32, len(texts))
		for i := range vectors {
			vectors[i] = []float32{1, 2}
		}
		return vectors, nil
	})
}

type silentModel struct{ llm.Model }

func TestAnEmbeddingModelOfAProviderIsFoundWhenItsServerIsSetUp(t *testing.T) {
	var list []llm.Provider
	s := &servedEmbedder{name: "office/e5", providers: func() []llm.Provider { return list }, gates: newGates(), privacy: func() settings.PrivacySettings { return settings.Default().Privacy }}
	if _, err := s.Embed(t.Context(), []string{"a"}); fault.CodeOf(err) != fault.ModelMissing {
		t.Errorf("without a provider: %v", err)
	}
	server := &vectorServer{}
	list = []llm.Provider{{ID: "other", Model: silentModel{}, Server: server}, {ID: "office", Model: silentModel{}, Server: server, Origin: "http://127.0.0.1:1", NeedsKey: true}}
	if _, err := s.Embed(t.Context(), []string{"a"}); fault.CodeOf(err) != fault.ModelMissing {
		t.Errorf("without its key: %v", err)
	}
	list[1].HasKey = true
	for range 2 {
		if v, err := s.Embed(t.Context(), []string{"a", "b", "c"}); err != nil || len(v) != 3 || len(v[2]) != 2 {
			t.Errorf("%v, %v", v, err)
		}
	}
	if server.made != 1 || s.ID() != "office/e5" {
		t.Errorf("the embedder %q was made %d times", s.ID(), server.made)
	}
}

// allowing says what the reader allowed.
type allowing map[string]bool

func (a allowing) MaySend(_ context.Context, provider string) (bool, error) { return a[provider], nil }

func TestAnEmbeddingModelElsewhereSeesNoTextBeforeItIsAllowed(t *testing.T) {
	server, allowed, privacy := &vectorServer{}, allowing{}, settings.Default().Privacy
	s := &servedEmbedder{
		name: "office/e5", gates: newGates(), privacy: func() settings.PrivacySettings { return privacy }, consents: allowed,
		providers: func() []llm.Provider {
			return []llm.Provider{{ID: "office", Model: silentModel{}, Server: server, Origin: "https://models.example.com/v1"}}
		},
	}
	if _, err := s.Embed(t.Context(), []string{"my diary"}); fault.CodeOf(err) != fault.ConfirmNeeded || len(server.seen) > 0 {
		t.Errorf("%v; it saw %q", err, server.seen)
	}
	allowed["office"] = true
	texts := []string{"my diary, password: hunter2"}
	if _, err := s.Embed(t.Context(), texts); err != nil || !slices.Equal(server.seen, []string{"my diary, password: [password]"}) {
		t.Errorf("%v; it saw %q", err, server.seen)
	}
	if texts[0] != "my diary, password: hunter2" {
		t.Errorf("the text became %q", texts[0])
	}
	allowed["office"], privacy.PreviewBeforeCloud = false, false
	if _, err := s.Embed(t.Context(), []string{"more"}); err != nil {
		t.Errorf("without the preview: %v", err)
	}
}

func TestOnlyTheBuiltInEmbedderNeedsNoProvider(t *testing.T) {
	for chosen, want := range map[string]bool{"": true, "auto": true, "builtin": true, "none": false, "ollama/nomic-embed-text": false} {
		if builtIn(chosen) != want {
			t.Errorf("%q", chosen)
		}
	}
}
