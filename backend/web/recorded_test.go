package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/web"
	"footnote/backend/web/engine/arxiv"
	"footnote/backend/web/engine/brave"
	"footnote/backend/web/engine/crossref"
	"footnote/backend/web/engine/duckduckgo"
	"footnote/backend/web/engine/europepmc"
	"footnote/backend/web/engine/exa"
	"footnote/backend/web/engine/hackernews"
	"footnote/backend/web/engine/lemmy"
	"footnote/backend/web/engine/mojeek"
	"footnote/backend/web/engine/openalex"
	"footnote/backend/web/engine/semanticscholar"
	"footnote/backend/web/engine/serper"
	"footnote/backend/web/engine/stackexchange"
	"footnote/backend/web/engine/tavily"
)

// serving is an engine whose service answers everything with one body.
func serving(t *testing.T, make func(web.Access) gather.Finder, body []byte) gather.Finder {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := w.Write(body); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(s.Close)
	guard := web.NewGuard(func() []string { return []string{s.URL} })
	return make(web.Access{Name: "engine", Label: "Engine", Base: s.URL, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now})
}

func TestRecordedAnswersAreUnderstood(t *testing.T) {
	const dir = "../../../shared/data/fixtures/web-search"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no recorded answers beside the checkout")
	}
	for _, c := range []struct {
		file  string
		make  func(web.Access) gather.Finder
		leads int
		first string
	}{
		{"vgi-search/brave.json", brave.New, 2, "https://duckdb.org/docs/arrow"},
		{"metasearch-shapes/brave_api.json", brave.New, 1, ""},
		{"vgi-search/tavily.json", tavily.New, 2, "https://duckdblabs.com"},
		{"vgi-search/serper.json", serper.New, 2, "https://duckdb.org"},
		{"vgi-search/exa.json", exa.New, 2, "https://exa.ai/blog/neural-search"},
		{"scout/duckduckgo.html", duckduckgo.New, 2, "https://example-space.org/solar-sails"},
		{"scout/mojeek.html", mojeek.New, 3, "https://example-space.org/solar-sails"},
		{"metasearch-shapes/mojeek.html", mojeek.New, 1, ""},
		{"vgi-scholar/openalex.json", openalex.New, 2, ""},
		{"frontier/openalex.json", openalex.New, 1, ""},
		{"vgi-scholar/crossref.json", crossref.New, 2, "https://doi.org/10.1234/rag"},
		{"metasearch-shapes/crossref.json", crossref.New, 1, ""},
		{"vgi-scholar/arxiv.xml", arxiv.New, 2, "https://arxiv.org/abs/2005.11401v4"},
		{"frontier/arxiv.xml", arxiv.New, 1, ""},
		{"frontier/semantic_scholar.json", semanticscholar.New, 2, "https://www.semanticscholar.org/paper/s2-1"},
		{"metasearch-shapes/europepmc.json", europepmc.New, 1, ""},
		{"metasearch-shapes/hackernews.json", hackernews.New, 1, ""},
		{"metasearch-shapes/stackexchange.json", stackexchange.New, 2, "https://stackoverflow.com/questions/1234567/how-does-the-borrow-checker-work"},
		{"metasearch-shapes/lemmy.json", lemmy.New, 2, "https://lemmy.world/post/47517454"},
	} {
		body, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		leads, err := serving(t, c.make, body).Find(context.Background(), gather.WebQuery{Text: "a question", N: 50})
		if err != nil || len(leads) < c.leads || c.first != "" && leads[0].Source.Address != c.first {
			t.Errorf("%s: %d leads, %v: %+v", c.file, len(leads), err, leads)
			continue
		}
		for _, l := range leads {
			if l.Source.Title == "" || strings.ContainsAny(l.Source.Title+l.Snippet, "\n") {
				t.Errorf("%s: %+v", c.file, l)
			}
		}
	}
}

func TestACaptchaOfDuckDuckGoIsABlock(t *testing.T) {
	page := `<html><body><form id="challenge-form"><div class="anomaly-modal__title">Select all ducks</div></form></body></html>`
	if _, err := serving(t, duckduckgo.New, []byte(page)).Find(context.Background(), gather.WebQuery{Text: "a question", N: 5}); fault.CodeOf(err) != fault.SearchBlocked {
		t.Error(err)
	}
}

func TestAThrottledStackExchangeIsABlock(t *testing.T) {
	for _, body := range []string{`{"error_id":502,"error_name":"throttle_violation","error_message":"slow down"}`, `{"items":[],"backoff":30}`} {
		if _, err := serving(t, stackexchange.New, []byte(body)).Find(context.Background(), gather.WebQuery{Text: "a question", N: 5}); fault.CodeOf(err) != fault.SearchBlocked {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestAnAbstractStandsInItsOrder(t *testing.T) {
	body := `{"results":[{"display_name":"Towers","doi":"https://doi.org/10.1/t","publication_date":"2024-05-01",
		"abstract_inverted_index":{"stand":[1],"Towers":[0],"tall":[2,4],"and":[3]},
		"authorships":[{"author":{"display_name":"A"}},{"author":{"display_name":"B"}},{"author":{"display_name":"C"}},{"author":{"display_name":"D"}}]}]}`
	leads, err := serving(t, openalex.New, []byte(body)).Find(context.Background(), gather.WebQuery{Text: "towers", N: 5})
	if err != nil || len(leads) != 1 || leads[0].Snippet != "Towers stand tall and tall (A, B, C, and others. 2024-05-01)" {
		t.Errorf("%v %+v", err, leads)
	}
}

func TestASiteIsSearchedThroughGeneralEngines(t *testing.T) {
	asked := []string{}
	finder := func(addresses ...string) gather.Finder { return fixed{addresses, &asked} }
	engines := []web.Engine{
		{Name: "a", Finder: finder("https://elsewhere.example/", "https://notreddit.com/x")},
		{Name: "b", Finder: finder("https://www.reddit.com/r/towers/1", "https://reddit.com.evil.example/")},
		{Name: "c", Finder: finder("https://old.reddit.com/r/towers/2")},
	}
	site := web.NewSite("reddit", "reddit.com", func() []web.Engine { return engines })
	leads, err := site.Find(context.Background(), gather.WebQuery{Text: "how tall is it", N: 10})
	if err != nil || len(leads) != 1 || leads[0].Source.Address != "https://www.reddit.com/r/towers/1" || leads[0].Via != "reddit" {
		t.Errorf("%v %+v", err, leads)
	}
	if len(asked) != 2 || asked[0] != "how tall is it site:reddit.com" {
		t.Errorf("asked %q", asked)
	}
	engines = nil
	if _, err := site.Find(context.Background(), gather.WebQuery{Text: "how tall is it", N: 10}); fault.CodeOf(err) != fault.SearchFailed {
		t.Error(err)
	}
}
