package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Debian packages by what they are for.
var (
	raceNeeds    = []string{"gcc", "libc6-dev"}
	windowNeeds  = []string{"gcc", "pkg-config", "libgtk-3-dev", "libwebkit2gtk-4.1-dev"}
	browserNeeds = []string{"chromium", "fonts-dejavu-core"}
)

// debian installs packages that are missing; where it may not, it says in one
// line what is to be installed.
func (j *job) debian(ctx context.Context, packages []string) error {
	if _, err := exec.LookPath("dpkg-query"); err != nil {
		return fmt.Errorf("this step needs what Debian calls %s: install the like of it", strings.Join(packages, ", "))
	}
	var missing []string
	for _, p := range packages {
		out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f=${Status}", p).Output()
		if err != nil || !strings.Contains(string(out), "install ok installed") {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("missing packages: run  sudo apt-get install %s", strings.Join(missing, " "))
	}
	j.say("installing %s", strings.Join(missing, ", "))
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	if err := j.quiet(ctx, j.root, env, "apt-get", "update", "-qq"); err != nil {
		return err
	}
	return j.quiet(ctx, j.root, env, "apt-get", append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...)
}
