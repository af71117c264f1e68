package extract

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"

	"footnote/backend/extract/sandbox"
)

// newTrial makes what anyone but a confined process can reach: a file, a port of
// this computer, a program. end takes it away.
func newTrial() (t sandbox.Trial, end func(), err error) {
	file, err := os.CreateTemp("", "footnote-trial-")
	if err != nil {
		return t, nil, fmt.Errorf("make file of a trial: %w", err)
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return t, nil, errors.Join(fmt.Errorf("open port of a trial: %w", err), file.Close(), os.Remove(file.Name()))
	}
	end = func() {
		_ = door.Close()
		_ = file.Close()
		_ = os.Remove(file.Name()) // it is empty, and where the system clears
	}
	t = sandbox.Trial{File: file.Name(), Address: door.Addr().String()}
	for _, name := range []string{"true", "hostname", "cmd"} {
		if path, err := exec.LookPath(name); err == nil {
			t.Program = path
			break
		}
	}
	return t, end, nil
}
