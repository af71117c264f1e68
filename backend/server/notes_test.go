package server

import (
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/notebook"
	"footnote/backend/records"
)

func notebookOf(t *testing.T, h *house, name string, files ...string) api.CollectionView {
	t.Helper()
	for i, f := range files {
		files[i] = filepath.Join(h.dir, f)
	}
	var made api.CollectionView
	if status := h.post(t, "/api/collections", map[string]any{"name": name, "files": files}, &made); status != 201 {
		t.Fatalf("%d", status)
	}
	return made
}

func TestANotebookHasItsThreadsAndNotes(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	book := notebookOf(t, h, "Old bridges", "bridge.md")
	h.ask(t, local("When was the bridge over the Lorne opened?"))
	within := local("When was the bridge over the Lorne opened?")
	within["scope"] = contract.Scope{Collections: []string{book.ID}}
	run := h.ask(t, within)
	both := local("When was the bridge over the Lorne opened?")
	both["scope"] = contract.Scope{Collections: []string{book.ID}, Folders: []string{h.dir}}
	other := h.ask(t, both)

	var threads api.Page[records.ThreadInfo]
	if h.get(t, "/api/threads?collection="+book.ID, &threads); len(threads.Items) != 1 || threads.Items[0].ID != run.Thread || threads.Items[0].Within != book.ID {
		t.Fatalf("%+v", threads.Items)
	}
	if a := h.send(t, "PATCH", "/api/threads/"+string(other.Thread), map[string]any{"collection": book.ID}, nil); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantFault(t, "no such notebook", h.send(t, "PATCH", "/api/threads/"+string(other.Thread), map[string]any{"collection": nobody}, nil), 404, fault.NotFound)

	cited := run.Answer.Citations[0]
	quote := map[string]any{"text": cited.Quote.Text, "source": cited.Source, "title": "bridge.md", "locator": cited.At}
	var note, plain notebook.Note
	if status := h.post(t, "/api/collections/"+book.ID+"/notes", map[string]any{"text": " Compare with the ferry. ", "quote": quote}, &note); status != 201 || note.Text != "Compare with the ferry." || note.Quote.Text != cited.Quote.Text {
		t.Fatalf("%d %+v", status, note)
	}
	h.post(t, "/api/collections/"+book.ID+"/notes", map[string]any{"text": "Ask the archive."}, &plain)
	if a := h.send(t, "PATCH", "/api/notes/"+note.ID, map[string]any{"text": ""}, nil); a.status != 200 || !strings.Contains(string(a.body), cited.Quote.Text[:10]) {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantFault(t, "an empty note", h.send(t, "PATCH", "/api/notes/"+plain.ID, map[string]any{"text": " "}, nil), 400, fault.InvalidRequest)
	wantFault(t, "no such source", h.send(t, "POST", "/api/collections/"+book.ID+"/notes", map[string]any{"quote": map[string]any{"text": "x", "source": nobody, "locator": map[string]any{"start": 0, "end": 1}}}, nil), 404, fault.NotFound)
	wantFault(t, "no place", h.send(t, "POST", "/api/collections/"+book.ID+"/notes", map[string]any{"quote": map[string]any{"text": "x", "source": cited.Source}}, nil), 400, fault.InvalidRequest)
	var list api.Page[notebook.Note]
	if h.get(t, "/api/collections/"+book.ID+"/notes", &list); len(list.Items) != 2 || list.Items[0].ID != plain.ID || list.Items[1].Quote == nil {
		t.Errorf("%+v", list.Items)
	}
	var view api.CollectionView
	if h.get(t, "/api/collections/"+book.ID, &view); view.Threads != 2 || view.Notes != 2 {
		t.Errorf("%+v", view)
	}
	h.send(t, "DELETE", "/api/collections/"+book.ID, nil, nil)
	var thread api.ThreadView
	if h.get(t, "/api/threads/"+string(run.Thread), &thread); thread.Within != "" || len(thread.Runs) != 1 {
		t.Errorf("%+v", thread.ThreadInfo)
	}
	wantFault(t, "the notes go with it", h.send(t, "PATCH", "/api/notes/"+note.ID, map[string]any{"text": "x"}, nil), 404, fault.NotFound)
}

func TestWhatANoteQuotesStaysWhenItsFileGoes(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	book := notebookOf(t, h, "Signs", "signs.md")
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	cited := run.Answer.Citations[0]
	var note notebook.Note
	h.post(t, "/api/collections/"+book.ID+"/notes", map[string]any{"quote": map[string]any{"text": cited.Quote.Text, "source": cited.Source, "locator": cited.At}}, &note)
	h.send(t, "DELETE", "/api/threads/"+string(run.Thread)+"?erase=true", nil, nil)
	var files api.Page[api.FileView]
	h.get(t, "/api/library/files?q=bridge", &files)
	for _, f := range files.Items {
		h.send(t, "DELETE", "/api/library/"+f.ID, nil, nil)
	}
	var text api.TextView
	if a := h.get(t, "/api/sources/"+string(cited.Source)+"/text?start=0&end=200", &text); a != 200 || text.Text == "" {
		t.Errorf("%d %+v", a, text)
	}
}

func TestAnEditedQuestionGoesItsOwnWay(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	first := h.ask(t, local("When was the bridge over the Lorne opened?"))
	second := local("When was the ferry sign of Arden put up?")
	second["thread"] = first.Thread
	run := h.ask(t, second)
	var asked api.Asked
	if status := h.post(t, "/api/runs/"+string(run.ID)+"/edit", map[string]any{"question": "Who put the ferry sign of Arden up?"}, &asked); status != 202 || asked.Thread == first.Thread {
		t.Fatalf("%d %+v", status, asked)
	}
	h.follow(t, asked.Events, nil)
	var was, is api.ThreadView
	h.get(t, "/api/threads/"+string(first.Thread), &was)
	h.get(t, "/api/threads/"+string(asked.Thread), &is)
	if len(was.Runs) != 2 || len(is.Runs) != 2 || is.Runs[0].Question.Text != first.Question.Text || is.Runs[1].Question.Text != "Who put the ferry sign of Arden up?" {
		t.Errorf("%d %+v", len(was.Runs), is.Runs)
	}
	if len(is.Versions) != 1 || is.Versions[0].Turn != 1 || len(is.Versions[0].Threads) != 2 || len(was.Versions) != 1 {
		t.Errorf("%+v %+v", was.Versions, is.Versions)
	}
	if is.Runs[1].Question.Focus != contract.FocusLocal {
		t.Errorf("%+v", is.Runs[1].Question)
	}
	wantFault(t, "nothing asked", h.send(t, "POST", "/api/runs/"+string(run.ID)+"/edit", map[string]any{"question": " "}, nil), 400, fault.QuestionEmpty)
	before := 0
	var threads api.Page[records.ThreadInfo]
	h.get(t, "/api/threads", &threads)
	before = len(threads.Items)
	wantFault(t, "too long", h.send(t, "POST", "/api/runs/"+string(run.ID)+"/edit", map[string]any{"question": strings.Repeat("long ", 3000)}, nil), 400, fault.QuestionTooLong)
	if h.get(t, "/api/threads", &threads); len(threads.Items) != before {
		t.Errorf("a refused question left %d threads, were %d", len(threads.Items), before)
	}
	private := local("When was the bridge over the Lorne opened?")
	private["private"] = true
	wantFault(t, "private", h.send(t, "POST", "/api/runs/"+string(h.ask(t, private).ID)+"/edit", map[string]any{"question": "When was it closed?"}, nil), 400, fault.InvalidRequest)
}
