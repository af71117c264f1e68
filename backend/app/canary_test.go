package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/llm"
	"footnote/backend/settings"
)

const canaryKey = "fn-canary-7f3a9c51d2"

// talkative is a model server of three dialects that repeats the key it was sent
// in every refusal. Its first answers are refusals, the later ones good.
func talkative(t *testing.T) (base string, keyed *atomic.Int32) {
	t.Helper()
	keyed = &atomic.Int32{}
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + r.Header.Get("X-Goog-Api-Key")
		if strings.Contains(key, canaryKey) {
			keyed.Add(1)
		}
		_, _ = io.Copy(io.Discard, r.Body) // only its end matters
		switch {
		case asked.Add(1)%2 == 1:
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"type":"authentication_error","message":"Incorrect API key provided: %s."}}`, key)
		case r.Method == http.MethodGet:
			_, _ = io.WriteString(w, `{"data":[{"id":"m"}],"models":[{"name":"models/m","supportedGenerationMethods":["generateContent"]}],"id":"m","name":"models/m"}`)
		default:
			fmt.Fprintf(w, "data: {\"type\":\"error\",\"error\":{\"code\":401,\"message\":\"bad key %s\"}}\n\n", canaryKey)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, keyed
}

// TestAKeyIsNowhereButInItsStore asks models whose servers repeat the key, and
// looks for it in everything Footnote writes, tells or hands out.
func TestAKeyIsNowhereButInItsStore(t *testing.T) {
	base, keyed := talkative(t)
	data := t.TempDir()
	flags := command.Flags{Data: data, Log: "debug", Set: []string{
		"web.enabled=false", "library.watch=false", "privacy.keychain=false", "privacy.preview_before_cloud=false", "debug.llm=true",
		"providers.openai.url=" + base + "/v1", "providers.anthropic.url=" + base, "providers.gemini.url=" + base,
	}}
	stderr := swallowed(t)
	h, err := Program{}.openHouse(t.Context(), flags)
	if err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	tell := func(v any, err error) {
		if err != nil {
			fmt.Fprintf(&told, "%v %+v\n", err, api.FailureOf(err))
		}
		if err := json.NewEncoder(&told).Encode(v); err != nil {
			t.Error(err)
		}
	}
	services := program.services(h)
	for _, provider := range []string{"openai", "anthropic", "gemini"} {
		if err := h.Keys.Set(provider, settings.NewSecret(canaryKey)); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			tell(h.Models.List(t.Context(), provider))
			tell(services.Models.Test(t.Context(), api.ModelNamed{Model: provider + "/m"}))
			askOnce(t, h, services, provider+"/m", tell)
		}
	}
	if keyed.Load() == 0 {
		t.Fatal("no server was ever sent the key: nothing is proved")
	}
	tell(services.Settings.List(t.Context(), api.None{}))
	tell(services.Models.List(t.Context(), api.None{}))
	tell(services.Settings.Health(t.Context(), api.None{}))
	closing, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Close(closing); err != nil {
		t.Fatal(err)
	}
	told.WriteString(stderr())
	for _, want := range []string{`"kind":"failed"`, "model-auth", "did not accept the key"} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("nothing told of %s: the test proves too little", want)
		}
	}
	if strings.Contains(told.String(), canaryKey) {
		t.Errorf("the key was told: …%s…", around(told.String()))
	}
	lookInside(t, data)
}

// askOnce runs a question and tells its events, its thread and every export.
func askOnce(t *testing.T, h *command.House, services *api.Services, model string, tell func(any, error)) {
	t.Helper()
	q := h.Engine.Defaults()
	q.Text, q.Models.Chat, q.Focus = "When was the bridge opened?", model, "writing"
	run, err := h.Engine.Ask(t.Context(), q)
	if err != nil {
		tell(nil, err)
		return
	}
	if _, err := h.Engine.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	tell(h.DB.Since(t.Context(), run.ID, 0))
	tell(services.Threads.Get(t.Context(), api.ID{ID: string(run.Thread)}))
	tell(services.Runs.Ledger(t.Context(), api.ID{ID: string(run.ID)}))
	for _, format := range []string{"md", "html", "json", "jsonl", "pdf", "docx", "bundle", "bibtex"} {
		file, err := services.Exports.Write(t.Context(), api.ExportThread{ID: string(run.Thread), Format: format})
		tell(string(file.Body), err)
	}
}

// swallowed catches standard error; the returned function gives it back and
// tells what was written.
func swallowed(t *testing.T) func() string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	os.Stderr = file
	restore := func() { os.Stderr = before }
	t.Cleanup(restore)
	return func() string {
		restore()
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
}

// lookInside reads every file of the data folder.
func lookInside(t *testing.T, data string) {
	t.Helper()
	files, stored := 0, false
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(content, []byte(canaryKey)) {
			return err
		}
		info, err := d.Info()
		if d.Name() == "keys.json" && err == nil && info.Mode().Perm()&0o077 == 0 {
			stored = true
			return nil
		}
		t.Errorf("the key lies in %s: …%s…", d.Name(), around(string(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !stored || files < 4 {
		t.Errorf("looked at %d files; the store was seen: %v", files, stored)
	}
}

// around is what stands beside the key.
func around(text string) string {
	at := strings.Index(text, canaryKey)
	return text[max(0, at-80):min(len(text), at+60)]
}

// TestAKeyOfTheEnvironmentWaitsUntilItsProviderIsChosen: it is offered by name,
// used for a role that names the provider, and never sent to another address.
func TestAKeyOfTheEnvironmentWaitsUntilItsProviderIsChosen(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", canaryKey)
	h, err := Program{}.openHouse(t.Context(), command.Flags{Data: t.TempDir(), Set: []string{"web.enabled=false", "library.watch=false", "privacy.scope=local-only"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	provider := func() llm.Provider {
		for _, s := range h.Models.States(t.Context()) {
			if s.ID == "anthropic" {
				return s.Provider
			}
		}
		t.Fatal("no provider of this name")
		return llm.Provider{}
	}
	if p := provider(); p.HasKey || p.Offer != "ANTHROPIC_API_KEY" {
		t.Errorf("before it is chosen: has a key %v, offers %q", p.HasKey, p.Offer)
	}
	put := func(changes map[string]any) {
		t.Helper()
		if err := h.Settings.Put(changes); err != nil {
			t.Fatal(err)
		}
	}
	put(map[string]any{"models.chat": "anthropic/claude-x"})
	if p := provider(); !p.HasKey || p.Offer != "" {
		t.Errorf("chosen: has a key %v, offers %q", p.HasKey, p.Offer)
	}
	put(map[string]any{"providers.anthropic.url": "https://elsewhere.example"})
	if p := provider(); p.HasKey {
		t.Error("the key would go to another address")
	}
}
