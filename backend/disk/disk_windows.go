package disk

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// Free is how many bytes a user may still write where dir lies; known is false
// where the system does not say.
func Free(dir string) (bytes int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}

// Same reports whether two folders lie on one disk, as their drives tell.
func Same(a, b string) bool {
	return strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}
