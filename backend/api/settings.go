package api

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/registry"
	"footnote/backend/settings"
	"footnote/backend/web"
)

// Engines are the search engines.
type Engines struct{ *Rooms }

// List tells how the search engines stand.
func (s Engines) List(ctx context.Context, _ None) (Page[web.Standing], error) {
	return PageOf(s.Engines.Standings(ctx), ""), nil
}

// Name names an engine or a key.
type Name struct {
	Name string `path:"name"`
}

// Test asks one engine a harmless question.
func (s Engines) Test(ctx context.Context, in Name) (TestView, error) {
	began := time.Now()
	n, err := s.Engines.Test(ctx, in.Name)
	if fault.CodeOf(err) == fault.NotFound {
		return TestView{}, err
	}
	return TestView{OK: err == nil, Ms: time.Since(began).Milliseconds(), Count: n, Error: failureIn(err)}, nil
}

// SettingsView is every setting with its default and where its value comes from.
type SettingsView struct {
	Values   map[string]any    `json:"values"`
	Defaults map[string]any    `json:"defaults"`
	Origin   map[string]string `json:"origin"`
	Keys     map[string]bool   `json:"keys"`
}

// Settings are what the reader may change.
type Settings struct{ *Rooms }

// List gives all settings by flat key. Keys are told by name only.
func (s Settings) List(context.Context, None) (SettingsView, error) {
	view := SettingsView{Values: s.Settings.Now().Values(), Defaults: settings.Default().Values(), Origin: s.Settings.Origin(), Keys: map[string]bool{}}
	if view.Values["team.database"] != "" { // it has a password
		view.Values["team.database"] = "(hidden)"
	}
	for _, name := range registry.Wanted() {
		view.Keys[name] = false
	}
	for _, name := range s.Keys.Names() {
		view.Keys[name] = true
	}
	return view, nil
}

// Put changes settings, all or nothing, and gives them all. Addresses of providers
// and engines are accepted from the window alone, but for their defaults: where keys
// and questions go is for the person at the computer to say.
func (s Settings) Put(ctx context.Context, changes map[string]any) (SettingsView, error) {
	if err := s.put(changes); err != nil {
		return SettingsView{}, err
	}
	return s.List(ctx, None{})
}

func (s Settings) put(changes map[string]any) error {
	if !s.FromWindow {
		for _, key := range slices.Sorted(maps.Keys(changes)) {
			if guarded(key, changes[key]) {
				return fault.New(fault.OriginNotAllowed, "The setting "+key+" says where keys and questions are sent.", "Set it in the window, in config.toml, or with --set.").With("key", key)
			}
		}
	}
	before := s.Settings.Now()
	if err := s.Settings.Put(changes); err != nil {
		return err
	}
	for _, provider := range settings.MovedProviders(before, s.Settings.Now()) {
		if err := s.Keys.Remove(provider); err != nil && fault.CodeOf(err) != fault.NotFound {
			s.Log.Warn("forget the key of a moved provider", "provider", provider, "err", err)
		}
	}
	s.Models.Forget()
	return nil
}

// guarded reports whether a change would have something sent to another place.
func guarded(key string, value any) bool {
	if strings.HasPrefix(key, "privacy.allowed_private_origins") || strings.HasPrefix(key, "server.hosts") || strings.HasPrefix(key, "team") {
		return true
	}
	if _, whole := value.(map[string]any); whole && (key == "providers" || strings.HasPrefix(key, "providers.") || key == "web" || strings.HasPrefix(key, "web.") || key == "privacy" || key == "server") {
		return true
	}
	if !strings.HasSuffix(key, ".url") && key != "web.video.invidious" {
		return false
	}
	return value != nil && value != "" && value != settings.Default().Values()[key]
}

// Keys are those of providers and engines; none can be read back.
type Keys struct{ *Rooms }

// KeyValue is a key that is stored.
type KeyValue struct {
	Value string `json:"value"`
}

// SetKey names a key and what it is.
type SetKey struct {
	Name string `path:"name"`
	Body KeyValue
}

// Set stores the key of a provider or engine.
func (s Keys) Set(_ context.Context, in SetKey) (Nothing, error) {
	value := strings.TrimSpace(in.Body.Value)
	if value == "" {
		return Nothing{}, fault.New(fault.InvalidRequest, "The key is empty.", "Send {\"value\": \"…\"}.")
	}
	if err := settings.HasKey(s.Settings.Now(), in.Name); err != nil {
		return Nothing{}, err
	}
	err := s.Keys.Set(in.Name, settings.NewSecret(value))
	s.Models.Forget()
	return Nothing{}, err
}

// Remove forgets a key.
func (s Keys) Remove(_ context.Context, in Name) (Nothing, error) {
	err := s.Keys.Remove(in.Name)
	s.Models.Forget()
	return Nothing{}, err
}

const tooFewBytes = 1 << 20 // free, for an answer to be stored

// disk tells whether what is found can be stored.
func (s Settings) disk() (status string, told map[string]any) {
	free, known := disk.Free(s.Settings.DataDir())
	why := s.DB.Refused()
	if why == nil && known && free < tooFewBytes {
		why = fault.New(fault.DiskFull, "The disk with Footnote's data is full.", "Free some space; Footnote goes on by itself.")
	}
	status, told = "ok", map[string]any{"writable": why == nil}
	if why != nil {
		status, told["message"], told["hint"] = string(why.Code), why.Message, why.Hint
	}
	if known {
		told["free_bytes"] = free
	}
	return status, told
}

// OpenData shows the folder with everything that Footnote keeps in the system's
// file manager.
func (s Settings) OpenData(context.Context, None) (Nothing, error) {
	if s.OpenPath == nil {
		return Nothing{}, fault.New(fault.NotAcceptable, "The folder cannot be opened from here.", "Copy its path and open it yourself on the computer that runs Footnote.")
	}
	return Nothing{}, s.OpenPath(s.Settings.DataDir())
}

// HealthView tells how the program stands.
type HealthView struct {
	Status   string           `json:"status"`
	Version  string           `json:"version"`
	Person   string           `json:"person,omitempty"` // who is signed in, where people do
	Data     map[string]any   `json:"data"`
	Index    map[string]any   `json:"index"`
	Models   map[string]any   `json:"models"`
	Engines  map[string]any   `json:"engines"`
	Disk     map[string]any   `json:"disk"`
	UptimeMs int64            `json:"uptime_ms"`
	Modes    []contract.Mode  `json:"modes"`
	Focuses  []contract.Focus `json:"focuses"`
}

// Health tells how the rooms stand, without any traffic.
func (s Settings) Health(ctx context.Context, _ None) (HealthView, error) {
	view := HealthView{
		Status: "ok", Version: s.Version, Person: s.Person, UptimeMs: time.Since(s.Began).Milliseconds(),
		Data: map[string]any{}, Models: map[string]any{"chat": s.Settings.Now().Models.Chat},
		Modes:   []contract.Mode{"speed", "balanced", "agent", "deep"},
		Focuses: []contract.Focus{"all", "web", "local", "academic", "video", "community", "compute", "writing"},
	}
	if s.Person == "" { // the folder of a team's server is nothing to its people
		view.Data["folder"] = s.Settings.DataDir()
	}
	status, err := Library(s).Status(ctx, None{})
	if err != nil {
		return view, err
	}
	view.Index = map[string]any{"passages": status.Totals.Chunks, "vectors": status.Totals.Vectors, "rebuilding": status.Rebuilding}
	ready := 0
	for _, e := range s.Engines.Standings(ctx) {
		if e.Enabled && e.State == "ready" {
			ready++
		}
	}
	view.Engines = map[string]any{"ready": ready}
	view.Status, view.Disk = s.disk()
	return view, nil
}
