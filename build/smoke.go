package main

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// What is asked where little is given: a sum, and a file.
const (
	smokeQuestion = "What is 17 * 23?"
	smokeAnswer   = "391"
)

// smoke tries the program where little is given: no loader, no library, no /proc and
// no /tmp, in a root with nothing else but random numbers; and on other systems.
// What cannot be tried is said, and counts as skipped.
func (j *job) smoke(ctx context.Context) {
	if runtime.GOOS != "linux" {
		j.leave("smoke tests", "they are for Linux")
		return
	}
	dir, err := os.MkdirTemp("", "footnote-smoke")
	if err != nil {
		j.fail("smoke tests", err.Error())
		return
	}
	defer os.RemoveAll(dir)
	j.step("the program is static", func() error { return static(j.binary()) })
	j.step("a home that takes no file", func() error { return j.unwritable(ctx, dir) })
	j.unpacked(ctx)
	j.foreign(ctx)
	if err := j.bareRoot(ctx, dir); err != nil {
		j.leave("the program in an empty root", err.Error())
		return
	}
	j.step("the program answers and reads files in an empty root", func() error { return j.askInRoot(ctx, dir) })
}

// leave says what is not tried, and why.
func (j *job) leave(name, why string) {
	j.say("left out: %s: %s", name, why)
	j.skip(1)
}

// static reports a program that needs a loader or a library.
func static(program string) error {
	f, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return errors.New("it asks for a loader")
		}
	}
	if libraries, err := f.ImportedLibraries(); err == nil && len(libraries) > 0 {
		return fmt.Errorf("it needs %s", strings.Join(libraries, ", "))
	}
	return nil
}

// bareRoot makes a root with nothing but random numbers and a file to be read.
func (j *job) bareRoot(ctx context.Context, root string) error {
	if os.Geteuid() != 0 {
		return errors.New("only the administrator may change the root")
	}
	for _, folder := range []string{"dev", "documents"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			return err
		}
	}
	return j.command(ctx, root, nil, "mknod", "-m", "666", "dev/urandom", "c", "1", "9").Run()
}

// askInRoot puts the program into a root, and asks there: a sum, and of a file.
func (j *job) askInRoot(ctx context.Context, root string) error {
	err := errors.Join(copyFile(j.binary(), filepath.Join(root, "footnote"), 0o755),
		copyFile(j.path("build", "library", "Visitor guide.md"), filepath.Join(root, "documents", "guide.md"), 0o644),
		j.answers(ctx, root, nil, "chroot", root, "/footnote", "ask", "--offline", "--data", "/data", smokeQuestion))
	if err != nil {
		return err
	}
	out, err := j.command(ctx, root, nil, "chroot", root, "/footnote", "ask", "--offline", "--data", "/data", "--files", "/documents", demoQuestion).CombinedOutput()
	if err == nil && !strings.Contains(string(out), "34 metres") {
		err = errors.New("the file was not read")
	}
	if err != nil {
		os.Stderr.Write(out)
	}
	return err
}
