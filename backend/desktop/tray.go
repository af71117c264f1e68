package desktop

// TrayIcon is what stands in the tray. The functions are called when a line of its
// menu is pressed.
type TrayIcon struct {
	Image []byte // PNG, on Windows ICO
	Text  Texts
	Do    func(what string) // open, box, pause, private or quit
}

// Texts are the lines of the menu.
type Texts struct{ Name, Open, Box, Pause, Private, Quit string }
