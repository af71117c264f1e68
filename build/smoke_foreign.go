package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// elsewhere is another system that the program is tried on, by a tool that plays it.
type elsewhere struct {
	name, file string
	tools      []string // by which it is played: the first that is there
	env        []string
}

var elsewheres = []elsewhere{
	{"the program answers on arm64", "footnote-arm64", []string{"qemu-aarch64-static", "qemu-aarch64"}, []string{"GOOS=linux", "GOARCH=arm64"}},
	{"the program answers on Windows", "footnote.exe", []string{"wine64", "wine"}, []string{"GOOS=windows", "GOARCH=amd64", "WINEDEBUG=-all"}},
}

// foreign builds the program for other systems, and asks where they can be played here.
func (j *job) foreign(ctx context.Context) {
	for _, e := range elsewheres {
		tool := ""
		for _, name := range e.tools {
			if found, err := exec.LookPath(name); err == nil && tool == "" {
				tool = found
			}
		}
		if tool == "" {
			j.leave(e.name, "there is no "+strings.Join(e.tools, " and no "))
			continue
		}
		j.step(e.name, func() error { return j.askElsewhere(ctx, e, tool) })
	}
}

func (j *job) askElsewhere(ctx context.Context, e elsewhere, tool string) error {
	dir, err := os.MkdirTemp("", "footnote-smoke")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, e.file)
	env := append([]string{"CGO_ENABLED=0", "WINEPREFIX=" + filepath.Join(dir, "wine")}, e.env...)
	if err := j.quiet(ctx, j.root, env, "go", "build", "-tags", j.tags, "-ldflags", "-s -w", "-o", program, "."); err != nil {
		return err
	}
	return j.answers(ctx, dir, env, tool, program, "ask", "--offline", "--data", filepath.Join(dir, "data"), smokeQuestion)
}

// unpacked tries the package that a release left here, unpacked beside the system.
func (j *job) unpacked(ctx context.Context) {
	const name = "the program of the package answers"
	packages, err := filepath.Glob(j.path("build", "out", "release", "*_amd64*.deb"))
	switch _, missing := exec.LookPath("dpkg-deb"); {
	case err != nil || len(packages) == 0:
		j.leave(name, "no package was built: go run ./build release --only linux")
		return
	case missing != nil:
		j.leave(name, "there is no dpkg-deb")
		return
	}
	j.step(name, func() error {
		dir, err := os.MkdirTemp("", "footnote-smoke")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := j.quiet(ctx, dir, nil, "dpkg-deb", "-x", packages[0], dir); err != nil {
			return err
		}
		return j.answers(ctx, dir, nil, filepath.Join(dir, "usr", "bin", "footnote"), "ask", "--offline", "--data", filepath.Join(dir, "data"), smokeQuestion)
	})
}

// unwritable has a person whose home takes no file ask: that must fail with what to do.
func (j *job) unwritable(ctx context.Context, dir string) error {
	home := filepath.Join(dir, "home") // a file: no folder can be made below it, by root neither
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		return err
	}
	out, err := j.command(ctx, dir, []string{"HOME=" + home, "XDG_DATA_HOME=", "FOOTNOTE_DATA="}, j.binary(), "ask", "--offline", smokeQuestion).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--data") {
		return fmt.Errorf("without a place for its data it ends with %v and says %q", err, out)
	}
	return nil
}

// answers runs a program and looks for the answer to the sum in what it says.
func (j *job) answers(ctx context.Context, dir string, env []string, program string, args ...string) error {
	out, err := j.command(ctx, dir, env, program, args...).CombinedOutput()
	if err == nil && !strings.Contains(string(out), smokeAnswer) {
		err = fmt.Errorf("the answer lacks %q", smokeAnswer)
	}
	if err != nil {
		os.Stderr.Write(out)
	}
	return err
}
