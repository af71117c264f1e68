package engine_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
	"footnote/backend/web/engine/arxiv"
	"footnote/backend/web/engine/brave"
	"footnote/backend/web/engine/crossref"
	"footnote/backend/web/engine/duckduckgo"
	"footnote/backend/web/engine/europepmc"
	"footnote/backend/web/engine/exa"
	"footnote/backend/web/engine/hackernews"
	"footnote/backend/web/engine/keenable"
	"footnote/backend/web/engine/lemmy"
	"footnote/backend/web/engine/mojeek"
	"footnote/backend/web/engine/openalex"
	"footnote/backend/web/engine/pubmed"
	"footnote/backend/web/engine/semanticscholar"
	"footnote/backend/web/engine/serper"
	"footnote/backend/web/engine/stackexchange"
	"footnote/backend/web/engine/tavily"
	"footnote/backend/web/webtest"
)

// engine is one that is asked at one address; its recorded answers lie in the
// testdata of its folder. First and survivor are addresses in them.
type engine struct {
	name            string
	open            func(web.Access) gather.Finder
	first, survivor string
	answer          func(*http.Request, []byte) []byte
}

const (
	tower = "https://towers.example/marn"
	good  = "https://good.example/page"
)

var engines = []engine{
	{name: arxiv.Name, open: arxiv.New, first: tower, survivor: good},
	{name: brave.Name, open: brave.New, first: tower, survivor: good},
	{name: crossref.Name, open: crossref.New, first: tower, survivor: good},
	{name: duckduckgo.Name, open: duckduckgo.New, first: tower, survivor: good},
	{name: europepmc.Name, open: europepmc.New, first: "https://europepmc.org/article/MED/100", survivor: "https://doi.org/10.1/good"},
	{name: exa.Name, open: exa.New, first: tower, survivor: good},
	{name: hackernews.Name, open: hackernews.New, first: "https://news.ycombinator.com/item?id=500", survivor: "https://news.ycombinator.com/item?id=509"},
	{name: keenable.Name, open: keenable.New, first: tower, survivor: good},
	{name: lemmy.Name, open: lemmy.New, first: tower, survivor: good},
	{name: mojeek.Name, open: mojeek.New, first: tower, survivor: good},
	{name: openalex.Name, open: openalex.New, first: tower, survivor: good},
	{name: pubmed.Name, open: pubmed.New, first: "https://pubmed.ncbi.nlm.nih.gov/100/", survivor: "https://pubmed.ncbi.nlm.nih.gov/109/", answer: numbersFirst},
	{name: semanticscholar.Name, open: semanticscholar.New, first: tower, survivor: good},
	{name: serper.Name, open: serper.New, first: tower, survivor: good},
	{name: stackexchange.Name, open: stackexchange.New, first: tower, survivor: good},
	{name: tavily.Name, open: tavily.New, first: tower, survivor: good},
}

func TestConformance(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			open := func(base string, _ *http.Client) gather.Finder { return e.open(access(base)) }
			webtest.Run(t, open, webtest.Fixtures{
				Name: e.name, OK: recorded(t, e.name, "ok"), First: e.first, Titles: 2, Empty: recorded(t, e.name, "empty"),
				Hostile: recorded(t, e.name, "hostile"), Survivor: e.survivor, Nulls: nulls(t, e.name), Answer: e.answer,
			})
		})
	}
}

func access(base string) web.Access {
	guard := web.NewGuard(func() []string { return []string{base} })
	return web.Access{Base: base, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now, Key: func() string { return "secret-key" }}
}

// recorded is an answer of an engine, whatever its format.
func recorded(t *testing.T, engine, answer string) []byte {
	t.Helper()
	data, err := read(engine, answer)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// nulls are the results with odd types, which pages do not have.
func nulls(t *testing.T, engine string) []byte {
	t.Helper()
	if _, err := os.Stat(filepath.Join(engine, "testdata", "ok.html")); err == nil {
		return nil
	}
	return recorded(t, engine, "nulls")
}

func read(engine, answer string) ([]byte, error) {
	for _, format := range []string{".json", ".xml", ".html"} {
		data, err := os.ReadFile(filepath.Join(engine, "testdata", answer+format))
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, &fs.PathError{Op: "read", Path: engine + "/testdata/" + answer, Err: fs.ErrNotExist}
}

var articleNumber = regexp.MustCompile(`<PMID>(\d+)</PMID>`)

// numbersFirst answers the first step of PubMed with the numbers of the articles
// of the second.
func numbersFirst(r *http.Request, body []byte) []byte {
	if !strings.Contains(r.URL.Path, "esearch") || !strings.HasPrefix(string(body), "<?xml") || !strings.Contains(string(body), "</PubmedArticleSet>") {
		return body
	}
	ids := []string{}
	for _, m := range articleNumber.FindAllSubmatch(body, -1) {
		ids = append(ids, string(m[1]))
	}
	list, _ := json.Marshal(map[string]any{"esearchresult": map[string]any{"idlist": ids}})
	return list
}
