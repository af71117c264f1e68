package server

import (
	"encoding/json"
	"mime"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/export"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
)

func TestAThreadIsTakenAway(t *testing.T) {
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.replies = []llmtest.Reply{{Text: "The bridge was opened on 3 May 1932 [1]. Its index is `a[1]`."}}
	})
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	export := "/api/threads/" + string(run.Thread) + "/export"
	md := h.send(t, "GET", export, nil, nil)
	if md.header.Get("Content-Type") != "text/markdown; charset=utf-8" || name(t, md) != "When was the bridge over the Lorne opened.md" {
		t.Errorf("%v", md.header)
	}
	for _, part := range []string{"# When was the bridge", "opened on 3 May 1932 [1].", "`a[1]`", "[1] The Lorne bridge — bridge.md"} {
		if !strings.Contains(string(md.body), part) {
			t.Errorf("no %q in\n%s", part, md.body)
		}
	}
	other := h.send(t, "GET", export+"?format=md&style=%5B%5E1%5D&run="+string(run.ID), nil, nil)
	for _, part := range []string{"opened on 3 May 1932 [^1].", "`a[1]`", "[^1]: The Lorne bridge — "} {
		if !strings.Contains(string(other.body), part) {
			t.Errorf("no %q in\n%s", part, other.body)
		}
	}
	var thread api.ThreadView
	if a := h.send(t, "GET", export+"?format=json", nil, nil); json.Unmarshal(a.body, &thread) != nil || thread.Runs[0].Answer.Answer != run.Answer.Answer || name(t, a) == "" {
		t.Errorf("%s", a.body)
	}
	lines := strings.Split(strings.TrimSpace(string(h.send(t, "GET", export+"?format=jsonl", nil, nil).body)), "\n")
	var last contract.Event
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Kind != "finished" || last.Seq != len(lines) {
		t.Errorf("%v %s", err, lines[len(lines)-1])
	}
	wantFault(t, "another format", h.send(t, "GET", export+"?format=exe", nil, nil), 406, fault.NotAcceptable)
	wantFault(t, "another style", h.send(t, "GET", export+"?style=x", nil, nil), 400, fault.InvalidRequest)
	wantFault(t, "a run of no thread", h.send(t, "GET", export+"?run=run_x", nil, nil), 404, fault.NotFound)
	wantFault(t, "no thread", h.send(t, "GET", "/api/threads/thr_aaaaaaaaaaaaaaaaaaaaaaaaaa/export", nil, nil), 404, fault.NotFound)
}

func name(t *testing.T, a answered) string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(a.header.Get("Content-Disposition"))
	if err != nil || kind != "attachment" {
		t.Errorf("%q: %v", a.header.Get("Content-Disposition"), err)
	}
	return params["filename"]
}

func TestAThreadIsTakenAwayInEveryForm(t *testing.T) {
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.replies = []llmtest.Reply{{Text: "The bridge was opened on 3 May 1932 [1]."}}
	})
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	for _, format := range export.Formats() {
		a := h.send(t, "GET", "/api/threads/"+string(run.Thread)+"/export?format="+format, nil, nil)
		if a.status != 200 || len(a.body) == 0 || name(t, a) == "" {
			t.Errorf("%s: %d, %d bytes of %s as %q", format, a.status, len(a.body), a.header.Get("Content-Type"), name(t, a))
		}
		t.Logf("%-7s %6d bytes %s", format, len(a.body), name(t, a))
	}
}

func TestFileNamesAreOnlyNames(t *testing.T) {
	for title, want := range map[string]string{
		"What is it": "What is it", "a/b\\c:d": "a-b-c-d", "..": "x", "": "x", "…": "x", ".hidden": "hidden", "end. ": "end", "\x00\x1b[2J": "--[2J",
		"\u202egnp.exe": "-gnp.exe", "a\xffb": "a-b", "naïve 🌉": "naïve 🌉", strings.Repeat("ü", 100): strings.Repeat("ü", 60),
	} {
		if got := api.FileName(title, "x"); got != want {
			t.Errorf("%q becomes %q, want %q", title, got, want)
		}
	}
}
