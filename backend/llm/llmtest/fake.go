package llmtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Fake is a server that answers by path and keeps what it was asked.
type Fake struct {
	*httptest.Server

	mu    sync.Mutex
	asked []Asked
}

// Asked is one request to a Fake.
type Asked struct {
	Path   string // with the query
	Header http.Header
	Body   string
}

// Answer makes the status and text of an answer out of a request's body.
type Answer func(body string) (status int, text string)

// Always gives one text with status 200.
func Always(text string) Answer { return func(string) (int, string) { return 200, text } }

// NewFake starts a server that lives as long as the test. Routes may change
// between requests. A path without a route is 404.
func NewFake(t *testing.T, routes map[string]Answer) *Fake {
	t.Helper()
	f := &Fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		f.mu.Lock()
		f.asked = append(f.asked, Asked{r.URL.RequestURI(), r.Header, string(body)})
		f.mu.Unlock()
		route := routes[r.URL.Path]
		if route == nil {
			http.Error(w, `{"error":"no such path"}`, http.StatusNotFound)
			return
		}
		status, text := route(string(body))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text) // a client that has gone needs no more
	}))
	t.Cleanup(f.Close)
	return f
}

// Asked gives the requests so far, in order.
func (f *Fake) Asked() []Asked {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Asked(nil), f.asked...)
}

// Last is the latest request.
func (f *Fake) Last() Asked {
	all := f.Asked()
	return all[len(all)-1]
}
