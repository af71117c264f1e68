//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"errors"
	"os"

	"footnote/backend/fault"
)

// take asks the portal where Wayland draws, since only it hears keys of other
// programs there, and the X server elsewhere.
func take(keys Keys, pressed func()) (release func(), err error) {
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		release, err = takePortal(keys, pressed)
	} else {
		release, err = takeX11(keys, pressed)
	}
	if err != nil && !errors.As(err, new(*fault.Fault)) {
		err = fault.Wrap(err, fault.NotAcceptable, "This desktop lends no keys to programs.", "In its own settings, give keys to the command: footnote footnote://box")
	}
	return release, err
}
