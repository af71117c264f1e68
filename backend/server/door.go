package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"footnote/backend/fault"
)

const (
	cookieName  = "footnote_session"
	launchValid = 5 * time.Minute
)

// door decides who may come in.
type door struct {
	opt     Options
	mu      sync.Mutex
	hosts   []string
	page    string // the one host of this computer whose pages hold a cookie; "" = each that is served
	session string
	codes   map[string]time.Time
	asked   map[string]*bucket
}

// bucket counts the asking requests of one client in the current minute.
type bucket struct {
	minute time.Time
	n      int
}

func newDoor(opt Options) *door {
	return &door{opt: opt, hosts: slices.Clone(opt.Hosts), session: cmp.Or(opt.Session, NewToken()), codes: map[string]time.Time{}, asked: map[string]*bucket{}}
}

// NewToken makes 256 random bits in base64url.
func NewToken() string {
	var b [32]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// listening learns the port, and with it the exact Host values.
func (d *door) listening(addr net.Addr) {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return
	}
	own := pageName(d.session)
	reached := reachable(own)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, h := range []string{"127.0.0.1", "[::1]", "localhost", own} {
		d.hosts = append(d.hosts, h+":"+port)
	}
	if d.opt.AllowRemote {
		d.hosts = append(d.hosts, net.JoinHostPort(host, port))
	}
	if loopback(host) && reached && d.opt.Team == nil { // people of a team keep an address that they know
		d.page = own + ":" + port
	}
}

// pageName is the host of the pages that are let in. A browser sends a cookie to
// every port of a host; the programs at other ports of this computer do not know
// this name, so no page of theirs is ever at it (ADR 33).
func pageName(session string) string {
	sum := sha256.Sum256([]byte("page host of " + session))
	return "footnote-" + hex.EncodeToString(sum[:16]) + ".localhost"
}

// reachable reports whether browsers find a name below localhost. They know such
// names themselves, but for Safari, which asks the system.
func reachable(name string) bool {
	if runtime.GOOS != "darwin" {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	found, err := net.DefaultResolver.LookupHost(ctx, name)
	return err == nil && len(found) > 0
}

// holdsCookies reports whether a page at this host may be let in by a cookie.
func (d *door) holdsCookies(host string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.page == "" || host == d.page || slices.Contains(d.opt.Hosts, host)
}

func (d *door) allows(host string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.hosts, host)
}

// known lets in only requests that name this server exactly and come from its
// own pages or from no page at all.
func (d *door) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host == "" || r.URL.IsAbs() || r.URL.Host != "":
			writeError(w, fault.New(fault.InvalidRequest, "The request names no host, or an absolute address.", "Send one Host header and a path."))
		case !d.allows(r.Host):
			writeError(w, fault.New(fault.ForbiddenHost, "This host name is not served.", "Use the address that Footnote printed, or add the name to server.hosts."))
		case !d.ownOrigin(r):
			writeError(w, fault.New(fault.ForbiddenOrigin, "Requests from other pages are refused.", "Open Footnote by its own address."))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (d *door) ownOrigin(r *http.Request) bool {
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		u, err := url.Parse(origins[0])
		if len(origins) > 1 || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host != r.Host || u.Path != "" {
			return false
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	case "same-site", "cross-site":
		// A link from elsewhere may open the shell, never data; the file that lets
		// a browser in is elsewhere too, and its code is what counts.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/v1/")
	}
	return false
}

// authorised asks for the bearer token or the session cookie. A token in the
// address is refused whatever else there is.
func (d *door) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if q := r.URL.Query(); q.Has("token") || q.Has("access_token") || !d.bears(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="footnote"`)
			writeError(w, fault.New(fault.Unauthorized, "This needs Footnote's token.", "Send it as a bearer token, or open the one-time address that `footnote serve` prints."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (d *door) bears(r *http.Request) bool {
	if auth := r.Header.Values("Authorization"); len(auth) > 0 {
		token, ok := strings.CutPrefix(auth[0], "Bearer ")
		return ok && len(auth) == 1 && same(token, d.opt.Token)
	}
	c, err := r.Cookie(cookieName)
	return err == nil && d.holdsCookies(r.Host) && same(c.Value, d.session)
}

func same(a, b string) bool { return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// mint makes a launch code.
func (d *door) mint() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	code := NewToken()
	d.codes[code] = d.opt.Now().Add(launchValid)
	return code
}

// good reports whether a launch code is good; spent uses it up.
func (d *door) good(code string, spent bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, ok := d.codes[code]
	if spent {
		delete(d.codes, code)
	}
	return ok && d.opt.Now().Before(until)
}

// launch lets a browser in: it leads to the host of the pages, which is told to
// nobody without a code, spends the code there, sets the cookie and goes on to the
// shell.
func (d *door) launch(w http.ResponseWriter, r *http.Request) {
	code, here := r.URL.Query().Get("code"), d.holdsCookies(r.Host)
	if r.Method != http.MethodGet || !d.good(code, here) {
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.Error(w, "This address has been used or has expired.\n\nStart `footnote serve` again and open the address it prints.", http.StatusUnauthorized)
			return
		}
		writeError(w, fault.New(fault.Unauthorized, "This address has been used or has expired.", "Start `footnote serve` again, or use --open."))
		return
	}
	if !here {
		http.Redirect(w, r, "http://"+d.page+"/launch?code="+url.QueryEscape(code), http.StatusSeeOther)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: d.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

var askingRoutes = []string{"/api/runs", "/api/ask", "/api/search", "/api/research/deep", "/v1/chat/completions", "/v1/responses"}

// limited holds each client to a number of questions a minute.
func (d *door) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && d.opt.Rate > 0 && slices.Contains(askingRoutes, r.URL.Path) {
			if wait := d.take(r.RemoteAddr); wait > 0 {
				w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
				writeError(w, fault.New(fault.RateLimited, "Too many questions in a minute.", "Wait a moment, or raise server.rate_per_minute."))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (d *door) take(remote string) time.Duration {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.opt.Now()
	b := d.asked[host]
	if b == nil || now.Sub(b.minute) >= time.Minute {
		maps.DeleteFunc(d.asked, func(_ string, b *bucket) bool { return now.Sub(b.minute) >= time.Minute })
		b = &bucket{minute: now}
		d.asked[host] = b
	}
	if b.n >= d.opt.Rate {
		return time.Minute - now.Sub(b.minute)
	}
	b.n++
	return 0
}
