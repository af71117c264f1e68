package desktop

import (
	"errors"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32            = windows.NewLazySystemDLL("user32.dll")
	registerHotKey    = user32.NewProc("RegisterHotKey")
	unregisterHotKey  = user32.NewProc("UnregisterHotKey")
	getMessage        = user32.NewProc("GetMessageW")
	postThreadMessage = user32.NewProc("PostThreadMessageW")
)

const (
	wmHotKey, wmQuit = 0x0312, 0x0012
	hotKeyID         = 1
	noRepeat         = 0x4000
)

// message is MSG of the Windows API.
type message struct {
	window  windows.HWND
	message uint32
	wparam  uintptr
	lparam  uintptr
	time    uint32
	x, y    int32
	private uint32
}

// take registers keys with a thread of its own, to which Windows posts them.
func take(keys Keys, pressed func()) (release func(), err error) {
	type begun struct {
		thread uint32
		err    error
	}
	started, ended := make(chan begun), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ok, _, err := registerHotKey.Call(0, hotKeyID, modifiers(keys)|noRepeat, virtualKey(keys))
		if ok == 0 {
			if errors.Is(err, windows.ERROR_HOTKEY_ALREADY_REGISTERED) {
				err = taken(keys)
			}
			started <- begun{err: err}
			return
		}
		defer func() { _, _, _ = unregisterHotKey.Call(0, hotKeyID) }()
		started <- begun{thread: windows.GetCurrentThreadId()}
		var m message
		for {
			if got, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0); int32(got) <= 0 {
				return
			}
			if m.message == wmHotKey {
				pressed()
			}
		}
	}()
	b := <-started
	if b.err != nil {
		return nil, b.err
	}
	return func() {
		_, _, _ = postThreadMessage.Call(uintptr(b.thread), wmQuit, 0, 0)
		<-ended
	}, nil
}

func modifiers(k Keys) (mask uintptr) {
	for _, m := range []struct {
		on   bool
		mask uintptr
	}{{k.Alt, 1}, {k.Ctrl, 2}, {k.Shift, 4}, {k.Super, 8}} {
		if m.on {
			mask |= m.mask
		}
	}
	return mask
}

func virtualKey(k Keys) uintptr {
	switch n := k.function(); {
	case n > 0:
		return 0x70 + uintptr(n-1)
	case k.Key == "space":
		return 0x20
	}
	return uintptr(strings.ToUpper(k.Key)[0])
}
