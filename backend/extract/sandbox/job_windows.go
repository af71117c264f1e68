package sandbox

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	disableMaxPrivilege = 1    // of CreateRestrictedToken
	uiRestrictions      = 0xff // no clipboard, desktop, global atoms, handles of others' windows, log-off
	uiClass             = 4    // JobObjectBasicUIRestrictions
	alone               = 1    // process in the job, where it needs no programs
)

var createRestrictedToken = windows.NewLazySystemDLL("advapi32.dll").NewProc("CreateRestrictedToken")

// Start starts a process without the privileges of its user, in a job that ends
// with this process, holds no more processes than it needs and cannot reach the
// desktop. done ends the job and all that is in it.
func Start(r Rules, cmd *exec.Cmd) (done func(), err error) {
	token, err := restrictedToken()
	if err != nil {
		return nil, err
	}
	defer token.Close()
	job, err := newJob(len(r.Programs) == 0)
	if err != nil {
		return nil, err
	}
	done = func() { _ = windows.CloseHandle(job) } // which ends what is in it
	cmd.SysProcAttr = &syscall.SysProcAttr{Token: syscall.Token(token), HideWindow: true}
	if err := cmd.Start(); err != nil {
		done()
		return nil, err
	}
	// It waits for its first file, so nothing was read before it is in the job.
	if err := assign(job, cmd.Process.Pid); err != nil {
		killed := cmd.Process.Kill()
		done()
		return nil, errors.Join(err, killed, cmd.Wait())
	}
	return done, nil
}

func restrictedToken() (windows.Token, error) {
	var own, restricted windows.Token
	access := uint32(windows.TOKEN_DUPLICATE | windows.TOKEN_ASSIGN_PRIMARY | windows.TOKEN_QUERY)
	if err := windows.OpenProcessToken(windows.CurrentProcess(), access, &own); err != nil {
		return 0, fmt.Errorf("read own rights: %w", err)
	}
	defer own.Close()
	ok, _, err := createRestrictedToken.Call(uintptr(own), disableMaxPrivilege, 0, 0, 0, 0, 0, 0, uintptr(unsafe.Pointer(&restricted)))
	if ok == 0 {
		return 0, fmt.Errorf("take rights away: %w", err)
	}
	return restricted, nil
}

func newJob(single bool) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("make job: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if single {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS
		limits.BasicLimitInformation.ActiveProcessLimit = alone
	}
	ui := uint32(uiRestrictions)
	_, one := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	_, two := windows.SetInformationJobObject(job, uiClass, uintptr(unsafe.Pointer(&ui)), uint32(unsafe.Sizeof(ui)))
	if err := errors.Join(one, two); err != nil {
		return 0, errors.Join(fmt.Errorf("limit job: %w", err), windows.CloseHandle(job))
	}
	return job, nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("find process: %w", err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return fmt.Errorf("put process into its job: %w", err)
	}
	return nil
}
