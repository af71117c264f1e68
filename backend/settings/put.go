package settings

import (
	"maps"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// Put changes settings by dotted key and writes config.toml; a nil value
// returns a key to its default. All or nothing: on an error, a
// fault.InvalidSetting or one of the file system, nothing has changed. Keys that
// were not named keep what the file says; a value that the environment or a flag
// overrides is written but not in force.
func (s *Store) Put(changes map[string]any) error {
	if err := s.put(changes); err != nil {
		return err
	}
	if changed := s.changed.Load(); changed != nil {
		(*changed)()
	}
	return nil
}

// OnChange has a function called after each change that Put made. There is one.
func (s *Store) OnChange(changed func()) { s.changed.Store(&changed) }

func (s *Store) put(changes map[string]any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	file, err := readFile(s.file) // somebody may have edited it by hand
	if err != nil {
		return err
	}
	for key, value := range changes {
		if err := change(file, key, value); err != nil {
			return err
		}
	}
	next, err := s.merge(file)
	if err != nil {
		return err
	}
	data, err := toml.Marshal(grow(file))
	if err == nil {
		err = writeAtomically(s.file, data)
	}
	if err != nil {
		return err
	}
	s.written = file
	s.now.Store(&next)
	return nil
}

// change puts one value into the file layer, in the form the struct gives it:
// a whole number sent as 3.0 is written as 3.
func change(file map[string]any, key string, value any) error {
	if value == nil {
		if _, known := pathOf(key); !known {
			return (&refusal{key: key, reason: "is not a setting"}).fault()
		}
		delete(file, key)
		return nil
	}
	scratch := Default()
	if r := assign(&scratch, key, value); r != nil {
		return r.fault()
	}
	file[key] = scratch.Values()[key]
	return nil
}

// MovedProviders names the providers and engines whose address differs between
// two configurations. Their keys must be forgotten: a key belongs to an origin.
func MovedProviders(before, after Settings) []string {
	old, now := endpoints(before), endpoints(after)
	var moved []string
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if old[name] != now[name] {
			moved = append(moved, name)
		}
	}
	return moved
}

// Address is where a provider or engine is reached, empty for one that has no
// setting for it.
func (s Settings) Address(name string) string { return endpoints(s)[name] }

// AddressTold reports whether the address of a provider or engine comes from the
// command line or the environment.
func (s *Store) AddressTold(name string) bool {
	origin := s.Origin()
	return slices.ContainsFunc([]string{"providers.custom." + name + ".url", "providers." + name + ".url", "web." + name + ".url"}, func(key string) bool {
		return origin[key] == "flag" || origin[key] == "env"
	})
}

func endpoints(s Settings) map[string]string {
	all := map[string]string{"serper": s.Web.Serper.URL, "searxng": s.Web.Searxng.URL}
	maps.Copy(all, s.Providers.URLs())
	return all
}

// URLs gives the address of every provider, custom ones by their own name. A
// custom provider never hides a built-in one.
func (p ProvidersSettings) URLs() map[string]string {
	all := map[string]string{}
	for name, custom := range p.Custom {
		all[name] = custom.URL
	}
	own := reflect.ValueOf(p)
	for i := range own.NumField() {
		if provider := own.Field(i); provider.Kind() == reflect.Struct {
			all[own.Type().Field(i).Tag.Get("toml")] = provider.FieldByName("URL").String()
		}
	}
	return all
}

// Window is the num_ctx the user set for a model of Ollama, in tokens; 0 when
// none.
func (o OllamaProvider) Window(model string) int {
	if n, ok := o.Windows[model]; ok {
		return n
	}
	return o.NumCtx
}
