package app

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"footnote/backend/housetest"
)

// examined is what the doctor says with some settings; the web is on, and no
// engine serves but those that are named.
func examined(t *testing.T, code int, args ...string) string {
	t.Helper()
	data := t.TempDir()
	var out, errs housetest.Output
	env := typed(data, &out, &errs)
	base := []string{
		"--data", data, "--set", "models.chat=none", "--set", "models.embedding=none", "--set", "rank.encoder=off", "--set", "library.watch=false",
		"--set", "privacy.keychain=false", "--set", "web.keyless=never", "--set", "web.engines=searxng, serper", "--set", "web.retries=0",
		"--set", "web.academic.engines=", "--set", "web.community.engines=", "--set", "web.video.engines=",
	}
	store := slices.Clone(base)
	for _, arg := range args {
		if strings.HasPrefix(arg, "web.serper.url=") { // a key is for the address at which it is stored
			store = append(store, "--set", arg)
		}
	}
	env.Args, env.Stdin = append(store, "keys", "set", "serper"), strings.NewReader("a-key-for-tests")
	if got := program.Run(t.Context(), env); got != 0 {
		t.Fatalf("store a key: %d %s", got, errs.String())
	}
	env.Args = append(base, args...)
	if got := program.Run(t.Context(), env); got != code && (code != 0 || !onlyDiskSpace(got, out.String())) {
		t.Errorf("exit %d, wanted %d: %s%s", got, code, out.String(), errs.String())
	}
	t.Logf("footnote %s\n%s", strings.Join(args, " "), out.String())
	return out.String()
}

// onlyDiskSpace reports whether all that the doctor found is that the disk of
// the machine that tests is nearly full.
func onlyDiskSpace(code int, out string) bool {
	return code == 8 && strings.Count(out, "FAULT ") == 1 && strings.Contains(out, "FAULT    disk: ")
}

func serves(t *testing.T, status int, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// nobody is an address of this computer where nothing serves.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

func TestTheDoctorNamesEachFaultOfTheWayOut(t *testing.T) {
	for _, c := range []struct {
		fault      string
		args       []string
		says, next string
	}{
		{"engine down", []string{"--set", "web.searxng.url=" + nobody(t)}, "engine searxng: SearXNG is not running at its address.", "Start it, correct its address"},
		{"JSON off", []string{"--set", "web.searxng.url=" + serves(t, 403, "no")}, "engine searxng: This SearXNG has its JSON format switched off.", "formats"},
		{"a web page", []string{"--set", "web.searxng.url=" + serves(t, 200, "<!DOCTYPE html><p>Hello")}, "engine searxng: This address answers with a web page", "Check the address"},
		{"limiter", []string{"--set", "web.searxng.url=" + serves(t, 429, "slow down")}, "engine searxng: SearXNG is rate-limited.", "Wait, or use another search engine."},
		{"captcha behind it", []string{"--set", "web.searxng.url=" + serves(t, 200, `{"results":[],"unresponsive_engines":[["google","CAPTCHA"],["bing","timeout"]]}`)},
			"engine searxng: The search was blocked by the engines behind this SearXNG: google (CAPTCHA), bing (timeout).", "Wait, or switch on other engines"},
		{"nothing found", []string{"--set", "web.searxng.url=" + serves(t, 200, `{"results":[]}`)}, "engine searxng: SearXNG answers, but found nothing for a common word.", "Check which engines"},
		{"blocked", []string{"--set", "web.serper.url=" + serves(t, 403, "no")}, "engine serper: The search was blocked by Serper.", "Wait a few minutes"},
		{"wrong key", []string{"--set", "web.serper.url=" + serves(t, 401, "no")}, "engine serper: The key for Serper was refused.", "footnote keys set serper"},
		{"no credit", []string{"--set", "web.serper.url=" + serves(t, 402, "no")}, "engine serper: The key for Serper has no credit left.", "Add credit at the company"},
		{"no network", []string{"--set", "web.searxng.url=http://searxng.invalid", "--set", "web.serper.url=http://serper.invalid", "--web"},
			"network: No name can be looked up: none of searxng, serper can be reached.", "Check the network connection"},
		{"one name wrong", []string{"--set", "web.searxng.url=http://searxng.invalid", "--set", "web.serper.url=" + serves(t, 401, "no"), "--web"},
			"engine searxng: SearXNG could not be reached: the network does not know the way.", "Check the network connection, or its address"},
		{"model server absent", []string{"--set", "models.chat=office/m", "--set", "providers.custom.office.url=" + nobody(t) + "/v1"}, "model: office does not answer at http://127.0.0.1:", "Start office or correct its address"},
		{"model missing", []string{"--set", "models.chat=office/m", "--set", "providers.custom.office.url=" + serves(t, 200, `{"data":[{"id":"other"}]}`) + "/v1"}, `model: office has no model "m".`, "Choose a model that office lists"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			said := examined(t, 8, append([]string{"doctor"}, c.args...)...)
			_, after, ok := strings.Cut(said, "FAULT    "+c.says)
			if !ok || strings.Count(said, "FAULT    "+strings.SplitN(c.says, ":", 2)[0]) != 1 {
				t.Fatalf("wanted once %q:\n%s", c.says, said)
			}
			lines := strings.SplitN(after, "\n", 3)
			if len(lines) < 2 || !strings.HasPrefix(lines[1], "         next: ") || !strings.Contains(lines[1], c.next) {
				t.Errorf("wanted the next step %q:\n%s", c.next, after)
			}
		})
	}
}

func TestTheDoctorGoesOutOnlyWhenTold(t *testing.T) {
	healthy := serves(t, 200, `{"results":[{"title":"A","url":"https://a.example","content":"lighthouse"}]}`)
	said := examined(t, 0, "doctor", "--set", "web.searxng.url="+healthy, "--set", "web.serper.url=http://serper.invalid")
	if !strings.Contains(said, "ok       engine searxng: it answers; results: 1") || !strings.Contains(said, "ok       engines: serper can be asked; doctor --web tries them") {
		t.Errorf("%s", said)
	}
	if said := examined(t, 0, "doctor", "--web", "--set", "web.serper.url=http://serper.invalid", "--set", "privacy.scope=local-only"); !strings.Contains(said, `"Local only" is on: serper are not asked`) {
		t.Errorf("local only: %s", said)
	}
	var findings []struct{ Part, Says, Next string }
	if err := json.Unmarshal([]byte(examined(t, 8, "doctor", "--json", "--web", "--set", "web.serper.url=http://serper.invalid")), &findings); err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Part == "engine serper" && !strings.HasPrefix(f.Next, "Check the network connection, or") {
			t.Errorf("%+v", f)
		}
	}
}
