//go:build linux

package desktop

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xinerama"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"footnote/backend/fault"
)

// onX runs the rest of a test on an X server of its own.
func onX(t *testing.T, options ...string) {
	t.Helper()
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Skip("Xvfb is missing: the X server is not tried")
	}
	number, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", append([]string{"-displayfd", "3", "-nolisten", "tcp", "-noreset"}, options...)...)
	server.ExtraFiles = []*os.File{end}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	line, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		t.Skip("Xvfb does not start here: ", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(line))
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("XAUTHORITY", "")
}

// keyboard presses keys as a person does.
type keyboard struct {
	t    *testing.T
	conn *xgb.Conn
	grab grab
}

func newKeyboard(t *testing.T) *keyboard {
	t.Helper()
	conn, err := xgb.NewConn()
	if err == nil {
		err = xtest.Init(conn)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return &keyboard{t, conn, grab{conn: conn}}
}

func (k *keyboard) send(kind byte, symbols ...xproto.Keysym) {
	k.t.Helper()
	codes, err := k.grab.symbols()
	if err != nil {
		k.t.Fatal(err)
	}
	for _, s := range symbols {
		if err := xtest.FakeInputChecked(k.conn, kind, byte(codes[s]), 0, xproto.Setup(k.conn).DefaultScreen(k.conn).Root, 0, 0, 0).Check(); err != nil {
			k.t.Fatal(err)
		}
	}
}

const keyCtrl, keyAlt = 0xffe3, 0xffe9

func TestKeysOfTheXServer(t *testing.T) {
	onX(t)
	keys, err := ParseKeys("ctrl+alt+space")
	if err != nil {
		t.Fatal(err)
	}
	pressed := make(chan struct{}, 16)
	release, err := Take(keys, func() { pressed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(keys, nil); fault.CodeOf(err) != fault.NotAcceptable || !strings.Contains(err.Error(), "Ctrl+Alt+Space is taken by another program") {
		t.Errorf("taken twice: %v", err)
	}
	k := newKeyboard(t)
	for _, lock := range []xproto.Keysym{0, 0xffe5, numLock} { // Caps Lock and Num Lock change nothing
		if lock != 0 {
			k.send(xproto.KeyPress, lock)
			k.send(xproto.KeyRelease, lock)
		}
		k.until(pressed, keyCtrl, keyAlt, ' ')
	}
	release()
	again, err := Take(keys, nil)
	if err != nil {
		t.Fatalf("after it was let go: %v", err)
	}
	again()
}

// until presses keys together until that was noticed: a press right after
// another counts as its repetition.
func (k *keyboard) until(noticed chan struct{}, symbols ...xproto.Keysym) {
	k.t.Helper()
	for {
		k.send(xproto.KeyPress, symbols...)
		k.send(xproto.KeyRelease, symbols...)
		select {
		case <-noticed:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func TestAHeldKeyIsPressedOnce(t *testing.T) {
	onX(t)
	conn, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	k := newKeyboard(t)
	codes, err := k.grab.symbols()
	if err != nil {
		t.Fatal(err)
	}
	g := &grab{conn: conn, code: codes[' ']}
	k.send(xproto.KeyPress, ' ')
	if !g.begins() || g.begins() || g.begins() {
		t.Error("a repetition of a held key counts as a press")
	}
	k.send(xproto.KeyRelease, ' ')
	for !g.begins() { // as soon as its end was seen
	}
}

func TestTheBoxStandsOnTheMonitorOfThePointer(t *testing.T) {
	onX(t, "-screen", "0", "1600x800x24")
	screen, ok := newScreen().(*x11Screen)
	if !ok {
		t.Fatal("the X server is not seen")
	}
	defer screen.Close()
	window := shown(t, screen, "box", 400, 300)
	screen.monitors = func() []xinerama.ScreenInfo {
		return []xinerama.ScreenInfo{{Width: 1000, Height: 800}, {XOrg: 1000, Width: 600, Height: 500}}
	}
	for _, at := range []struct{ pointerX, pointerY, x, y int }{{100, 100, 300, 160}, {1100, 100, 1100, 100}} {
		xproto.WarpPointer(screen.conn, 0, screen.root, 0, 0, 0, 0, int16(at.pointerX), int16(at.pointerY))
		if found, ok := screen.find(os.Getpid(), "box"); !ok || found != window {
			t.Fatalf("the window is found as %d, %v", found, ok)
		}
		screen.place(window)
		g, err := xproto.GetGeometry(screen.conn, xproto.Drawable(window)).Reply()
		if err != nil || int(g.X) != at.x || int(g.Y) != at.y {
			t.Errorf("pointer at %d, %d: it stands at %+v, %v", at.pointerX, at.pointerY, g, err)
		}
	}
}

// shown makes a window of this process as a window manager would list it.
func shown(t *testing.T, s *x11Screen, title string, width, height uint16) xproto.Window {
	t.Helper()
	window, err := xproto.NewWindowId(s.conn)
	if err != nil {
		t.Fatal(err)
	}
	setup := xproto.Setup(s.conn).DefaultScreen(s.conn)
	xproto.CreateWindow(s.conn, setup.RootDepth, window, s.root, 0, 0, width, height, 0, xproto.WindowClassInputOutput, setup.RootVisual, 0, nil)
	pid, id := make([]byte, 4), make([]byte, 4)
	xgb.Put32(pid, uint32(os.Getpid()))
	xgb.Put32(id, uint32(window))
	xproto.ChangeProperty(s.conn, xproto.PropModeReplace, window, s.atoms["_NET_WM_PID"], xproto.AtomCardinal, 32, 1, pid)
	xproto.ChangeProperty(s.conn, xproto.PropModeReplace, window, s.atoms["WM_NAME"], xproto.AtomString, 8, uint32(len(title)), []byte(title))
	xproto.ChangeProperty(s.conn, xproto.PropModeReplace, s.root, s.atoms["_NET_CLIENT_LIST"], xproto.AtomWindow, 32, 1, id)
	return window
}
