package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The test binary is the confined process, too: it tries one thing there.
const (
	attemptSwitch = "FOOTNOTE_TEST_ATTEMPT"
	subjectSwitch = "FOOTNOTE_TEST_SUBJECT" // the file, address or process it is about
	scratchSwitch = "FOOTNOTE_TEST_SCRATCH"
	programSwitch = "FOOTNOTE_TEST_PROGRAM"
)

func TestMain(m *testing.M) {
	attempt := os.Getenv(attemptSwitch)
	if attempt == "" {
		os.Exit(m.Run())
	}
	r := Rules{Write: []string{os.Getenv(scratchSwitch)}}
	if program := os.Getenv(programSwitch); program != "" {
		r.Programs = []string{program}
	}
	if err := Enter(r); err != nil {
		fmt.Println("no sandbox:", err)
		os.Exit(3)
	}
	if err := attempts[attempt](os.Getenv(subjectSwitch)); err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
	fmt.Println("done")
}

func call(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0, 0, 0)
	if _, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], args[4], args[5]); errno != 0 {
		return errno
	}
	return nil
}

func dial(network, address string) error {
	conn, err := net.Dial(network, address)
	if err == nil {
		err = conn.Close()
	}
	return err
}

// attempts are ways out, and what must remain possible.
var attempts = map[string]func(subject string) error{
	"read a file":   func(s string) error { _, err := os.ReadFile(s); return err },
	"list a folder": func(s string) error { _, err := os.ReadDir(filepath.Dir(s)); return err },
	"list the root": func(string) error { _, err := os.ReadDir("/"); return err },
	"write a file":  func(s string) error { return os.WriteFile(s+".new", nil, 0o600) },
	"change a file": func(s string) error { return os.Truncate(s, 0) },
	"remove a file": func(s string) error { return os.Remove(s) },
	"follow a link": func(s string) error { return throughLink(s, os.Symlink) },
	"link a file":   func(s string) error { return throughLink(s, os.Link) },
	"read from all threads": func(s string) error {
		var wait sync.WaitGroup
		errs := make([]error, 32)
		for i := range errs {
			wait.Go(func() {
				runtime.LockOSThread()
				_, errs[i] = os.ReadFile(s)
			})
		}
		wait.Wait()
		for _, err := range errs {
			if err == nil {
				return nil // one is enough to get out
			}
		}
		return errs[0]
	},
	"see the parent's secrets": func(string) error { _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid())); return err },
	"see the password file":    func(string) error { _, err := os.ReadFile("/etc/passwd"); return err },
	"open a TCP connection":    func(s string) error { return dial("tcp", s) },
	"send a datagram":          func(s string) error { return dial("udp", s) },
	"open a local socket":      func(string) error { return call(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM) },
	"listen":                   func(string) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
	"use io_uring":             func(string) error { return call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(new([120]byte)))) },
	"start a program":          func(string) error { return exec.Command("/bin/true").Run() },
	"start a made program": func(string) error {
		body, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			return err
		}
		made := filepath.Join(os.Getenv(scratchSwitch), "made")
		return errors.Join(os.WriteFile(made, body, 0o700), exec.Command(made, "-test.run=^$").Run())
	},
	"trace the parent":     func(string) error { return syscall.PtraceAttach(os.Getppid()) },
	"end the parent":       func(string) error { return syscall.Kill(os.Getppid(), syscall.SIGWINCH) },
	"look into the parent": func(string) error { return call(unix.SYS_PROCESS_VM_READV, uintptr(os.Getppid())) },
	"leave its group":      func(string) error { _, err := syscall.Setsid(); return err },
	"become someone else":  func(string) error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"share memory":         func(string) error { return call(unix.SYS_SHMGET, 0, 4096, 0o600|unix.IPC_CREAT) },
	"starve the parent": func(string) error {
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, nil, new(unix.Rlimit))
	},

	"write in its folder": func(string) error {
		own := filepath.Join(os.Getenv(scratchSwitch), "a", "b.txt")
		if err := errors.Join(os.Mkdir(filepath.Dir(own), 0o700), os.WriteFile(own, []byte("x"), 0o600)); err != nil {
			return err
		}
		_, err := os.ReadFile(own)
		return errors.Join(err, os.Remove(own))
	},
	"have threads and memory": func(string) error {
		var wait sync.WaitGroup
		for range 64 {
			wait.Go(func() {
				runtime.LockOSThread()
				_ = make([]byte, 1<<20)
			})
		}
		wait.Wait()
		runtime.GC()
		return unix.Prlimit(0, unix.RLIMIT_NOFILE, nil, new(unix.Rlimit))
	},
	"run its program": func(string) error { return exec.Command(os.Getenv(programSwitch), "/dev/null").Run() },
	"have its program read a file": func(s string) error {
		return exec.Command(os.Getenv(programSwitch), s).Run()
	},
}

func throughLink(s string, link func(old, name string) error) error {
	name := filepath.Join(os.Getenv(scratchSwitch), "link")
	if err := link(s, name); err != nil {
		return err
	}
	_, err := os.ReadFile(name)
	return err
}

// confined makes an attempt in a sandbox and gives its end and what it said.
func confined(t *testing.T, attempt, subject, program string) (ok bool, said string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), attemptSwitch+"="+attempt, subjectSwitch+"="+subject, scratchSwitch+"="+t.TempDir(), programSwitch+"="+program)
	out, err := cmd.CombinedOutput()
	said = strings.TrimSpace(string(out))
	if err != nil && !strings.HasPrefix(said, "refused: ") {
		t.Errorf("%s: %v: %s", attempt, err, said)
	}
	return err == nil, said
}

func needSandbox(t *testing.T) {
	t.Helper()
	if why := Missing(); why != "" {
		t.Skip(why)
	}
}

func TestNothingGetsOut(t *testing.T) {
	needSandbox(t)
	file := filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(file, []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip("no program to try")
	}
	for attempt := range attempts {
		subject, program := file, ""
		switch attempt {
		case "write in its folder", "have threads and memory", "run its program":
			continue
		case "open a TCP connection", "send a datagram":
			subject = door.Addr().String()
		case "have its program read a file":
			program = cat
		}
		ok, said := confined(t, attempt, subject, program)
		if ok {
			t.Errorf("a confined process can %s", attempt)
		}
		t.Logf("%-30s %s", attempt, said)
		if attempt == "start a program" || attempt == "start a made program" { // … nor where it has one of its own
			if ok, said := confined(t, attempt, subject, cat); ok {
				t.Errorf("a confined process with a program can %s: %s", attempt, said)
			}
		}
	}
	if body, err := os.ReadFile(file); err != nil || string(body) != "private" {
		t.Errorf("the file is now %q, %v", body, err)
	}
}

func TestWhatAChildNeedsRemains(t *testing.T) {
	needSandbox(t)
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip("no program to try")
	}
	for attempt, program := range map[string]string{"write in its folder": "", "have threads and memory": "", "run its program": cat} {
		if ok, said := confined(t, attempt, "", program); !ok {
			t.Errorf("%s: %s", attempt, said)
		}
	}
}
