package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/housetest"
)

var quiet = slog.New(slog.DiscardHandler)

type sample struct {
	Question string   `json:"question"`
	K        int      `json:"k"`
	Web      bool     `json:"web"`
	Names    []string `json:"names"`
	Models   struct {
		Chat string `json:"chat"`
	} `json:"models"`
}

func TestReadJSONTakesOneHonestObject(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	for _, c := range []struct {
		name, body string
		code       fault.Code
	}{
		{"an object", `{"question":"ü 🌉","k":3,"web":true,"names":["a","b"],"models":{"chat":"x"}}`, ""},
		{"unknown fields", `{"question":"a","later":{"x":[1,2,{"y":null}]}}`, ""},
		{"nothing", "", ""}, {"blanks", " \n\t", ""}, {"null", "null", fault.InvalidRequest},
		{"a name in two objects", `{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}`, ""},
		{"a name that is also a value", `{"a":"b","b":"a"}`, ""},
		{"depth 32", deep(32), ""},
		{"depth 33", deep(33), fault.InvalidJSON},
		{"depth 100000", strings.Repeat("[", 100000), fault.InvalidJSON},
		{"a name twice", `{"question":"a","question":"b"}`, fault.InvalidJSON},
		{"a name twice below", `{"models":{"chat":"a","k":1,"chat":"b"}}`, fault.InvalidJSON},
		{"a name twice in other letters", `{"question":"a","QUESTION":"b"}`, fault.InvalidJSON},
		{"a name twice by escape", `{"question":"a","\u0071uestion":"b"}`, fault.InvalidJSON},
		{"two values", `{} {}`, fault.InvalidJSON}, {"a value and a word", `{} x`, fault.InvalidJSON}, {"a value and a bracket", `{}]`, fault.InvalidJSON},
		{"cut", `{"question":"a"`, fault.InvalidJSON}, {"no JSON", `question=a`, fault.InvalidJSON}, {"a comma too much", `{"k":1,}`, fault.InvalidJSON},
		{"a zero byte", "{\"question\":\"a\x00b\"}", fault.InvalidJSON}, {"a zero byte outside", "{}\x00", fault.InvalidJSON},
		{"a zero by escape", `{"question":"a\u0000b"}`, fault.InvalidJSON},
		{"bytes that are no UTF-8", "{\"question\":\"\xff\"}", fault.InvalidJSON},
		{"a text for a number", `{"k":"3"}`, fault.InvalidRequest}, {"a fraction for a whole number", `{"k":1.5}`, fault.InvalidRequest},
		{"a number beyond all", `{"k":1e400}`, fault.InvalidRequest}, {"a number for a text", `{"question":3}`, fault.InvalidRequest},
		{"an object for a list", `{"names":{}}`, fault.InvalidRequest}, {"a list", `[]`, fault.InvalidRequest}, {"a text", `"a"`, fault.InvalidRequest},
		{"1 MiB", `{"question":"` + strings.Repeat("a", bodyLimit-15) + `"}`, ""},
		{"1 MiB and a byte", `{"question":"` + strings.Repeat("a", bodyLimit-14) + `"}`, fault.TooLarge},
	} {
		var in sample
		err := readJSON(httptest.NewRequest("POST", "/", strings.NewReader(c.body)), &in)
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`{"question":"a","k":3}`, `{"a":{"b":[1,"x",null]}}`, `{"a":1,"A":2}`, `[[[]]]`, "{}\x00", `{"k":1e999}`, ``, `{"question":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in sample
		err := readJSON(httptest.NewRequest("POST", "/", bytes.NewReader(body)), &in)
		switch fault.CodeOf(err) {
		case "":
			if len(bytes.TrimSpace(body)) > 0 && !json.Valid(body) {
				t.Fatalf("accepted what is no JSON: %q", body)
			}
			if strings.ContainsRune(in.Question+in.Models.Chat, 0) {
				t.Fatalf("let a zero through: %q", body)
			}
		case fault.InvalidJSON, fault.InvalidRequest, fault.TooLarge:
		default:
			t.Fatalf("%q: %v", body, err)
		}
	})
}

// TestEveryCodeHasItsStatus reads the codes from their source: one that is added
// there must be decided on here.
func TestEveryCodeHasItsStatus(t *testing.T) {
	file := must[*ast.File](t)(parser.ParseFile(token.NewFileSet(), filepath.Join("..", "fault", "fault.go"), nil, 0))
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		codes++
		w := httptest.NewRecorder()
		writeError(w, fault.New(fault.Code(text), "m", "h"))
		if _, known := statuses[fault.Code(text)]; !known || w.Code < 400 || w.Code > 599 {
			t.Errorf("code %s has status %d", text, w.Code)
		}
		return true
	})
	if codes != len(statuses) {
		t.Errorf("%d codes, %d statuses", codes, len(statuses))
	}
}

func TestCausesGoToTheLogAlone(t *testing.T) {
	var log housetest.Output
	out := &response{ResponseWriter: httptest.NewRecorder(), log: slog.New(slog.NewTextHandler(&log, nil)), path: "/api/x"}
	writeError(out, errors.New("open /home/ann/secret: key sk-canary"))
	body := out.ResponseWriter.(*httptest.ResponseRecorder).Body.String()
	if strings.Contains(body, "canary") || !strings.Contains(body, `"internal"`) || !strings.Contains(log.String(), "canary") {
		t.Errorf("told %s, logged %s", body, log.String())
	}
	writeError(out, fault.New(fault.NotFound, "m", "h"))
	if strings.Count(log.String(), "\n") != 1 {
		t.Errorf("a mistake of the client is logged: %s", log.String())
	}
}

func TestAPanicIsAnInternalError(t *testing.T) {
	var log housetest.Output
	s := &Server{opt: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
	w := httptest.NewRecorder()
	s.recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("canary") })).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), "canary") || !strings.Contains(log.String(), "canary") {
		t.Errorf("%d %s, logged %s", w.Code, w.Body, log.String())
	}
	begun := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200); panic("late") })
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("a response that had begun ends with %v", p)
		}
	}()
	s.recovered(begun).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}

func TestWritesNeedJSON(t *testing.T) {
	h := open(t, nil)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "application/json x"} {
		a := h.send(t, "POST", "/api/runs", `{"question":"a"}`, func(r *http.Request) { r.Header.Set("Content-Type", kind) })
		wantFault(t, "Content-Type "+kind, a, 415, fault.UnsupportedMedia)
	}
	a := h.send(t, "POST", "/api/runs", `{"question":" "}`, func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") })
	wantFault(t, "with a charset", a, 400, fault.QuestionEmpty)
	a = h.send(t, "DELETE", "/api/keys/openai", strings.NewReader("x"), func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
	wantFault(t, "DELETE with a body", a, 415, fault.UnsupportedMedia)
	wantFault(t, "too large", h.send(t, "PUT", "/api/settings", strings.Repeat(" ", bodyLimit+1), nil), 413, fault.TooLarge)
	wantFault(t, "duplicate", h.send(t, "POST", "/api/ask", `{"query":"a","query":"b"}`, nil), 400, fault.InvalidJSON)
}

func TestWrongMethodsAndAddressesAreToldInOurWords(t *testing.T) {
	h := open(t, nil)
	for _, c := range []struct{ method, path, allow string }{
		{"DELETE", "/api/runs", "GET, HEAD, POST"}, {"PUT", "/api/threads/thr_aaaaaaaaaaaaaaaaaaaaaaaaaa", "GET, HEAD, PATCH, DELETE"}, {"GET", "/api/ask", "POST"},
		{"POST", "/api/progress/x", "GET, HEAD"}, {"POST", "/health", "GET, HEAD"}, {"POST", "/", "GET, HEAD"}, {"PATCH", "/api/settings", "GET, HEAD, PUT"},
		{"GET", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/stop", "POST"}, {"OPTIONS", "/api/settings", "GET, HEAD, PUT"}, {"BREW", "/api/health", "GET, HEAD"},
	} {
		a := h.send(t, c.method, c.path, nil, nil)
		wantFault(t, c.method+" "+c.path, a, 405, fault.MethodNotAllowed)
		if got := a.header.Get("Allow"); got != c.allow {
			t.Errorf("%s %s allows %q, want %q", c.method, c.path, got, c.allow)
		}
	}
	for _, path := range []string{
		"/api/nothing", "/api/", "/nothing", "/assets/", "/assets/none.js", "/assets/..%2f..%2fetc%2fpasswd", "/.hidden", "/assets/..%5c..%5cgo.mod", "/%00",
		"/api/runs/x", "/api/runs/run_short", "/api/runs/..%2f..%2ftoken", "/api/threads/thr_" + strings.Repeat("a", 65), "/api/sources/src_AAAAAAAAAAAAAAAA", "/api/passages/-1",
		"/api/sources/src_aaaaaaaaaa'%20OR%201=1/text", "/api/library/files/fil_aaaaaaaaaaaaaaaa%00",
	} {
		wantFault(t, path, h.send(t, "GET", path, nil, nil), 404, fault.NotFound)
	}
}

func TestTheShellHoldsOnlyItself(t *testing.T) {
	h := open(t, nil)
	for path, want := range map[string]struct{ kind, cache string }{
		"/":               {"text/html; charset=utf-8", "no-cache"},
		"/?q=what":        {"text/html; charset=utf-8", "no-cache"},
		"/assets/app.js":  {"text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		"/favicon.svg":    {"image/svg+xml", "no-cache"},
		"/opensearch.xml": {"application/opensearchdescription+xml", ""},
	} {
		a := h.send(t, "GET", path, nil, nil)
		if a.status != 200 || a.header.Get("Content-Type") != want.kind || a.header.Get("Cache-Control") != want.cache {
			t.Errorf("%s: %d %s %s", path, a.status, a.header.Get("Content-Type"), a.header.Get("Cache-Control"))
		}
		for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Content-Security-Policy": ContentPolicy} {
			if a.header.Get(name) != value {
				t.Errorf("%s has %s %q", path, name, a.header.Get(name))
			}
		}
	}
	if strings.Contains(ContentPolicy, "unsafe") || !strings.HasPrefix(ContentPolicy, "default-src 'none'") {
		t.Errorf("the content policy is %s", ContentPolicy)
	}
	for _, word := range []string{"connect-src", "img-src", "'unsafe-eval'", "http"} {
		if strings.Contains(DiagramPolicy, word) {
			t.Errorf("the page that draws diagrams may use %s: %s", word, DiagramPolicy)
		}
	}
	framed := http.Header{}
	Police(framed, "/diagram.html")
	if framed.Get("Content-Security-Policy") != DiagramPolicy || framed.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Errorf("the page that draws diagrams has %v", framed)
	}
	if a := h.send(t, "GET", "/opensearch.xml", nil, nil); !strings.Contains(string(a.body), h.base+"/?q={searchTerms}") {
		t.Errorf("%s", a.body)
	}
	empty := &Server{opt: Options{Assets: os.DirFS(t.TempDir())}}
	w := httptest.NewRecorder()
	empty.shell(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 404 || !strings.Contains(w.Body.String(), "built without its pages") {
		t.Errorf("without pages: %d %s", w.Code, w.Body)
	}
}

func TestAnAddressTypedWithoutItsMarkOpensTheScreen(t *testing.T) {
	s := &Server{opt: Options{Assets: os.DirFS(t.TempDir())}}
	for path, want := range map[string]string{"/settings/privacy": "/#/settings/privacy", "/library": "/#/library", "/a%20b//c": "/#/a%20b/c", "/api/nothing": "", "/v1/nothing": "", "/assets/none": "", "/none.js": "", "/": ""} {
		for _, accept := range []string{"text/html,application/xhtml+xml", "application/json"} {
			r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
			r.Header.Set("Accept", accept)
			if s.shell(w, r); accept == "application/json" || want == "" {
				if w.Code != 404 {
					t.Errorf("%s for %s: %d", path, accept, w.Code)
				}
			} else if w.Code != 302 || w.Header().Get("Location") != want {
				t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Location"))
			}
		}
	}
}
