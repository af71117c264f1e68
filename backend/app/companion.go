package app

import (
	"os"
	"os/exec"
	"time"

	"footnote/backend/settings"
)

// companion is a process that belongs to the program and speaks with it over a
// line: the box, or the icon in the tray. It ends when its line is closed.
type companion struct {
	cmd  *exec.Cmd
	wire *wire
	stop func() error
	gone chan struct{} // closed by who waits for it
}

func begin(command []string) (*companion, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Stderr = settings.WithoutKeys(os.Environ()), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &companion{cmd, newWire(out, in), in.Close, make(chan struct{})}, nil
}

// endTime is how long a companion may take to close before it is ended.
const endTime = 500 * time.Millisecond

func (c *companion) end() {
	_ = c.stop() // it may have ended
	select {
	case <-c.gone:
	case <-time.After(endTime):
		_ = c.cmd.Process.Kill() // it may end in this moment
		<-c.gone
	}
}
