package server

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web"
	"footnote/backend/web/webtest"
)

func TestSettingsChangeAllOrNone(t *testing.T) {
	h := open(t, nil)
	var view api.SettingsView
	a := h.send(t, "PUT", "/api/settings", map[string]any{"ask.mode": "speed", "agent.max_steps": 9}, nil)
	if a.into(t, &view); a.status != 200 || view.Values["ask.mode"] != "speed" || view.Defaults["ask.mode"] != "balanced" || view.Origin["ask.mode"] != "file" {
		t.Fatalf("%d %v", a.status, view.Values["ask.mode"])
	}
	for what, change := range map[string]map[string]any{
		"one of two is bad": {"ask.mode": "balanced", "agent.max_steps": 99}, "no such key": {"ask.nothing": 1}, "a wrong type": {"ask.mode": 3},
	} {
		bad := h.send(t, "PUT", "/api/settings", change, nil)
		wantFault(t, what, bad, 400, fault.InvalidSetting)
	}
	if h.get(t, "/api/settings", &view); view.Values["ask.mode"] != "speed" {
		t.Errorf("a refused change took effect: %v", view.Values["ask.mode"])
	}
	if status := h.send(t, "PUT", "/api/settings", "{}", nil).status; status != 200 {
		t.Errorf("no change gives %d", status)
	}
}

func TestOnlyTheWindowMayOpenAWayIntoTheHouse(t *testing.T) {
	h := open(t, nil)
	closed := []map[string]any{
		{"web.searxng.url": "http://127.0.0.1:8888"}, {"providers.ollama.url": "http://192.168.1.4:11434"}, {"providers.openai.url": "http://api.openai.com/v1"}, {"providers.openai.url": "https://api.example.com/v1"}, {"web.searxng.url": "https://search.example.org"},
		{"providers.openai.url": "https://localhost/v1"}, {"providers.openai.url": "https://10.0.0.1/v1"}, {"providers.openai.url": "https://[::1]/v1"},
		{"providers.openai.url": "https://2130706433/v1"}, {"providers.openai.url": "https://router.lan/v1"}, {"providers.openai.url": "https://nas/v1"},
		{"providers.custom.x": map[string]any{"url": "http://127.0.0.1:1"}}, {"providers": map[string]any{}}, {"web": map[string]any{"searxng": map[string]any{"url": "x"}}},
		{"privacy.allowed_private_origins": []string{"http://10.0.0.1:80"}}, {"privacy": map[string]any{}}, {"server.hosts": []string{"evil.example"}},
		{"web.searxng.url": 3}, {"web.searxng.url": "://"}, {"ask.mode": "speed", "web.searxng.url": "http://127.0.0.1"},
	}
	for _, change := range closed {
		wantFault(t, strings.Join(keysOf(change), ", "), h.send(t, "PUT", "/api/settings", change, nil), 403, fault.OriginNotAllowed)
	}
	if set := h.rooms.Settings.Now(); set.Web.Searxng.URL != "" || set.Ask.Mode != "balanced" {
		t.Errorf("%q %q", set.Web.Searxng.URL, set.Ask.Mode)
	}
	for _, change := range []map[string]any{{"web.searxng.url": ""}, {"providers.openai.url": "https://api.openai.com/v1"}, {"providers.openai.url": nil}} {
		if a := h.send(t, "PUT", "/api/settings", change, nil); a.status != 200 {
			t.Errorf("%v gives %d %s", change, a.status, a.body)
		}
	}
	h.rooms.FromWindow = true
	if a := h.send(t, "PUT", "/api/settings", map[string]any{"web.searxng.url": "http://127.0.0.1:8888"}, nil); a.status != 200 {
		t.Errorf("from the window: %d %s", a.status, a.body)
	}
}

func keysOf(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

func TestAKeyIsNeverReadBackAndStaysWithItsAddress(t *testing.T) {
	h := open(t, nil)
	const canary = "sk-canary-1234567890"
	if a := h.send(t, "PUT", "/api/keys/openai", map[string]string{"value": " " + canary + "\n"}, nil); a.status != http.StatusNoContent {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var view api.SettingsView
	if h.get(t, "/api/settings", &view); !view.Keys["openai"] || view.Keys["groq"] {
		t.Errorf("keys %v", view.Keys)
	}
	for _, path := range []string{"/api/settings", "/api/health", "/api/models", "/api/engines", "/api/providers", "/api/ledger"} {
		if a := h.send(t, "GET", path, nil, nil); a.status != 200 || strings.Contains(string(a.body), "canary") {
			t.Errorf("%s tells the key", path)
		}
	}
	if a := h.send(t, "GET", "/api/keys/openai", nil, nil); a.status != 405 || strings.Contains(string(a.body), "canary") {
		t.Errorf("reading the key gives %d", a.status)
	}
	wantFault(t, "an empty key", h.send(t, "PUT", "/api/keys/openai", map[string]string{"value": " "}, nil), 400, fault.InvalidRequest)
	for name, meant := range map[string]string{"opnai": "did you mean openai?", "tavilly": "did you mean tavily?", "zzzzzz": "that has a key."} {
		nobody := h.send(t, "PUT", "/api/keys/"+name, map[string]string{"value": canary}, nil)
		wantFault(t, name, nobody, 400, fault.InvalidRequest)
		if said := nobody.failure(t); !strings.Contains(said.Message, meant) {
			t.Errorf("%s: %q", name, said.Message)
		}
	}
	bad := h.send(t, "PUT", "/api/keys/..%2f..%2ftoken", map[string]string{"value": canary}, nil)
	if bad.status < 400 || bad.status >= 500 || strings.Contains(string(bad.body), "canary") {
		t.Errorf("a key whose name is a path: %d %s", bad.status, bad.body)
	}
	evil := map[string]any{"providers.openai.url": "https://evil.example.com/v1"}
	wantFault(t, "another address", h.send(t, "PUT", "/api/settings", evil, nil), 403, fault.OriginNotAllowed)
	h.rooms.FromWindow = true
	if a := h.send(t, "PUT", "/api/settings", evil, nil); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if _, has := h.rooms.Keys.Get("openai"); has {
		t.Error("the key went along to another address")
	}
	if strings.Contains(h.log.String(), "canary") {
		t.Error("the log has the key")
	}
	if a := h.send(t, "DELETE", "/api/keys/openai", nil, nil); a.status != http.StatusNoContent && a.status != http.StatusNotFound {
		t.Errorf("forgetting gives %d", a.status)
	}
}

func TestModelsRolesAndEngines(t *testing.T) {
	h := open(t, func(p *plan) { p.replies = []llmtest.Reply{{Text: "ok"}} })
	var models api.ModelsView
	h.get(t, "/api/models", &models)
	if len(models.Providers) != 1 || !models.Providers[0].Reachable || models.Providers[0].ChatModels[0].Window != 8192 || models.Resolved.Chat != "test/m" || models.Roles.Chat != "auto" || !models.Roles.Linked {
		t.Errorf("%+v", models)
	}
	if models.Providers[0].Custom {
		t.Error("a provider that nobody named is said to be the reader's own")
	}
	if err := h.rooms.Settings.Put(map[string]any{"providers.custom.test.url": "http://127.0.0.1:9"}); err != nil {
		t.Fatal(err)
	}
	if h.get(t, "/api/models", &models); !models.Providers[0].Custom {
		t.Errorf("one that the reader named is not told apart: %+v", models.Providers)
	}
	var roles api.Roles
	a := h.send(t, "PUT", "/api/models/roles", map[string]any{"chat": "test/m", "link_system_to_chat": false}, nil)
	if a.into(t, &roles); roles.Chat != "test/m" {
		t.Errorf("%+v", roles)
	}
	a = h.send(t, "PUT", "/api/models/roles", map[string]any{"link_system_to_chat": false}, nil)
	if a.into(t, &roles); roles.System != "test/m" || roles.Linked {
		t.Errorf("unlinked: %+v", roles)
	}
	a = h.send(t, "PUT", "/api/models/roles", map[string]any{"link_system_to_chat": true}, nil)
	if a.into(t, &roles); roles.System != "" || !roles.Linked {
		t.Errorf("linked: %+v", roles)
	}
	var test api.TestView
	if h.post(t, "/api/models/test", map[string]string{"model": "test/m"}, &test); !test.OK {
		t.Errorf("%+v", test)
	}
	if h.post(t, "/api/models/test", map[string]string{"model": "nobody/m"}, &test); test.OK || test.Error == nil || test.Error.Hint == "" {
		t.Errorf("%+v", test)
	}
	wantFault(t, "no model", h.send(t, "POST", "/api/models/test", map[string]any{}, nil), 400, fault.MissingID)
}

func TestEnginesTellHowTheyStand(t *testing.T) {
	h := open(t, func(p *plan) {
		p.set = []string{"web.engines=frozen"}
		p.web = &webtest.Frozen{SearchError: fault.Wrap(errors.New("canary"), fault.SearchFailed, "The engine gave nonsense.", "Use another.")}
	})
	var page api.Page[web.Standing]
	if h.get(t, "/api/engines", &page); len(page.Items) != 1 || page.Items[0].Name != "frozen" {
		t.Errorf("%+v", page)
	}
	var test api.TestView
	a := h.send(t, "POST", "/api/engines/frozen/test", map[string]any{}, nil)
	if a.into(t, &test); a.status != 200 || test.OK || test.Error.Code != fault.SearchFailed || strings.Contains(string(a.body), "canary") {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantFault(t, "no such engine", h.send(t, "POST", "/api/engines/nobody/test", map[string]any{}, nil), 404, fault.NotFound)
	var health api.HealthView
	if h.get(t, "/api/health", &health); health.Status != "ok" || health.Version != "test" || health.Index == nil || health.Engines == nil || health.Models == nil || health.UptimeMs < 0 || health.Disk["free_bytes"] == nil {
		t.Errorf("%+v", health)
	}
}
