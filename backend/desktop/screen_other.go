//go:build !linux && !freebsd && !openbsd && !netbsd && !windows

package desktop

func newScreen() Screen { return noScreen{} }
