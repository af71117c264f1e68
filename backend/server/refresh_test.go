package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/library"
	"footnote/backend/web/webtest"
)

const (
	tower  = "# The tower\nThe tower of Arden is 61 metres high. It was finished in 1887."
	lights = "# Lights\nThe tower of Arden has carried a lamp since 1901."
)

func towerPages() []webtest.Page {
	return []webtest.Page{
		{Address: "https://one.example/tower", Title: "The tower", Text: tower},
		{Address: "https://two.example/lights", Title: "Lights of the coast", Text: lights},
	}
}

// told is a diff in short: one line a change.
func told(d *contract.Diff) []string {
	var lines []string
	if d == nil {
		return []string{"no diff"}
	}
	for _, c := range d.Claims {
		lines = append(lines, fmt.Sprintf("claim %s: %s > %s", c.Change, c.Before, c.After))
	}
	for _, l := range d.Links {
		lines = append(lines, fmt.Sprintf("dead %s: %s", filepath.Base(l.Address), l.Code))
	}
	for _, p := range d.Passages {
		lines = append(lines, fmt.Sprintf("edited %s: %s > %s", filepath.Base(p.Address), lastLine(p.Before), lastLine(p.After)))
	}
	for _, s := range d.Sources {
		lines = append(lines, fmt.Sprintf("source %s: %s", s.Change, filepath.Base(s.Address)))
	}
	slices.Sort(lines)
	return lines
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// scenario plants changes between an answer and its refreshing, and names what
// must be found: these and no others.
type scenario struct {
	name   string
	plant  func(t *testing.T, h *house)
	wanted []string
}

func onPage(i int, change func(*webtest.Page)) func(*testing.T, *house) {
	return func(_ *testing.T, h *house) { change(&h.web.Pages[i]) }
}

var webScenarios = []scenario{
	{"nothing changed", func(*testing.T, *house) {}, nil},
	{"a number was edited", onPage(0, func(p *webtest.Page) { p.Text = strings.Replace(tower, "61", "62", 1) }), []string{
		"claim changed: The tower of Arden is 61 metres high. > The tower of Arden is 62 metres high.",
		"edited tower: The tower of Arden is 61 metres high. It was finished in 1887. > The tower of Arden is 62 metres high. It was finished in 1887.",
	}},
	{"a page is gone", func(_ *testing.T, h *house) { h.web.Pages = h.web.Pages[:1] }, []string{
		"claim gone: The tower of Arden has carried a lamp since 1901. > ", "dead lights: http-404", "source gone: lights",
	}},
	{"a page came", func(_ *testing.T, h *house) {
		h.web.Pages = append(h.web.Pages, webtest.Page{Address: "https://three.example/visits", Title: "Visits", Text: "# Visits\nThe tower of Arden is open to visitors on Sundays."})
	}, []string{"claim new:  > The tower of Arden is open to visitors on Sundays.", "source new: visits"}},
	{"a page moved", onPage(1, func(p *webtest.Page) { p.Address = "https://two.example/lamps" }), []string{"dead lights: http-404", "source gone: lights", "source new: lamps"}},
	{"something else was added to a page", onPage(0, func(p *webtest.Page) { p.Text = tower + "\nTickets cost three pounds." }), nil},
}

func (h *house) about(t *testing.T, focus string) api.RunView {
	t.Helper()
	return h.ask(t, map[string]any{"question": "What is known of the tower of Arden?", "focus": focus, "mode": "balanced"})
}

func (h *house) refreshed(t *testing.T, run contract.RunID) *contract.Diff {
	t.Helper()
	var again api.Asked
	if status := h.post(t, "/api/runs/"+string(run)+"/refresh", map[string]any{}, &again); status != 202 {
		t.Fatalf("refresh gives %d", status)
	}
	if last := must[contract.Event](t)(h.rooms.Engine.Wait(t.Context(), again.Run)); last.Kind != "finished" {
		t.Fatalf("%+v", last)
	}
	view := must[api.RunView](t)(h.api.Runs.Get(t.Context(), api.ID{ID: string(again.Run)}))
	if view.Question.Refreshes != run || view.Answer.Diff == nil || view.Answer.Diff.Run != run {
		t.Fatalf("%+v", view)
	}
	return view.Answer.Diff
}

func TestRefreshFindsExactlyWhatChangedOnTheWeb(t *testing.T) {
	for _, c := range webScenarios {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, func(p *plan) { p.web = &webtest.Frozen{Pages: towerPages()} })
			run := h.about(t, "web")
			c.plant(t, h)
			if got := told(h.refreshed(t, run.ID)); !slices.Equal(got, c.wanted) {
				t.Errorf("found\n  %s\nwanted\n  %s\nafter\n%s", strings.Join(got, "\n  "), strings.Join(c.wanted, "\n  "), run.Answer.Answer)
			}
		})
	}
}

// rewrite changes the library's files and has them read again.
func rewrite(files map[string]string) func(*testing.T, *house) {
	return func(t *testing.T, h *house) {
		for name, text := range files {
			path := filepath.Join(h.dir, name)
			err := os.Remove(path)
			if text != "" {
				err = os.WriteFile(path, []byte(text), 0o600)
			}
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if _, err := h.api.Library.Rescan(t.Context(), api.Rescanned{}); err != nil {
			t.Fatal(err)
		}
		housetest.Until(t, "the library has seen what changed", func() bool {
			files := must[api.Page[api.FileView]](t)(h.api.Library.Files(t.Context(), api.FilesQuery{Paging: api.Paging{Limit: 200}}))
			seen := map[string]string{}
			for _, f := range files.Items {
				if f.Status == api.FileReady {
					seen[filepath.Base(f.Path)] = f.Digest
				}
			}
			there := must[[]os.DirEntry](t)(os.ReadDir(h.dir))
			for _, f := range there {
				if seen[f.Name()] != evidence.Digest(must[[]byte](t)(os.ReadFile(filepath.Join(h.dir, f.Name())))) {
					return false
				}
			}
			status := must[library.Status](t)(h.rooms.Library.Status(t.Context()))
			return len(seen) == len(there) && status.Totals.Indexed == status.Totals.Chunks
		})
	}
}

var fileScenarios = []scenario{
	{"a file was edited", rewrite(map[string]string{"tower.md": strings.Replace(tower, "61", "63", 1)}), []string{
		"claim changed: The tower of Arden is 61 metres high. > The tower of Arden is 63 metres high.",
		"edited tower.md: The tower of Arden is 61 metres high. It was finished in 1887. > The tower of Arden is 63 metres high. It was finished in 1887.",
	}},
	{"a file was edited beside what is quoted", rewrite(map[string]string{"tower.md": strings.Replace(tower, "1887", "1888", 1)}), []string{
		"edited tower.md: The tower of Arden is 61 metres high. It was finished in 1887. > The tower of Arden is 61 metres high. It was finished in 1888.",
	}},
	{"a file was deleted", rewrite(map[string]string{"lights.md": ""}), []string{
		"claim gone: The tower of Arden has carried a lamp since 1901. > ", "dead lights.md: not-found", "source gone: lights.md",
	}},
	{"a file was added", rewrite(map[string]string{"visits.md": "# Visits\nThe tower of Arden is open to visitors on Sundays."}), []string{
		"claim new:  > The tower of Arden is open to visitors on Sundays.", "source new: visits.md",
	}},
	{"a file was rewritten", rewrite(map[string]string{"lights.md": "# Bread\nLoaves were baked here daily."}), []string{
		"claim gone: The tower of Arden has carried a lamp since 1901. > ", "edited lights.md: The tower of Arden has carried a lamp since 1901. > ", "source gone: lights.md",
	}},
}

func TestRefreshFindsExactlyWhatChangedInFiles(t *testing.T) {
	for _, c := range fileScenarios {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, func(p *plan) { p.files = map[string]string{"tower.md": tower, "lights.md": lights} })
			run := h.about(t, "local")
			c.plant(t, h)
			if got := told(h.refreshed(t, run.ID)); !slices.Equal(got, c.wanted) {
				t.Errorf("found\n  %s\nwanted\n  %s\nafter\n%s", strings.Join(got, "\n  "), strings.Join(c.wanted, "\n  "), run.Answer.Answer)
			}
		})
	}
}

func TestWhatHasNoAnswerIsNotRefreshed(t *testing.T) {
	h := open(t, nil)
	wantFault(t, "no run", h.send(t, "POST", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/refresh", map[string]any{}, nil), 404, fault.NotFound)
}
