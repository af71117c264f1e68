package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// thisProgram is the file of this program: what the system says, or, where there
// is no /proc to ask, what it was started as.
func thisProgram() (string, error) {
	if self, err := os.Executable(); err == nil {
		return self, nil
	}
	self, err := exec.LookPath(os.Args[0])
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return filepath.Abs(self)
}
