package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// follow reads the events of a run that has been answered, from after on.
func (h *house) follow(t *testing.T, path string, change func(*http.Request)) []frame {
	t.Helper()
	resp := h.open(t, "GET", path, nil, change)
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s: %d %v", path, resp.StatusCode, resp.Header)
	}
	var all []frame
	for next := frames(resp.Body); ; {
		f, err := next()
		if err != nil {
			return all
		}
		all = append(all, f)
	}
}

func TestAStreamIsReplayThenLiveAndEnds(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge} })
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	all := h.follow(t, asked.Events, nil)
	if all[0] != (frame{retry: "5000"}) {
		t.Fatalf("the stream begins with %+v", all[0])
	}
	all = all[1:]
	for i, f := range all {
		var e contract.Event
		if err := json.Unmarshal([]byte(f.data), &e); err != nil || e.Run != asked.Run {
			t.Fatalf("%v in %q", err, f.data)
		}
		if f.id != strconv.Itoa(i+1) || e.Seq != i+1 || f.event != string(e.Kind) || e.Kind.Terminal() != (i == len(all)-1) {
			t.Errorf("frame %d is %s %s of %d", i+1, f.id, f.event, len(all))
		}
	}
	for after := range len(all) + 2 {
		byHeader := h.follow(t, asked.Events, func(r *http.Request) { r.Header.Set("Last-Event-ID", strconv.Itoa(after)) })
		byQuery := h.follow(t, fmt.Sprintf("%s?after=%d", asked.Events, after), nil)
		want := max(0, len(all)-after)
		if len(byHeader)-1 != want || len(byQuery)-1 != want || want > 0 && (byHeader[1] != all[after] || byQuery[1] != all[after]) {
			t.Errorf("after %d: %d by header, %d by query, want %d", after, len(byHeader)-1, len(byQuery)-1, want)
		}
	}
	lines := h.send(t, "GET", asked.Events+"?format=jsonl", nil, nil)
	rows := strings.Split(strings.TrimSpace(string(lines.body)), "\n")
	if len(rows) != len(all) || lines.header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("the journal has %d lines, the stream %d", len(rows), len(all))
	}
	for i, row := range rows {
		if row != all[i].data {
			t.Errorf("line %d differs\n%s\n%s", i+1, row, all[i].data)
		}
	}
}

func TestALateReaderSeesWhatIsSaidAndAStopEndsTheStream(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	resp := h.open(t, "GET", asked.Events, nil, nil)
	defer resp.Body.Close()
	next := frames(resp.Body)
	for f, err := next(); f.event != "text"; f, err = next() {
		if err != nil {
			t.Fatal(err)
		}
	}
	if status := h.post(t, "/api/runs/"+string(asked.Run)+"/stop", map[string]any{}, nil); status != 200 {
		t.Errorf("stop gives %d", status)
	}
	last := frame{}
	for f, err := next(); err == nil; f, err = next() {
		last = f
	}
	var end struct{ Body contract.StoppedRun }
	if err := json.Unmarshal([]byte(last.data), &end); err != nil || last.event != "stopped" || end.Body.By != "user" || !strings.Contains(end.Body.Partial, "word") {
		t.Errorf("the stream ends with %s %.200s", last.event, last.data)
	}
	again := h.send(t, "POST", "/api/runs/"+string(asked.Run)+"/stop", map[string]any{}, nil)
	wantFault(t, "a second stop", again, 409, fault.AlreadyEnded)
}

func TestStreamsAreRefusedBeforeTheyBegin(t *testing.T) {
	h := open(t, nil)
	run := h.ask(t, map[string]any{"question": "Hello!"})
	events := "/api/runs/" + string(run.ID) + "/events"
	unknown := "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/events"
	wantFault(t, "an unknown run", h.send(t, "GET", unknown, nil, nil), 404, fault.NotFound)
	wantFault(t, "the journal of an unknown run", h.send(t, "GET", unknown+"?format=jsonl", nil, nil), 404, fault.NotFound)
	for _, path := range []string{events, "/api/library/events"} {
		json := func(r *http.Request) { r.Header.Set("Accept", "application/json") }
		wantFault(t, path+" as JSON", h.send(t, "GET", path, nil, json), 406, fault.NotAcceptable)
		wantFault(t, path+" after x", h.send(t, "GET", path+"?after=x", nil, nil), 400, fault.InvalidRequest)
		wantFault(t, path+" after -1", h.send(t, "GET", path, nil, func(r *http.Request) { r.Header.Set("Last-Event-ID", "-1") }), 400, fault.InvalidRequest)
		head := h.send(t, "HEAD", path, nil, nil)
		if head.status != 200 || len(head.body) != 0 {
			t.Errorf("HEAD %s gives %d %q", path, head.status, head.body)
		}
	}
}

func TestTheLibraryTellsItsEvents(t *testing.T) {
	h := open(t, func(p *plan) { p.tune = func(s *Server) { s.ping = 20 * time.Millisecond } })
	resp := h.open(t, "GET", "/api/library/events", nil, nil)
	defer resp.Body.Close()
	next := frames(resp.Body)
	h.shelve(t, map[string]string{"bridge.md": bridge})
	seen := map[string]bool{}
	for !seen["ready"] || !seen["ping"] {
		f, err := next()
		if err != nil {
			t.Fatalf("%v after %v", err, seen)
		}
		seen[f.event], seen[f.comment] = true, true
	}
	if !seen["queued"] || !seen["searchable"] {
		t.Errorf("told of %v", seen)
	}
}

func TestAllStreamsEndOnShutdown(t *testing.T) {
	h := open(t, slow)
	asked := h.start(t, local("When was the bridge over the Lorne opened?"))
	ended := make(chan error, 3)
	for _, path := range []string{asked.Events, "/api/library/events", "/api/library/events"} {
		resp := h.open(t, "GET", path, nil, nil)
		go func() {
			defer resp.Body.Close()
			_, err := io.Copy(io.Discard, resp.Body)
			ended <- err
		}()
	}
	waited := make(chan answered, 1)
	go func() {
		waited <- h.send(t, "POST", "/api/ask", map[string]any{"query": "When was the bridge opened?", "focus": "local"}, nil)
	}()
	for len(h.rooms.Engine.RunningIn(asked.Thread)) == 0 || h.running(t) < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	began := time.Now()
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := <-ended; err != nil {
			t.Errorf("a stream is broken off: %v", err)
		}
	}
	wantFault(t, "a question that waits", <-waited, 503, fault.Busy)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("closing took %v", took)
	}
}

func (h *house) running(t *testing.T) int {
	t.Helper()
	runs, _, err := h.rooms.DB.Runs(t.Context(), runningRuns)
	if err != nil {
		t.Fatal(err)
	}
	return len(runs)
}

func TestTheReadLimitOfARequestDoesNotCutAStream(t *testing.T) {
	t.Parallel()
	h := open(t, func(p *plan) {
		p.tune = func(s *Server) { s.http.ReadTimeout, s.ping = 300*time.Millisecond, 50*time.Millisecond }
	})
	resp := h.open(t, "GET", "/api/library/events", nil, nil)
	defer resp.Body.Close()
	next, began := frames(resp.Body), time.Now()
	for time.Since(began) < time.Second {
		if _, err := next(); err != nil {
			t.Fatalf("cut after %v: %v", time.Since(began), err)
		}
	}
}

// deaf is a connection whose other end takes nothing, at the end of its time.
type deaf struct {
	http.ResponseWriter
	until time.Time
}

func (d *deaf) SetWriteDeadline(t time.Time) error { d.until = t; return nil }
func (d *deaf) Flush()                             {}

func (d *deaf) Write([]byte) (int, error) {
	return 0, errors.New("i/o timeout")
}

func TestAReaderThatTakesNothingIsDropped(t *testing.T) {
	s := &Server{patience: 50 * time.Millisecond}
	conn := &deaf{ResponseWriter: httptest.NewRecorder()}
	out := s.newStream(conn, serverSent)
	if out.event(1, "text", "x") || out.event(2, "text", "x") {
		t.Error("still written to")
	}
	if conn.until.IsZero() || conn.until.After(time.Now().Add(s.patience)) {
		t.Errorf("waited for until %v", conn.until)
	}
}

// eventsOf are n events; then is called before each.
func eventsOf(n int, then func(i int)) iter.Seq2[contract.Event, error] {
	return func(yield func(contract.Event, error) bool) {
		for i := 1; i <= n; i++ {
			then(i)
			if !yield(contract.Event{Seq: i, Kind: "text", Body: contract.TextDelta{}}, nil) {
				return
			}
		}
	}
}

func TestOnlyALiveReaderCanFallBehind(t *testing.T) {
	for _, c := range []struct {
		name string
		head func(i int) int
		want int
	}{
		{"a replay of 3000", func(int) int { return 3000 }, 3000},
		{"a live reader that keeps up", func(i int) int { return i }, 3000},
		{"one a little behind", func(i int) int { return min(3000, i+lagLimit) }, 3000},
		{"one that falls back after it was level", func(i int) int {
			if i > 10 {
				return 3000
			}
			return i
		}, 11},
		{"a run that has ended", func(int) int { return 0 }, 3000},
	} {
		w := httptest.NewRecorder()
		out := &stream{w: w, ctl: http.NewResponseController(&untimed{w}), patience: time.Second}
		at := 0
		relay(out, eventsOf(3000, func(i int) { at = i }), func() int { return c.head(at) })
		if n := strings.Count(w.Body.String(), "event: text"); n != c.want {
			t.Errorf("%s: %d events were sent, want %d", c.name, n, c.want)
		}
	}
}

// untimed lets a recorder take write deadlines.
type untimed struct{ *httptest.ResponseRecorder }

func (untimed) SetWriteDeadline(time.Time) error { return nil }

func FuzzAfter(f *testing.F) {
	for _, seed := range []string{"", "0", "17", "-1", "1e3", "9223372036854775808", " 1", "+1", "0x1", "١"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, header, query string) {
		r := httptest.NewRequest("GET", "/", nil).WithContext(context.Background())
		r.Header.Set("Last-Event-ID", header)
		r.URL.RawQuery = "after=" + query
		n, err := afterOf(r)
		if n < 0 || err != nil && (n != 0 || fault.CodeOf(err) != fault.InvalidRequest) {
			t.Fatalf("%q %q gives %d, %v", header, query, n, err)
		}
	})
}
