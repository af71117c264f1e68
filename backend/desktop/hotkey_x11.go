//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"errors"
	"io"
	"log"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

func init() { xgb.Logger = log.New(io.Discard, "", 0) } // it tells of every closed connection

const numLock, capsLock = 0xff7f, xproto.ModMaskLock

// grab is a combination of keys held at an X server.
type grab struct {
	conn *xgb.Conn
	root xproto.Window
	code xproto.Keycode

	mu   sync.Mutex
	down bool // the key has not been let go: what comes is its repetition
}

// takeX11 grabs keys at the X server that DISPLAY names.
func takeX11(keys Keys, pressed func()) (release func(), err error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, err
	}
	g := &grab{conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root}
	if err := g.take(keys); err != nil {
		conn.Close()
		return nil, err
	}
	go g.listen(pressed)
	return sync.OnceFunc(conn.Close), nil
}

func (g *grab) take(keys Keys) error {
	symbols, err := g.symbols()
	if err != nil {
		return err
	}
	code, ok := symbols[keysym(keys)]
	if !ok {
		return noSuchKey(keys)
	}
	g.code = code
	num, err := g.modifierOf(symbols[numLock])
	if err != nil {
		return err
	}
	for _, locks := range []uint16{0, capsLock, num, capsLock | num} {
		mods := modifiers(keys) | locks
		err := xproto.GrabKeyChecked(g.conn, false, g.root, mods, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		if errors.As(err, new(xproto.AccessError)) {
			return taken(keys)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// symbols are the keys of the keyboard by what they write unshifted.
func (g *grab) symbols() (map[xproto.Keysym]xproto.Keycode, error) {
	setup := xproto.Setup(g.conn)
	first, last := setup.MinKeycode, setup.MaxKeycode
	reply, err := xproto.GetKeyboardMapping(g.conn, first, byte(last-first+1)).Reply()
	if err != nil {
		return nil, err
	}
	codes := map[xproto.Keysym]xproto.Keycode{}
	per := int(reply.KeysymsPerKeycode)
	for i := 0; i+per <= len(reply.Keysyms); i += per {
		if _, known := codes[reply.Keysyms[i]]; !known {
			codes[reply.Keysyms[i]] = first + xproto.Keycode(i/per)
		}
	}
	return codes, nil
}

// modifierOf is the bit of a key among the modifiers, or none.
func (g *grab) modifierOf(code xproto.Keycode) (uint16, error) {
	reply, err := xproto.GetModifierMapping(g.conn).Reply()
	if err != nil {
		return 0, err
	}
	per := int(reply.KeycodesPerModifier)
	for i, c := range reply.Keycodes {
		if c == code && c != 0 {
			return 1 << (i / per), nil
		}
	}
	return 0, nil
}

func (g *grab) listen(pressed func()) {
	for {
		event, err := g.conn.WaitForEvent()
		if event == nil && err == nil {
			return // the connection is closed
		}
		if press, ok := event.(xproto.KeyPressEvent); ok && press.Detail == g.code {
			xproto.UngrabKeyboard(g.conn, press.Time) // what is typed next belongs to the box, though the key is still held
			if g.begins() {
				pressed()
			}
		}
	}
}

// begins reports whether a press is no repetition of the one before.
func (g *grab) begins() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.down {
		return false
	}
	g.down = true
	go g.untilUp()
	return true
}

// untilUp waits until the key is let go, of which nobody tells.
func (g *grab) untilUp() {
	for {
		state, err := xproto.QueryKeymap(g.conn).Reply()
		if err != nil || state.Keys[g.code/8]&(1<<(g.code%8)) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	g.mu.Lock()
	g.down = false
	g.mu.Unlock()
}

func modifiers(k Keys) (mask uint16) {
	for _, m := range []struct {
		on   bool
		mask uint16
	}{{k.Ctrl, xproto.ModMaskControl}, {k.Alt, xproto.ModMask1}, {k.Shift, xproto.ModMaskShift}, {k.Super, xproto.ModMask4}} {
		if m.on {
			mask |= m.mask
		}
	}
	return mask
}

func keysym(k Keys) xproto.Keysym {
	switch n := k.function(); {
	case n > 0:
		return 0xffbe + xproto.Keysym(n-1)
	case k.Key == "space":
		return ' '
	}
	return xproto.Keysym(k.Key[0])
}
