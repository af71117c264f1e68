package web

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"testing"
)

// FuzzBody unpacks any bytes, in every way that servers name: no more comes of them
// than the limits allow.
func FuzzBody(f *testing.F) {
	var packed, deflated bytes.Buffer
	g, z := gzip.NewWriter(&packed), zlib.NewWriter(&deflated)
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(make([]byte, 9000)); err != nil || w.Close() != nil {
			f.Fatal(err)
		}
	}
	f.Add(packed.Bytes(), "gzip")
	f.Add(deflated.Bytes(), "deflate")
	f.Add([]byte("words"), "")
	f.Add([]byte{0x78, 0x9c}, " Deflate ")
	f.Fuzz(func(t *testing.T, data []byte, encoding string) {
		resp := &http.Response{Header: http.Header{"Content-Encoding": {encoding}}, Body: io.NopCloser(bytes.NewReader(data))}
		if limitBody(resp) != nil {
			return
		}
		defer resp.Body.Close()
		out, err := io.ReadAll(resp.Body)
		if most := max(ratioSlack, packRatio*len(data)) + 64<<10; len(out) > most {
			t.Fatalf("%d bytes became %d: %v", len(data), len(out), err)
		}
	})
}
