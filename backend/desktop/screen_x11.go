//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"encoding/binary"
	"os"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xinerama"
	"github.com/jezek/xgb/xproto"
)

// x11Screen speaks with the window manager, by the rules of freedesktop.org.
type x11Screen struct {
	conn   *xgb.Conn
	root   xproto.Window
	atoms  map[string]xproto.Atom
	before xproto.Window

	monitors func() []xinerama.ScreenInfo
}

var atomNames = []string{"_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER", "WM_NAME"}

func newScreen() Screen {
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return noScreen{} // windows have no place there that programs know
	}
	conn, err := xgb.NewConn()
	if err != nil {
		return noScreen{}
	}
	s := &x11Screen{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, atoms: map[string]xproto.Atom{}}
	s.monitors = s.ask
	for _, name := range atomNames {
		reply, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			conn.Close()
			return noScreen{}
		}
		s.atoms[name] = reply.Atom
	}
	return s
}

func (s *x11Screen) Close() { s.conn.Close() }

func (s *x11Screen) Note(process int) {
	if active := s.words(s.root, "_NET_ACTIVE_WINDOW"); len(active) > 0 && s.processOf(xproto.Window(active[0])) != process {
		s.before = xproto.Window(active[0])
	}
}

// raiseWait is how long a window is waited for that its program shows.
const raiseWait = 2 * time.Second

func (s *x11Screen) Raise(process int, title string) {
	for end := time.Now().Add(raiseWait); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if window, ok := s.find(process, title); ok {
			s.place(window)
			s.tell(window, "_NET_WM_STATE", 1, uint32(s.atoms["_NET_WM_STATE_SKIP_TASKBAR"]), uint32(s.atoms["_NET_WM_STATE_SKIP_PAGER"]))
			s.activate(window)
			return
		}
	}
}

func (s *x11Screen) Return() {
	if s.before != 0 && s.processOf(s.before) != 0 {
		s.activate(s.before)
	}
	s.before = 0
}

// find looks for a window among those that the window manager shows.
func (s *x11Screen) find(process int, title string) (xproto.Window, bool) {
	for _, id := range s.words(s.root, "_NET_CLIENT_LIST") {
		window := xproto.Window(id)
		if s.processOf(window) == process && string(s.property(window, "WM_NAME")) == title {
			return window, true
		}
	}
	return 0, false
}

func (s *x11Screen) processOf(window xproto.Window) int {
	if pid := s.words(window, "_NET_WM_PID"); len(pid) > 0 {
		return int(pid[0])
	}
	return 0
}

// place centres a window on the monitor of the pointer, a fifth down.
func (s *x11Screen) place(window xproto.Window) {
	size, err := xproto.GetGeometry(s.conn, xproto.Drawable(window)).Reply()
	if err != nil {
		return // it is gone again
	}
	m := s.monitor()
	x := int(m.XOrg) + (int(m.Width)-int(size.Width))/2
	y := int(m.YOrg) + max(0, min(int(m.Height)/5, int(m.Height)-int(size.Height)))
	xproto.ConfigureWindow(s.conn, window, xproto.ConfigWindowX|xproto.ConfigWindowY, []uint32{uint32(int32(x)), uint32(int32(y))})
}

// monitor is the one that the pointer is on; the whole screen where there is no
// telling.
func (s *x11Screen) monitor() xinerama.ScreenInfo {
	if pointer, err := xproto.QueryPointer(s.conn, s.root).Reply(); err == nil {
		for _, m := range s.monitors() {
			x, y := int(pointer.RootX)-int(m.XOrg), int(pointer.RootY)-int(m.YOrg)
			if x >= 0 && y >= 0 && x < int(m.Width) && y < int(m.Height) {
				return m
			}
		}
	}
	setup := xproto.Setup(s.conn).DefaultScreen(s.conn)
	return xinerama.ScreenInfo{Width: setup.WidthInPixels, Height: setup.HeightInPixels}
}

// ask is the list of monitors as the server has it; none where it keeps none.
func (s *x11Screen) ask() []xinerama.ScreenInfo {
	if xinerama.Init(s.conn) != nil {
		return nil
	}
	all, err := xinerama.QueryScreens(s.conn).Reply()
	if err != nil {
		return nil
	}
	return all.ScreenInfo
}

// activate asks for the focus as a pager does, which no window manager takes for
// a theft of it: the person has just pressed keys for it.
func (s *x11Screen) activate(window xproto.Window) { s.tell(window, "_NET_ACTIVE_WINDOW", 2) }

// tell sends a message of a window to the window manager.
func (s *x11Screen) tell(window xproto.Window, kind string, data ...uint32) {
	event := xproto.ClientMessageEvent{Format: 32, Window: window, Type: s.atoms[kind], Data: xproto.ClientMessageDataUnionData32New(append(data, make([]uint32, 5-len(data))...))}
	xproto.SendEvent(s.conn, false, s.root, xproto.EventMaskSubstructureRedirect|xproto.EventMaskSubstructureNotify, string(event.Bytes()))
}

func (s *x11Screen) property(window xproto.Window, name string) []byte {
	reply, err := xproto.GetProperty(s.conn, false, window, s.atoms[name], xproto.GetPropertyTypeAny, 0, 4096).Reply()
	if err != nil {
		return nil // the window is gone
	}
	return reply.Value
}

// words are the numbers of a property.
func (s *x11Screen) words(window xproto.Window, name string) (words []uint32) {
	for v := s.property(window, name); len(v) >= 4; v = v[4:] {
		words = append(words, binary.LittleEndian.Uint32(v))
	}
	return words
}
