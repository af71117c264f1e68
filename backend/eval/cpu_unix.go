//go:build unix

package eval

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// cpuTime is what this process has used of all cores; zero when the system does
// not tell.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakOf is the most memory that a process, or one it waited for, had at once, in
// bytes.
func peakOf(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // told in kilobytes
	}
	return peak
}
