//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"footnote/backend/fault"
)

const (
	portalName  = "org.freedesktop.portal.Desktop"
	portalPath  = "/org/freedesktop/portal/desktop"
	shortcuts   = "org.freedesktop.portal.GlobalShortcuts"
	shortcutID  = "box"
	appID       = "footnote"
	portalWait  = 2 * time.Minute // the desktop may ask the person
	portalKeeps = 64              // signals that wait to be looked at
)

// portal is a session of the GlobalShortcuts portal on a connection of its own.
type portal struct {
	conn    *dbus.Conn
	signals chan *dbus.Signal
	session dbus.ObjectPath
}

// takePortal asks the desktop for keys through its portal.
func takePortal(keys Keys, pressed func()) (release func(), err error) {
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		return nil, err
	}
	p := &portal{conn: conn, signals: make(chan *dbus.Signal, portalKeeps)}
	if err := p.bind(keys); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go p.listen(pressed)
	return sync.OnceFunc(func() { _ = conn.Close() }), nil // the session ends with its connection
}

func (p *portal) bind(keys Keys) error {
	p.conn.Signal(p.signals)
	if err := p.conn.AddMatchSignal(dbus.WithMatchSender(portalName)); err != nil {
		return err
	}
	// Portals of 2025 and later know a program outside a sandbox by this; older ones have no such call.
	_ = p.conn.Object(portalName, portalPath).Call("org.freedesktop.host.portal.Registry.Register", 0, appID, map[string]dbus.Variant{}).Err
	token := fmt.Sprintf("footnote%d", os.Getpid())
	made, err := p.request("CreateSession", token+"a", func(options map[string]dbus.Variant) []any {
		options["session_handle_token"] = dbus.MakeVariant(token)
		return []any{options}
	})
	if err != nil {
		return err
	}
	handle, ok := made["session_handle"].Value().(string)
	if !ok {
		return errors.New("the portal gave no session")
	}
	p.session = dbus.ObjectPath(handle)
	_, err = p.request("BindShortcuts", token+"b", func(options map[string]dbus.Variant) []any {
		wish := shortcut{shortcutID, map[string]dbus.Variant{"description": dbus.MakeVariant("Open the Footnote box"), "preferred_trigger": dbus.MakeVariant(trigger(keys))}}
		return []any{p.session, []shortcut{wish}, "", options}
	})
	return err
}

type shortcut struct {
	ID    string
	About map[string]dbus.Variant
}

// request calls a method of the portal and waits for its response.
func (p *portal) request(method, token string, args func(options map[string]dbus.Variant) []any) (map[string]dbus.Variant, error) {
	ctx, cancel := context.WithTimeout(context.Background(), portalWait)
	defer cancel()
	options := map[string]dbus.Variant{"handle_token": dbus.MakeVariant(token)}
	var request dbus.ObjectPath
	if err := p.conn.Object(portalName, portalPath).CallWithContext(ctx, shortcuts+"."+method, 0, args(options)...).Store(&request); err != nil {
		return nil, err
	}
	for {
		select {
		case s, open := <-p.signals:
			if !open {
				return nil, dbus.ErrClosed
			}
			if s.Name != "org.freedesktop.portal.Request.Response" || s.Path != request {
				continue
			}
			return response(s)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func response(s *dbus.Signal) (map[string]dbus.Variant, error) {
	var code uint32
	var results map[string]dbus.Variant
	if err := dbus.Store(s.Body, &code, &results); err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, fault.New(fault.NotAcceptable, "The desktop did not lend these keys.", "Choose other keys, or allow it in the desktop's own settings.")
	}
	return results, nil
}

func (p *portal) listen(pressed func()) {
	for s := range p.signals {
		if s.Name != shortcuts+".Activated" || len(s.Body) < 2 {
			continue
		}
		if session, _ := s.Body[0].(dbus.ObjectPath); session == p.session && s.Body[1] == shortcutID {
			pressed()
		}
	}
}

// trigger writes keys as the shortcuts specification of freedesktop.org does.
func trigger(k Keys) string {
	key := k.Key
	if k.function() > 0 {
		key = strings.ToUpper(key)
	}
	return k.join("CTRL", "ALT", "SHIFT", "LOGO", key)
}
