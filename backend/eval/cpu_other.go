//go:build !unix

package eval

import (
	"os"
	"time"
)

// cpuTime is not told by this system.
func cpuTime() time.Duration { return 0 }

// peakOf is not told by this system.
func peakOf(*os.ProcessState) int64 { return 0 }
