package walk

import (
	"os"
	"syscall"
)

// inodeChanged is the time of the last change of the inode: it moves even when
// size and modification time are put back.
func inodeChanged(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano()
	}
	return 0
}
