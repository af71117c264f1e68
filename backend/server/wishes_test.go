package server

import (
	"net/http"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/records"
)

func TestPersonasAreMadeChangedUsedAndDeleted(t *testing.T) {
	h := open(t, func(p *plan) { p.replies = []llmtest.Reply{{Text: "Hello to you."}} })
	var made records.Persona
	if status := h.post(t, "/api/personas", api.PersonaText{Name: " Teacher ", Text: "Explain as to a child."}, &made); status != http.StatusCreated || made.Name != "Teacher" || api.CheckID(made.ID) != nil {
		t.Fatalf("%d %+v", status, made)
	}
	path := "/api/personas/" + made.ID
	var list api.Page[records.Persona]
	if h.get(t, "/api/personas", &list); len(list.Items) != 1 || list.Items[0] != made {
		t.Errorf("listed %+v", list.Items)
	}
	if a := h.send(t, "PUT", path, api.PersonaText{Name: "Teacher", Text: "Explain slowly."}, nil); a.status != 200 {
		t.Errorf("changing gives %d %s", a.status, a.body)
	}
	run := h.ask(t, map[string]any{"question": "Write a greeting.", "focus": "writing", "personas": []string{made.ID}})
	if run.Status != contract.Finished || len(run.Question.Personas) != 1 {
		t.Errorf("%+v", run)
	}
	wantFault(t, "no such persona", h.send(t, "POST", "/api/runs", map[string]any{"question": "a", "personas": []string{"x"}}, nil), 400, fault.InvalidRequest)
	wantFault(t, "the same name", h.send(t, "POST", "/api/personas", api.PersonaText{Name: "teacher", Text: "x"}, nil), 400, fault.InvalidRequest)
	wantFault(t, "no name", h.send(t, "POST", "/api/personas", api.PersonaText{Text: "x"}, nil), 400, fault.InvalidRequest)
	wantFault(t, "no text", h.send(t, "POST", "/api/personas", api.PersonaText{Name: "x"}, nil), 400, fault.InvalidRequest)
	if a := h.send(t, "DELETE", path, nil, nil); a.status != http.StatusNoContent {
		t.Errorf("deleting gives %d", a.status)
	}
	for method, body := range map[string]any{"DELETE": nil, "PUT": api.PersonaText{Name: "x", Text: "x"}} {
		wantFault(t, method, h.send(t, method, path, body, nil), 404, fault.NotFound)
	}
}

func TestLensesAreListedAndReplaced(t *testing.T) {
	h := open(t, nil)
	var list api.Page[contract.Lens]
	if h.get(t, "/api/lenses", &list); list.Items == nil || len(list.Items) != 0 {
		t.Errorf("at first %+v", list.Items)
	}
	a := h.send(t, "PUT", "/api/lenses", contract.Lenses{{Pattern: "https://Example.org/", Action: contract.Block, Note: "ads"}}, nil)
	if a.into(t, &list); a.status != 200 || len(list.Items) != 1 || list.Items[0].Pattern != "example.org" {
		t.Errorf("%d %+v", a.status, list.Items)
	}
	wantFault(t, "a bad lens", h.send(t, "PUT", "/api/lenses", contract.Lenses{{Pattern: "x y", Action: contract.Block}}, nil), 400, fault.InvalidRequest)
	if h.get(t, "/api/lenses", &list); len(list.Items) != 1 {
		t.Errorf("a refused list changed it: %+v", list.Items)
	}
	if lenses, err := h.rooms.DB.Lenses(t.Context()); err != nil || lenses.OfHost("www.example.org") != contract.Block {
		t.Errorf("%+v %v", lenses, err)
	}
}
