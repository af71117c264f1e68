package server

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
)

// nobody is an id of nothing, in the form of one.
const nobody = "aaa_aaaaaaaaaaaaaaaaaaaaaaaaaa"

// addressed is the method and an address of a row.
func addressed(r api.Route, id string) (method, path string) {
	method, path, _ = strings.Cut(r.Pattern, " ")
	return method, inPath.ReplaceAllString(strings.ReplaceAll(path, "...}", "}"), id)
}

// protectedRoutes are the rows that need a token.
func protectedRoutes() []api.Route {
	return slices.DeleteFunc(allRoutes(), func(r api.Route) bool { return r.Free })
}

// walk does something with every row and counts it as a test of its own.
func walk(t *testing.T, routes []api.Route, what string, do func(t *testing.T, r api.Route)) {
	t.Helper()
	for _, r := range routes {
		t.Run(what+"/"+r.Pattern, func(t *testing.T) { do(t, r) })
	}
}

func wantCode(t *testing.T, a answered, status int, code fault.Code) {
	t.Helper()
	if a.status != status || !strings.Contains(string(a.body), `"`+string(code)+`"`) {
		t.Errorf("%d %.300s, want %d %s", a.status, a.body, status, code)
	}
}

func TestEveryRouteAsksForItsToken(t *testing.T) {
	h := open(t, nil)
	for what, authorization := range map[string]string{"no token": "", "a wrong token": "Bearer " + testToken + "x"} {
		walk(t, protectedRoutes(), what, func(t *testing.T, r api.Route) {
			method, path := addressed(r, nobody)
			a := h.send(t, method, path, "{}", func(r *http.Request) {
				r.Header.Del("Authorization")
				if authorization != "" {
					r.Header.Set("Authorization", authorization)
				}
			})
			wantCode(t, a, http.StatusUnauthorized, fault.Unauthorized)
		})
	}
}

// bodied are the rows that read JSON.
func bodied() []api.Route {
	return slices.DeleteFunc(allRoutes(), func(r api.Route) bool {
		return r.Takes == nil || r.Takes.Of == nil || r.Takes.Of == reflect.TypeFor[struct{}]()
	})
}

func TestEveryRouteRefusesABodyThatIsNone(t *testing.T) {
	h := open(t, func(p *plan) { p.opt.Rate = 0 })
	for what, c := range map[string]struct {
		body string
		code fault.Code
	}{
		"not JSON":   {`{"question":`, fault.InvalidJSON},
		"two values": {`{} {}`, fault.InvalidJSON},
		"too deep":   {strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), fault.InvalidJSON},
		"not UTF-8":  {"{\"a\":\"\xff\"}", fault.InvalidJSON},
		"a number":   {`1`, fault.InvalidRequest},
		"null":       {`null`, fault.InvalidRequest},
		"too large":  {`{"a":"` + strings.Repeat("x", bodyLimit) + `"}`, fault.TooLarge},
	} {
		walk(t, bodied(), what, func(t *testing.T, r api.Route) {
			method, path := addressed(r, nobody)
			wantCode(t, h.send(t, method, path, c.body, nil), statuses[c.code], c.code)
		})
	}
}

func TestEveryWriteNeedsJSON(t *testing.T) {
	h := open(t, nil)
	walk(t, bodied(), "a form", func(t *testing.T, r api.Route) {
		method, path := addressed(r, nobody)
		a := h.send(t, method, path, "a=b", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") })
		wantCode(t, a, http.StatusUnsupportedMediaType, fault.UnsupportedMedia)
	})
}

// sampled is the body that a row takes as an example; nil without one.
func sampled(r api.Route) any {
	if r.Takes == nil || r.Takes.Of == nil {
		return nil
	}
	return r.Takes.Sample
}

func TestEveryRouteTellsWhatIsNotThere(t *testing.T) {
	h := open(t, nil)
	named := slices.DeleteFunc(protectedRoutes(), func(r api.Route) bool { return !strings.Contains(r.Pattern, "{id}") })
	for what, id := range map[string]string{"what is no id": "..%2fhere", "an id of nothing": nobody} {
		walk(t, named, what, func(t *testing.T, r api.Route) {
			method, path := addressed(r, id)
			a := h.send(t, method, path+"?q=lamp", sampled(r), nil)
			if id == nobody && a.status == http.StatusNoContent {
				return // what is forgotten twice is forgotten
			}
			wantCode(t, a, http.StatusNotFound, fault.NotFound)
		})
	}
}

// takes reports whether a row answers at an address.
func takes(r api.Route, address string) bool {
	_, path, _ := strings.Cut(r.Pattern, " ")
	want, have := strings.Split(path, "/"), strings.Split(address, "/")
	for i, part := range want {
		if strings.HasSuffix(part, "...}") {
			return true
		}
		if i >= len(have) || part != have[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return len(want) == len(have)
}

// methodsOf are those that an address takes, in order.
func methodsOf(address string) (methods []string) {
	routes := slices.DeleteFunc(protectedRoutes(), func(r api.Route) bool { return !takes(r, address) })
	spelt := func(r api.Route) bool { return strings.HasSuffix(r.Pattern, " "+address) }
	for _, r := range routes {
		if method, _ := addressed(r, ""); spelt(r) || !slices.ContainsFunc(routes, spelt) {
			methods = append(methods, method)
			if method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

func TestEveryAddressNamesItsMethods(t *testing.T) {
	h := open(t, nil)
	walk(t, protectedRoutes(), "other methods", func(t *testing.T, r api.Route) {
		_, path := addressed(r, nobody)
		want := methodsOf(path)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions} {
			if slices.Contains(want, method) {
				continue
			}
			a := h.send(t, method, path, "{}", nil)
			allowed := strings.Split(a.header.Get("Allow"), ", ")
			slices.Sort(allowed)
			if wantCode(t, a, http.StatusMethodNotAllowed, fault.MethodNotAllowed); !slices.Equal(allowed, want) {
				t.Errorf("%s: allowed are %v, want %v", method, allowed, want)
			}
		}
	})
}

func TestAnAddressThatIsSpeltOutIsNoIdOfAnother(t *testing.T) {
	h := open(t, nil)
	for path, want := range map[string]string{"/api/library/count": "GET, HEAD", "/api/library/rescan": "POST", "/api/library/uploads": "POST", "/api/library/" + nobody: "DELETE", "/api/library": "GET, HEAD, POST"} {
		a := h.send(t, http.MethodPut, path, "{}", nil)
		wantCode(t, a, http.StatusMethodNotAllowed, fault.MethodNotAllowed)
		if got := a.header.Get("Allow"); got != want {
			t.Errorf("%s takes %q, want %q", path, got, want)
		}
	}
	wantCode(t, h.send(t, http.MethodDelete, "/api/library/count", nil, nil), http.StatusMethodNotAllowed, fault.MethodNotAllowed)
}

func TestAQueryIsReadAsItsType(t *testing.T) {
	h := open(t, nil)
	for _, path := range []string{"/api/threads?limit=", "/api/threads?limit=x", "/api/threads?limit=201", "/api/sources/" + nobody + "/text?start=-1"} {
		wantCode(t, h.send(t, http.MethodGet, path, nil, nil), http.StatusBadRequest, fault.InvalidRequest)
	}
	wantCode(t, h.send(t, http.MethodPost, "/api/runs?wait=perhaps", `{"question":"?"}`, nil), http.StatusBadRequest, fault.InvalidRequest)
}
