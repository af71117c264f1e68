package app

import (
	"testing"
	"time"

	"footnote/backend/registry"
	"footnote/backend/settings"
	"footnote/backend/web"
	"footnote/backend/web/engine"
)

func TestEveryEntryOfTheRegistryIsBuilt(t *testing.T) {
	set, err := settings.Load(settings.LoadOptions{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{settings: set, now: time.Now, gates: newGates(), keys: settings.NewKeys(settings.KeysConfig{DataDir: t.TempDir(), Keychain: func() bool { return false }})}
	lines := b.engineTable(web.Access{}, nil, nil)
	for i, e := range registry.Engines() {
		if l := lines[i]; l.Name != e.Name || l.Make == nil || (l.Key != nil) != (e.Key != registry.Keyless) || e.Label == "" {
			t.Errorf("%s cannot be made as its entry says", e.Name)
		}
	}
	for name := range engine.Makers {
		if !contains(lines, name) {
			t.Errorf("%s is made, and in no entry", name)
		}
	}
	providers := b.providers()()
	for i, p := range registry.Providers() {
		if at := providers[i]; at.ID != p.ID || at.Origin == "" || at.Model == nil {
			t.Errorf("%s has no default address, or no model", p.ID)
		}
	}
	if known := settings.Default().Providers.URLs(); len(known) != len(registry.Providers()) {
		t.Errorf("the settings have %d addresses of providers, the registry %d", len(known), len(registry.Providers()))
	}
}

func contains(lines []web.Line, name string) bool {
	for _, l := range lines {
		if l.Name == name {
			return true
		}
	}
	return false
}
