package wolfram

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/web"
)

// service answers every request with one body and notes what was asked.
func service(t *testing.T, form string, status int, body string) (*Engine, *string) {
	t.Helper()
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.RequestURI()
		w.WriteHeader(status)
		if _, err := w.Write([]byte(body)); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(s.Close)
	guard := web.NewGuard(func() []string { return []string{s.URL} })
	access := web.Access{Label: "Wolfram Alpha", Base: s.URL, Client: web.NewClient(web.Options{Guard: guard}), Guard: guard, Now: time.Now, Key: func() string { return "app-1" }}
	return New(access, func() string { return form }), &asked
}

func TestEveryFormGivesItsText(t *testing.T) {
	for form, c := range map[string]struct{ body, path, want string }{
		"llm-api": {"Query:\n\"mass of the moon\"\n\nResult:\n7.3459×10^22 kg\nimage: https://www.example.org/x\nWolfram|Alpha website result for your query:\nhttps://www.wolframalpha.com/input?i=x", "/api/v1/llm-api?appid=app-1&input=mass", "7.3459×10^22 kg"},
		"result":  {"about 7.3459 times 10 to the 22 kilograms", "/api/v1/result?appid=app-1&i=mass", "22 kilograms"},
		"query":   {`{"queryresult":{"pods":[{"title":"Result","subpods":[{"plaintext":"7.3459e22 kg"},{"plaintext":null}]},null]}}`, "/api/v2/query?appid=app-1", "Result: 7.3459e22 kg"},
	} {
		e, asked := service(t, form, 200, c.body)
		got, err := e.Compute(t.Context(), "mass of the moon")
		if err != nil || !strings.Contains(got.Text, c.want) || strings.Contains(got.Text, "http") || !strings.HasPrefix(*asked, c.path) {
			t.Errorf("%s: %+v %v, asked %s", form, got, err, *asked)
		}
		if !strings.HasPrefix(got.Address, "https://www.wolframalpha.com/input?i=mass") || strings.Contains(got.Address, "app-1") {
			t.Errorf("%s: the page is %s", form, got.Address)
		}
	}
}

func TestRefusalsAreNamed(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   fault.Code
	}{
		{501, "Wolfram|Alpha did not understand your input", fault.NotFound}, {200, "", fault.NotFound}, {403, "Invalid appid", fault.SearchBlocked}, {500, "x", fault.SearchFailed},
	} {
		e, _ := service(t, "llm-api", c.status, c.body)
		if _, err := e.Compute(t.Context(), "mass of the moon"); fault.CodeOf(err) != c.want {
			t.Errorf("%d: %v", c.status, err)
		}
	}
	e, asked := service(t, "none", 200, "x")
	if _, err := e.Compute(t.Context(), " "); err == nil || *asked != "" || e.Ready() {
		t.Error("asked without need")
	}
}
