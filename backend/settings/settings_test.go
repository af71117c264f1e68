package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"footnote/backend/fault"
)

func load(t *testing.T, file string, env []string, set ...string) (*Store, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(LoadOptions{DataDir: dir, Env: env, Set: set})
}

func mustLoad(t *testing.T, file string, env []string, set ...string) *Store {
	t.Helper()
	s, err := load(t, file, env, set...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryKeyHasADefaultThatIsAllowed(t *testing.T) {
	flat, err := parseFile("defaults.toml", defaults)
	if err != nil {
		t.Fatal(err)
	}
	values := Default().Values()
	for key := range values {
		if _, ok := flat[key]; !ok {
			t.Errorf("%s has no default", key)
		}
	}
	scratch := Default()
	for key, value := range flat {
		if r := assign(&scratch, key, value); r != nil {
			t.Error(r.fault())
		}
	}
	if r := checkWhole(scratch); r != nil {
		t.Error(r.fault())
	}
	if !reflect.DeepEqual(scratch, Default()) {
		t.Error("assigning every default changed something")
	}
	if len(values) < 150 {
		t.Errorf("only %d settings", len(values))
	}
}

func TestVariableNamesDoNotCollide(t *testing.T) {
	seen := map[string]string{}
	for key := range Default().Values() {
		if other, ok := seen[envName(key)]; ok {
			t.Errorf("%s and %s share %s", key, other, envName(key))
		}
		seen[envName(key)] = key
	}
}

func TestFlagsBeatEnvironmentBeatsFileBeatsDefaults(t *testing.T) {
	s := mustLoad(t, "[agent]\nmax_steps = 6\nfile_search_max = 7\n[web]\ncandidates = 31\n",
		[]string{"FOOTNOTE_AGENT_MAX_STEPS=8", "FOOTNOTE_WEB_ENGINES=exa, brave", "FOOTNOTE_AGENT_FILE_SEARCH_MAX=9", "FOOTNOTE_WEB_SEARXNG_URL=http://127.0.0.1:8888"},
		"agent.max_steps=10")
	now, origin := s.Now(), s.Origin()
	if now.Agent.MaxSteps != 10 || now.Agent.FileSearchMax != 9 || now.Web.Candidates != 31 || now.Web.Retries != 2 {
		t.Errorf("got %+v", now.Agent)
	}
	if !reflect.DeepEqual(now.Web.Engines, []string{"exa", "brave"}) || now.Web.Searxng.URL != "http://127.0.0.1:8888" {
		t.Errorf("lists and addresses from the environment: %+v", now.Web)
	}
	for key, want := range map[string]string{"agent.max_steps": "flag", "agent.file_search_max": "env", "web.candidates": "file", "web.retries": "default"} {
		if origin[key] != want {
			t.Errorf("origin of %s = %s, want %s", key, origin[key], want)
		}
	}
}

func TestDynamicKeys(t *testing.T) {
	s := mustLoad(t, `
[providers.custom.office]
url = "http://192.168.1.20:8000/v1"
[providers.ollama]
num_ctx = 4096
[providers.ollama.windows]
"llama3.2:3b" = 16384
[rank.presets]
news = { semantic = 0.2, keyword = 0.2, freshness = 0.4, authority = 0.2, k = 7 }
`, []string{"FOOTNOTE_PROVIDERS_CUSTOM_LAB_URL=http://10.0.0.1:1/v1"}, "providers.ollama.windows.qwen3:0.6b=2048")
	now := s.Now()
	if now.Providers.URLs()["office"] != "http://192.168.1.20:8000/v1" || now.Providers.URLs()["lab"] != "http://10.0.0.1:1/v1" {
		t.Errorf("custom providers: %v", now.Providers.URLs())
	}
	for model, want := range map[string]int{"llama3.2:3b": 16384, "qwen3:0.6b": 2048, "other": 4096} {
		if got := now.Providers.Ollama.Window(model); got != want {
			t.Errorf("window of %s = %d, want %d", model, got, want)
		}
	}
	if p := now.Rank.Presets["news"]; p.K != 7 || p.Semantic != 0.2 {
		t.Errorf("preset: %+v", p)
	}
	if now.Rank.Presets["video"].K != 6 || Default().Rank.Presets["news"].K != 8 {
		t.Error("a preset in the file changed others")
	}
}

func TestWrongValuesAreRefusedWithKeyReasonAndRange(t *testing.T) {
	cases := []struct{ name, file, set, key, says string }{
		{"too large", "[agent]\n\nmax_steps = 26", "", "agent.max_steps", "line 3"},
		{"unknown key", "[agent]\nmax_step = 3", "", "agent.max_step", "line 2"},
		{"unknown section", "[nonsense]\na = 1", "", "nonsense", "line 1"},
		{"wrong kind", "[agent]\nplanner = 3", "", "agent.planner", "line 2"},
		{"hot", "[models]\ntemperature = 0.31", "", "models.temperature", "0.31"},
		{"no such mode", "[ask]\nmode = \"turbo\"", "", "ask.mode", "turbo"},
		{"weights", "[rank.presets]\nnews = { semantic = 0.9 }", "", "rank.presets.news", "sum to 1.650"},
		{"duration", "[ask]\nclarify_wait = \"soon\"", "", "ask.clarify_wait", "1s to 24h"},
		{"long duration", "[ask]\nclarify_wait = \"25h\"", "", "ask.clarify_wait", "25h"},
		{"address", "[web.searxng]\nurl = \"ftp://x\"", "", "web.searxng.url", "ftp"},
		{"address with password", "", "providers.openai.url=http://me:pw@host/v1", "providers.openai.url", "--set"},
		{"origin", "[privacy]\nallowed_private_origins = [\"http://intra\"]", "", "privacy.allowed_private_origins", "intra"},
		{"list of numbers", "[library]\nexclude = [1]", "", "library.exclude", "line 2"},
		{"flag", "", "deep.soft=2", "deep.soft", "--set"},
		{"flag not a number", "", "deep.turns=many", "deep.turns", "whole number"},
		{"nan", "", "deep.soft=NaN", "deep.soft", "NaN"},
		{"model without provider", "", "models.chat=gpt", "models.chat", "gpt"},
		{"addr", "", "server.addr=7411", "server.addr", "7411"},
		{"order", "", "deep.words_min=5000", "deep.words_min", "deep.words_max"},
		{"flag without value", "", "deep.words_min", "deep.words_min", "no value"},
		{"half a key", "", "agent=1", "agent", "not a setting"},
		{"bad custom name", "", "providers.custom.Bad Name.url=http://x/v1", "providers.custom.Bad Name.url", "not a setting"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var set []string
			if c.set != "" {
				set = []string{c.set}
			}
			_, err := load(t, c.file, nil, set...)
			var f *fault.Fault
			if !errors.As(err, &f) || f.Code != fault.InvalidSetting {
				t.Fatalf("got %v", err)
			}
			if f.Details["key"] != c.key {
				t.Errorf("key %v, want %s", f.Details["key"], c.key)
			}
			if !strings.Contains(f.Message+f.Hint, c.says) {
				t.Errorf("%q / %q does not say %q", f.Message, f.Hint, c.says)
			}
		})
	}
}

func TestNotTOMLNamesTheLine(t *testing.T) {
	_, err := load(t, "[ask]\nmode = = 3\n", nil)
	if f := fault.Of(err); f.Code != fault.InvalidSetting || !strings.Contains(f.Message, "line 2") {
		t.Error(err)
	}
}

func TestPutWritesOnlyWhatChanged(t *testing.T) {
	s := mustLoad(t, "[web]\ncandidates = 31\n", nil)
	err := s.Put(map[string]any{"agent.max_steps": 9.0, "ask.clarify_wait": "90s", "web.engines": []any{"exa"}, "providers.custom.lab.url": "http://10.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.File())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "="); n != 5 {
		t.Errorf("file holds %d keys, want 5:\n%s", n, data)
	}
	again, err := Load(LoadOptions{DataDir: s.DataDir()})
	if err != nil {
		t.Fatal(err)
	}
	now := again.Now()
	if now.Agent.MaxSteps != 9 || now.Ask.ClarifyWait.Duration != 90*time.Second || now.Web.Candidates != 31 || now.Web.Engines[0] != "exa" || now.Providers.Custom["lab"].URL == "" {
		t.Errorf("after a restart: %+v", now)
	}
	if info, err := os.Stat(s.File()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestPutIsAllOrNothing(t *testing.T) {
	s := mustLoad(t, "[web]\ncandidates = 31\n", nil)
	before, _ := os.ReadFile(s.File())
	for _, bad := range []map[string]any{
		{"agent.max_steps": 9, "ask.mode": "turbo"},
		{"agent.max_steps": 9, "no.such": 1},
		{"agent.max_steps": 9, "rank.presets.news.semantic": 0.9},
		{"agent.max_steps": 2.5},
		{"agent.max_steps": "9"},
		{"agent.planner": "yes"},
		{"no.such": nil},
	} {
		if err := s.Put(bad); fault.CodeOf(err) != fault.InvalidSetting {
			t.Errorf("%v: %v", bad, err)
		}
	}
	after, _ := os.ReadFile(s.File())
	if s.Now().Agent.MaxSteps != 5 || string(before) != string(after) {
		t.Error("a refused change left something behind")
	}
}

func TestPutNilReturnsToTheDefault(t *testing.T) {
	s := mustLoad(t, "[web]\ncandidates = 31\nretries = 1\n", nil)
	if err := s.Put(map[string]any{"web.candidates": nil}); err != nil {
		t.Fatal(err)
	}
	if now := s.Now(); now.Web.Candidates != 30 || now.Web.Retries != 1 || s.Origin()["web.candidates"] != "default" {
		t.Errorf("got %+v", now.Web)
	}
}

func TestPutKeepsWhatWasEditedByHandMeanwhile(t *testing.T) {
	s := mustLoad(t, "", nil)
	if err := os.WriteFile(s.File(), []byte("[web]\nretries = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(map[string]any{"agent.max_steps": 3}); err != nil {
		t.Fatal(err)
	}
	if now := s.Now(); now.Web.Retries != 1 || now.Agent.MaxSteps != 3 {
		t.Errorf("got %+v", now)
	}
}

func TestABadEditLeavesTheLastValidInForce(t *testing.T) {
	s := mustLoad(t, "[web]\nretries = 1\n", nil)
	if err := os.WriteFile(s.File(), []byte("[web]\nretries = 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(); fault.CodeOf(err) != fault.InvalidSetting {
		t.Error(err)
	}
	if s.Now().Web.Retries != 1 {
		t.Error("the bad value came into force")
	}
}

func TestPutUnderAnEnvironmentValue(t *testing.T) {
	s := mustLoad(t, "", []string{"FOOTNOTE_AGENT_MAX_STEPS=8", "FOOTNOTE_TYPO=1", "FOOTNOTE_TOKEN=x", "FOOTNOTE_KEY_OPENAI=k"})
	if err := s.Put(map[string]any{"agent.max_steps": 3}); err != nil {
		t.Fatal(err)
	}
	if s.Now().Agent.MaxSteps != 8 || s.Origin()["agent.max_steps"] != "env" {
		t.Error("the environment lost")
	}
	if got := s.Unknown(); len(got) != 1 || got[0] != "FOOTNOTE_TYPO" {
		t.Errorf("unknown variables: %v", got)
	}
}

func TestDataDir(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("paths of Linux")
	}
	for _, c := range []struct {
		flag string
		env  []string
		want string
	}{
		{"/a", []string{"FOOTNOTE_DATA=/b"}, "/a"},
		{"", []string{"FOOTNOTE_DATA=/b", "XDG_DATA_HOME=/c"}, "/b"},
		{"", []string{"XDG_DATA_HOME=/c", "HOME=/h"}, "/c/footnote"},
		{"", []string{"HOME=/h", "XDG_DATA_HOME=relative"}, "/h/.local/share/footnote"},
	} {
		if got, err := DataDir(c.flag, c.env); err != nil || got != c.want {
			t.Errorf("%q %v: %s, %v", c.flag, c.env, got, err)
		}
	}
	if _, err := DataDir("", nil); err == nil {
		t.Error("a folder out of nothing")
	}
}

func TestDataOnWindowsStaysOnTheComputer(t *testing.T) {
	t.Parallel()
	local, roaming := t.TempDir(), t.TempDir()
	place := func(env ...string) string {
		t.Helper()
		dir, err := dataDir("windows", "", append(env, "HOME=/h", "XDG_DATA_HOME=/x"))
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	both := []string{"LOCALAPPDATA=" + local, "APPDATA=" + roaming}
	if got := place(both...); got != filepath.Join(local, "footnote") {
		t.Errorf("a new one lies in %s", got)
	}
	if got := place("APPDATA=" + roaming); got != filepath.Join(roaming, "footnote") {
		t.Errorf("without a local place it lies in %s", got)
	}
	if err := os.Mkdir(filepath.Join(roaming, "footnote"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := place(both...); got != filepath.Join(roaming, "footnote") {
		t.Errorf("an old one is looked for in %s", got)
	}
	if err := os.Mkdir(filepath.Join(local, "footnote"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := place(both...); got != filepath.Join(local, "footnote") {
		t.Errorf("of two, %s is taken", got)
	}
	if _, err := dataDir("windows", "", []string{"HOME=/h"}); err == nil {
		t.Error("a folder out of nothing")
	}
}

func TestDurationsAreWrittenShort(t *testing.T) {
	for text, want := range map[string]string{"10m": "10m", "6h": "6h", "90s": "1m30s", "20s": "20s", "0s": "0s", "100ms": "100ms", "1h30m": "1h30m", "10h0m10s": "10h0m10s"} {
		var d Duration
		if err := d.UnmarshalText([]byte(text)); err != nil || d.String() != want {
			t.Errorf("%s → %s, want %s (%v)", text, d, want, err)
		}
	}
}

func TestMovedProviders(t *testing.T) {
	s := mustLoad(t, "", nil)
	before := s.Now()
	if err := s.Put(map[string]any{"providers.openai.url": "https://proxy.example/v1", "web.serper.url": "https://p.example"}); err != nil {
		t.Fatal(err)
	}
	if got := MovedProviders(before, s.Now()); !reflect.DeepEqual(got, []string{"openai", "serper"}) {
		t.Errorf("moved: %v", got)
	}
}

// FuzzParseFile: no file makes the reader panic, and what it accepts can be
// written and read again.
func FuzzParseFile(f *testing.F) {
	f.Add(string(defaults))
	f.Add("[agent]\nmax_steps = 3")
	f.Add("agent.max_steps = 3")
	f.Add("[providers.ollama.windows]\n\"a.b:c\" = 4096")
	f.Add("\xef\xbb\xbf[ask]\r\nmode='deep'")
	f.Fuzz(func(t *testing.T, text string) {
		flat, err := parseFile("config.toml", []byte(text))
		if err != nil {
			return
		}
		s := Default()
		for key, value := range flat {
			if assign(&s, key, value) != nil {
				delete(flat, key)
			}
		}
		again := map[string]any{}
		flattenTree("", grow(flat), again)
		if !reflect.DeepEqual(flat, again) {
			t.Errorf("%v became %v", flat, again)
		}
	})
}

func TestWhatKeepsSettingsFromBeingSavedIsSaid(t *testing.T) {
	for cause, want := range map[error]fault.Code{
		syscall.ENOSPC: fault.DiskFull, syscall.EROFS: fault.DiskFull, syscall.EACCES: fault.DiskFull, syscall.EIO: fault.Internal,
	} {
		err := unwritten("/data/config.toml", fmt.Errorf("write: %w", &os.PathError{Op: "write", Path: "/data/config.toml", Err: cause}))
		if fault.CodeOf(err) != want || !errors.Is(err, cause) {
			t.Errorf("%v: %v", cause, err)
		}
	}
}

func TestAFileWithRetiredKeysIsReadAndLosesThem(t *testing.T) {
	s := mustLoad(t, "[ui]\ntheme = \"dark\"\nlanguage = \"de\"\n[library]\nroots = [\"/a\"]\nwatch = false\n", nil)
	if now := s.Now(); now.UI.Theme != "dark" || now.Library.Watch {
		t.Errorf("what stands beside them: %+v %v", now.UI, now.Library.Watch)
	}
	if err := s.Put(map[string]any{"agent.max_steps": 3}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(s.File())
	if err != nil || strings.Contains(string(written), "language") || strings.Contains(string(written), "roots") || !strings.Contains(string(written), "dark") {
		t.Errorf("written: %v\n%s", err, written)
	}
	_, err = load(t, "[ui]\nlanguage = \"de\"\nhue = 3\n", nil)
	if f := fault.Of(err); err == nil || f.Details["key"] != "ui.hue" {
		t.Errorf("a key that never was: %v", err)
	}
}
