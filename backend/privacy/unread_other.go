//go:build !linux && !darwin

package privacy

import "net"

// unread is not known here: what an answer that is cut off left in the system's
// buffer is not counted.
func unread(net.Conn) int { return 0 }
