package pubmed

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

func access(base string) web.Access {
	guard := web.NewGuard(func() []string { return []string{base} })
	return web.Access{Base: base, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now, Key: func() string { return "secret-key" }}
}

func TestConformance(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name + ".xml")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return New(access(base)) }, webtest.Fixtures{
		Name: Name, OK: read("ok"), First: "https://pubmed.ncbi.nlm.nih.gov/100/", Titles: 2,
		Empty: read("empty"), Hostile: read("hostile"), Survivor: "https://pubmed.ncbi.nlm.nih.gov/109/", Nulls: read("nulls"),
		// The first step is answered with the numbers of the articles of the second.
		Answer: func(r *http.Request, body []byte) []byte {
			if !strings.Contains(r.URL.Path, "esearch") || !strings.HasPrefix(string(body), "<?xml") || !strings.Contains(string(body), "</PubmedArticleSet>") {
				return body
			}
			ids := []string{}
			for _, m := range regexp.MustCompile(`<PMID>(\d+)</PMID>`).FindAllSubmatch(body, -1) {
				ids = append(ids, string(m[1]))
			}
			list, _ := json.Marshal(map[string]any{"esearchresult": map[string]any{"idlist": ids}})
			return list
		},
	})
}
