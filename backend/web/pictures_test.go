package web

import (
	"bytes"
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
	p, err := NewPictures(PicturesOptions{Client: NewClient(Options{Guard: guard}), Guard: guard, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return p, s.URL, &fetched
}

func TestPicturesAreDrawnAnewAndKept(t *testing.T) {
	trailer := append(drawn(1600, 200, asJPEG), "<script>alert(1)</script>"...)
	p, base, fetched := newTestPictures(t, map[string][]byte{"/a.png": drawn(900, 900, asPNG), "/b.jpg": trailer, "/c.gif": drawn(64, 48, asGIF)})
	for path, want := range map[string]image.Point{"/a.png": {480, 480}, "/b.jpg": {640, 80}, "/c.gif": {64, 48}} {
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
	bomb := drawn(40, 40, asPNG)
	copy(bomb[16:24], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff}) // says it is enormous
	p, base, _ := newTestPictures(t, map[string][]byte{
		"/dot.gif": drawn(1, 1, asGIF), "/page.png": []byte("<html>no</html>"), "/bomb.png": bomb, "/cut.png": drawn(300, 300, asPNG)[:200], "/empty.png": {},
		"/huge.png": append(drawn(40, 40, asPNG), make([]byte, pictureBytes)...), "/x.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`),
	})
	for _, at := range []string{base + "/dot.gif", base + "/page.png", base + "/bomb.png", base + "/cut.png", base + "/empty.png", base + "/huge.png", base + "/x.svg", base + "/none.png",
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
