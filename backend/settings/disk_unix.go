//go:build unix

package settings

import "syscall"

// FreeBytes is what a user may still write where dir lies.
func FreeBytes(dir string) (int64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true
}
