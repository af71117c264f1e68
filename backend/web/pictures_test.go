package web

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func drawn(w, h int, encode func(*bytes.Buffer, image.Image) error) []byte {
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.Set(x, y, color.NRGBA{200, 30, 30, uint8(255 * (x % 2))})
		}
	}
	var b bytes.Buffer
	if err := encode(&b, picture); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, i image.Image) error  { return png.Encode(b, i) }
func asJPEG(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) }
func asGIF(b *bytes.Buffer, i image.Image) error  { return gif.Encode(b, i, nil) }

// redrawn stands for the child that draws pictures anew.
func redrawn(_ context.Context, data []byte) ([]byte, error) {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, picture, nil)
	return out.Bytes(), err
}

func newTestPictures(t *testing.T, bodies map[string][]byte) (*Pictures, string, *int) {
	t.Helper()
	fetched := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fetched++
		body, ok := bodies[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if _, err := w.Write(body); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(s.Close)
	guard := NewGuard(func() []string { return []string{s.URL} })
	p := NewPictures(PicturesOptions{Client: NewClient(Options{Guard: guard}), Guard: guard, Dir: t.TempDir(), Redraw: redrawn})
	return p, s.URL, &fetched
}

func TestPicturesAreDrawnAnewAndKept(t *testing.T) {
	trailer := append(drawn(1600, 200, asJPEG), "<script>alert(1)</script>"...)
	p, base, fetched := newTestPictures(t, map[string][]byte{"/a.png": drawn(900, 900, asPNG), "/b.jpg": trailer, "/c.gif": drawn(64, 48, asGIF)})
	for path, want := range map[string]image.Point{"/a.png": {900, 900}, "/b.jpg": {1600, 200}, "/c.gif": {64, 48}} {
		id := evidence.NewSourceID(evidence.Web, base+path, "")
		for range 2 {
			if err := p.Keep(t.Context(), id, base+path); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		data, err := p.Open(id)
		if err != nil || bytes.Contains(data, []byte("<script")) {
			t.Fatalf("%s: %v", path, err)
		}
		got, kind, err := image.Decode(bytes.NewReader(data))
		if err != nil || kind != "jpeg" || got.Bounds().Size() != want {
			t.Errorf("%s: %s %v %v", path, kind, got.Bounds(), err)
		}
	}
	if *fetched != 3 {
		t.Errorf("fetched %d times", *fetched)
	}
}

func TestWhatIsNoPreviewIsNotKept(t *testing.T) {
	p, base, _ := newTestPictures(t, map[string][]byte{
		"/page.png": []byte("<html>no</html>"), "/cut.png": drawn(300, 300, asPNG)[:200], "/empty.png": {},
		"/huge.png": append(drawn(40, 40, asPNG), make([]byte, pictureBytes)...), "/x.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`),
	})
	for _, at := range []string{base + "/page.png", base + "/cut.png", base + "/empty.png", base + "/huge.png", base + "/x.svg", base + "/none.png",
		"http://127.0.0.1:1/a.png", "file:///etc/passwd", "http://169.254.169.254/a.png", "javascript:alert(1)"} {
		id := evidence.NewSourceID(evidence.Web, at, "")
		if err := p.Keep(t.Context(), id, at); err == nil {
			t.Errorf("%s was kept", at)
		}
		if _, err := p.Open(id); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", at, err)
		}
	}
	left, err := fs.Glob(os.DirFS(p.opt.Dir), "*")
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %s %v", strings.Join(left, " "), errors.Join(err))
	}
}

func TestWhatAChildGivesIsHeldToBeAPreview(t *testing.T) {
	p, base, _ := newTestPictures(t, map[string][]byte{"/a.png": drawn(64, 64, asPNG)})
	for name, gives := range map[string][]byte{"a page": []byte("<script>alert(1)</script>"), "nothing": nil, "a large one": append(drawn(64, 64, asJPEG), make([]byte, previewBytes)...)} {
		p.opt.Redraw = func(context.Context, []byte) ([]byte, error) { return gives, nil }
		id := evidence.NewSourceID(evidence.Web, base+"/a.png", "")
		if err := p.Keep(t.Context(), id, base+"/a.png"); err == nil {
			t.Errorf("%s was kept", name)
		}
	}
}
