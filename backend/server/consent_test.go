package server

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web"
)

func TestFileTextGoesToACloudModelOnlyOnceItIsAllowed(t *testing.T) {
	h := open(t, func(p *plan) {
		p.origin = "https://cloud.example"
		p.files = map[string]string{"bridge.md": bridge + "\n\nThe gate of the bridge has the PIN: 4711."}
		p.replies = []llmtest.Reply{{Text: "It was opened on 3 May 1932 [1]."}}
	})
	question := "When was the bridge over the Lorne opened?"
	run := h.ask(t, local(question))
	if run.Answer == nil || run.Answer.Outcome != contract.Extracted || !strings.Contains(run.Answer.Answer, "1932") {
		t.Fatalf("%+v", run.Answer)
	}
	if calls := h.model.Calls(); len(calls) != 0 {
		t.Fatalf("the model was sent %+v", calls)
	}
	noticed := false
	for _, n := range run.Answer.Notices {
		noticed = noticed || n.Code == string(fault.ConfirmNeeded) && n.Action == "allow-cloud:test"
	}
	if !noticed {
		t.Errorf("nothing was asked: %+v", run.Answer.Notices)
	}
	var preview api.Page[api.SentFile]
	if status := h.get(t, "/api/runs/"+string(run.ID)+"/preview", &preview); status != 200 || len(preview.Items) != 1 || !strings.Contains(preview.Items[0].Passages[0].Text, "3 May 1932") {
		t.Errorf("the preview is %d %+v", status, preview.Items)
	} else if text := preview.Items[0].Passages[0].Text; strings.Contains(text, "4711") || !strings.Contains(text, "PIN: [password]") {
		t.Errorf("the preview shows %q", text)
	}
	if a := h.send(t, "PUT", "/api/consents/test", map[string]any{}, nil); a.status != http.StatusNoContent {
		t.Fatalf("allowing gives %d %s", a.status, a.body)
	}
	again := h.ask(t, local(question))
	if again.Answer.Outcome != contract.Answered || len(h.model.Calls()) == 0 {
		t.Errorf("allowed, and yet %s", again.Answer.Outcome)
	}
	var list api.Page[string]
	if h.get(t, "/api/consents", &list); len(list.Items) != 1 || list.Items[0] != "test" {
		t.Errorf("consents %+v", list.Items)
	}
	if a := h.send(t, "DELETE", "/api/consents/test", nil, nil); a.status != http.StatusNoContent {
		t.Errorf("taking it back gives %d", a.status)
	}
	wantFault(t, "nobody", h.send(t, "PUT", "/api/consents/nobody", map[string]any{}, nil), 404, fault.NotFound)
}

func TestTheLedgerNamesTheFilesWhoseTextWentOut(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	cited := h.ask(t, local("When was the bridge over the Lorne opened?")).Answer.Citations[0].Passage
	h.rooms.Warmer = web.NewWarmer(web.WarmOptions{
		Shut: func() bool { return true }, Now: time.Now, Log: h.rooms.Log,
		Book: openedBook{{Host: "cloud.example", Purpose: "chat", Requests: 1, Sent: []evidence.PassageID{cited, cited, "psg_aaaaaaaaaaaaaaaaaaaaaaaaaa"}}, {Host: "engine.example", Purpose: "search", Sent: []evidence.PassageID{}}},
	})
	defer h.rooms.Warmer.Close()
	var page api.Page[api.LedgerLine]
	if h.get(t, "/api/ledger", &page); len(page.Items) != 2 {
		t.Fatalf("%+v", page.Items)
	}
	for _, line := range page.Items {
		if n := len(line.Files); line.Host == "cloud.example" && (n != 1 || filepath.Base(line.Files[0].Path) != "bridge.md") || line.Host == "engine.example" && n != 0 {
			t.Errorf("%s was sent %+v", line.Host, line.Files)
		}
	}
}

func TestACloudModelNeedsNoConsentWhereNoFilesAreInvolved(t *testing.T) {
	h := open(t, func(p *plan) {
		p.origin = "https://cloud.example"
		p.replies = []llmtest.Reply{{Text: "Hello to you."}}
	})
	if run := h.ask(t, map[string]any{"question": "Write a greeting.", "focus": "writing"}); run.Answer == nil || !strings.Contains(run.Answer.Answer, "Hello to you.") {
		t.Errorf("%+v", run.Answer)
	}
}
