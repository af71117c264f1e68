package web

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

type repliesWith []byte

func (r repliesWith) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(r)), Request: req}, nil
}

func FuzzRobots(f *testing.F) {
	for _, seed := range []string{"User-agent: *\nDisallow: /", "User-agent: footnote\nAllow: /*a*b$\nCrawl-delay: 1e300", "\xef\xbb\xbfSitemap: x\r\rDisallow:", "User-agent: *\nDisallow: /" + strings.Repeat("*a", 300)} {
		f.Add([]byte(seed))
	}
	page, err := url.Parse("https://site.example/a/page?with=words")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newRobots(&http.Client{Transport: repliesWith(data)}, time.Now)
		if _, err := r.allow(t.Context(), page); err != nil {
			t.Error(err)
		}
	})
}
