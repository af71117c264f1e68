package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// signals is the version of Landlock that keeps signals from other processes.
const signals = 6

// denied are the calls by which a process reaches beyond itself: the network, other
// processes, the kernel's doors, and the way out of its group.
var denied = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_PROCESS_MADVISE,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT_SETATTR,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MKNODAT,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SETSID, unix.SYS_SETPGID, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
}

const (
	newSpaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
	refuse    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	unknown   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	x32Bit    = 0x40000000

	atNumber, atArch, atFirst = 0, 4, 16 // of the words of a call
)

// filter is the program that the kernel asks about each call.
func filter(version int, programs bool) []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	give := func(what uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what} }
	// unless jumps over so many steps unless the comparison holds.
	unless := func(compare uint16, value uint32, over uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | compare | unix.BPF_K, Jf: over, K: value}
	}
	out := []unix.SockFilter{
		load(atArch), {Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: auditArch}, give(unix.SECCOMP_RET_KILL_PROCESS),
		load(atNumber), unless(unix.BPF_JGE, x32Bit, 1), give(unknown),
		unless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), give(unknown), // its flags cannot be looked at; all know another way
		unless(unix.BPF_JEQ, unix.SYS_CLONE, 4), load(atFirst), unless(unix.BPF_JSET, newSpaces, 1), give(refuse), give(unix.SECCOMP_RET_ALLOW),
		unless(unix.BPF_JEQ, unix.SYS_PRLIMIT64, 4), load(atFirst), {Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1}, give(refuse), give(unix.SECCOMP_RET_ALLOW),
	}
	list := denied
	if !programs {
		list = append(list[:len(list):len(list)], unix.SYS_EXECVE, unix.SYS_EXECVEAT)
	}
	if version < signals {
		list = append(list[:len(list):len(list)], unix.SYS_KILL, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL)
	}
	for _, number := range list {
		out = append(out, unless(unix.BPF_JEQ, number, 1), give(refuse))
	}
	return append(out, give(unix.SECCOMP_RET_ALLOW))
}

// deny has the kernel refuse calls to all threads of this process and what comes
// of them.
func deny(version int, programs bool) error {
	if auditArch == 0 {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	steps := filter(version, programs)
	prog := unix.SockFprog{Len: uint16(len(steps)), Filter: &steps[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	switch {
	case errno == unix.ENOSYS || errno == unix.EINVAL:
		return nil // a kernel without: Try tells
	case errno != 0:
		return fmt.Errorf("filter calls: %w", errno)
	case thread != 0:
		return fmt.Errorf("filter calls: thread %d stays free", thread)
	}
	return nil
}
