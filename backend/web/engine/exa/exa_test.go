package exa

import (
	"net/http"
	"os"
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
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return New(access(base)) }, webtest.Fixtures{
		Name: Name, OK: read("ok"), First: "https://towers.example/marn", Titles: 2,
		Empty: read("empty"), Hostile: read("hostile"), Survivor: "https://good.example/page", Nulls: read("nulls"),
	})
}
