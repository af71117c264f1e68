package extract

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// limitGrowth lets the system refuse this process more than limit bytes of data
// beyond what it has now. A refusal ends a Go process: that is the point, it is
// a child. A system that does not know the limit leaves the watch to do it.
func limitGrowth(limit int64) {
	now := dataSize()
	for _, l := range []struct {
		resource int
		size     int64
	}{{syscall.RLIMIT_DATA, now.data + limit}, {syscall.RLIMIT_AS, now.all + 2*limit}} {
		var old syscall.Rlimit
		if syscall.Getrlimit(l.resource, &old) != nil || old.Max < uint64(l.size) {
			continue
		}
		_ = syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: uint64(l.size), Max: uint64(l.size)}) // the watch remains
	}
}

type memorySize struct{ data, all int64 }

// dataSize is what this process has mapped now, in bytes.
func dataSize() memorySize {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return memorySize{data: 1 << 30, all: 4 << 30}
	}
	field := func(name string) int64 {
		_, rest, _ := bytes.Cut(status, []byte(name+":"))
		line, _, _ := bytes.Cut(rest, []byte("kB"))
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
		if err != nil {
			return 1 << 20
		}
		return n << 10
	}
	return memorySize{data: field("\nVmData"), all: field("\nVmSize")}
}
