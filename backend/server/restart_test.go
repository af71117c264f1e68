package server

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/llm/llmtest"
)

// restart ends the program as a person would and starts it again on the same
// data folder.
func (h *house) restart(t *testing.T, change func(*plan)) *house {
	t.Helper()
	data := h.rooms.Settings.DataDir()
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	h.close()
	return open(t, func(p *plan) {
		p.data = data
		if change != nil {
			change(p)
		}
	})
}

func TestAReaderResumesAfterARestart(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	events := "/api/runs/" + string(run.ID) + "/events"
	before := h.follow(t, events, nil)[1:]
	again := h.restart(t, nil)
	for _, after := range []int{0, 1, len(before) / 2, len(before) - 1, len(before)} {
		got := again.follow(t, events, func(r *http.Request) { r.Header.Set("Last-Event-ID", strconv.Itoa(after)) })[1:]
		if !slices.Equal(got, before[after:]) {
			t.Errorf("after %d: %d events, want %d", after, len(got), len(before)-after)
		}
	}
	var kept api.RunView
	again.get(t, "/api/runs/"+string(run.ID), &kept)
	if kept.Answer == nil || kept.Answer.Answer != run.Answer.Answer {
		t.Errorf("%+v", kept)
	}
	c := run.Answer.Citations[0]
	var text api.TextView
	if again.get(t, "/api/sources/"+string(c.Source)+"/text?citation="+string(run.ID)+":0", &text); len(text.Highlight) == 0 {
		t.Errorf("%+v", text)
	}
}

func TestARunThatTheEndCutShortIsTold(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	housetest.Until(t, "the answer is being written", func() bool { return h.rooms.Engine.Head(asked.Run) > 8 })
	again := h.restart(t, nil)
	frames := again.follow(t, asked.Events, nil)
	var last contract.Event
	if err := json.Unmarshal([]byte(frames[len(frames)-1].data), &last); err != nil || !last.Kind.Terminal() {
		t.Errorf("the log ends with %s", frames[len(frames)-1].data)
	}
	var run api.RunView
	if again.get(t, "/api/runs/"+string(asked.Run), &run); run.Status == contract.Running {
		t.Errorf("the run is still %s", run.Status)
	}
	wantFault(t, "stopping it", again.send(t, "POST", "/api/runs/"+string(asked.Run)+"/stop", map[string]any{}, nil), 409, fault.AlreadyEnded)
}

func TestASessionGoesOnAfterARestart(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	h.compat(t, "mine", "When was the bridge over the Lorne opened?")
	thread := h.threadOf(t, "mine")
	again := h.restart(t, nil)
	again.compat(t, "mine", "What did it cost?")
	if again.threadOf(t, "mine") != thread {
		t.Error("the session has another thread")
	}
	if got := steps_(again.progress(t, "mine")); !slices.Equal(got, allSteps) {
		t.Errorf("%v", got)
	}
}

func TestTheReadersOwnCallIsAnsweredInACrowd(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	var crowd sync.WaitGroup
	answers := make(chan int, 200)
	for i := range 200 {
		crowd.Go(func() {
			path := []string{"/api/threads", "/api/library/search?q=bridge", "/api/settings", "/"}[i%4]
			answers <- h.send(t, "GET", path, nil, nil).status
		})
	}
	began := time.Now()
	own := h.open(t, "GET", "/api/health", nil, nil) // 3 s where nothing else is at work; a machine that tests has more to do
	own.Body.Close()
	if took := time.Since(began); own.StatusCode != 200 || took > 30*time.Second {
		t.Errorf("%d after %v", own.StatusCode, took)
	}
	crowd.Wait()
	close(answers)
	for status := range answers {
		if status != 200 {
			t.Errorf("one of the crowd gets %d", status)
		}
	}
}

func TestAFollowUpKnowsWhatWasSaid(t *testing.T) {
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.replies = []llmtest.Reply{{Text: "It was opened on 3 May 1932 [1]."}}
	})
	first := h.ask(t, local("When was the bridge over the Lorne opened?"))
	q := local("And what did it cost?")
	q["thread"] = first.Thread
	before := len(h.model.Calls())
	h.ask(t, q)
	heard := false
	for _, call := range h.model.Calls()[before:] {
		for _, m := range call.Messages {
			heard = heard || strings.Contains(m.Text, "When was the bridge over the Lorne opened?")
		}
	}
	if !heard {
		t.Error("the model was not told of the first question")
	}
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.md")
	for _, body := range []string{"first", "second"} {
		if err := SaveFile(path, []byte(body)); err != nil {
			t.Fatal(err)
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != body {
			t.Errorf("%q %v", kept, err)
		}
	}
	if err := SaveFile(filepath.Join(dir, "none", "out.md"), nil); fault.CodeOf(err) != fault.PathNotAllowed {
		t.Errorf("into no folder: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := SaveFile(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("over a folder: no error")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".footnote-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestTheServerTellsWhoCanReachIt(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1:1": false, "[::1]:1": false, "0.0.0.0:1": true, "[::]:1": true, "192.168.1.4:1": true} {
		if got := Remote(place(address)); got != want {
			t.Errorf("%s is remote: %v", address, got)
		}
	}
}

// place is an address by its text.
type place string

func (place) Network() string  { return "tcp" }
func (p place) String() string { return string(p) }
