package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// NewFinder makes the adapter under test over a server at base. The client is
// for adapters that take any; others make their own for base.
type NewFinder func(base string, client *http.Client) gather.Finder

// Fixtures are recorded answers of one engine.
type Fixtures struct {
	Name     string // as in Lead.Via
	OK       []byte // an answer with at least two good results
	First    string // address of the first good result
	Titles   int    // good results in OK
	Empty    []byte // nothing found
	Hostile  []byte // results with addresses and texts that must not come through, and one good one
	Survivor string // address of that good one
	Nulls    []byte // results with null or wrong-typed fields; may be nil

	// Answer makes the answer to a request of a fixture, for engines that are
	// asked in several steps; nil serves the fixture as it is.
	Answer func(r *http.Request, fixture []byte) []byte
}

const hang = time.Second // longest that an adapter may outlive its context

// Run proves that an adapter keeps the contract of answer.Finder against good,
// empty, refusing and broken answers.
func Run(t *testing.T, newFinder NewFinder, f Fixtures) {
	s := suite{newFinder, f}
	t.Run("leads are whole and in order", s.whole)
	t.Run("no more than n leads come", s.atMost)
	t.Run("nothing found is no error", s.empty)
	t.Run("hostile results are dropped, the good one stays", s.hostile)
	t.Run("odd types do not hurt", s.nulls)
	t.Run("refusals are named", s.refusals)
	t.Run("broken answers are search-failed", s.broken)
	t.Run("a slow answer ends with its context", s.slow)
	t.Run("an unreachable engine is a fault", s.unreachable)
	t.Run("placeholders are never sent", s.placeholders)
	t.Run("long queries are cut at a word", s.longQuery)
	t.Run("requests carry no cookie and no referrer", s.clean)
	t.Run("queries may run beside each other", s.concurrent)
}

type suite struct {
	newFinder NewFinder
	f         Fixtures
}

// serve answers every request the same way and returns the requests.
func (s suite) serve(t *testing.T, status int, header map[string]string, body []byte) (gather.Finder, func() []*http.Request) {
	t.Helper()
	var mu sync.Mutex
	var seen []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Logf("read request: %v", err)
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		mu.Lock()
		seen = append(seen, r)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "track=1")
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		answer := body
		if s.f.Answer != nil {
			answer = s.f.Answer(r, body)
		}
		if _, err := w.Write(answer); err != nil {
			t.Logf("serve fixture: %v", err)
		}
	}))
	t.Cleanup(server.Close)
	return s.newFinder(server.URL, server.Client()), func() []*http.Request {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

func (s suite) find(t *testing.T, finder gather.Finder, n int) ([]evidence.Lead, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return finder.Find(ctx, gather.WebQuery{Text: "how tall is the tower", N: n})
}

func (s suite) whole(t *testing.T) {
	finder, _ := s.serve(t, 200, nil, s.f.OK)
	leads, err := s.find(t, finder, 10)
	if err != nil || len(leads) != s.f.Titles {
		t.Fatalf("%d leads, %v; want %d", len(leads), err, s.f.Titles)
	}
	if leads[0].Source.Address != s.f.First {
		t.Errorf("first is %s, want %s", leads[0].Source.Address, s.f.First)
	}
	for _, l := range leads {
		checkLead(t, l, s.f.Name)
	}
}

func checkLead(t *testing.T, l evidence.Lead, via string) {
	t.Helper()
	u, err := url.Parse(l.Source.Address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		t.Errorf("address %q is not fit to be read", l.Source.Address)
	}
	if l.Source.Title == "" || l.Via != via || l.Source.Kind == "" || l.Source.ID == "" || l.Source.Digest != "" {
		t.Errorf("lead is not whole: %+v", l)
	}
	for _, text := range []string{l.Source.Title, l.Snippet} {
		if strings.Contains(text, "<span") || strings.Contains(text, "&amp;") || strings.Contains(text, "&quot;") || strings.ContainsAny(text, "\n\r\x00") {
			t.Errorf("text is not plain: %q", text)
		}
	}
}

func (s suite) atMost(t *testing.T) {
	finder, _ := s.serve(t, 200, nil, s.f.OK)
	if leads, err := s.find(t, finder, 1); err != nil || len(leads) != 1 {
		t.Fatalf("%d leads, %v; want 1", len(leads), err)
	}
}

func (s suite) empty(t *testing.T) {
	finder, _ := s.serve(t, 200, nil, s.f.Empty)
	if leads, err := s.find(t, finder, 10); err != nil || len(leads) != 0 {
		t.Fatalf("%d leads, %v; want none and no error", len(leads), err)
	}
}

func (s suite) hostile(t *testing.T) {
	finder, _ := s.serve(t, 200, nil, s.f.Hostile)
	leads, err := s.find(t, finder, 50)
	if err != nil || len(leads) == 0 {
		t.Fatalf("%d leads, %v", len(leads), err)
	}
	survived := false
	for _, l := range leads {
		checkLead(t, l, s.f.Name)
		survived = survived || l.Source.Address == s.f.Survivor
		for _, bad := range []string{"127.0.0.1", "169.254", "javascript:", "data:", "file:", `"`, "@"} {
			if strings.Contains(l.Source.Address, bad) && l.Source.Address != s.f.Survivor {
				t.Errorf("came through: %s", l.Source.Address)
			}
		}
		if strings.Contains(l.Source.Title+l.Snippet, "<script") {
			t.Errorf("markup came through: %q %q", l.Source.Title, l.Snippet)
		}
	}
	if !survived {
		t.Errorf("the good result is gone: %+v", leads)
	}
}

func (s suite) nulls(t *testing.T) {
	if s.f.Nulls == nil {
		t.Skip("no fixture")
	}
	finder, _ := s.serve(t, 200, nil, s.f.Nulls)
	leads, err := s.find(t, finder, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leads {
		checkLead(t, l, s.f.Name)
	}
}

func (s suite) refusals(t *testing.T) {
	for _, c := range []struct {
		status int
		header map[string]string
		want   []fault.Code
	}{
		{401, nil, []fault.Code{fault.SearchBlocked}},
		{402, nil, []fault.Code{fault.SearchBlocked}},
		{403, nil, []fault.Code{fault.SearchBlocked, fault.SearchFailed}},
		{429, nil, []fault.Code{fault.SearchBlocked}},
		{429, map[string]string{"Retry-After": "3600"}, []fault.Code{fault.SearchBlocked}},
		{500, nil, []fault.Code{fault.SearchFailed}},
		{503, nil, []fault.Code{fault.SearchFailed}},
	} {
		finder, _ := s.serve(t, c.status, c.header, []byte("<h1>no</h1>"))
		leads, err := s.find(t, finder, 10)
		s.wantFault(t, fmt.Sprint("status ", c.status), leads, err, c.want...)
	}
}

func (s suite) wantFault(t *testing.T, what string, leads []evidence.Lead, err error, codes ...fault.Code) {
	t.Helper()
	var f *fault.Fault
	if !errors.As(err, &f) {
		t.Errorf("%s: %v is no fault", what, err)
		return
	}
	ok := false
	for _, c := range codes {
		ok = ok || f.Code == c
	}
	if !ok || f.Message == "" || f.Hint == "" || len(leads) != 0 {
		t.Errorf("%s: %d leads, %s %q %q; want one of %v", what, len(leads), f.Code, f.Message, f.Hint, codes)
	}
}

func (s suite) broken(t *testing.T) {
	for what, body := range map[string][]byte{
		"cut answer": s.f.OK[:len(s.f.OK)/2],
		"web page":   []byte("<!doctype html><html><body><h1>Welcome</h1></body></html>"),
		"no bytes":   {},
		"too large":  append([]byte(`{"x":"`), make([]byte, 12<<20)...),
		"foreign":    []byte("\xff\xfe{\x00}\x00"),
	} {
		finder, _ := s.serve(t, 200, nil, body)
		leads, err := s.find(t, finder, 10)
		s.wantFault(t, what, leads, err, fault.SearchFailed)
	}
}

func (s suite) slow(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	finder := s.newFinder(server.URL, server.Client())
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	leads, err := finder.Find(ctx, gather.WebQuery{Text: "how tall is the tower", N: 10})
	if time.Since(began) > hang {
		t.Errorf("took %v", time.Since(began))
	}
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*fault.Fault)) {
		s.wantFault(t, "deadline", leads, err, fault.SearchTimeout)
	}
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := finder.Find(ctx, gather.WebQuery{Text: "how tall is the tower", N: 10}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled search gave %v", err)
	}
}

func (s suite) unreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	leads, err := s.find(t, s.newFinder(server.URL, server.Client()), 10)
	s.wantFault(t, "closed port", leads, err, fault.SearchFailed, fault.Offline)
}

func (s suite) placeholders(t *testing.T) {
	finder, requests := s.serve(t, 200, nil, s.f.OK)
	for _, q := range []string{"", "   ", "undefined", "NULL", "NO_SEARCH", "\u200b"} {
		if _, err := finder.Find(context.Background(), gather.WebQuery{Text: q, N: 10}); err == nil {
			t.Errorf("query %q was accepted", q)
		}
	}
	if n := len(requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func (s suite) longQuery(t *testing.T) {
	finder, requests := s.serve(t, 200, nil, s.f.OK)
	if _, err := finder.Find(context.Background(), gather.WebQuery{Text: strings.Repeat("wörter ", 2000), N: 10}); err != nil {
		t.Fatal(err)
	}
	sent := requests()
	if len(sent) == 0 {
		t.Fatal("nothing was sent")
	}
	for name, value := range valuesOf(t, sent[0]) {
		if n := len([]rune(value)); n > 2000 {
			t.Errorf("%s has %d characters", name, n)
		}
	}
}

// valuesOf are the texts of a request: of its address, its form or its JSON.
func valuesOf(t *testing.T, r *http.Request) map[string]string {
	t.Helper()
	values := map[string]string{}
	if r.Header.Get("Content-Type") == "application/json" {
		var fields map[string]any
		if err := json.NewDecoder(r.Body).Decode(&fields); err != nil {
			t.Fatal(err)
		}
		for name, v := range fields {
			values[name] = fmt.Sprint(v)
		}
		return values
	}
	if err := r.ParseForm(); err != nil {
		t.Fatal(err)
	}
	for name, v := range r.Form {
		values[name] = v[0]
	}
	return values
}

func (s suite) clean(t *testing.T) {
	finder, requests := s.serve(t, 200, nil, s.f.OK)
	for range 2 {
		if _, err := s.find(t, finder, 10); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range requests() {
		if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || !strings.Contains(r.Header.Get("User-Agent"), "Footnote") {
			t.Errorf("request headers: %v", r.Header)
		}
	}
}

func (s suite) concurrent(t *testing.T) {
	finder, _ := s.serve(t, 200, nil, s.f.OK)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if leads, err := s.find(t, finder, 10); err != nil || len(leads) != s.f.Titles {
				t.Errorf("%d leads, %v", len(leads), err)
			}
		})
	}
	wg.Wait()
}
