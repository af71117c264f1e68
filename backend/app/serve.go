package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"

	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/fault"
	"footnote/backend/mcp"
	"footnote/backend/server"
)

// opener is the window, in a program that was built with one.
func (p Program) opener() func(context.Context, *command.House, command.Opening) error {
	if !command.Desktop {
		return nil
	}
	return func(ctx context.Context, h *command.House, o command.Opening) error {
		if err := screen(runtime.GOOS, os.Getenv); err != nil {
			return err
		}
		return p.window(ctx, h, o)
	}
}

// screen is the fault of a session without one: GTK would end the process.
func screen(system string, env func(string) string) error {
	if system != "linux" || cmp.Or(env("DISPLAY"), env("WAYLAND_DISPLAY"), env("GDK_BACKEND")) != "" {
		return nil
	}
	return fault.New(fault.InvalidRequest, "There is no screen here for the window.", "Ask on this terminal with footnote ask, or have the pages in a browser by footnote serve --open.")
}

// serve answers over HTTP until ctx ends. When Footnote is started a second
// time, it adds the files it was given and says where it is.
func (p Program) serve(ctx context.Context, h *command.House, opt command.ServeOptions, env *command.Env) error {
	if opt.Team {
		return p.serveTeam(ctx, h, opt, env)
	}
	tuneForServing()
	s, listener, err := p.listen(h, opt, p.rooms(h), nil)
	if err != nil {
		return err
	}
	if err := h.Begin(ctx, opt.Watch); err != nil {
		return errors.Join(err, listener.Close())
	}
	h.Greet(ctx, func(ctx context.Context, guest *command.Env, o command.Opening) error {
		launch := s.LaunchURL()
		fmt.Fprintf(guest.Stdout, "Footnote is serving already: %s\n", launch)
		return errors.Join(p.addPaths(ctx, h, o.Paths), openPage(h, launch))
	})
	launch := s.LaunchURL()
	fmt.Fprintf(env.Stderr, "Open %s\n(valid once, for five minutes)\n", launch)
	fmt.Fprintf(env.Stdout, "listening %s\n", listener.Addr())
	if server.Remote(listener.Addr()) {
		fmt.Fprintln(env.Stderr, "warning: other computers may reach this address; whoever has the token reads your files.")
	}
	defer forgetPage(h)
	if opt.Open {
		if err := openPage(h, launch); err != nil {
			fmt.Fprintln(env.Stderr, "The browser could not be opened; copy the address above.")
		}
	}
	return s.Serve(ctx, listener)
}

// openPage opens a one-time address in the reader's browser.
func openPage(h *command.House, launch string) error {
	page, err := server.LaunchFile(h.Settings.DataDir(), launch)
	if err != nil {
		return err
	}
	return openOutside(page)
}

// forgetPage removes the file that openPage leaves; its code was for this process.
func forgetPage(h *command.House) {
	if err := os.Remove(server.LaunchPath(h.Settings.DataDir())); err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.Log.Warn("remove the page that opened the browser", "err", err)
	}
}

// listen opens the port of a server over rooms of this house; people is nil where
// nobody signs in.
func (p Program) listen(h *command.House, opt command.ServeOptions, rooms *api.Rooms, people *server.Team) (*server.Server, net.Listener, error) {
	pages, err := p.pages()
	if err != nil {
		return nil, nil, err
	}
	dir := h.Settings.DataDir()
	token, err := server.WriteToken(dir, os.Getenv("FOOTNOTE_TOKEN"))
	home, noHome := server.HomeID(dir)
	session, noSession := server.SessionSecret(dir)
	if err := cmp.Or(err, noHome, noSession); err != nil {
		if !h.DB.Reading() || token == "" {
			return nil, nil, err
		}
		h.Log.Warn("token and session are of this process alone", "err", err)
	}
	set := h.Settings.Now().Server
	s, err := server.New(rooms, server.Options{
		Addr: cmp.Or(opt.Addr, set.Addr), Hosts: set.Hosts, AllowRemote: opt.AllowRemote, Rate: set.RatePerMinute, Token: token, Session: session,
		Assets: server.Shell(pages, home), Now: time.Now, Log: h.Log, Team: people,
		Protocol: func(serving context.Context) http.Handler { return mcp.HTTP(serving, p.Version, protocolRooms(h)) },
	})
	if err != nil {
		return nil, nil, err
	}
	listener, err := s.Listen()
	return s, listener, err
}

func (p Program) services(h *command.House) *api.Services { return api.New(p.rooms(h)) }

// addPaths adds files and folders that a second start was given.
func (p Program) addPaths(ctx context.Context, h *command.House, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := p.services(h).Library.Add(ctx, api.AddRequest{Paths: paths})
	return err
}

// export is a conversation as the server gives it.
func (p Program) export(ctx context.Context, h *command.House, want command.Export) ([]byte, error) {
	file, err := p.services(h).Exports.Write(ctx, api.ExportThread{ID: want.Thread, Format: want.Format, Run: want.Run, Style: want.Style})
	return file.Body, err
}

// drop deletes a conversation as the server does.
func (p Program) drop(ctx context.Context, h *command.House, thread string) error {
	_, err := p.services(h).Threads.Delete(ctx, api.DeleteThread{ID: thread, Erase: true})
	return err
}

// zotero adds a library of Zotero as the server does.
func (p Program) zotero(ctx context.Context, h *command.House, folder string) (command.Adopted, error) {
	view, err := p.services(h).Library.AddZotero(ctx, api.ZoteroFolder{Folder: folder})
	return command.Adopted{Paths: view.Paths, Lines: view.Lines()}, err
}

// citeKeys keeps cite keys as the server does.
func (p Program) citeKeys(ctx context.Context, h *command.House, bibtex, folder string) (int, error) {
	view, err := p.services(h).Library.AddCiteKeys(ctx, api.BibTeX{Text: bibtex, Folder: folder})
	return view.CiteKeys, err
}

// bring is a bundle brought back, as by the server.
func (p Program) bring(ctx context.Context, h *command.House, bundle []byte) (string, error) {
	made, err := p.services(h).Exports.Import(ctx, bundle)
	return string(made.Thread), err
}
