package server

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/llm/llmtest"
)

// tornReader reads a run and is cut off after every tenth event; it goes on after
// the last one it has, until the stream ends by itself.
type tornReader struct {
	path   string
	got    []frame
	breaks int
}

// read takes up to ten more events, and tells whether the run has ended.
func (r *tornReader) read(t *testing.T, h *house) (ended bool) {
	t.Helper()
	resp := h.open(t, "GET", r.path, nil, func(req *http.Request) { req.Header.Set("Last-Event-ID", strconv.Itoa(len(r.got))) })
	defer resp.Body.Close()
	next := frames(resp.Body)
	for taken := 0; taken < 10; {
		f, err := next()
		if err != nil {
			return true // the stream closes after the last event
		}
		if f.id != "" {
			r.got = append(r.got, f)
			taken++
		}
	}
	r.breaks++
	return false
}

func TestAReaderCutOffAtEveryTenthEventMissesNothing(t *testing.T) {
	t.Parallel()
	for name, restartAt := range map[string]int{"while it runs": 0, "over a restart": 20} { // events; 0 = none
		t.Run(name, func(t *testing.T) {
			h := open(t, func(p *plan) {
				p.files = map[string]string{"bridge.md": bridge}
				p.replies = []llmtest.Reply{{Text: "It was opened on 3 May 1932 [1]. " + strings.Repeat("word ", 100), Delay: 10 * time.Millisecond}}
			})
			asked := h.start(t, local("When was the bridge over the Lorne opened?"))
			r := &tornReader{path: asked.Events}
			for restarted := false; !r.read(t, h); {
				if restartAt > 0 && !restarted && len(r.got) >= restartAt {
					h, restarted = h.restart(t, nil), true
				}
			}
			whole := h.follow(t, asked.Events, nil)[1:]
			last := whole[len(whole)-1].event
			if !slices.Equal(r.got, whole) || !contract.Kind(last).Terminal() {
				t.Errorf("%d events were read, %d are there, the last is %s", len(r.got), len(whole), last)
			}
			if r.breaks < 2 {
				t.Errorf("%d breaks in %d events prove nothing", r.breaks, len(whole))
			}
		})
	}
}
