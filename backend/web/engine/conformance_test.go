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
	"footnote/backend/registry"
	"footnote/backend/web"
	"footnote/backend/web/engine"
	"footnote/backend/web/webtest"
)

const (
	tower = "https://towers.example/marn"
	good  = "https://good.example/page"
)

// found are the addresses of the first good result, and of the one among hostile
// ones, where they are others than tower and good.
var found = map[string][2]string{
	"europepmc":  {"https://europepmc.org/article/MED/100", "https://doi.org/10.1/good"},
	"hackernews": {"https://news.ycombinator.com/item?id=500", "https://news.ycombinator.com/item?id=509"},
	"pubmed":     {"https://pubmed.ncbi.nlm.nih.gov/100/", "https://pubmed.ncbi.nlm.nih.gov/109/"},
}

// TestConformance has each engine give what its recorded answers say, which lie in
// the testdata of its folder.
func TestConformance(t *testing.T) {
	for _, e := range registry.Engines() {
		make := engine.Makers[e.Name]
		if make == nil {
			continue // it has a test of its own
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			open := func(base string, _ *http.Client) gather.Finder {
				a := access(base).Of(e)
				a.Base = base
				return make(a)
			}
			at, other := found[e.Name]
			if !other {
				at = [2]string{tower, good}
			}
			fixtures := webtest.Fixtures{
				Name: e.Name, OK: recorded(t, e.Name, "ok"), First: at[0], Titles: 2, Empty: recorded(t, e.Name, "empty"),
				Hostile: recorded(t, e.Name, "hostile"), Survivor: at[1], Nulls: nulls(t, e.Name),
			}
			if e.Name == "pubmed" {
				fixtures.Answer = numbersFirst
			}
			webtest.Run(t, open, fixtures)
		})
	}
}

func access(base string) web.Access {
	guard := web.NewGuard(func() []string { return []string{base} })
	return web.Access{Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now, Key: func() string { return "secret-key" }}
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
