package library_test

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/privacy"
)

// noBook keeps nothing.
type noBook struct{}

func (noBook) Load(context.Context) ([]privacy.LedgerEntry, error) { return nil, nil }

func (noBook) Save(context.Context, []privacy.LedgerEntry) error { return nil }

type answering struct{}

func (answering) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: req}, nil
}

func TestTheLedgerNamesTheFilesThatAnEmbedderElsewhereWasSent(t *testing.T) {
	h := newHouse(t)
	ledger, wire := privacy.NewAside(noBook{}, slog.New(slog.DiscardHandler)), privacy.Metered(answering{})
	h.embedder.sends = func(ctx context.Context) {
		req, err := http.NewRequestWithContext(ledger.Pays(privacy.WithPurpose(ctx, "embed"), "cloud.example"), http.MethodPost, "https://cloud.example/v1/embeddings", nil)
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := wire.RoundTrip(req); err != nil {
			t.Error(err)
		}
	}
	h.open()
	h.write("lamp.txt", strings.Repeat("The lamp of the harbour burns all night. ", 200))
	h.write("tower.txt", "The tower is 34 metres high.")
	h.addAll()
	h.eventually("all have vectors", func() bool {
		totals, err := h.db.Totals(t.Context(), h.Embedder.ID())
		return err == nil && totals.Chunks > 2 && totals.Vectors == totals.Chunks
	})
	sent := ledger.Entries(t.Context())
	ledger.Close()
	if len(sent) != 1 || sent[0].Purpose != "embed" {
		t.Fatalf("%+v", sent)
	}
	var files []string
	for _, id := range sent[0].Sent {
		_, source, err := h.db.Passage(t.Context(), id)
		must(t, err)
		files = append(files, filepath.Base(source.Address))
	}
	if slices.Sort(files); !slices.Equal(slices.Compact(files), []string{"lamp.txt", "tower.txt"}) {
		t.Errorf("the ledger names %q", files)
	}
}
