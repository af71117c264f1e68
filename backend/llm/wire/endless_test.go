package wire

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

var patient = llm.Limits{Connect: time.Minute, FirstToken: time.Minute, Idle: time.Minute}

// streamed reads a stream that repeats an event, so often or for ever, and gives its
// end. What hear is told is whether it is the first event.
func streamed(t *testing.T, limits llm.Limits, event string, times int, hear func(lines *Lines, turn *Turn, first bool) error) error {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for n := 0; times == 0 || n < times; n++ {
			if _, err := w.Write([]byte("data: " + event + "\n\n")); err != nil {
				return
			}
		}
		_, _ = w.Write([]byte("data: [DONE]\n\n")) // who reads it sees whether it came
	}))
	t.Cleanup(server.Close)
	s := testServer(server.Client(), server.URL)
	s.Limits = limits
	lines, err := s.Stream(t.Context(), "/chat", "m", struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	first := true
	for _, failed := range Reply(llm.Call{Model: "m"}, func(turn *Turn) error {
		return lines.Events("m", turn, func([]byte) (bool, error) {
			err := hear(lines, turn, first)
			first = false
			return true, err
		})
	}) {
		if failed != nil {
			err = failed
		}
	}
	return err
}

func TestEventsThatCarryNothingDoNotKeepAReplyAlive(t *testing.T) {
	began := time.Now()
	err := streamed(t, llm.Limits{Connect: time.Minute, FirstToken: 2 * time.Second, Idle: time.Minute}, `{"delta":{}}`, 0, func(lines *Lines, _ *Turn, first bool) error {
		lines.Progress(first)
		return nil
	})
	if fault.CodeOf(err) != fault.ModelTimeout || time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestWhatAReplyHoldsBackIsBounded(t *testing.T) {
	piece := strings.Repeat("a", 16<<10)
	err := streamed(t, patient, `{"arguments":"`+piece+`"}`, 0, func(lines *Lines, turn *Turn, _ bool) error {
		lines.Progress(true)
		turn.Hold(len(piece))
		return nil
	})
	if fault.CodeOf(err) != fault.ModelRefused {
		t.Errorf("it goes on: %v", err)
	}
	heard := 0
	err = streamed(t, patient, `{"text":"`+piece+`"}`, 2*maxHeld/len(piece), func(lines *Lines, turn *Turn, _ bool) error {
		lines.Progress(true)
		heard++
		return turn.Text(piece)
	})
	if err != nil || heard != 2*maxHeld/len(piece) {
		t.Errorf("a long reply is cut off after %d events: %v", heard, err)
	}
}
