//go:build !linux && !freebsd && !openbsd && !netbsd && !windows && !(darwin && cgo)

package desktop

import "footnote/backend/fault"

func take(Keys, func()) (release func(), err error) {
	return nil, fault.New(fault.NotAcceptable, "This program was built without keys that hold in every program.", "Take the packaged program.")
}
