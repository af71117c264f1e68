package app

import (
	"bytes"
	"context"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/llm"
	"footnote/backend/llm/anthropic"
	"footnote/backend/llm/gemini"
	"footnote/backend/llm/ollama"
	"footnote/backend/llm/openai"
	"footnote/backend/web"
	"footnote/backend/web/engine"
	"footnote/backend/web/engine/searxng"
	"footnote/backend/web/engine/wikipedia"
	"footnote/backend/web/engine/wolfram"
	"footnote/backend/web/engine/youtube"
)

// oneReply answers every request alike.
type oneReply []byte

func (r oneReply) RoundTrip(req *http.Request) (*http.Response, error) {
	return replying(req, "application/json", r)
}

// replying answers with a body that ends, as bodies do, with the request's context.
func replying(req *http.Request, media string, body []byte) (*http.Response, error) {
	ctx := req.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {media}}, Body: heeding{ctx, bytes.NewReader(body)}, Request: req}, nil
}

type heeding struct {
	ctx  context.Context
	body io.Reader
}

func (h heeding) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.body.Read(p)
}

func (heeding) Close() error { return nil }

// enginesOver are all engines, with one reply to whatever they ask.
func enginesOver(reply []byte) map[string]gather.Finder {
	client, guard := &http.Client{Transport: oneReply(reply)}, web.NewGuard(nil)
	a := web.Access{Client: client, Guard: guard, Base: "https://engine.example", Now: time.Now, Key: func() string { return "key" }}
	all := map[string]gather.Finder{
		"youtube": youtube.New(a), "youtube instance": youtube.NewInstance(a), "searxng": searxng.New(a), "wikipedia": wikipedia.New(a, nil),
	}
	for name, make := range engine.Makers {
		all[name] = make(a)
	}
	return all
}

// FuzzEngineReplies has every engine read any bytes: what comes of them is an
// error, or leads with a title to addresses that may be read.
func FuzzEngineReplies(f *testing.F) {
	fixtures, err := filepath.Glob("../web/engine/*/testdata/*.*")
	if err != nil || len(fixtures) < 40 {
		f.Fatalf("%d fixtures: %v", len(fixtures), err)
	}
	for _, path := range fixtures {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	guard := web.NewGuard(nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, engine := range enginesOver(data) {
			leads, err := engine.Find(t.Context(), gather.WebQuery{Text: "a bridge", N: 10})
			if err != nil {
				continue
			}
			for _, l := range leads {
				if guard.CheckURL(l.Source.Address) != nil || l.Source.Title == "" {
					t.Errorf("%s: %+v", name, l.Source)
				}
			}
		}
		compute := wolfram.New(web.Access{Client: &http.Client{Transport: oneReply(data)}, Base: "https://engine.example", Now: time.Now, Key: func() string { return "key" }}, func() string { return "full" })
		if fact, err := compute.Compute(t.Context(), "2 apples"); err == nil && fact.Text == "" {
			t.Errorf("an empty fact: %+v", fact)
		}
	})
}

// FuzzModelReplies has every model protocol read any bytes as a list of models
// and as vectors.
func FuzzModelReplies(f *testing.F) {
	for _, seed := range []string{
		`{"data":[{"id":"m","context_length":8192}],"has_more":false}`, `{"models":[{"name":"models/m","inputTokenLimit":8192,"model":"m","details":{"family":"x"}}],"nextPageToken":""}`,
		`{"data":[{"index":0,"embedding":[0.1,0.2]}]}`, `{"embeddings":[[0.1,0.2]]}`, `{"embeddings":[{"values":[0.1,0.2]}]}`, `{"embeddings":[[1e400]]}`, `{"data":[{"index":-1,"embedding":[null]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		client, at := &http.Client{Transport: oneReply(data)}, "http://model.example/v1"
		lists := map[string]llm.Lister{
			"openai": openai.New(openai.Config{Name: "x", BaseURL: at, Client: client, Now: time.Now}), "ollama": ollama.New(ollama.Config{BaseURL: at, Client: client, Now: time.Now}),
			"gemini": gemini.New(gemini.Config{BaseURL: at, Client: client, Now: time.Now}), "anthropic": anthropic.New(anthropic.Config{BaseURL: at, Client: client, Now: time.Now}),
		}
		for name, server := range lists {
			models, err := server.List(t.Context())
			for _, m := range models {
				if err == nil && m.Name == "" {
					t.Errorf("%s: a model without a name", name)
				}
			}
			e, ok := server.(interface{ Embedder(string) llm.Embedder })
			if !ok {
				continue
			}
			vectors, err := e.Embedder("m").Embed(t.Context(), []string{"one word", "two words"})
			if err == nil && len(vectors) != 2 {
				t.Errorf("%s: %d vectors", name, len(vectors))
			}
			for _, v := range vectors {
				for _, x := range v {
					if err == nil && (math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)) {
						t.Errorf("%s: %v", name, v)
					}
				}
			}
		}
	})
}
