//go:build unix

package disk

import "syscall"

// Free is how many bytes a user may still write where dir lies; known is false
// where the system does not say.
func Free(dir string) (bytes int64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true
}

// Same reports whether two folders lie on one disk.
func Same(a, b string) bool {
	var one, other syscall.Stat_t
	return syscall.Stat(a, &one) == nil && syscall.Stat(b, &other) == nil && one.Dev == other.Dev
}
