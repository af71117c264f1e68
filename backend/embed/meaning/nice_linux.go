package meaning

import "syscall"

// lowerPriority makes the calling thread the least urgent one. When that is not
// allowed the work is only less polite.
func lowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), 19) }
