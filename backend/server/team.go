package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/team"
)

// Team are the people whom a server lets in by themselves, each to rooms of their
// own: behind the door nothing is shared but what the rooms share.
type Team struct {
	Door  *team.Door
	Rooms func(context.Context, team.Person) (*Guest, error) // of somebody who came in; the same as long as they are kept
	Ready func(context.Context) error                        // whether the library is there
	Load  func() (people, runs int)                          // that this program has to do with
	Audit func(ctx context.Context, before int64, n int) ([]team.Entry, error)
}

// Guest is what a person of a team finds.
type Guest struct {
	Rooms    *api.Rooms
	Protocol func(context.Context) http.Handler
}

// guestOf is the server of one person's rooms, made when they first come.
func (s *Server) guestOf(g *Guest) http.Handler {
	made, there := s.guests.Load(g)
	if !there {
		opt := s.opt
		opt.Team, opt.Protocol = nil, g.Protocol
		own := &Server{
			api: api.New(g.Rooms), rooms: g.Rooms, opt: opt, door: s.door, ctx: s.ctx, stop: s.stop,
			ping: s.ping, patience: s.patience, searchPing: s.searchPing, deepLimit: s.deepLimit, guest: true,
		}
		made, _ = s.guests.LoadOrStore(g, own.data())
	}
	return made.(http.Handler)
}

// admitted lets people in by the token or session that they bear, for as long as
// it lasts: what goes on longer ends with it.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request) {
	secret := s.secretOf(r)
	person, err := s.opt.Team.Door.Of(r.Context(), secret)
	if err != nil {
		refuse(w, err)
		return
	}
	if !s.takes(r) {
		w.Header().Set("Retry-After", "1")
		writeError(w, ending())
		return
	}
	guest, err := s.opt.Team.Rooms(r.Context(), person)
	if err != nil {
		writeError(w, err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		go s.guard(ctx, cancel, secret)
	}
	s.guestOf(guest).ServeHTTP(w, r.WithContext(ctx))
}

func refuse(w http.ResponseWriter, err error) {
	if fault.CodeOf(err) == fault.Unauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="footnote"`)
	}
	writeError(w, err)
}

const guardEvery = 5 * time.Second

// guard ends a stream whose bearer was shut out.
func (s *Server) guard(ctx context.Context, end func(), secret string) {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := s.opt.Team.Door.Of(ctx, secret); fault.CodeOf(err) == fault.Unauthorized {
				end()
				return
			}
		}
	}
}

// secretOf is the bearer token or the cookie of a request; a token in the address is
// none.
func (s *Server) secretOf(r *http.Request) string {
	if q := r.URL.Query(); q.Has("token") || q.Has("access_token") {
		return ""
	}
	if auth := r.Header.Values("Authorization"); len(auth) > 0 {
		token, ok := strings.CutPrefix(auth[0], "Bearer ")
		if !ok || len(auth) > 1 {
			return ""
		}
		return token
	}
	c, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return c.Value
}

type signIn struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

type acceptance struct {
	Invitation string `json:"invitation"`
	Password   string `json:"password"`
}

type newToken struct {
	Name string `json:"name"`
	Days int    `json:"days"` // that it is good for; 0: 90
}

// madeToken tells the secret of a token, which is never told again.
type madeToken struct {
	team.Pass
	Secret string `json:"token"`
}

// teamRoutes are those of a server that people sign in to.
func (s *Server) teamRoutes() []route {
	if s.opt.Team == nil {
		return nil
	}
	return []route{
		{api.Row("GET /ready", "Whether questions can be answered: the database is there.", api.Free(), api.Also[map[string]string](200)), s.ready},
		{api.Row("POST /api/session", "Signs in with name and password; the session is in the cookie.", api.Free(),
			api.Taking[signIn](`{"name":"ann","password":"correct horse battery"}`, "name", "password"), api.Also[team.Person](200)), s.signIn},
		{api.Row("POST /api/session/accept", "Uses an invitation up: its person has a password now, and is signed in.", api.Free(),
			api.Taking[acceptance](`{"invitation":"…","password":"correct horse battery"}`, "invitation", "password"), api.Also[team.Person](200)), s.accept},
		{api.Row("GET /api/session", "Who is signed in.", api.Free(), api.Also[team.Person](200)), asPerson(s, s.who)},
		{api.Row("DELETE /api/session", "Signs out.", api.Free(), api.Bytes(204, "")), s.signOut},
		{api.Row("GET /api/tokens", "Lists one's tokens.", api.Free(), api.Also[api.Page[team.Pass]](200)), asPerson(s, s.tokens)},
		{api.Row("POST /api/tokens", "Makes a token for a program, which then may what its maker may. It is told once.", api.Free(),
			api.Taking[newToken](`{"name":"my script","days":30}`, "name"), api.Also[madeToken](201)), asPerson(s, s.makeToken)},
		{api.Row("DELETE /api/tokens/{id}", "Ends a token.", api.Free(), api.Bytes(204, "")), asPerson(s, s.dropToken)},
		{api.Row("GET /api/audit", "Who came in and who asked, newest first; for administrators.", api.Free(), api.Ask("after", "The number of the last line that was seen"),
			api.Also[api.Page[team.Entry]](200)), asPerson(s, s.audit)},
		{api.Row("GET /metrics", "How much this program has to do, for Prometheus; for administrators, by a token.", api.Free(), api.Bytes(200, "text/plain")), asPerson(s, s.metrics)},
	}
}

// asPerson is a handler for who has come in.
func asPerson(s *Server, handle func(http.ResponseWriter, *http.Request, team.Person)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		person, err := s.opt.Team.Door.Of(r.Context(), s.secretOf(r))
		if err != nil {
			refuse(w, err)
			return
		}
		handle(w, r, person)
	}
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	err := s.opt.Team.Ready(ctx)
	if s.load.draining.Load() {
		err = ending()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fault.Wrap(err, fault.Busy, "The team's database does not answer.", "footnote team doctor says more.")
	}
	reply(w, http.StatusOK, map[string]string{"status": "ready"}, err)
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	var in signIn
	if err := readJSON(r, &in); err != nil {
		writeError(w, err)
		return
	}
	secret, person, err := s.opt.Team.Door.SignIn(r.Context(), in.Name, in.Password)
	s.entered(w, r, secret, person, err)
}

func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	var in acceptance
	if err := readJSON(r, &in); err != nil {
		writeError(w, err)
		return
	}
	secret, person, err := s.opt.Team.Door.Accept(r.Context(), in.Invitation, in.Password)
	s.entered(w, r, secret, person, err)
}

func (s *Server) entered(w http.ResponseWriter, r *http.Request, secret string, person team.Person, err error) {
	if err == nil {
		http.SetCookie(w, s.cookie(r, secret, 0))
	}
	reply(w, http.StatusOK, person, err)
}

// cookie carries a session; behind a proxy that ends encryption it goes over that
// alone.
func (s *Server) cookie(r *http.Request, secret string, age int) *http.Cookie {
	secure := r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
	return &http.Cookie{Name: cookieName, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure, MaxAge: age}
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if err := s.opt.Team.Door.SignOut(r.Context(), s.secretOf(r)); err != nil {
		writeError(w, err)
		return
	}
	http.SetCookie(w, s.cookie(r, "", -1))
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) who(w http.ResponseWriter, _ *http.Request, p team.Person) {
	writeJSON(w, http.StatusOK, p)
}

func (s *Server) tokens(w http.ResponseWriter, r *http.Request, p team.Person) {
	list, err := s.opt.Team.Door.Tokens(r.Context(), p)
	reply(w, http.StatusOK, api.PageOf(list, ""), err)
}

func (s *Server) makeToken(w http.ResponseWriter, r *http.Request, p team.Person) {
	var in newToken
	if err := readJSON(r, &in); err != nil {
		writeError(w, err)
		return
	}
	pass, secret, err := s.opt.Team.Door.NewToken(r.Context(), p, in.Name, in.Days)
	reply(w, http.StatusCreated, madeToken{pass, secret}, err)
}

func (s *Server) dropToken(w http.ResponseWriter, r *http.Request, p team.Person) {
	if err := s.opt.Team.Door.DropToken(r.Context(), p, r.PathValue("id")); err != nil {
		writeError(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// audit gives a page of the audit log to an administrator.
func (s *Server) audit(w http.ResponseWriter, r *http.Request, p team.Person) {
	if !p.Administrator {
		writeError(w, fault.New(fault.PathNotAllowed, "The audit log is for administrators.", "Ask one of them."))
		return
	}
	before, err := records.CursorNumber(r.URL.Query().Get("after"), 0)
	if err != nil {
		writeError(w, err)
		return
	}
	list, err := s.opt.Team.Audit(r.Context(), before, auditPage)
	next := ""
	if len(list) == auditPage {
		next = strconv.FormatInt(list[auditPage-1].N, 10)
	}
	reply(w, http.StatusOK, api.PageOf(list, next), err)
}

const auditPage = 100
