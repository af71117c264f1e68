// Package server is the HTTP mouth: the native API with server-sent events, the
// compatibility routes, and the static shell of the UI, on loopback.
//
//	server.go    Server: life and death               door.go    who may come in: Host, origin, token, launch code, rate
//	table.go     every route: those of the services, and what is of HTTP alone    mount.go   a row of the table as a handler
//	openapi.go   the table as OpenAPI                 stream.go  runs and library as server-sent events
//	wire.go      JSON in and out, faults → statuses   response.go  causes of errors go to the log
//	uploads.go, imports.go  files that are sent       static.go  the shell, with its content policy
//	body.go      how fast bodies have to come, as response.go says how fast replies are taken
//	compat.go    /api/ask, /api/progress              media.go   originals and previews for the window's page
//	search.go    /api/search, as Perplexica asks      openai.go /v1, as OpenAI's clients ask
//	deep*.go     /api/research/deep, a fold of the log  follow.go  a run told to any of them
//	drain.go     the end of a program that serves a team, and its metrics    home.go      the name of a data folder, marked in its page
//
// Every data route needs the token or the session cookie; GET changes nothing
// and causes no traffic; no CORS header is ever sent.
package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"footnote/backend/api"
	"footnote/backend/fault"
)

// Options of a server.
type Options struct {
	Addr        string
	Hosts       []string // further exact Host values
	AllowRemote bool     // an address beyond loopback was asked for
	Rate        int      // asking requests a minute and client; 0 = no limit
	Token       string   // bearer token
	Session     string   // value of the cookie of pages that were let in; "" = one that ends with the process
	Assets      fs.FS    // the built front end
	Now         func() time.Time
	Log         *slog.Logger

	// Protocol makes what serves the Model Context Protocol at /mcp, until its
	// context ends; nil: nothing does.
	Protocol func(context.Context) http.Handler

	// Team are people who sign in, each to rooms of their own; nil: whoever has the
	// token is let in to the server's.
	Team *Team
}

// Server answers HTTP for one set of services.
type Server struct {
	api   *api.Services
	rooms *api.Rooms
	opt   Options
	door  *door
	http  *http.Server
	stop  context.CancelFunc
	addr  net.Addr
	ctx   context.Context // of streams and long waits: ends when the server begins to close
	await sessions
	load  load

	guests sync.Map // of a team: *Guest → http.Handler
	guest  bool     // the rooms are of somebody who is not at the computer that they are on

	document struct { // the table as OpenAPI, made when it is first wanted
		once sync.Once
		doc  map[string]any
		err  error
	}

	ping, patience time.Duration // between pings; before a reader that takes nothing is dropped
	searchPing     time.Duration // between pings of the streams of lines
	deepLimit      time.Duration // of one stream of research
	pace           pace          // of bodies
}

// New makes a server. An address beyond loopback without AllowRemote is a fault
// forbidden-host.
func New(rooms *api.Rooms, opt Options) (*Server, error) {
	host, _, err := net.SplitHostPort(opt.Addr)
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidSetting, fmt.Sprintf("%q is not an address to listen on.", opt.Addr), "Give host and port, like 127.0.0.1:7411.")
	}
	if !loopback(host) && !opt.AllowRemote {
		return nil, fault.New(fault.ForbiddenHost, fmt.Sprintf("%s is not an address of this computer alone.", host), "Use 127.0.0.1, or add --allow-remote if others shall reach it.")
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{api: api.New(rooms), rooms: rooms, opt: opt, ctx: ctx, stop: stop, ping: pingEvery, patience: writeLimit, searchPing: searchPing, deepLimit: deepLimit, pace: bodyPace}
	s.door = newDoor(opt)
	s.http = &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       5 * time.Minute, // of what has no body; bodies have their pace
		WriteTimeout:      writeLimit,      // of what has no handler; handlers have it for each piece
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       smallBuffer,
		ErrorLog:          slog.NewLogLogger(opt.Log.Handler(), slog.LevelInfo),
	}
	return s, nil
}

// Listen opens the port and returns the address it got.
func (s *Server) Listen() (net.Listener, error) {
	l, err := net.Listen("tcp", s.opt.Addr)
	if err != nil {
		return nil, fault.Wrap(err, fault.DataInUse, fmt.Sprintf("The address %s cannot be listened on.", s.opt.Addr), "Another program may hold it: choose another with --addr.")
	}
	s.addr = l.Addr()
	s.door.listening(l.Addr())
	return l, nil
}

// Serve answers until ctx ends, then closes: open streams end at once, other
// requests have three seconds.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	select {
	case err := <-failed:
		s.stop()
		return err
	case <-ctx.Done():
	}
	s.stop()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := s.http.Shutdown(closing); err != nil {
		s.http.Close()
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// LaunchURL is a one-time address that lets a browser in for the life of this
// process. It is valid for five minutes.
func (s *Server) LaunchURL() string {
	return fmt.Sprintf("http://%s/launch?code=%s", s.addr, s.door.mint())
}

func (s *Server) handler() http.Handler {
	open := http.NewServeMux()
	for _, r := range s.table() {
		switch {
		case r.Pattern == "GET /":
			open.HandleFunc("/", r.handle) // refuses other methods itself
		case r.Free:
			open.HandleFunc(r.Pattern, r.handle)
		}
	}
	var protected http.Handler
	if s.opt.Team != nil {
		protected = http.HandlerFunc(s.admitted)
	} else {
		protected = s.door.authorised(s.data())
	}
	open.Handle("/api/", protected)
	open.Handle("/v1/", protected)
	open.Handle("/mcp", protected)
	return s.recovered(s.door.known(headers(s.paced(open))))
}

// data is what answers who has come in.
func (s *Server) data() http.Handler {
	data := http.NewServeMux()
	for _, r := range s.table() {
		if !r.Free {
			data.HandleFunc(r.Pattern, r.handle)
		}
	}
	context.AfterFunc(s.ctx, s.api.Jobs.StopAll)
	return routed(data, s.door.limited(requireJSON(data)))
}

// protocol lets a client of the Model Context Protocol listen as long as it wants.
func (s *Server) protocol(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(r)
		if err != nil {
			writeError(w, err)
			return
		}
		ctx, cancel := s.lasting(w, r)
		defer cancel()
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// Remote reports whether other computers may reach an address that is listened
// on.
func Remote(addr net.Addr) bool {
	host, _, err := net.SplitHostPort(addr.String())
	return err == nil && !loopback(host)
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
