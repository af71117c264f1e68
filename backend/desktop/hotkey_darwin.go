//go:build darwin && cgo

package desktop

/*
#cgo LDFLAGS: -framework Carbon
#include <Carbon/Carbon.h>

extern void hotKeyPressed(void);

static OSStatus told(EventHandlerCallRef next, EventRef event, void *data) {
	hotKeyPressed();
	return noErr;
}

static OSStatus takeKeys(UInt32 code, UInt32 mods, EventHotKeyRef *ref) {
	static bool listening = false;
	if (!listening) {
		EventTypeSpec pressed = {kEventClassKeyboard, kEventHotKeyPressed};
		OSStatus status = InstallEventHandler(GetEventDispatcherTarget(), told, 1, &pressed, NULL, NULL);
		if (status != noErr) return status;
		listening = true;
	}
	EventHotKeyID id = {'FTNT', 1};
	return RegisterEventHotKey(code, mods, id, GetEventDispatcherTarget(), 0, ref);
}
*/
import "C"

import (
	"fmt"
	"sync/atomic"
)

// onHotKey is what the one combination that is held does.
var onHotKey atomic.Pointer[func()]

//export hotKeyPressed
func hotKeyPressed() {
	if pressed := onHotKey.Load(); pressed != nil {
		go (*pressed)()
	}
}

// take registers keys with Carbon, whose events the run loop of the window's
// program delivers.
func take(keys Keys, pressed func()) (release func(), err error) {
	code, ok := keyCodes[keys.Key]
	if !ok {
		return nil, noSuchKey(keys)
	}
	var ref C.EventHotKeyRef
	switch status := C.takeKeys(C.UInt32(code), C.UInt32(carbonModifiers(keys)), &ref); status {
	case C.noErr:
	case C.eventHotKeyExistsErr:
		return nil, taken(keys)
	default:
		return nil, fmt.Errorf("register keys: OSStatus %d", int(status))
	}
	onHotKey.Store(&pressed)
	return func() {
		onHotKey.Store(nil)
		C.UnregisterEventHotKey(ref)
	}, nil
}

func carbonModifiers(k Keys) (mask uint32) {
	for _, m := range []struct {
		on   bool
		mask uint32
	}{{k.Super, C.cmdKey}, {k.Shift, C.shiftKey}, {k.Alt, C.optionKey}, {k.Ctrl, C.controlKey}} {
		if m.on {
			mask |= m.mask
		}
	}
	return mask
}

// keyCodes are the virtual keys of Carbon.
var keyCodes = map[string]uint32{
	"a": 0x00, "s": 0x01, "d": 0x02, "f": 0x03, "h": 0x04, "g": 0x05, "z": 0x06, "x": 0x07, "c": 0x08, "v": 0x09, "b": 0x0b, "q": 0x0c, "w": 0x0d, "e": 0x0e, "r": 0x0f,
	"y": 0x10, "t": 0x11, "1": 0x12, "2": 0x13, "3": 0x14, "4": 0x15, "6": 0x16, "5": 0x17, "9": 0x19, "7": 0x1a, "8": 0x1c, "0": 0x1d, "o": 0x1f,
	"u": 0x20, "i": 0x22, "p": 0x23, "l": 0x25, "j": 0x26, "k": 0x28, "n": 0x2d, "m": 0x2e, "space": 0x31,
	"f5": 0x60, "f6": 0x61, "f7": 0x62, "f3": 0x63, "f8": 0x64, "f9": 0x65, "f11": 0x67, "f10": 0x6d, "f12": 0x6f, "f4": 0x76, "f2": 0x78, "f1": 0x7a,
}
