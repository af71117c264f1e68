// Package sandbox confines the process that reads a stranger's files, so that a parser
// that is taken over can neither read other files, nor reach the network, nor
// start programs but the few it needs.
package sandbox

import (
	"net"
	"os"
	"os/exec"
	"time"
)

// Rules say what a confined process may still reach beside itself and the
// libraries it is made of.
type Rules struct {
	Write    []string // folders that it may write in
	Programs []string // that it may start, with what they need to run
}

// What a box keeps from a process.
const (
	Files    = "read other files"
	Network  = "reach the network"
	Programs = "start programs"
)

// Trial is what a confined process tries, to show whether its box holds: the file
// can be read, the address answers and the program starts outside of it. No
// program is tried where none is named.
type Trial struct {
	File    string `json:"file"`
	Address string `json:"address"`
	Program string `json:"program"`
}

const trialTime = 2 * time.Second

// Try gives what this process can do that a box should keep from it.
func Try(t Trial) (gaps []string) {
	if _, err := os.ReadFile(t.File); err == nil {
		gaps = append(gaps, Files)
	}
	if conn, err := net.DialTimeout("tcp", t.Address, trialTime); err == nil {
		_ = conn.Close() // it was opened, which says all
		gaps = append(gaps, Network)
	}
	if t.Program == "" {
		return gaps
	}
	cmd := exec.Command(t.Program)
	if err := cmd.Start(); err == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // what it says does not matter
		gaps = append(gaps, Programs)
	}
	return gaps
}
