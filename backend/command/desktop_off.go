//go:build !desktop

package command

// Desktop tells that this program was built with its window.
const Desktop = false
