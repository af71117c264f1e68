//go:build !darwin || cgo

package desktop

import "fyne.io/systray"

// Tray is the icon while it is shown.
type Tray struct{ pause, private *systray.MenuItem }

// RunTray shows an icon until the process ends: the system allows one for each,
// on its first thread. ready is given the icon.
func RunTray(icon TrayIcon, ready func(*Tray)) {
	systray.Run(func() {
		systray.SetIcon(icon.Image)
		systray.SetTooltip(icon.Text.Name)
		systray.SetOnTapped(func() { icon.Do("open") })
		t := &Tray{}
		press := func(item *systray.MenuItem, what string) *systray.MenuItem {
			go func() {
				for range item.ClickedCh {
					icon.Do(what)
				}
			}()
			return item
		}
		press(systray.AddMenuItem(icon.Text.Open, ""), "open")
		press(systray.AddMenuItem(icon.Text.Box, ""), "box")
		systray.AddSeparator()
		t.pause = press(systray.AddMenuItemCheckbox(icon.Text.Pause, "", false), "pause")
		t.private = press(systray.AddMenuItemCheckbox(icon.Text.Private, "", false), "private")
		systray.AddSeparator()
		press(systray.AddMenuItem(icon.Text.Quit, ""), "quit")
		go ready(t) // the menu is shown once this function has ended
	}, nil)
}

// Show says how things stand.
func (t *Tray) Show(paused, private bool) {
	for item, on := range map[*systray.MenuItem]bool{t.pause: paused, t.private: private} {
		if on {
			item.Check()
		} else {
			item.Uncheck()
		}
	}
}
