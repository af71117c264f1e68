//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"github.com/godbus/dbus/v5"

	"footnote/backend/fault"
)

// TrayProblem says why no icon can be shown, or nothing.
func TrayProblem() error {
	none := fault.New(fault.NotAcceptable, "This desktop has no tray.", "On GNOME the extension AppIndicator brings one.")
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		return none
	}
	defer conn.Close()
	var owned bool
	if err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned); err != nil || !owned {
		return none
	}
	return nil
}
