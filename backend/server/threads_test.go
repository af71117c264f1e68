package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
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
