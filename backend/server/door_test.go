package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"footnote/backend/api"
	"footnote/backend/fault"
)

// raw sends bytes and reads the response, for requests that a client of the
// standard library would not make.
func (h *house) raw(t *testing.T, request string) (status int, header http.Header, body string) {
	t.Helper()
	conn := must[net.Conn](t)(net.Dial("tcp", strings.TrimPrefix(h.base, "http://")))
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp := must[*http.Response](t)(http.ReadResponse(bufio.NewReader(conn), nil))
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header, string(must[[]byte](t)(io.ReadAll(resp.Body)))
}

func TestOnlyTheExactHostIsServed(t *testing.T) {
	h := open(t, func(p *plan) { p.opt.Hosts = []string{"desk.home:7411"} })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "localhost:" + port: 200, "[::1]:" + port: 200, "desk.home:7411": 200,
		"127.0.0.1": 403, "localhost": 403, "127.0.0.1:1": 403, "evil.example": 403, "evil.example:" + port: 403, "localhost.:" + port: 403,
		"LOCALHOST:" + port: 403, "a.localhost:" + port: 403, "127.0.0.1.evil.example:" + port: 403, "localhost:" + port + "@evil.example": 403,
		"127.1:" + port: 403, "2130706433:" + port: 403, "[::ffff:127.0.0.1]:" + port: 403, "0.0.0.0:" + port: 403, "desk.home": 403,
	} {
		if status, _, body := h.raw(t, "GET /health HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"); status != want && !(want == 403 && status == 400) {
			t.Errorf("Host %q gives %d %s, want %d", host, status, body, want)
		}
	}
	own := "127.0.0.1:" + port
	for what, request := range map[string]string{
		"two hosts":           "GET /health HTTP/1.1\r\nHost: " + own + "\r\nHost: " + own + "\r\n\r\n",
		"no host":             "GET /health HTTP/1.1\r\n\r\n",
		"no host, HTTP/1.0":   "GET /health HTTP/1.0\r\n\r\n",
		"an absolute address": "GET http://" + own + "/health HTTP/1.1\r\nHost: " + own + "\r\n\r\n",
	} {
		if status, _, _ := h.raw(t, request); status != 400 {
			t.Errorf("%s gives %d", what, status)
		}
	}
	forwarded := h.send(t, "GET", "/health", nil, func(r *http.Request) {
		r.Host, r.Header = "evil.example", http.Header{"X-Forwarded-Host": {own}, "Forwarded": {"host=" + own}}
	})
	wantFault(t, "a forwarded host", forwarded, 403, fault.ForbiddenHost)
}

func TestOtherPagesAreRefused(t *testing.T) {
	h := open(t, nil)
	port := h.base[strings.LastIndexByte(h.base, ':'):]
	for _, c := range []struct {
		method, path, origin, site, mode string
		want                             int
	}{
		{"GET", "/api/threads", "", "", "", 200},
		{"GET", "/api/threads", h.base, "same-origin", "cors", 200},
		{"GET", "/api/threads", "", "none", "navigate", 200},
		{"GET", "/api/threads", "http://localhost" + port, "same-site", "cors", 403},
		{"GET", "/api/threads", "https://evil.example", "cross-site", "cors", 403},
		{"GET", "/api/threads", "https://evil.example", "", "", 403},
		{"GET", "/api/threads", "null", "", "", 403},
		{"GET", "/api/threads", "file://", "", "", 403},
		{"GET", "/api/threads", "http://127.0.0.1:1", "", "", 403},
		{"GET", "/api/threads", h.base + "/", "", "", 403},
		{"GET", "/api/threads", h.base + ".evil.example", "", "", 403},
		{"GET", "/api/threads", "", "cross-site", "navigate", 403},
		{"GET", "/api/threads", "", "anything", "", 403},
		{"GET", "/", "", "cross-site", "navigate", 200}, // a link to the shell, which holds no data
		{"GET", "/", "", "cross-site", "no-cors", 403},
		{"GET", "/launch?code=x", "", "cross-site", "navigate", 401}, // from the file that opens the browser: its code decides
		{"GET", "/launch?code=x", "", "cross-site", "no-cors", 403},
		{"POST", "/api/runs", "https://evil.example", "cross-site", "cors", 403},
		{"DELETE", "/api/keys/openai", "https://evil.example", "", "", 403},
	} {
		a := h.send(t, c.method, c.path, nil, func(r *http.Request) {
			for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
		})
		if a.status != c.want {
			t.Errorf("%s %s from %q (%s %s) gives %d, want %d", c.method, c.path, c.origin, c.site, c.mode, a.status, c.want)
		}
		if c.want == 403 {
			wantFault(t, c.origin, a, 403, fault.ForbiddenOrigin)
		}
	}
	twice := h.send(t, "GET", "/api/threads", nil, func(r *http.Request) { r.Header["Origin"] = []string{h.base, "https://evil.example"} })
	wantFault(t, "two origins", twice, 403, fault.ForbiddenOrigin)
}

func TestPreflightsAreNotGranted(t *testing.T) {
	h := open(t, nil)
	for _, origin := range []string{"https://evil.example", "null", h.base} {
		for _, path := range []string{"/api/runs", "/api/threads", "/health", "/"} {
			a := h.send(t, "OPTIONS", path, nil, func(r *http.Request) {
				r.Header = http.Header{"Origin": {origin}, "Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Private-Network": {"true"}}
			})
			if a.status < 400 {
				t.Errorf("OPTIONS %s from %s gives %d", path, origin, a.status)
			}
			for name := range a.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("OPTIONS %s answers %s", path, name)
				}
			}
		}
	}
}

func TestEveryDataRouteNeedsTheToken(t *testing.T) {
	h := open(t, nil)
	const run = "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	paths := []string{
		"GET /api/threads", "GET /api/runs", "GET " + run, "GET " + run + "/events", "GET /api/library", "GET /api/library/events", "GET /api/settings",
		"GET /api/threads/thr_aaaaaaaaaaaaaaaaaaaaaaaaaa/export", "GET /api/sources/src_aaaaaaaaaaaaaaaaaaaaaaaaaa/file", "GET /api/sources/src_aaaaaaaaaaaaaaaaaaaaaaaaaa/image",
		"GET /api/progress/x", "GET /api/health", "GET /api/models", "GET /api/nothing", "POST /api/runs", "POST /api/ask", "POST /api/library/uploads",
		"DELETE /api/keys/openai", "PUT /api/settings", "HEAD /api/threads",
	}
	wrong := map[string]http.Header{
		"none": {}, "empty": {"Authorization": {"Bearer "}}, "no scheme": {"Authorization": {testToken}}, "basic": {"Authorization": {"Basic " + testToken}},
		"wrong": {"Authorization": {"Bearer another-token-of-this-len"}}, "cut": {"Authorization": {"Bearer " + testToken[:len(testToken)-1]}},
		"longer": {"Authorization": {"Bearer " + testToken + "x"}}, "case": {"Authorization": {"Bearer " + strings.ToUpper(testToken)}},
		"lower scheme": {"Authorization": {"bearer " + testToken}}, "twice": {"Authorization": {"Bearer " + testToken, "Bearer " + testToken}},
		"wrong cookie": {"Cookie": {cookieName + "=x"}}, "empty cookie": {"Cookie": {cookieName + "="}}, "token as cookie": {"Cookie": {cookieName + "=" + testToken}},
	}
	for _, line := range paths {
		method, path, _ := strings.Cut(line, " ")
		for what, header := range wrong {
			a := h.send(t, method, path, nil, func(r *http.Request) { r.Header = header.Clone() })
			if a.status != 401 || a.header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s with token %q gives %d", line, what, a.status)
			}
		}
	}
	for _, query := range []string{"?token=" + testToken, "?access_token=x"} {
		wantFault(t, query, h.send(t, "GET", "/api/threads"+query, nil, nil), 401, fault.Unauthorized)
	}
	for _, path := range []string{"/", "/assets/app.js", "/favicon.svg", "/health", "/opensearch.xml"} {
		if a := h.send(t, "GET", path, nil, func(r *http.Request) { r.Header.Del("Authorization") }); a.status != 200 {
			t.Errorf("%s needs a token: %d", path, a.status)
		}
	}
}

func TestALaunchAddressLetsABrowserInOnce(t *testing.T) {
	h := open(t, nil)
	address := strings.TrimPrefix(h.LaunchURL(), h.base)
	bare := func(r *http.Request) { r.Header.Del("Authorization") }
	if a := h.send(t, "HEAD", address, nil, bare); a.status != 401 {
		t.Errorf("HEAD spends the code: %d", a.status)
	}
	page := h.pageHost(t, address)
	atPage := func(r *http.Request) { bare(r); r.Host = page }
	in := h.send(t, "GET", address, nil, atPage)
	if in.status != http.StatusSeeOther || in.header.Get("Location") != "/" {
		t.Fatalf("%d to %q", in.status, in.header.Get("Location"))
	}
	cookies := (&http.Response{Header: in.header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Path != "/" || cookies[0].Domain != "" || cookies[0].MaxAge != 0 || !cookies[0].Expires.IsZero() {
		t.Fatalf("cookies %v", cookies)
	}
	withCookie := func(r *http.Request) { atPage(r); r.AddCookie(cookies[0]) }
	if a := h.send(t, "GET", "/api/threads", nil, withCookie); a.status != 200 {
		t.Errorf("the cookie does not let in: %d", a.status)
	}
	for _, host := range []string{"", strings.Replace(strings.TrimPrefix(h.base, "http://"), "127.0.0.1", "localhost", 1)} {
		a := h.send(t, "GET", "/api/threads", nil, func(r *http.Request) { withCookie(r); r.Host = host })
		wantFault(t, "the cookie at a name that other programs of this computer have too", a, 401, fault.Unauthorized)
	}
	wantFault(t, "the same code again", h.send(t, "GET", address, nil, atPage), 401, fault.Unauthorized)
	wantFault(t, "the name of the pages for a spent code", h.send(t, "GET", address, nil, bare), 401, fault.Unauthorized)
	wantFault(t, "no code", h.send(t, "GET", "/launch", nil, bare), 401, fault.Unauthorized)

	late := strings.TrimPrefix(h.LaunchURL(), h.base)
	h.clock.Store(int64(launchValid + time.Second))
	wantFault(t, "a code after five minutes", h.send(t, "GET", late, nil, bare), 401, fault.Unauthorized)

	other := open(t, nil)
	theirs := other.pageHost(t, strings.TrimPrefix(other.LaunchURL(), other.base))
	if a := other.send(t, "GET", "/api/threads", nil, func(r *http.Request) { withCookie(r); r.Host = theirs }); a.status != 401 {
		t.Errorf("a cookie of another process gives %d", a.status)
	}
}

// pageHost is the host that a launch address leads to.
func (h *house) pageHost(t *testing.T, address string) string {
	t.Helper()
	if !reachable("any.localhost") {
		t.Skip("this system finds no names below localhost")
	}
	led := h.send(t, "GET", address, nil, func(r *http.Request) { r.Header.Del("Authorization") })
	at := must[*url.URL](t)(url.Parse(led.header.Get("Location")))
	own := strings.TrimPrefix(h.base, "http://127.0.0.1")
	if led.status != http.StatusSeeOther || len(led.header.Values("Set-Cookie")) > 0 || at.RequestURI() != address || !pageForm.MatchString(at.Host) || !strings.HasSuffix(at.Host, own) {
		t.Fatalf("%d to %v with %v", led.status, at, led.header)
	}
	return at.Host
}

var pageForm = regexp.MustCompile(`^footnote-[0-9a-f]{32}\.localhost:\d+$`)

func TestNamesOfTheReaderAndOtherComputersHoldCookies(t *testing.T) {
	for what, c := range map[string]struct {
		addr, host string
		hosts      []string
		want       bool
	}{
		"a name of the settings":   {"127.0.0.1:7411", "desk.home:7411", []string{"desk.home:7411"}, true},
		"the address for loopback": {"127.0.0.1:7411", "127.0.0.1:7411", []string{"desk.home:7411"}, false},
		"an address of others":     {"192.168.1.4:7411", "192.168.1.4:7411", nil, true},
	} {
		d := newDoor(Options{Hosts: c.hosts, AllowRemote: true})
		d.listening(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.addr)))
		if c.want == false && d.page == "" {
			t.Skip("this system finds no names below localhost")
		}
		if d.holdsCookies(c.host) != c.want {
			t.Errorf("%s: %v", what, !c.want)
		}
	}
}

func TestQuestionsAreCountedByTheMinute(t *testing.T) {
	h := open(t, func(p *plan) { p.opt.Rate = 3 })
	for i := range 3 {
		if a := h.send(t, "POST", askingRoutes[i%2], map[string]any{}, nil); a.status != 400 {
			t.Fatalf("question %d gives %d", i+1, a.status)
		}
	}
	for _, path := range []string{"/api/runs", "/api/ask"} {
		over := h.send(t, "POST", path, map[string]any{"question": "x", "query": "x"}, nil)
		wantFault(t, path, over, 429, fault.RateLimited)
		if wait, err := strconv.Atoi(over.header.Get("Retry-After")); err != nil || wait < 1 || wait > 61 {
			t.Errorf("Retry-After %q", over.header.Get("Retry-After"))
		}
	}
	if status := h.get(t, "/api/threads", nil); status != 200 {
		t.Errorf("reading is limited too: %d", status)
	}
	if status := h.get(t, "/api/runs", nil); status != 200 {
		t.Errorf("listing runs is limited too: %d", status)
	}
	h.clock.Store(int64(time.Minute + time.Second))
	if a := h.send(t, "POST", "/api/runs", map[string]any{}, nil); a.status != 400 {
		t.Errorf("a minute later: %d", a.status)
	}
	if n := len(h.door.asked); n != 1 {
		t.Errorf("%d clients are remembered", n)
	}
}

func TestAnAddressOfOthersNeedsTheFlag(t *testing.T) {
	for _, c := range []struct {
		addr   string
		remote bool
		code   fault.Code
	}{
		{"127.0.0.1:0", false, ""}, {"localhost:0", false, ""}, {"[::1]:0", false, ""}, {"0.0.0.0:0", false, fault.ForbiddenHost},
		{"192.168.1.4:0", false, fault.ForbiddenHost}, {":7411", false, fault.ForbiddenHost}, {"0.0.0.0:0", true, ""}, {"nowhere", false, fault.InvalidSetting},
	} {
		_, err := New(&api.Rooms{}, Options{Addr: c.addr, AllowRemote: c.remote, Now: time.Now, Log: quiet})
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s (remote %v): %v", c.addr, c.remote, err)
		}
	}
}

func TestTheTokenIsTheOwnersAndIsRenewed(t *testing.T) {
	dir := t.TempDir()
	first := must[string](t)(WriteToken(dir, ""))
	second := must[string](t)(WriteToken(dir, ""))
	path := filepath.Join(dir, "token")
	info := must[os.FileInfo](t)(os.Stat(path))
	if first == second || len(second) != 43 || info.Mode().Perm() != 0o600 {
		t.Errorf("%q then %q, mode %v", first, second, info.Mode())
	}
	if kept := must[[]byte](t)(os.ReadFile(path)); strings.TrimSpace(string(kept)) != second {
		t.Errorf("the file holds %q", kept)
	}
	if chosen := must[string](t)(WriteToken(dir, "sixteen-letters!")); chosen != "sixteen-letters!" {
		t.Errorf("the chosen token became %q", chosen)
	}
	if _, err := WriteToken(dir, "fifteen-letters"); fault.CodeOf(err) != fault.InvalidSetting {
		t.Errorf("a short token: %v", err)
	}
	if left := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestHalfOpenConnectionsKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	address := strings.TrimPrefix(h.base, "http://")
	for range 100 {
		conn := must[net.Conn](t)(net.Dial("tcp", address))
		defer conn.Close()
		fmt.Fprintf(conn, "GET /api/threads HTTP/1.1\r\nHost: %s\r\n", address)
	}
	began := time.Now()
	if status := h.get(t, "/api/threads", nil); status != 200 || time.Since(began) > 30*time.Second {
		t.Errorf("%d after %v", status, time.Since(began))
	}
	began = time.Now()
	if err := h.stop(); err != nil || time.Since(began) > 30*time.Second {
		t.Errorf("closing took %v: %v", time.Since(began), err)
	}
}

func TestAQuestionInTheAddressChangesNothingInThePage(t *testing.T) {
	h := open(t, nil)
	plain := h.send(t, "GET", "/", nil, nil)
	for _, site := range []string{"none", "same-origin", "cross-site", ""} {
		a := h.send(t, "GET", "/?q=lamp", nil, func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Mode", "navigate")
			r.Header.Set("Sec-Fetch-Site", site)
			if site == "" {
				r.Header.Del("Sec-Fetch-Site")
			}
		})
		if a.status != 200 || string(a.body) != string(plain.body) {
			t.Errorf("from %q: %d %s", site, a.status, a.body)
		}
	}
}
