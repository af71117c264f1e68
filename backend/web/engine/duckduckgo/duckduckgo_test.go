package duckduckgo

import (
	"errors"
	"net/http"
	"os"
	"runtime"
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
		data, err := os.ReadFile("testdata/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return New(access(base)) }, webtest.Fixtures{
		Name: Name, OK: read("ok"), First: "https://towers.example/marn", Titles: 2,
		Empty: read("empty"), Hostile: read("hostile"), Survivor: "https://good.example/page",
	})
}

// TestAPageOfNothingButTagsCostsLittle has a page of five megabytes whose tree took
// hundreds.
func TestAPageOfNothingButTagsCostsLittle(t *testing.T) {
	body := []byte(strings.Repeat("<p>a", 1_200_000) + "</html>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := read(body)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, web.ErrShape) || made > 150<<20 {
		t.Errorf("%v, %d MB were made", err, made>>20)
	}
}
