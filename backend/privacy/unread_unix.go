//go:build linux || darwin

package privacy

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// unread is how many bytes have arrived on the connection and wait to be read;
// 0 where the system does not say.
func unread(conn net.Conn) (n int) {
	below, ok := conn.(syscall.Conn)
	if !ok {
		return 0
	}
	raw, err := below.SyscallConn()
	if err != nil {
		return 0
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { n, failed = unix.IoctlGetInt(int(fd), arrived) }); err != nil || failed != nil {
		return 0
	}
	return n
}
