package collector

import "runtime/debug"

// Enough is the least memory that the program works in. With a limit below it, which
// only a mistake sets, the collector runs all the time and nothing else does.
const Enough = 128 << 20

// AtLeast raises a limit of memory that stands in the environment (GOMEMLIMIT) to so
// many bytes, and gives the one that was lower; 0 where none was.
func AtLeast(bytes int64) (was int64) {
	was = debug.SetMemoryLimit(-1)
	if was >= bytes {
		return 0
	}
	debug.SetMemoryLimit(bytes)
	return max(was, 1)
}
