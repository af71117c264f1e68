package server

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
)

func TestACollectionIsMadeChangedAskedAndForgotten(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	var made api.CollectionView
	body := map[string]any{"name": "Old bridges", "files": []string{filepath.Join(h.dir, "bridge.md")}}
	if status := h.post(t, "/api/collections", body, &made); status != 201 || made.Name != "Old bridges" || len(made.Files) != 1 || made.Files[0].Name != "bridge.md" || made.Texts != 1 {
		t.Fatalf("%d %+v", status, made)
	}
	var list api.Page[api.CollectionView]
	if h.get(t, "/api/collections", &list); len(list.Items) != 1 || list.Items[0].ID != made.ID {
		t.Errorf("%+v", list)
	}
	run := h.ask(t, local("@old-bridges When was the bridge over the Lorne opened?"))
	if run.Question.Text != "@old-bridges When was the bridge over the Lorne opened?" || run.Answer.Question != run.Question.Text || !strings.Contains(run.Answer.Answer, "1932") {
		t.Errorf("%+v", run.Answer)
	}
	if run = h.ask(t, local("When was the ferry sign of Arden put up? @old-bridges")); strings.Contains(run.Answer.Answer, "1974") {
		t.Errorf("the scope does not hold: %s", run.Answer.Answer)
	}
	ticked := local("When was the ferry sign of Arden put up?")
	ticked["scope"] = contract.Scope{Collections: []string{made.ID}}
	if run = h.ask(t, ticked); strings.Contains(run.Answer.Answer, "1974") {
		t.Errorf("the ticked scope does not hold: %s", run.Answer.Answer)
	}

	var changed api.CollectionView
	if status := h.post(t, "/api/collections/"+made.ID, map[string]any{"name": "Crossings", "folders": []string{h.dir}}, &changed); status != 200 || changed.Texts != 2 || len(changed.Folders) != 1 || len(changed.Files) != 0 {
		t.Errorf("%d %+v", status, changed)
	}
	if run = h.ask(t, ticked); !strings.Contains(run.Answer.Answer, "1974") { // the same question, of another collection
		t.Errorf("%s", run.Answer.Answer)
	}
	if a := h.send(t, "DELETE", "/api/collections/"+made.ID, nil, nil); a.status != 204 {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantFault(t, "forgotten", h.send(t, "GET", "/api/collections/"+made.ID, nil, nil), 404, fault.NotFound)
	wantFault(t, "no name", h.send(t, "POST", "/api/collections", map[string]any{}, nil), 400, fault.InvalidRequest)
	wantFault(t, "not in the library", h.send(t, "POST", "/api/collections", map[string]any{"name": "x", "files": []string{"/nowhere"}}, nil), 404, fault.NotFound)
}

func TestAnUnknownNameInAQuestionIsTold(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	run := h.ask(t, local("When was the bridge over the Lorne opened? @brigdes"))
	if !slices.ContainsFunc(run.Answer.Notices, func(n contract.Notice) bool {
		return n.Code == "unknown-name" && strings.Contains(n.Message, "@brigdes")
	}) {
		t.Errorf("%+v", run.Answer.Notices)
	}
	ticked := local("When was the bridge over the Lorne opened?")
	ticked["scope"] = contract.Scope{Collections: []string{"brigdes"}}
	if run = h.ask(t, ticked); run.Failure == nil || run.Failure.Code != fault.NotFound {
		t.Errorf("%+v", run.Failure)
	}
}

func TestWhatIsAddedJoinsACollection(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	var added api.AddView
	if status := h.post(t, "/api/library", map[string]any{"paths": []string{h.dir}, "collection": "Lorne"}, &added); status != 202 || len(added.Added) != 1 {
		t.Fatalf("%d %+v", status, added)
	}
	var list api.Page[api.CollectionView]
	if h.get(t, "/api/collections", &list); len(list.Items) != 1 || list.Items[0].Name != "Lorne" || len(list.Items[0].Folders) != 1 {
		t.Errorf("%+v", list)
	}
	bad := map[string]any{"paths": []string{h.dir}, "collection": "a/b"}
	wantFault(t, "a name that is none", h.send(t, "POST", "/api/library", bad, nil), 400, fault.InvalidRequest)
}
