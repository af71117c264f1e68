package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/store"
)

// lasting is a program that holds the data folder until it is told to end.
type lasting struct {
	end    func() said
	out    *housetest.Output
	opened [][]string // files of second starts
}

// hold opens the house and keeps it, as the server and the window do.
func (d *desk) hold() *lasting {
	d.t.Helper()
	l := &lasting{out: &housetest.Output{}}
	errs, ready := &housetest.Output{}, make(chan bool)
	env := d.env(l.out, errs, "serve")
	env.Serve = func(ctx context.Context, h *command.House, _ command.ServeOptions, _ *command.Env) error {
		if err := h.Begin(ctx, false); err != nil {
			return err
		}
		h.Greet(ctx, func(_ context.Context, guest *command.Env, o command.Opening) error {
			l.opened = append(l.opened, o.Paths)
			fmt.Fprintln(guest.Stdout, "already here")
			return nil
		})
		close(ready)
		<-ctx.Done()
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() { ended <- command.Execute(ctx, env) }()
	l.end = func() said { cancel(); return d.finish(<-ended, l.out, errs) }
	select {
	case <-ready:
	case <-time.After(time.Minute):
		d.t.Fatalf("nothing holds the data folder: %s", errs)
	}
	housetest.Until(d.t, "the socket is there", func() bool { _, err := os.Stat(filepath.Join(d.data, "footnote.sock")); return err == nil })
	return l
}

var passing = regexp.MustCompile(`(run|thr|fil)_[a-z0-9]{26}|\d+ ms|[0-9-]{10} [0-9:]{8}`)

// lasting is what was printed without what is of one run alone.
func (d *desk) lasting(s said) said {
	clean := func(text string) string {
		return passing.ReplaceAllString(strings.ReplaceAll(text, d.data, "DATA"), "_")
	}
	return said{s.code, clean(s.out), clean(s.errs)}
}

func TestAHandedCommandPrintsAndEndsTheSame(t *testing.T) {
	t.Parallel()
	alone, beside := sit(t), sit(t)
	beside.dir = alone.dir
	alone.write("broken.pdf", "%PDF-1.4 nothing follows")
	holder := beside.hold()
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"library", "add", "--wait", "."}}, {"", []string{"library", "list"}}, {"", []string{"library", "search", "lorne"}}, {"", []string{"library", "search", "submarine"}},
		{"", []string{"ask", "--offline", opened}}, {opened, []string{"ask", "--offline", "--quiet", "--style", "[^1]", "-"}}, {"", []string{"ask", "--offline", "What of the submarine of Atlantis?"}},
		{"", []string{"ask", "--files", "none.md", opened}}, {"", []string{"ask", "--focus", "everywhere", opened}}, {"", []string{"ask", "--offline", "--focus", "web", opened}},
		{"sk-1234567890", []string{"keys", "set", "openai"}}, {"", []string{"keys", "set", "openai"}}, {"", []string{"keys", "remove", "openai"}},
		{"", []string{"ask", "--model", "away/m", "--offline", opened}}, {"", []string{"threads"}}, {"", []string{"models"}}, {"", []string{"library", "remove", "bridge.md"}},
		{"", []string{"version"}}, {"", []string{"nonsense"}}, {"", []string{"library"}},
	} {
		alone.stdin, beside.stdin = c.stdin, c.stdin
		want, got := alone.run(c.args...), beside.run(c.args...)
		want, got = alone.lasting(want), beside.lasting(got)
		if got != want {
			t.Errorf("%q\nalone  %+v\nhanded %+v", c.args, want, got)
		}
	}
	if got := holder.end(); got.code != 0 || got.out != "" {
		t.Errorf("the holder: %+v", got)
	}
	if left, err := os.Stat(filepath.Join(beside.data, "footnote.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v %v", left, err)
	}
	if got := beside.run("threads"); got.code != 0 {
		t.Errorf("afterwards: %+v", got)
	}
}

func TestTheSocketIsItsOwnersAlone(t *testing.T) {
	d := sit(t)
	holder := d.hold()
	defer holder.end()
	info, err := os.Stat(filepath.Join(d.data, "footnote.sock"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestCommandsSideBySideShareOneHouse(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.model = slow()
	ended := make(chan said, 1)
	go func() { ended <- d.run("ask", "--timeout", "3s", "--offline", "--files", "bridge.md", opened) }()
	housetest.Until(t, "the first command holds the data", func() bool { _, err := os.Stat(filepath.Join(d.data, "footnote.sock")); return err == nil })
	for range 3 {
		if got := d.run("ask", "--offline", "--model", "none", "--files", "bridge.md", opened); got.code != 0 || !strings.Contains(got.out, "3 May 1932") {
			t.Errorf("beside it: %+v", got)
		}
	}
	if first := <-ended; first.code != 7 || !strings.Contains(first.out, "word") {
		t.Errorf("the first: %d %.80q %q", first.code, first.out, first.errs)
	}
}

func TestAnInterruptReachesAHandedCommand(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.model = slow()
	holder := d.hold()
	defer holder.end()
	ctx, interrupt := context.WithCancel(t.Context())
	began := time.Now()
	go func() { d.writing(1); began = time.Now(); interrupt() }()
	got := d.runUntil(ctx, "ask", "--offline", "--files", "bridge.md", opened)
	if got.code != 130 || !strings.Contains(got.out, "word") || strings.Contains(got.errs, "error:") || time.Since(began) > 15*time.Second {
		t.Errorf("%d after %v: %.80q %q", got.code, time.Since(began), got.out, got.errs)
	}
	housetest.Until(t, "the run has ended", func() bool {
		var threads []struct{ Running bool }
		list := d.run("threads", "--json")
		return json.Unmarshal([]byte(list.out), &threads) == nil && len(threads) == 1 && !threads[0].Running
	})
}

func TestAHolderThatEndsTakesItsGuestsAlong(t *testing.T) {
	d := sit(t)
	d.model = slow()
	holder := d.hold()
	ended := make(chan said, 1)
	go func() { ended <- d.run("ask", "--offline", "--files", "bridge.md", opened) }()
	housetest.Until(t, "the model is asked", func() bool { return len(d.model.Calls()) > 0 })
	began := time.Now()
	if got := holder.end(); got.code != 0 || time.Since(began) > 15*time.Second {
		t.Errorf("%+v after %v", got, time.Since(began))
	}
	if got := <-ended; got.code == 0 {
		t.Errorf("the guest: %+v", got)
	}
}

func TestASecondStartHandsItsFilesOver(t *testing.T) {
	d := sit(t)
	holder := d.hold()
	defer holder.end()
	for _, args := range [][]string{nil, {"bridge.md"}} {
		out, errs := &housetest.Output{}, &housetest.Output{}
		env := d.env(out, errs, args...)
		env.Window = func(context.Context, *command.House, command.Opening) error {
			t.Error("a second window opens")
			return nil
		}
		if code := command.Execute(t.Context(), env); code != 0 || out.String() != "already here\n" || errs.String() != "" {
			t.Errorf("%v: %d %s %s", args, code, out, errs)
		}
	}
	if len(holder.opened) != 2 || len(holder.opened[0]) != 0 || holder.opened[1][0] != filepath.Join(d.dir, "bridge.md") {
		t.Errorf("handed over: %v", holder.opened)
	}
	second := d.run("serve")
	if second.code != 6 || !strings.Contains(second.errs, "running on this data folder already") {
		t.Errorf("a second server: %+v", second)
	}
}

func TestALastingProgramWaitsForAShortOne(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.model = slow()
	go d.run("ask", "--timeout", "2s", "--offline", "--files", "bridge.md", opened)
	housetest.Until(t, "the first command holds the data", func() bool { _, err := os.Stat(filepath.Join(d.data, "footnote.sock")); return err == nil })
	out, errs, opened := &housetest.Output{}, &housetest.Output{}, false
	env := d.env(out, errs)
	env.Window = func(context.Context, *command.House, command.Opening) error { opened = true; return nil }
	if code := command.Execute(t.Context(), env); code != 0 || !opened || errs.String() != "Waiting for another Footnote command to end…\n" {
		t.Errorf("%d, opened %v, %s", code, opened, errs)
	}
}

func TestAForeignProcessThatAnswersNothingEndsWithSix(t *testing.T) {
	t.Parallel()
	d := sit(t)
	db, err := store.Open(t.Context(), d.data, quiet, time.Now) // as another program would hold it
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	got := d.run("threads")
	if got.code != 6 || !strings.Contains(got.errs, "Another Footnote is using the data folder") || time.Since(began) > time.Minute {
		t.Errorf("%+v after %v", got, time.Since(began))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// A socket whose process is gone is no obstacle.
	dead, err := net.Listen("unix", filepath.Join(d.data, "footnote.sock"))
	if err != nil {
		t.Fatal(err)
	}
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	if got := d.run("threads"); got.code != 0 {
		t.Errorf("beside a stale socket: %+v", got)
	}
}

func TestWhoCannotOpenTheDataSaysSo(t *testing.T) {
	d := sit(t)
	for code, want := range map[fault.Code]int{fault.DataDamaged: 6, fault.DiskFull: 6, fault.InvalidSetting: 2, fault.Internal: 1} {
		out, errs := &housetest.Output{}, &housetest.Output{}
		env := d.env(out, errs, "threads")
		env.Open = func(context.Context, command.Flags) (*command.House, error) {
			return nil, fault.Wrap(errors.New("canary"), code, "It does not open.", "Look.")
		}
		if got := command.Execute(t.Context(), env); got != want || errs.String() != "error: It does not open.\nhint: Look.\n" {
			t.Errorf("%s: %d %s", code, got, errs)
		}
	}
}
