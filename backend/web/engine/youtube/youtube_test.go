package youtube

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

func access(base string) web.Access {
	guard := web.NewGuard(func() []string { return []string{base} })
	return web.Access{Name: "youtube", Label: "YouTube", Base: base, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestConformanceOfThePageOfResults(t *testing.T) {
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return New(access(base)) }, webtest.Fixtures{
		Name: "youtube", OK: fixture(t, "results.html"), First: "https://www.youtube.com/watch?v=tower000001", Titles: 3,
		Empty: fixture(t, "results_empty.html"), Hostile: fixture(t, "results_hostile.html"), Survivor: "https://www.youtube.com/watch?v=goodvideo09",
		Nulls: fixture(t, "results_nulls.html"),
	})
}

func TestConformanceOfAnInstance(t *testing.T) {
	webtest.Run(t, func(base string, _ *http.Client) gather.Finder { return NewInstance(access(base)) }, webtest.Fixtures{
		Name: "youtube", OK: fixture(t, "instance.json"), First: "https://www.youtube.com/watch?v=tower000001", Titles: 2,
		Empty: fixture(t, "instance_empty.json"), Hostile: fixture(t, "instance_hostile.json"), Survivor: "https://www.youtube.com/watch?v=goodvideo09",
		Nulls: fixture(t, "instance_nulls.json"),
	})
}

func TestAVideoIsFoundWithPictureAgeAndLength(t *testing.T) {
	hits, err := readResults(fixture(t, "results.html"))
	if err != nil {
		t.Fatal(err)
	}
	leads := web.OfKind(evidence.Video, web.NewGuard(nil).Leads("youtube", hits, 10))
	if l := leads[0]; l.Source.Kind != evidence.Video || l.Image != "https://i.ytimg.com/vi/tower000001/hqdefault.jpg" ||
		l.Snippet != "The lamp of the tower stands 43 metres high. (Harbour Films, 3 years ago, 12:03)" {
		t.Errorf("%+v", l)
	}
	hits, err = readInstanceResults("https://instance.example")(fixture(t, "instance.json"))
	if err != nil || hits[0].Image != "https://instance.example/vi/tower000001/mqdefault.jpg" || hits[0].Published.Year() != 2023 ||
		hits[0].Snippet != "The lamp stands 43 metres high. (Harbour Films, 3 years ago, 12m3s)" {
		t.Errorf("%+v %v", hits[0], err)
	}
}

func TestVideosAreKnownByEveryFormOfTheirAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.youtube.com/watch?v=F1xioXWb8CY&t=30": "F1xioXWb8CY", "https://youtu.be/F1xioXWb8CY?si=x": "F1xioXWb8CY", "http://m.youtube.com/shorts/F1xioXWb8CY": "F1xioXWb8CY",
		"https://www.youtube-nocookie.com/embed/F1xioXWb8CY": "F1xioXWb8CY", "https://youtube.com/live/F1xioXWb8CY": "F1xioXWb8CY",
		"https://www.youtube.com/@someone": "", "https://www.youtube.com/watch?v=short": "", "https://evil.example/watch?v=F1xioXWb8CY": "", "https://youtube.com.evil.example/watch?v=F1xioXWb8CY": "",
	} {
		u, err := url.Parse(address)
		if err != nil || idOf(u) != want {
			t.Errorf("%s shows %q", address, idOf(u))
		}
	}
}

func FuzzResults(f *testing.F) {
	for _, name := range []string{"results.html", "results_empty.html", "results_hostile.html", "results_nulls.html", "instance.json", "instance_nulls.json"} {
		f.Add(fixture(f, name))
	}
	g := web.NewGuard(nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte) ([]web.Hit, error){readResults, readInstanceResults("https://instance.example")} {
			hits, err := read(data)
			if err != nil {
				continue
			}
			for _, l := range g.Leads("youtube", hits, 50) {
				if u, err := url.Parse(l.Source.Address); err != nil || idOf(u) == "" {
					t.Fatalf("%+v", l)
				}
			}
		}
	})
}
