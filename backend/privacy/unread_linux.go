package privacy

import "golang.org/x/sys/unix"

const arrived = unix.SIOCINQ
