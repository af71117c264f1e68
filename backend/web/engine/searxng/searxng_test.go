package searxng

import (
	"context"
	"fmt"
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
	"footnote/backend/web/webtest"
)

func engineAt(base string) *Engine {
	return New(web.Access{Name: "searxng", Label: "SearXNG", Base: base, Client: web.NewEndpointClient(base, nil), Guard: web.NewGuard(nil), Now: time.Now})
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestConformance(t *testing.T) {
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return engineAt(base) }, webtest.Fixtures{
		Name: "searxng", OK: fixture(t, "ok.json"), First: "https://lighthouse.example.org/tower", Titles: 3,
		Empty: fixture(t, "empty.json"), Hostile: fixture(t, "hostile.json"), Survivor: "https://good.example/page?a=1",
		Nulls: fixture(t, "nulls.json"),
	})
}

func TestARecordedAnswerKeepsDatesAndScores(t *testing.T) {
	r, err := parse(fixture(t, "ok.json"))
	if err != nil {
		t.Fatal(err)
	}
	leads := web.NewGuard(nil).Leads("searxng", r.hits(), 10)
	if l := leads[0]; l.Score != 4.5 || l.Source.Published.Format(time.DateOnly) != "2026-03-01" || l.Image != "https://img.example/t.png" || l.Snippet != `The tower & its "lamp" are 43 metres tall.` {
		t.Errorf("%+v", l)
	}
}

func TestEachFaultOfAnInstanceIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		code   fault.Code
		says   string
	}{
		"json off":     {403, "<h1>Forbidden</h1>", fault.SearchFailed, "JSON format switched off|formats: [html, json]"},
		"limiter":      {429, "Too Many Requests", fault.SearchBlocked, "rate-limited"},
		"web page":     {200, "  <!doctype html><html></html>", fault.SearchFailed, "web page instead"},
		"broken":       {200, `{"results": [{"url": "http://a.exa`, fault.SearchFailed, "could not be understood"},
		"all refuse":   {200, `{"results":[],"unresponsive_engines":[["google","CAPTCHA"],["brave","too many requests"]]}`, fault.SearchBlocked, "google (CAPTCHA), brave (too many requests)"},
		"finds no lot": {200, `{"results":[],"unresponsive_engines":[]}`, fault.SearchFailed, "found nothing"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		}))
		err := engineAt(s.URL).Doctor(context.Background())
		f := fault.Of(err)
		s.Close()
		if f == nil || f.Code != c.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for says := range strings.SplitSeq(c.says, "|") {
			if !strings.Contains(f.Message+" "+f.Hint, says) {
				t.Errorf("%s: %q %q", name, f.Message, f.Hint)
			}
		}
	}
}

func TestAPathOfTheAddressIsKept(t *testing.T) {
	var path, query string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, query = r.URL.Path, r.URL.RawQuery
		fmt.Fprint(w, `{"results":[]}`)
	}))
	defer s.Close()
	e := New(web.Access{Base: s.URL + "/searx/", Client: web.NewEndpointClient(s.URL, nil), Guard: web.NewGuard(nil), Now: time.Now})
	if _, err := e.Find(context.Background(), gather.WebQuery{Text: "größe & höhe", N: 5, Category: "news"}); err != nil {
		t.Fatal(err)
	}
	if path != "/searx/search" || query != "categories=news&format=json&pageno=1&q=gr%C3%B6%C3%9Fe+%26+h%C3%B6he" {
		t.Errorf("%s?%s", path, query)
	}
}

func TestABadAddressIsASettingToCorrect(t *testing.T) {
	for _, base := range []string{"", "localhost:8888", "::"} {
		if _, err := engineAt(base).Find(context.Background(), gather.WebQuery{Text: "words", N: 5}); fault.CodeOf(err) != fault.InvalidSetting {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"ok.json", "empty.json", "hostile.json", "nulls.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	g := web.NewGuard(nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(data)
		if err != nil {
			return
		}
		r.unresponsive()
		for _, l := range g.Leads("searxng", r.hits(), 10) {
			if g.CheckURL(l.Source.Address) != nil || l.Source.Title == "" {
				t.Fatalf("%+v", l)
			}
		}
	})
}
