package server

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/web"
)

// gallery is an engine whose pictures lie at an address.
type gallery struct{ pictures string }

func (g gallery) Find(_ context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	var leads []evidence.Lead
	for _, name := range []string{"/lamp.png", "/other.png", "/gone.png"} {
		leads = append(leads, evidence.Lead{
			Source: evidence.Source{Kind: evidence.Web, Title: q.Category + " " + q.Text, Address: "https://gallery.example/page"}, Image: g.pictures + name, Via: "searxng",
		})
	}
	return leads, nil
}

func (g gallery) Suggest(_ context.Context, typed string) ([]string, error) {
	return []string{typed + " post"}, nil
}

// hang gives the house an engine with pictures, which lie at an address.
func (h *house) hang(t *testing.T) (address string) {
	t.Helper()
	var drawn bytes.Buffer
	picture := image.NewRGBA(image.Rect(0, 0, 80, 60))
	picture.Set(3, 3, color.White)
	if err := png.Encode(&drawn, picture); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone.png" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		if _, err := w.Write(drawn.Bytes()); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(s.Close)
	guard := web.NewGuard(func() []string { return []string{s.URL} })
	pictures := web.NewPictures(web.PicturesOptions{Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Dir: t.TempDir(), Redraw: asJPEG})
	v, now := h.rooms, h.rooms.Settings.Now
	v.Pictures = pictures
	v.Engines = web.NewEngineRegistry([]web.Line{{
		Name: "searxng", Kinds: []string{"general", web.KindImages, web.KindVideo, web.KindNews}, Make: func(string) gather.Finder { return gallery{s.URL} },
	}}, now, func(l web.Line, f gather.Finder) *web.Breaker {
		return web.NewBreaker(f, web.BreakerOptions{Name: l.Name, Now: v.Engine.Now, Log: v.Log})
	}, v.Engine.Now)
	return s.URL
}

func TestPicturesVideosNewsAndSuggestionsAreFound(t *testing.T) {
	h := open(t, nil)
	h.hang(t)
	var found api.Page[api.ThingView]
	h.post(t, "/api/images", map[string]string{"query": "lamp"}, &found)
	if len(found.Items) != 2 || found.Items[0].Title != "images lamp" || found.Items[0].Domain != "gallery.example" || found.Items[0].Image == found.Items[1].Image {
		t.Fatalf("%+v", found.Items)
	}
	for _, thing := range found.Items {
		a := h.send(t, "GET", thing.Image, nil, nil)
		if a.status != 200 || !strings.HasPrefix(thing.Image, "/api/sources/src_") {
			t.Errorf("%s gives %d", thing.Image, a.status)
		}
	}
	if h.post(t, "/api/videos", map[string]string{"query": "lamp"}, &found); len(found.Items) != 3 || found.Items[0].Title != "videos lamp" || found.Items[2].Image != "" {
		t.Errorf("%+v", found.Items)
	}
	if h.post(t, "/api/discover", map[string]string{}, &found); len(found.Items) != 3 || found.Items[0].Title != "news news" {
		t.Errorf("%+v", found.Items)
	}
	var said api.Page[string]
	if h.post(t, "/api/suggestions", map[string]string{"query": "lamp"}, &said); len(said.Items) != 1 || said.Items[0] != "lamp post" {
		t.Errorf("%+v", said)
	}
}

func TestWithoutAnEngineForThemPicturesAreHonestlyNotAvailable(t *testing.T) {
	h := open(t, nil)
	for _, path := range []string{"/api/images", "/api/videos", "/api/suggestions"} {
		wantFault(t, path, h.send(t, "POST", path, map[string]any{"query": "lamp"}, nil), 502, fault.SearchFailed)
	}
	wantFault(t, "placeholder", h.send(t, "POST", "/api/images", map[string]any{"query": "null"}, nil), 400, fault.InvalidRequest)
}

// openedBook holds what went out ahead of questions.
type openedBook []privacy.LedgerEntry

func (b openedBook) Load(context.Context) ([]privacy.LedgerEntry, error) { return b, nil }

func (b openedBook) Save(context.Context, []privacy.LedgerEntry) error { return nil }

func TestTypingWarmsAndTheLedgerTellsBeforeAnyRun(t *testing.T) {
	h := open(t, nil)
	if a := h.send(t, "POST", "/api/warm", map[string]any{}, nil); a.status != http.StatusNoContent {
		t.Errorf("without a warmer: %d", a.status)
	}
	models := make(chan string, 1)
	h.rooms.Warmer = web.NewWarmer(web.WarmOptions{
		Hosts: func(_ context.Context, model string) []web.Host { models <- model; return nil }, Shut: func() bool { return false },
		Book: openedBook{{Host: "engine.example", Purpose: "connect", BytesOut: 90, BytesIn: 40, Requests: 1, Sent: []evidence.PassageID{}}}, Now: time.Now, Log: h.rooms.Log,
	})
	defer h.rooms.Warmer.Close()
	if a := h.send(t, "POST", "/api/warm", map[string]any{"model": "test/m"}, nil); a.status != http.StatusNoContent || len(a.body) != 0 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if model := <-models; model != "test/m" {
		t.Errorf("warmed for %q", model)
	}
	var page api.Page[api.LedgerLine]
	if status := h.get(t, "/api/ledger", &page); status != 200 || len(page.Items) != 1 || page.Items[0].Run != "" || page.Items[0].Host != "engine.example" {
		t.Errorf("%d %+v", status, page)
	}
	if h.get(t, "/api/ledger?host=other.example", &page); len(page.Items) != 0 {
		t.Errorf("of another host: %+v", page)
	}
	wantFault(t, "no JSON", h.send(t, "POST", "/api/warm", []int{1}, nil), 400, fault.InvalidRequest)
}

// asJPEG stands for the child that draws pictures anew.
func asJPEG(_ context.Context, picture []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, decoded, nil)
	return out.Bytes(), err
}
