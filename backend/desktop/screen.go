package desktop

// Screen puts a window of another process in front of the person, and gives the
// focus back after it.
type Screen interface {
	// Note remembers which window has the focus, before one of the process is shown.
	Note(process int)
	// Raise puts the window with this title that the process shows on the screen
	// where the pointer is, and gives it the focus.
	Raise(process int, title string)
	// Return gives the focus back to the window that had it.
	Return()
	Close()
}

// NewScreen is the screen of this session. Where the system places windows itself
// and gives no program a say, it does nothing.
func NewScreen() Screen { return newScreen() }

type noScreen struct{}

func (noScreen) Note(int)          {}
func (noScreen) Raise(int, string) {}
func (noScreen) Return()           {}
func (noScreen) Close()            {}
