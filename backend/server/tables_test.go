package server

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/table"
)

const (
	whenOpened = "When was the bridge over the Lorne opened?"
	whenSigned = "When was the ferry sign of Arden put up?"
)

// filled is a table once no cell of it is empty.
func (h *house) filled(t *testing.T, id string) (made api.TableView) {
	t.Helper()
	told := h.follow(t, "/api/tables/"+id+"/events", nil)[1:]
	if h.get(t, "/api/tables/"+id, &made); len(told) != len(made.Cells)+1 || told[len(told)-1].event != "done" || made.Filled != len(made.Files)*len(made.Questions) {
		t.Fatalf("told %+v of %+v", told, made)
	}
	return made
}

// at is a cell of a table.
func at(made api.TableView, file, question string) table.Cell {
	i := slices.IndexFunc(made.Cells, func(c table.Cell) bool {
		return filepath.Base(made.Files[c.Row].Path) == file && made.Questions[c.Column] == question
	})
	return made.Cells[i]
}

func TestATableIsFilledTakenAwayAndGoesOnAfterARestart(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	wantFault(t, "no file", h.send(t, "POST", "/api/tables", map[string]any{"questions": []string{"When?"}}, nil), 400, fault.InvalidRequest)
	var made api.TableView
	if status := h.post(t, "/api/tables", map[string]any{"folders": []string{h.dir}, "questions": []string{whenOpened, " " + whenOpened}}, &made); status != 201 || len(made.Files) != 2 || len(made.Questions) != 1 || made.Title != whenOpened {
		t.Fatalf("%d %+v", status, made)
	}
	one := h.filled(t, made.ID)
	c := at(one, "bridge.md", whenOpened)
	if !strings.Contains(c.Quote, "1932") || at(one, "signs.md", whenOpened).State == table.Found {
		t.Errorf("%+v", one.Cells)
	}
	var p api.PassageView
	if h.get(t, "/api/passages/"+string(c.Passage), &p); !strings.Contains(string([]rune(p.Text)[c.Marks[0].Start:c.Marks[0].End]), "1932") {
		t.Errorf("%+v does not light its words in %q", c.Marks, p.Text)
	}

	data := h.db
	wide := made.ID
	kept, err := data.Table(t.Context(), wide, 0)
	if err != nil {
		t.Fatal(err)
	}
	kept.Questions = append(kept.Questions, whenSigned)
	if err := data.PutTable(t.Context(), kept); err != nil { // as a process leaves it that ends at once
		t.Fatal(err)
	}
	h = h.restart(t, nil)
	two := h.filled(t, made.ID)
	if again := at(two, "bridge.md", whenOpened); again.Seq != c.Seq || !strings.Contains(at(two, "signs.md", whenSigned).Quote, "1974") {
		t.Errorf("%+v", two.Cells)
	}
	for format, holds := range map[string]string{"csv": "footnote://source/", "xlsx": "PK"} {
		if a := h.send(t, "GET", "/api/tables/"+made.ID+"/export?format="+format, nil, nil); a.status != 200 || !strings.Contains(string(a.body), holds) {
			t.Errorf("%s: %d", format, a.status)
		}
	}
	wantFault(t, "form", h.send(t, "GET", "/api/tables/"+made.ID+"/export?format=doc", nil, nil), 400, fault.InvalidRequest)
}

func TestATableChangesIsStoppedAndForgotten(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	var made, changed api.TableView
	h.post(t, "/api/tables", map[string]any{"title": "Arden", "files": []string{filepath.Join(h.dir, "bridge.md")}, "questions": []string{whenOpened}}, &made)
	h.filled(t, made.ID)
	address := "/api/tables/" + made.ID
	a := h.send(t, "PATCH", address, map[string]any{"title": "Signs", "files": []string{filepath.Join(h.dir, "signs.md")}, "questions": []string{whenSigned}, "without": []string{made.Files[0].ID}}, nil)
	a.into(t, &changed)
	if changed.Title != "Signs" || len(changed.Files) != 1 || len(changed.Cells) != 0 || changed.Filled != 0 {
		t.Errorf("%d %+v", a.status, changed)
	}
	h.filled(t, made.ID)
	if h.post(t, address+"/stop", map[string]any{}, &changed); !changed.Paused {
		t.Errorf("%+v", changed)
	}
	if h.post(t, address+"/fill", map[string]any{}, &changed); changed.Paused {
		t.Errorf("%+v", changed)
	}
	var list api.Page[api.TableView]
	if h.get(t, "/api/tables", &list); len(list.Items) != 1 || len(list.Items[0].Cells) != 0 {
		t.Errorf("%+v", list)
	}
	if a := h.send(t, "DELETE", address, nil, nil); a.status != 204 {
		t.Errorf("%d", a.status)
	}
	wantFault(t, "forgotten", h.send(t, "GET", address, nil, nil), 404, fault.NotFound)
}

func TestACellOpensWhenItsFileIsGone(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	var made api.TableView
	h.post(t, "/api/tables", map[string]any{"folders": []string{h.dir}, "questions": []string{whenOpened}}, &made)
	c := h.filled(t, made.ID).Cells[0]
	if a := h.send(t, "DELETE", "/api/library/"+made.Files[0].ID, nil, nil); a.status != 204 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	passage := fmt.Sprintf("/api/passages/%s", c.Passage)
	if a := h.send(t, "GET", passage, nil, nil); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	h.send(t, "DELETE", "/api/tables/"+made.ID, nil, nil)
	wantFault(t, "with the table", h.send(t, "GET", passage, nil, nil), 404, fault.NotFound)
}
