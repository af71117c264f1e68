package command_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/records"
)

// talk is a client of the protocol under a test's hand: it makes calls one by one.
type talk struct {
	call  func(context.Context, []byte, func([]byte)) error
	ready chan bool
	leave chan bool
	ended chan said
}

// answered answers a call with its own words, once it has used the house.
func answered(ctx context.Context, h *command.House, call []byte, out io.Writer) error {
	if _, _, err := h.DB.Threads(ctx, records.ThreadQuery{}); err != nil {
		return err
	}
	if string(call) == "fail" {
		return fault.New(fault.Busy, "It is busy.", "Wait.")
	}
	fmt.Fprintf(out, "heard %s\n", call)
	if string(call) == "broken" {
		fmt.Fprint(out, "half a li")
	}
	return nil
}

// connect starts `footnote mcp` and waits until it speaks.
func (d *desk) connect(open func(context.Context, command.Flags) (*command.House, error)) *talk {
	d.t.Helper()
	c := &talk{ready: make(chan bool), leave: make(chan bool), ended: make(chan said, 1)}
	out, errs := &housetest.Output{}, &housetest.Output{}
	env := d.env(out, errs, "mcp")
	env.MCP.Speak = func(_ context.Context, _ io.Reader, w io.Writer, version string, call func(context.Context, []byte, func([]byte)) error) error {
		fmt.Fprintln(w, "the protocol of", version)
		c.call = call
		close(c.ready)
		<-c.leave
		return nil
	}
	if open != nil {
		env.Open = open
	}
	go func() { c.ended <- d.finish(command.Execute(context.Background(), env), out, errs) }()
	<-c.ready
	return c
}

func (c *talk) says(t *testing.T, words string) string {
	t.Helper()
	var got []string
	if err := c.call(t.Context(), []byte(words), func(line []byte) { got = append(got, string(line)) }); err != nil {
		t.Errorf("%s: %v", words, err)
	}
	return strings.Join(got, " ")
}

func (c *talk) end(t *testing.T) {
	t.Helper()
	close(c.leave)
	if got := <-c.ended; got.code != 0 || got.out != "the protocol of 1.2.3\n" || got.errs != "" {
		t.Errorf("it ended with %+v", got)
	}
}

func TestTheHouseIsOpenedOnceForAllCalls(t *testing.T) {
	d := sit(t)
	d.mcp.Answer = answered
	var mu sync.Mutex
	opened := 0
	c := d.connect(func(ctx context.Context, flags command.Flags) (*command.House, error) {
		mu.Lock()
		opened++
		mu.Unlock()
		return d.open(ctx, flags)
	})
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			if got := c.says(t, fmt.Sprint(i)); got != fmt.Sprint("heard ", i) {
				t.Errorf("%d: %q", i, got)
			}
		})
	}
	all.Wait()
	if got := d.run("threads"); got.code != 0 || opened != 1 {
		t.Errorf("a command beside it: %+v; opened %d times", got, opened)
	}
	for words, want := range map[string]string{"fail": "It is busy", "broken": "broke off"} {
		if err := c.call(t.Context(), []byte(words), func([]byte) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", words, err)
		}
	}
	c.end(t)
	if _, err := os.Stat(filepath.Join(d.data, "footnote.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
}

func TestCallsGoToWhoHoldsTheData(t *testing.T) {
	d := sit(t)
	d.mcp.Answer = answered
	holder := d.hold()
	c := d.connect(nil)
	if got := c.says(t, "hello"); got != "heard hello" {
		t.Errorf("handed over: %q", got)
	}
	if got := holder.end(); got.code != 0 {
		t.Errorf("the holder: %+v", got)
	}
	if got := c.says(t, "still there?"); got != "heard still there?" {
		t.Errorf("alone again: %q", got)
	}
	c.end(t)
}

func TestAWindowGetsTheHouseFromAClientThatStays(t *testing.T) {
	d := sit(t)
	d.mcp.Answer = answered
	c := d.connect(nil)
	c.says(t, "first")
	for range 2 {
		holder := d.hold() // fails the test when the house is not given up
		if got := c.says(t, "beside it"); got != "heard beside it" {
			t.Errorf("handed over: %q", got)
		}
		if got := holder.end(); got.code != 0 {
			t.Errorf("the holder: %+v", got)
		}
		c.says(t, "alone")
	}
	c.end(t)
}

func TestACallThatRunsKeepsTheHouse(t *testing.T) {
	d := sit(t)
	running, finish := make(chan bool), make(chan bool)
	d.mcp.Answer = func(ctx context.Context, h *command.House, call []byte, out io.Writer) error {
		if string(call) == "slow" {
			close(running)
			<-finish
		}
		return answered(ctx, h, call, out)
	}
	c := d.connect(nil)
	heard := make(chan string, 1)
	go func() { heard <- c.says(t, "slow") }()
	<-running
	held := make(chan *lasting, 1)
	go func() { held <- d.hold() }()
	select {
	case <-held:
		t.Error("the house was taken from a call")
	case <-time.After(300 * time.Millisecond):
	}
	close(finish)
	if got := <-heard; got != "heard slow" {
		t.Errorf("%q", got)
	}
	if holder := <-held; holder != nil {
		holder.end()
	}
	c.end(t)
}

func TestAHouseThatCannotBeOpenedIsTold(t *testing.T) {
	d := sit(t)
	d.mcp.Answer = answered
	c := d.connect(func(context.Context, command.Flags) (*command.House, error) {
		return nil, fault.New(fault.DataDamaged, "The data is damaged.", "Restore a backup.")
	})
	if err := c.call(t.Context(), []byte("x"), func([]byte) {}); fault.CodeOf(err) != fault.DataDamaged {
		t.Errorf("%v", err)
	}
	c.end(t)
}
