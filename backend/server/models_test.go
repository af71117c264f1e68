package server

import (
	"bufio"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/llm"
)

// fetching is the server of a provider that fetches models: each waits for next.
type fetching struct {
	housetest.OneModel
	next chan llm.Progress
	gone chan struct{} // closed when the fetching was given up
}

func (f fetching) Pull(ctx context.Context, _ string) iter.Seq2[llm.Progress, error] {
	return func(yield func(llm.Progress, error) bool) {
		for {
			select {
			case step := <-f.next:
				if step.Status == "refused" {
					yield(llm.Progress{}, fault.New(fault.ModelMissing, "There is no such model.", "Choose another."))
					return
				}
				if !yield(step, nil) || step.Status == "success" {
					return
				}
			case <-ctx.Done():
				close(f.gone)
				yield(llm.Progress{}, ctx.Err())
				return
			}
		}
	}
}

func openFetching(t *testing.T) (*house, fetching) {
	f := fetching{next: make(chan llm.Progress), gone: make(chan struct{})}
	return open(t, func(p *plan) {
		p.tune = func(s *Server) {
			s.rooms.Models = llm.NewRegistry(func() []llm.Provider {
				return []llm.Provider{
					{ID: "ollama", Name: "Ollama", Local: true, Model: emptyModel{}, Server: f},
					{ID: "net", Name: "Net", NeedsKey: true, Offer: "NET_API_KEY", Model: emptyModel{}, Server: housetest.OneModel{}},
					{ID: "far", Name: "Far", NeedsKey: true, HasKey: true, Model: emptyModel{}, Server: housetest.OneModel{}},
				}
			}, time.Now)
		}
	}), f
}

type emptyModel struct{}

func (emptyModel) Stream(context.Context, llm.Call) iter.Seq2[llm.Delta, error] {
	return func(func(llm.Delta, error) bool) {}
}

// jobEvents reads a job's stream to its end.
func jobEvents(t *testing.T, h *house, id string, each func(api.JobEvent)) []api.JobEvent {
	t.Helper()
	resp := h.open(t, "GET", "/api/jobs/"+id+"/events", nil, func(r *http.Request) { r.Header.Set("Accept", "text/event-stream") })
	defer resp.Body.Close()
	var all []api.JobEvent
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e api.JobEvent
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
		if each != nil {
			each(e)
		}
	}
	return all
}

func TestAPullTellsItsProgress(t *testing.T) {
	h, f := openFetching(t)
	var started api.JobStarted
	if status := h.post(t, "/api/models/pull", map[string]string{"model": "ollama/tiny"}, &started); status != http.StatusAccepted || started.Job == "" {
		t.Fatalf("%d %+v", status, started)
	}
	f.next <- llm.Progress{Status: "pulling 7cd4", Done: 1, Total: 2}
	all := jobEvents(t, h, started.Job, func(e api.JobEvent) {
		if e.Kind == "pulling" && e.Body.(map[string]any)["status"] == "pulling 7cd4" {
			f.next <- llm.Progress{Status: "success"}
		}
	})
	if last := all[len(all)-1]; len(all) < 2 || last.Kind != "done" || all[0].Body.(map[string]any)["total"] != 2.0 || all[0].Job != started.Job {
		t.Errorf("%+v", all)
	}
	if late := jobEvents(t, h, started.Job, nil); len(late) != 1 || late[0].Kind != "done" {
		t.Errorf("a reader that comes late: %+v", late)
	}
}

func TestAPullThatIsRefusedSaysWhy(t *testing.T) {
	h, f := openFetching(t)
	for model, code := range map[string]fault.Code{"nobody/x": fault.InvalidModel, "far/x": fault.InvalidModel, "": fault.InvalidModel} {
		wantFault(t, model, h.send(t, "POST", "/api/models/pull", map[string]string{"model": model}, nil), 400, code)
	}
	var started api.JobStarted
	h.post(t, "/api/models/pull", map[string]string{"model": "ollama/none"}, &started)
	f.next <- llm.Progress{Status: "refused"}
	all := jobEvents(t, h, started.Job, nil)
	if last := all[len(all)-1]; last.Kind != "failed" || last.Body.(map[string]any)["code"] != "model-missing" || last.Body.(map[string]any)["hint"] == "" {
		t.Errorf("%+v", all)
	}
}

func TestAStoppedJobEndsItsWork(t *testing.T) {
	h, f := openFetching(t)
	var started api.JobStarted
	h.post(t, "/api/models/pull", map[string]string{"model": "ollama/tiny"}, &started)
	if a := h.send(t, "DELETE", "/api/jobs/"+started.Job, nil, nil); a.status != http.StatusNoContent {
		t.Fatal(a.status)
	}
	<-f.gone
	all := jobEvents(t, h, started.Job, nil)
	if last := all[len(all)-1]; last.Kind != "failed" || last.Body.(map[string]any)["code"] != "interrupted" {
		t.Errorf("%+v", all)
	}
	wantFault(t, "unknown job", h.send(t, "DELETE", "/api/jobs/job_0000000000", nil, nil), 404, fault.NotFound)
	wantFault(t, "unknown job", h.send(t, "GET", "/api/jobs/job_0000000000/events", nil, func(r *http.Request) { r.Header.Set("Accept", "text/event-stream") }), 404, fault.NotFound)
}

func TestClosingEndsAllJobs(t *testing.T) {
	h, f := openFetching(t)
	h.post(t, "/api/models/pull", map[string]string{"model": "ollama/tiny"}, nil)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	<-f.gone
}

func TestAProviderOfTheNetIsListedWhenAskedFor(t *testing.T) {
	h, _ := openFetching(t)
	var models api.ModelsView
	h.get(t, "/api/models", &models)
	if p := models.Providers[1]; p.Configured || p.Offer != "NET_API_KEY" || len(models.Providers[2].ChatModels) != 0 {
		t.Errorf("%+v", models.Providers)
	}
	var listed api.ProviderView
	if status := h.post(t, "/api/models/list", map[string]string{"provider": "far"}, &listed); status != 200 || len(listed.ChatModels) != 1 || listed.ID != "far" {
		t.Errorf("%d %+v", status, listed)
	}
	h.get(t, "/api/models", &models)
	if len(models.Providers[2].ChatModels) != 1 {
		t.Errorf("forgotten: %+v", models.Providers[2])
	}
	wantFault(t, "no key", h.send(t, "POST", "/api/models/list", map[string]string{"provider": "net"}, nil), 502, fault.ModelAuth)
}
