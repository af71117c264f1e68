package server

import (
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

func TestAStuckThreadIsRepairedAndGoesOn(t *testing.T) {
	h := open(t, slow)
	first := h.ask(t, map[string]any{"question": "Hello!", "models": map[string]string{"chat": "none"}})
	stuck := local("When was the bridge over the Lorne opened?")
	stuck["thread"] = first.Thread
	asked := h.start(t, stuck)
	var thread api.ThreadView
	if status := h.post(t, "/api/threads/"+string(first.Thread)+"/repair", map[string]any{}, &thread); status != 200 {
		t.Fatalf("repair gives %d", status)
	}
	for _, run := range thread.Runs {
		if run.Status == contract.Running || run.Status == contract.Failed {
			t.Errorf("run %s is still %s", run.ID, run.Status)
		}
	}
	if running := h.rooms.Engine.RunningIn(first.Thread); len(running) != 0 {
		t.Errorf("%v of %s still runs", running, asked.Run)
	}
	h.ask(t, map[string]any{"question": "Good morning!", "thread": first.Thread, "models": map[string]string{"chat": "none"}})
	wantFault(t, "no such thread", h.send(t, "POST", "/api/threads/thr_aaaaaaaaaaaaaaaaaaaaaaaaaa/repair", map[string]any{}, nil), 404, fault.NotFound)
}

func TestTheLogOfAPrivateRunHasNoQueryAndNoAddress(t *testing.T) {
	for private, want := range map[bool]bool{true: false, false: true} {
		h := open(t, func(p *plan) {
			p.web = &webtest.Frozen{SearchError: errors.New(`Get "https://engine.example/?q=quizzaciously": no route`)}
		})
		h.ask(t, map[string]any{"question": "Which bridges are quizzaciously built?", "private": private, "focus": "web"})
		if said := h.log.String(); strings.Contains(said, "quizzaciously") != want || !strings.Contains(said, "search the web") {
			t.Errorf("private %v: %s", private, said)
		}
	}
}

func TestAPrivateThreadLeavesNoWordInTheDataFolder(t *testing.T) {
	data := t.TempDir()
	h := open(t, func(p *plan) { p.data, p.files = data, map[string]string{"bridge.md": bridge} })
	q := local("When was the quizzaciously built bridge over the Lorne opened?")
	q["private"] = true
	run := h.ask(t, q)
	q["thread"] = run.Thread
	h.ask(t, q)
	for _, format := range []string{"md", "html", "json", "jsonl"} {
		file, err := h.api.Exports.Write(t.Context(), api.ExportThread{ID: string(run.Thread), Format: format})
		if err != nil || !strings.Contains(string(file.Body), "quizzaciously") {
			t.Errorf("%s: %v, %.200s", format, err, file.Body)
		}
	}
	if _, err := h.api.Exports.Write(t.Context(), api.ExportThread{ID: string(run.Thread), Format: "bundle"}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a bundle of it: %v", err)
	}
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	h.close()
	err := filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		bytes, err := os.ReadFile(path)
		if strings.Contains(string(bytes), "quizzaciously") || strings.Contains(string(bytes), string(run.ID)) || strings.Contains(string(bytes), string(run.Thread)) {
			t.Errorf("%s has a trace of it", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnErasedConversationTakesItsPagesAndPreviewsAlong asks two conversations of
// one page; only the last of them takes the page's text and preview along.
func TestAnErasedConversationTakesItsPagesAndPreviewsAlong(t *testing.T) {
	const address = "https://example.org/lorne"
	h := open(t, func(p *plan) {
		p.web = &webtest.Frozen{Seen: time.Now(), Pages: []webtest.Page{{Address: address, Title: "Lorne bridge", Text: "The Lorne bridge is 503 metres long.\nIt carries a road and two railway tracks."}}}
	})
	pictures := h.hang(t)
	h.rooms.Pages = web.NewCache(web.CacheOptions{Dir: t.TempDir(), Entries: func() int { return 9 }, TTL: func() time.Duration { return time.Hour }, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	var threads []contract.ThreadID
	var source evidence.SourceID
	for range 2 {
		run := h.ask(t, map[string]any{"question": "How long is the Lorne bridge?", "focus": "web"})
		if run.Answer == nil || len(run.Answer.Sources) != 1 {
			t.Fatalf("%+v", run.Answer)
		}
		threads, source = append(threads, run.Thread), run.Answer.Sources[0].ID
	}
	if err := h.rooms.Pictures.Keep(t.Context(), source, pictures+"/bridge.png"); err != nil {
		t.Fatal(err)
	}
	for i, thread := range threads {
		h.rooms.Pages.Put(address, evidence.Document{Source: evidence.Source{Kind: evidence.Web, Address: address, Title: "Lorne bridge"}, Text: "The Lorne bridge"})
		if a := h.send(t, "DELETE", "/api/threads/"+string(thread)+"?erase=true", nil, nil); a.status != http.StatusNoContent {
			t.Fatalf("deleting gives %d", a.status)
		}
		if n := h.rooms.Pages.Len(); n != 0 {
			t.Errorf("%d pages are still in the cache", n)
		}
		want := map[int]int{0: http.StatusOK, 1: http.StatusNotFound}[i]
		for _, path := range []string{"/api/sources/" + string(source), "/api/sources/" + string(source) + "/image"} {
			if a := h.send(t, "GET", path, nil, nil); a.status != want {
				t.Errorf("%s after deleting %d of 2 gives %d, want %d", path, i+1, a.status, want)
			}
		}
	}
}
