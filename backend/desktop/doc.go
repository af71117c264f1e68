// Package desktop is how Footnote is reached from outside its window: keys that
// hold in every program, the place and focus of a floating box, an icon in the
// system's tray, and a start together with the session.
//
//	keys.go       combinations of keys, as they are written in settings
//	hotkey*.go    keys taken from the whole desktop: X11, a Wayland portal, Windows, macOS
//	screen*.go    where the box stands, and who has the focus before and after it
//	tray*.go      the icon, in a process of its own
//	early*.go     what is typed into the window before its page is there
//	autostart*.go the entry by which the system starts the program
package desktop
