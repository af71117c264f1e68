//go:build darwin && !cgo

package desktop

// Tray is the icon while it is shown.
type Tray struct{}

// RunTray shows nothing: the program was built without its window.
func RunTray(TrayIcon, func(*Tray)) {}

// Show says how things stand.
func (t *Tray) Show(bool, bool) {}
