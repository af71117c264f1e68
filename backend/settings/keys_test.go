package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/zalando/go-keyring"

	"footnote/backend/fault"
)

const canary = "sk-canary-0042"

type memoryRing map[string]string

func (r memoryRing) Get(_, user string) (string, error) {
	if v, ok := r[user]; ok {
		return v, nil
	}
	return "", keyring.ErrNotFound
}
func (r memoryRing) Set(_, user, secret string) error { r[user] = secret; return nil }
func (r memoryRing) Delete(_, user string) error {
	if _, ok := r[user]; !ok {
		return keyring.ErrNotFound
	}
	delete(r, user)
	return nil
}

type deafRing struct{ release chan struct{} }

func (r deafRing) Get(_, _ string) (string, error) { <-r.release; return "", keyring.ErrNotFound }
func (r deafRing) Set(_, _, _ string) error        { <-r.release; return nil }
func (r deafRing) Delete(_, _ string) error        { <-r.release; return nil }

type brokenRing struct{ memoryRing }

func (brokenRing) Set(_, _, secret string) error { return errors.New("cannot keep " + secret) }

func TestASecretNeverPrintsItself(t *testing.T) {
	s := NewSecret(canary)
	holder := struct {
		Key  Secret
		Keys []Secret
		Ptr  *Secret
	}{s, []Secret{s}, &s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+"\n", s)
		fmt.Fprintf(&out, verb+"\n", &s)
		fmt.Fprintf(&out, verb+"\n", holder)
	}
	j, err := json.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	tm, err := toml.Marshal(holder)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(j)
	out.Write(tm)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "key", s, "holder", holder)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "key", s, "holder", holder)
	for _, leak := range []string{canary, fmt.Sprintf("%x", canary)} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("leaked in:\n%s", out.String())
		}
	}
	if s.Reveal() != canary || s.Empty() || !(Secret{}).Empty() {
		t.Error("reveal")
	}
}

func newKeys(t *testing.T, ring Ring, keychain bool, env ...string) *Keys {
	t.Helper()
	return NewKeys(KeysConfig{DataDir: t.TempDir(), Env: env, Keychain: func() bool { return keychain }, Ring: ring})
}

func TestKeysLieInTheKeychain(t *testing.T) {
	ring := memoryRing{}
	k := newKeys(t, ring, true)
	if err := k.Set("openai", NewSecret(canary)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(k.file)
	if err != nil || strings.Contains(string(data), canary) {
		t.Errorf("keys.json: %s, %v", data, err)
	}
	fresh := NewKeys(KeysConfig{DataDir: filepath.Dir(k.file), Ring: ring})
	if got, ok := fresh.Get("openai"); !ok || got.Reveal() != canary {
		t.Error("not found after a restart")
	}
	if got := fresh.Names(); !reflect.DeepEqual(got, []string{"openai"}) {
		t.Errorf("names: %v", got)
	}
	if err := fresh.Remove("openai"); err != nil || len(ring) != 0 {
		t.Errorf("remove: %v, %v", err, ring)
	}
	if _, ok := fresh.Get("openai"); ok {
		t.Error("still there after removal")
	}
	if err := fresh.Remove("openai"); err != nil {
		t.Error(err)
	}
}

func TestWithoutKeychainAFileOnlyAfterAnExplicitChoice(t *testing.T) {
	refused := newKeys(t, brokenRing{}, true)
	err := refused.Set("openai", NewSecret(canary))
	if fault.CodeOf(err) != fault.ConfirmNeeded {
		t.Fatal(err)
	}
	if strings.Contains(fmt.Sprint(err, errors.Unwrap(err)), canary) {
		t.Error("the key is in the error")
	}
	if _, statErr := os.Stat(refused.file); statErr == nil {
		t.Error("a file was written without the choice")
	}
	chosen := newKeys(t, brokenRing{}, false)
	if err := chosen.Set("openai", NewSecret(canary)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(chosen.file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	fresh := NewKeys(KeysConfig{DataDir: filepath.Dir(chosen.file), Ring: brokenRing{}})
	if got, ok := fresh.Get("openai"); !ok || got.Reveal() != canary {
		t.Error("not found after a restart")
	}
}

func TestAKeychainThatHangsIsGivenUp(t *testing.T) {
	deaf := deafRing{make(chan struct{})}
	defer close(deaf.release)
	k := newKeys(t, deaf, true)
	k.ring.wait = 50 * time.Millisecond
	started := time.Now()
	for range 20 {
		if err := k.Set("openai", NewSecret(canary)); fault.CodeOf(err) != fault.ConfirmNeeded {
			t.Fatal(err)
		}
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestVariablesAreReadOnlyKeys(t *testing.T) {
	k := newKeys(t, memoryRing{}, true, "FOOTNOTE_KEY_MY_SERVER="+canary, "OPENAI_API_KEY=other")
	if got, ok := k.Get("my-server"); !ok || got.Reveal() != canary {
		t.Error("variable not read")
	}
	if err := k.Set("my-server", NewSecret("x")); fault.CodeOf(err) != fault.InvalidRequest {
		t.Error(err)
	}
	if _, ok := k.Get("openai"); ok {
		t.Error("a key of another program was used unasked")
	}
	if name, ok := k.Offer("openai"); !ok || name != "OPENAI_API_KEY" {
		t.Error("not offered")
	}
	if got, ok := k.Borrow("openai"); !ok || got.Reveal() != "other" {
		t.Error("not borrowed after an explicit choice")
	}
	if _, ok := k.Offer("groq"); ok {
		t.Error("offered a key that does not exist")
	}
	if got := k.Names(); !reflect.DeepEqual(got, []string{"my_server"}) {
		t.Errorf("names: %v", got)
	}
}

func TestNamesAndKeysThatCannotBe(t *testing.T) {
	k := newKeys(t, memoryRing{}, true)
	for _, c := range [][2]string{{"../x", "k"}, {"", "k"}, {"a b", "k"}, {"ok", ""}, {"ok", " "}, {"ok", "a\nb"}} {
		if err := k.Set(c[0], NewSecret(c[1])); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", c, err)
		}
	}
}

func TestADamagedListIsSaid(t *testing.T) {
	k := newKeys(t, memoryRing{}, true)
	if err := os.WriteFile(k.file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := k.Set("openai", NewSecret("k")); fault.CodeOf(err) != fault.DataDamaged {
		t.Error(err)
	}
	if _, ok := k.Get("openai"); ok || len(k.Names()) != 0 {
		t.Error("found a key in a damaged list")
	}
}

func TestAKeyIsNoneAtAnotherOrigin(t *testing.T) {
	at := map[string]string{"openai": "https://api.openai.com/v1", "office": "https://models.example/v1"}
	k := NewKeys(KeysConfig{
		DataDir: t.TempDir(), Env: []string{"FOOTNOTE_KEY_OPENAI=from-env", "FOOTNOTE_KEY_OFFICE=of-office", "FOOTNOTE_KEY_BRAVE=of-brave"},
		Keychain: func() bool { return false }, Address: func(name string) string { return at[name] },
	})
	want := func(name, key string) {
		t.Helper()
		if got, ok := k.Get(name); got.Reveal() != key || ok != (key != "") {
			t.Errorf("%s at %s: %q, %v", name, at[name], got.Reveal(), ok)
		}
	}
	want("openai", "from-env")
	want("office", "of-office")
	want("brave", "of-brave") // has no setting for its address
	at["openai"], at["office"] = "https://evil.example/v1", "https://evil.example/v1"
	want("openai", "")
	want("office", "")
	at["openai"] = "https://api.openai.com/v2" // of the same origin
	want("openai", "from-env")

	at["groq"] = "https://api.groq.com/openai/v1"
	if err := k.Set("groq", NewSecret("stored")); err != nil {
		t.Fatal(err)
	}
	want("groq", "stored")
	at["groq"] = "http://api.groq.com/openai/v1"
	want("groq", "")
	fresh := NewKeys(KeysConfig{DataDir: filepath.Dir(k.file), Keychain: func() bool { return false }, Address: func(name string) string { return at[name] }})
	if _, ok := fresh.Get("groq"); ok {
		t.Error("after a restart the key goes along to another address")
	}
}
