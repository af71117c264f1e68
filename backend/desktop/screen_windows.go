package desktop

import "golang.org/x/sys/windows"

var (
	allowForeground = user32.NewProc("AllowSetForegroundWindow")
	foreground      = user32.NewProc("GetForegroundWindow")
	setForeground   = user32.NewProc("SetForegroundWindow")
)

// windowsScreen hands on the right to come to the front, which Windows gives to
// who was told of the keys; the window takes its place itself.
type windowsScreen struct {
	noScreen
	before windows.HWND
}

func newScreen() Screen { return &windowsScreen{} }

func (s *windowsScreen) Note(process int) {
	before, _, _ := foreground.Call()
	s.before = windows.HWND(before)
	_, _, _ = allowForeground.Call(uintptr(process))
}

func (s *windowsScreen) Return() { _, _, _ = setForeground.Call(uintptr(s.before)) }
