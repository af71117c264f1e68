package wikipedia

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
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

func engineAt(base string) *Engine {
	guard := web.NewGuard(func() []string { return []string{base} })
	return New(web.Access{Name: "wikipedia", Label: "Wikipedia", Base: base, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now}, nil)
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
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder {
		guard := web.NewGuard(func() []string { return []string{base} })
		client := web.NewClient(web.Options{Guard: guard})
		client.Transport = rebased{base, client.Transport}
		return New(web.Access{Name: "wikipedia", Label: "Wikipedia", Base: "https://en.wikipedia.org", Client: client, Guard: guard, Now: time.Now}, nil)
	}, webtest.Fixtures{
		Name: "wikipedia", OK: fixture(t, "ok.json"), First: "https://en.wikipedia.org/wiki/Python_(programming_language)", Titles: 3,
		Empty: fixture(t, "empty.json"), Hostile: fixture(t, "hostile.json"), Survivor: "https://en.wikipedia.org/wiki/AC%2FDC_(%22live%22)",
		Nulls: fixture(t, "nulls.json"),
	})
}

// rebased sends the requests for Wikipedia to the test's server.
type rebased struct {
	base string
	next http.RoundTripper
}

func (r rebased) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = "http", strings.TrimPrefix(r.base, "http://")
	return r.next.RoundTrip(req)
}

func TestTheLanguageComesFromTheQuery(t *testing.T) {
	for query, want := range map[string]string{
		"who built the tower of Marn": "en", "Wer hat den Turm von Marn gebaut und wann": "de", "qui a construit la tour, et quand est-elle née": "fr",
		"¿quién construyó la torre y cuándo fue?": "es", "chi ha costruito la torre e quando è nata": "it", "кто построил башню": "ru", "хто збудував вежу і міст": "uk",
		"誰が塔を建てましたか": "ja", "谁建造了这座塔": "zh", "누가 탑을 지었나": "ko", "من بنى البرج": "ar", "Marn": "en", "die hard": "en", "": "en",
	} {
		if got := languageOf(query); got != want {
			t.Errorf("%q is %s, want %s", query, got, want)
		}
	}
	e := New(web.Access{}, func() string { return "nl" })
	if e.language("who is it") != "nl" {
		t.Error("the setting does not win")
	}
	if e = New(web.Access{}, func() string { return "auto" }); e.language("who is it") != "en" {
		t.Error("auto is taken for a language")
	}
}

func TestASuggestedSpellingIsTriedOnce(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		asked = append(asked, q.Get("srsearch"))
		if q.Get("srsearch") == "albert einstien" {
			fmt.Fprint(w, `{"query":{"searchinfo":{"suggestion":"albert einstein"},"search":[]}}`)
			return
		}
		fmt.Fprint(w, `{"query":{"search":[{"title":"Albert Einstein","snippet":"German-born <span class=\"searchmatch\">physicist</span> &amp; more."}]}}`)
	}))
	defer s.Close()
	leads, err := engineAt(s.URL).Find(context.Background(), gather.WebQuery{Text: "albert einstien", N: 5})
	if err != nil || len(leads) != 1 || len(asked) != 2 {
		t.Fatalf("%v %v %v", leads, err, asked)
	}
	if l := leads[0]; l.Source.Address != s.URL+"/wiki/Albert_Einstein" || l.Snippet != "German-born physicist & more." {
		t.Errorf("%+v", l)
	}
}

func TestTitlesBecomeAddressesAsWikipediaWritesThem(t *testing.T) {
	for title, want := range map[string]string{
		"Go (programming language)": "Go_(programming_language)", "AC/DC": "AC%2FDC", "What?": "What%3F", "C#": "C%23", "Łódź": "%C5%81%C3%B3d%C5%BA", "1, 2: 3!": "1,_2:_3!",
	} {
		if got := pathOf(title); got != want {
			t.Errorf("%s: %s", title, got)
		}
	}
}

func TestAnErrorOfTheAPIIsAFault(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"error":{"code":"srsearch-too-long","info":"no"}}`)
	}))
	defer s.Close()
	if _, err := engineAt(s.URL).Find(context.Background(), gather.WebQuery{Text: "words", N: 5}); err == nil || !strings.Contains(err.Error(), "srsearch-too-long") {
		t.Error(err)
	}
}
