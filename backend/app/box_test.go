package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
)

func init() { children["act-box"] = func(context.Context, []string) error { return actBox() } }

// actBox is a box whose page calls two routes when it is shown, and opens a place
// that says what came of them.
func actBox() error {
	w := newWire(os.Stdin, os.Stdout)
	answers := map[int]note{}
	return w.receive(func(n note) {
		switch n.Do {
		case "show":
			_ = w.send(note{Do: "call", Number: 1, Name: "GET /api/known", Sent: Sent{Query: map[string]string{"q": "lamp"}}})
			_ = w.send(note{Do: "call", Number: 2, Name: "GET /api/unknown"})
			_ = w.send(note{Do: "open", Text: "https://example.org/"})
		case "answer":
			if answers[n.Number] = n; len(answers) == 2 {
				_ = w.send(note{Do: "open", Text: "/#/" + string(answers[1].Value) + answers[2].Text})
			}
		}
	})
}

func boxed(t *testing.T) (*box, chan string) {
	t.Helper()
	t.Setenv("DISPLAY", "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opened := make(chan string, 4)
	b := &box{command: []string{self, "act-box"}, log: slog.New(slog.DiscardHandler), open: func(place string) { opened <- place }}
	b.serve = func(emit func(string, any)) *Bindings {
		known := api.Route{Do: func(_ context.Context, in api.Input) (any, error) { return in.Query.Get("q"), nil }}
		return &Bindings{ctx: t.Context(), emit: emit, routes: map[string]api.Route{"GET /api/known": known}, ends: map[string]context.CancelFunc{}}
	}
	t.Cleanup(func() { b.end() })
	return b, opened
}

func TestTheBoxIsAnsweredByTheProgram(t *testing.T) {
	b, opened := boxed(t)
	b.toggle()
	place := <-opened
	var failure struct{ Code fault.Code }
	if len(place) < len(`/#/"lamp"`) || place[:9] != `/#/"lamp"` {
		t.Fatalf("the route gave %s, or a place that is none was opened", place)
	}
	if err := json.Unmarshal([]byte(place[9:]), &failure); err != nil || failure.Code != fault.NotFound {
		t.Errorf("an unknown route gives %s, %v", place[9:], err)
	}
	b.toggle()
	if b.mu.Lock(); b.shown {
		t.Error("pressed again, it is still shown")
	}
	b.mu.Unlock()
}

func TestABoxThatDiedIsStartedAgain(t *testing.T) {
	b, opened := boxed(t)
	if err := b.ready(); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	first := b.child
	b.mu.Unlock()
	if err := first.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-first.gone
	b.toggle()
	<-opened
}
