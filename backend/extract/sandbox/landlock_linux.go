package sandbox

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readOnly = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runnable = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	device   = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	writable = readOnly | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
	// ofFiles are the rights that mean something for what is no folder.
	ofFiles = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_EXECUTE
)

// system is what programs of the system need to run: nothing of it belongs to a
// person.
var system = []string{
	"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share", "/nix/store",
	"/etc/fonts", "/var/cache/fontconfig", "/etc/alternatives",
}

// loaders start programs that have libraries.
var loaders = []string{"/lib64/ld*.so*", "/lib/ld*.so*", "/usr/lib64/ld*.so*", "/lib/*/ld*.so*"}

type ruleset struct {
	fd      int
	handled uint64
}

// newRuleset makes one that allows nothing of what this version knows.
func newRuleset(version int) (*ruleset, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: 1<<13 - 1} // all of version 1
	if version >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= signals {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return nil, fmt.Errorf("make rules of files: %w", errno)
	}
	return &ruleset{int(fd), attr.Handled_access_fs}, nil
}

func (s *ruleset) allowAll(r Rules) error {
	own, err := mapped()
	if err != nil {
		return err
	}
	errs := []error{
		s.allow(runnable, append(own, ownProgram())...),
		s.allow(readOnly, "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/proc/self/status"),
		s.allow(device, "/dev/null"), s.allow(readOnly, "/dev/urandom"),
		s.allow(writable, r.Write...),
	}
	if len(r.Programs) > 0 {
		errs = append(errs, s.allow(readOnly, system...))
		for _, pattern := range loaders {
			found, err := filepath.Glob(pattern)
			errs = append(errs, err, s.allow(runnable, found...))
		}
	}
	for _, program := range r.Programs {
		real, err := filepath.EvalSymlinks(program)
		prefix := filepath.Dir(filepath.Dir(real))
		errs = append(errs, err, s.allow(runnable, real), s.allow(readOnly, filepath.Join(prefix, "lib"), filepath.Join(prefix, "share")))
	}
	return errors.Join(errs...)
}

// allow gives rights to paths and what is below them.
func (s *ruleset) allow(rights uint64, paths ...string) error {
	for _, path := range paths {
		if err := s.allowOne(rights&s.handled, path); err != nil {
			return fmt.Errorf("allow %s: %w", path, err)
		}
	}
	return nil
}

func (s *ruleset) allowOne(rights uint64, path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // what is not there, or may not be reached, needs no right
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(s.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
