//go:build !windows

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "the opener is for Windows; elsewhere start footnote itself")
	os.Exit(1)
}
