//go:build linux

package desktop

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"footnote/backend/fault"
)

// onBus runs the rest of a test on a session bus of its own, and gives a
// connection to it.
func onBus(t *testing.T) *dbus.Conn {
	t.Helper()
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := bus.StdoutPipe()
	if err == nil {
		err = bus.Start()
	}
	if err != nil {
		t.Skip("dbus-daemon is missing: the bus is not tried")
	}
	t.Cleanup(func() { _ = bus.Process.Kill(); _ = bus.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Skip("dbus-daemon does not start here: ", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// fakePortal answers as a desktop that lends keys, or refuses them.
type fakePortal struct {
	conn    *dbus.Conn
	refuses bool
	bound   chan []shortcut
}

const fakeSession = dbus.ObjectPath("/org/freedesktop/portal/desktop/session/one")

// CreateSession is a method of the portal.
func (p *fakePortal) CreateSession(options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return p.respond(options, map[string]dbus.Variant{"session_handle": dbus.MakeVariant(string(fakeSession))}, 0)
}

// BindShortcuts is a method of the portal.
func (p *fakePortal) BindShortcuts(_ dbus.ObjectPath, wish []shortcut, _ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	p.bound <- wish
	code := uint32(0)
	if p.refuses {
		code = 1
	}
	return p.respond(options, nil, code)
}

func (p *fakePortal) respond(options, results map[string]dbus.Variant, code uint32) (dbus.ObjectPath, *dbus.Error) {
	token, _ := options["handle_token"].Value().(string)
	request := dbus.ObjectPath("/org/freedesktop/portal/desktop/request/" + token)
	if err := p.conn.Emit(request, "org.freedesktop.portal.Request.Response", code, results); err != nil {
		return request, dbus.MakeFailedError(err)
	}
	return request, nil
}

func servePortal(t *testing.T, refuses bool) *fakePortal {
	t.Helper()
	p := &fakePortal{conn: onBus(t), refuses: refuses, bound: make(chan []shortcut, 1)}
	if err := p.conn.Export(p, portalPath, shortcuts); err != nil {
		t.Fatal(err)
	}
	if _, err := p.conn.RequestName(portalName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WAYLAND_DISPLAY", "wayland-9")
	return p
}

func TestKeysOfThePortal(t *testing.T) {
	p := servePortal(t, false)
	pressed := make(chan struct{}, 4)
	keys := Keys{Ctrl: true, Super: true, Key: "f3"}
	release, err := Take(keys, func() { pressed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	wish := <-p.bound
	if len(wish) != 1 || wish[0].ID != shortcutID || wish[0].About["preferred_trigger"].Value() != "CTRL+LOGO+F3" {
		t.Errorf("asked for %+v", wish)
	}
	for _, session := range []dbus.ObjectPath{fakeSession + "else", fakeSession} { // that of another program is not ours
		if err := p.conn.Emit(portalPath, shortcuts+".Activated", session, shortcutID, uint64(1), map[string]dbus.Variant{}); err != nil {
			t.Fatal(err)
		}
	}
	<-pressed
	if len(pressed) != 0 {
		t.Error("keys of another program were taken for ours")
	}
}

func TestADesktopMayRefuseKeys(t *testing.T) {
	servePortal(t, true)
	if _, err := Take(Keys{Ctrl: true, Key: "k"}, nil); fault.CodeOf(err) != fault.NotAcceptable || !strings.Contains(err.Error(), "did not lend these keys") {
		t.Errorf("refused: %v", err)
	}
}

func TestADesktopWithoutAPortalIsSaid(t *testing.T) {
	onBus(t)
	t.Setenv("WAYLAND_DISPLAY", "wayland-9")
	_, err := Take(Keys{Ctrl: true, Key: "k"}, nil)
	if f := fault.Of(err); f.Code != fault.NotAcceptable || !strings.Contains(f.Hint, "footnote footnote://box") {
		t.Errorf("without a portal: %v", err)
	}
}
