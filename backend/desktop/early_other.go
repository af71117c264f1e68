//go:build !(linux && cgo && desktop)

package desktop

// HoldKeys does nothing: here a window is shown when its page is there, or there
// is none.
func HoldKeys() {}

// HandKeys does nothing.
func HandKeys() {}
