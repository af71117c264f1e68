//go:build !linux && !freebsd && !openbsd && !netbsd

package desktop

// TrayProblem says why no icon can be shown, or nothing.
func TrayProblem() error { return nil }
