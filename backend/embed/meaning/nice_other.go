//go:build !linux

package meaning

// lowerPriority does nothing where a thread has no priority of its own.
func lowerPriority() {}
