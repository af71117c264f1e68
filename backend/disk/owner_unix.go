//go:build unix

package disk

import (
	"os"
	"syscall"
)

// Owner is the number of the user whom a file or folder belongs to; known is false
// where the system does not say.
func Owner(path string) (uid int, known bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
