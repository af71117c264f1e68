package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// LoadOptions say where settings come from.
type LoadOptions struct {
	DataDir    string   // flag --data; empty asks the environment, then the system
	ConfigFile string   // flag --config; empty means config.toml in the data folder
	Env        []string // like os.Environ
	Set        []string // section.key=value, from flags
	AnyOwner   bool     // the data folder may belong to another user
}

// Store holds the settings in force. Safe for concurrent use.
type Store struct {
	dir, file string
	unknown   []string
	now       atomic.Pointer[Settings]
	changed   atomic.Pointer[func()]

	mu      sync.Mutex // guards the layers and the file
	written map[string]any
	env     map[string]any
	flags   map[string]any
}

// Load reads all layers. A missing default config.toml is fine. A value that
// may not be is a fault.InvalidSetting that names place, key, reason and what is
// allowed. The data folder is created with mode 0700.
func Load(opts LoadOptions) (*Store, error) {
	dir, err := DataDir(opts.DataDir, opts.Env)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		code := fault.PathNotAllowed
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			code = fault.DiskFull
		}
		return nil, fault.Wrap(err, code, fmt.Sprintf("The data folder %s cannot be made.", dir), "Choose another one with --data.")
	}
	if !opts.AnyOwner {
		if err := CheckOwner(dir); err != nil {
			return nil, err
		}
	}
	s := &Store{dir: dir, file: opts.ConfigFile}
	if s.file == "" {
		s.file = filepath.Join(dir, "config.toml")
	} else if _, err := os.Stat(s.file); err != nil {
		return nil, fault.Wrap(err, fault.InvalidSetting, fmt.Sprintf("The configuration file %s cannot be read.", s.file), "Check the path after --config.")
	}
	s.env, s.unknown = fromEnv(opts.Env)
	if s.flags, err = fromFlags(opts.Set); err != nil {
		return nil, err
	}
	if err := s.Reload(); err != nil {
		return nil, err
	}
	return s, nil
}

// Reload reads config.toml again. On an error the values in force stay.
func (s *Store) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	file, err := readFile(s.file)
	if err != nil {
		return err
	}
	return s.adopt(file)
}

// adopt puts a new file layer in force when the whole is valid. Callers hold mu.
func (s *Store) adopt(file map[string]any) error {
	next, err := s.merge(file)
	if err != nil {
		return err
	}
	s.written = file
	s.now.Store(&next)
	return nil
}

func (s *Store) merge(file map[string]any) (Settings, error) {
	next := Default()
	for _, layer := range []struct {
		values map[string]any
		place  func(key string) string
	}{
		{file, func(key string) string { return placeInFile(s.file, key) }},
		{s.env, func(key string) string { return "Environment variable " + envName(key) }},
		{s.flags, func(key string) string { return "Flag --set" }},
	} {
		for _, key := range slices.Sorted(maps.Keys(layer.values)) {
			if r := assign(&next, key, layer.values[key]); r != nil {
				r.place = layer.place(key)
				return next, r.fault()
			}
		}
	}
	if r := checkWhole(next); r != nil {
		return next, r.fault()
	}
	return next, nil
}

// Now gives the settings in force. The value is shared: do not change it.
func (s *Store) Now() Settings { return *s.now.Load() }

// DataDir is the folder that holds everything of this installation.
func (s *Store) DataDir() string { return s.dir }

// File is the path of config.toml, which may not exist.
func (s *Store) File() string { return s.file }

// Unknown lists FOOTNOTE_ variables that name no setting.
func (s *Store) Unknown() []string { return slices.Clone(s.unknown) }

// Origin says for every setting where its value comes from: default, file, env
// or flag.
func (s *Store) Origin() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	origin := map[string]string{}
	for key := range s.Now().Values() {
		origin[key] = "default"
	}
	for _, layer := range []struct {
		name   string
		values map[string]any
	}{{"file", s.written}, {"env", s.env}, {"flag", s.flags}} {
		for key := range layer.values {
			origin[key] = layer.name
		}
	}
	return origin
}

// DataDir finds the data folder: the flag, else FOOTNOTE_DATA, else the
// system's place for application data. The result is absolute; the folder may
// not exist yet.
func DataDir(flag string, env []string) (string, error) { return dataDir(runtime.GOOS, flag, env) }

func dataDir(system, flag string, env []string) (string, error) {
	get := func(name string) string { return lookup(env, name) }
	for _, dir := range []string{flag, get("FOOTNOTE_DATA")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	home, base := get("HOME"), get("XDG_DATA_HOME")
	switch {
	case system == "windows":
		base = windowsBase(get("LOCALAPPDATA"), get("APPDATA"))
	case system == "darwin" && home != "":
		base = filepath.Join(home, "Library", "Application Support")
	case !filepath.IsAbs(base) && home != "":
		base = filepath.Join(home, ".local", "share")
	}
	if !filepath.IsAbs(base) {
		return "", fault.New(fault.InvalidSetting, "There is no folder for application data.", "Say where the data shall lie with --data or FOOTNOTE_DATA.")
	}
	return filepath.Join(base, folderName), nil
}

const folderName = "footnote"

// windowsBase is the place of what stays on one computer: what roams is copied over
// the network at each log-in, and an index is no use elsewhere. A data folder that
// lies there already stays: the library names files in it by their whole paths.
func windowsBase(local, roaming string) string {
	if !filepath.IsAbs(local) {
		return roaming
	}
	there := func(base string) bool {
		info, err := os.Stat(filepath.Join(base, folderName))
		return err == nil && info.IsDir()
	}
	if filepath.IsAbs(roaming) && there(roaming) && !there(local) {
		return roaming
	}
	return local
}

func lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if key, value, ok := strings.Cut(pair, "="); ok && key == name {
			return value
		}
	}
	return ""
}

func envName(key string) string {
	return "FOOTNOTE_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// fromEnv picks the variables that name settings. Custom providers take their
// name from the variable: FOOTNOTE_PROVIDERS_CUSTOM_OFFICE_URL.
func fromEnv(env []string) (values map[string]any, unknown []string) {
	names := map[string]string{}
	for key := range Default().Values() {
		names[envName(key)] = key
	}
	values = map[string]any{}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "FOOTNOTE_") || name == "FOOTNOTE_DATA" || name == "FOOTNOTE_TOKEN" || strings.HasPrefix(name, keyPrefix) {
			continue
		}
		key, known := names[name]
		if custom, ok := strings.CutPrefix(name, "FOOTNOTE_PROVIDERS_CUSTOM_"); ok && strings.HasSuffix(custom, "_URL") {
			key, known = "providers.custom."+strings.ToLower(strings.TrimSuffix(custom, "_URL"))+".url", true
		}
		if !known {
			unknown = append(unknown, name)
			continue
		}
		values[key] = written(value)
	}
	return values, unknown
}

func fromFlags(set []string) (map[string]any, error) {
	values := map[string]any{}
	for _, pair := range set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, (&refusal{key: pair, reason: "has no value", allowed: "section.key=value", place: "Flag --set"}).fault()
		}
		values[strings.TrimSpace(key)] = written(value)
	}
	return values, nil
}

// largestFile is how much of a file of settings or keys is read.
const largestFile = 1 << 20

// readFile gives the keys that the file sets. No file, no keys.
func readFile(path string) (map[string]any, error) {
	data, err := disk.ReadRegular(path, largestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	return parseFile(filepath.Base(path), data)
}
