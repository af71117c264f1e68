package refresh_test

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

var day = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

const (
	bridgeFile = "The bridge over the Lorne was opened on 3 May 1932. It cost 4.2 million pounds."
	bridgePage = "# Lorne bridge\nThe Lorne bridge is 503 metres long. It carries a road and two railway tracks."
)

// memory is the journal, the records and the archive of an engine.
type memory struct {
	mu      sync.Mutex
	events  map[contract.RunID][]contract.Event
	runs    []contract.Run
	kept    map[evidence.SourceID][]evidence.Passage
	sources map[evidence.SourceID]evidence.Source
}

func newMemory() *memory {
	return &memory{events: map[contract.RunID][]contract.Event{}, kept: map[evidence.SourceID][]evidence.Passage{}, sources: map[evidence.SourceID]evidence.Source{}}
}

func (m *memory) Append(_ context.Context, events ...contract.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range events {
		m.events[e.Run] = append(m.events[e.Run], e)
	}
	return nil
}

func (m *memory) Since(_ context.Context, run contract.RunID, seq int) ([]contract.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events[run][min(seq, len(m.events[run])):]), nil
}

func (m *memory) Begin(_ context.Context, run contract.Run, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs = append(m.runs, run)
	return nil
}

func (m *memory) End(_ context.Context, run contract.Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.runs {
		if m.runs[i].ID == run.ID {
			m.runs[i] = run
		}
	}
	return nil
}

func (m *memory) CloseOpen(context.Context) (int, error) { return 0, nil }

func (m *memory) Keep(_ context.Context, texts ...answer.Kept) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range texts {
		m.kept[t.Source.ID], m.sources[t.Source.ID] = t.Passages, t.Source
	}
	return nil
}

// shelf is a library, path to text.
type shelf struct{ files map[string]string }

func (s *shelf) Search(_ context.Context, _ string, _ contract.Scope, n int) ([]evidence.Found, error) {
	var found []evidence.Found
	for path, text := range s.files {
		src := evidence.Source{Kind: evidence.File, Address: path, Title: filepath.Base(path), Digest: evidence.Digest([]byte(text)), Seen: day}
		src.ID = evidence.NewSourceID(src.Kind, src.Address, src.Digest)
		length := len([]rune(text))
		found = append(found, evidence.Found{
			Source: src, Via: "library", Score: evidence.Score{BM25: 1},
			Passage: evidence.Passage{ID: evidence.NewPassageID(src.Digest, 0, length), Source: src.ID, Text: text, At: evidence.Locator{Line: 1, End: length}},
		})
	}
	return found[:min(n, len(found))], nil
}

// oneModel resolves every name to one model, or to none.
type oneModel struct {
	name  string
	model llm.Model
}

func (o oneModel) Resolve(context.Context, string) (llm.ResolvedModel, error) {
	if o.model == nil {
		return llm.ResolvedModel{}, nil
	}
	return llm.ResolvedModel{Name: o.name, Model: o.model, ID: o.name}, nil
}

func chat(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "chat" }}
}
