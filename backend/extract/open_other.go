//go:build !unix

package extract

import "os"

// openNonBlocking opens for reading; here no file name is a pipe.
func openNonBlocking(path string) (*os.File, error) { return os.Open(path) }
