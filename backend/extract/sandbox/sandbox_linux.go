package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// entered tells the second life of a process that the first one shut the file
// system behind it, with the version of Landlock.
const entered = "FOOTNOTE_BOX"

// Enter confines this process for good. Landlock binds one thread and those that
// come of it, so the process shuts itself in and begins anew, with the same
// arguments, input and output; nothing may have been read before. What the kernel
// lacks is left out: Try tells.
func Enter(r Rules) error {
	version, err := strconv.Atoi(os.Getenv(entered))
	if err != nil {
		version = 0
		if landlockVersion() > 0 {
			return enterFiles(r)
		}
	}
	return deny(version, len(r.Programs) > 0)
}

// Wrap changes how a process is started that will Enter; here it does that by
// itself.
func Wrap(_ Rules, command []string) []string { return command }

// Missing says what of this system a box lacks; empty when nothing.
func Missing() string {
	switch {
	case landlockVersion() == 0:
		return "This Linux has no Landlock (kernel 5.13 or newer, with landlock in its list of security modules)."
	case auditArch == 0:
		return "On this kind of processor system calls are not filtered."
	case unix.Prctl(unix.PR_GET_SECCOMP, 0, 0, 0, 0) != nil:
		return "This Linux has no seccomp."
	}
	return ""
}

func landlockVersion() int {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// enterFiles returns only when it fails.
func enterFiles(r Rules) error {
	runtime.LockOSThread() // for good: this thread is not like the others from here on
	version := landlockVersion()
	set, err := newRuleset(version)
	if err != nil {
		return err
	}
	if err := set.allowAll(r); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set.fd), 0, 0); errno != 0 {
		return fmt.Errorf("shut the file system: %w", errno)
	}
	env := append(os.Environ(), entered+"="+strconv.Itoa(version))
	return fmt.Errorf("begin anew: %w", syscall.Exec(ownProgram(), os.Args, env))
}

// ownProgram is the file of this process: by the system's word or, in a root without
// /proc, as whoever started it named it.
func ownProgram() string {
	const own = "/proc/self/exe"
	if _, err := os.Stat(own); err != nil {
		return os.Args[0]
	}
	return own
}

// mapped are the files that this process is made of: the program, what loads it,
// its libraries.
func mapped() ([]string, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a root without /proc: a program that has libraries does not get along there, and gets fewer rights
	}
	if err != nil {
		return nil, fmt.Errorf("list libraries: %w", err)
	}
	var files []string
	for line := range strings.Lines(string(maps)) {
		if at := strings.IndexByte(line, '/'); at >= 0 {
			files = append(files, strings.TrimSpace(line[at:]))
		}
	}
	return files, nil
}
