//go:build unix

package eval

import (
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
