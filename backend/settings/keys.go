package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/registry"
)

const (
	service      = "footnote"
	keyPrefix    = "FOOTNOTE_KEY_"
	keychainWait = 3 * time.Second
)

// KeysConfig says where keys may lie.
type KeysConfig struct {
	DataDir  string
	Env      []string    // like os.Environ
	Keychain func() bool // privacy.keychain now; false is the explicit choice of a file
	Ring     Ring        // nil means the keychain of the system

	// Address is where the owner of a key is reached now; empty for one that has no
	// setting for it. nil means that nobody has.
	Address func(name string) string
	// Told reports whether who started the program named that address, so that a key
	// which the same person put into the environment is meant for it. nil: nobody did.
	Told func(name string) bool
}

// Keys holds the keys of providers and engines by name. Order: a FOOTNOTE_KEY_
// variable, which is read-only, then what the user stored. Where a stored key
// lies is noted in keys.json (0600) in the data folder; the key itself is in
// that file only after privacy.keychain was switched off. A key is bound to an
// origin, and is none at any other: one of the environment to the origin with which
// its owner comes, a stored one to that at which it was stored. Safe for concurrent
// use.
type Keys struct {
	file     string
	env      map[string]Secret // by the form a variable can name
	known    map[string]Secret // in variables of other programs: offered, and used only through Borrow
	keychain func() bool
	ring     *guard
	address  func(name string) string
	told     func(name string) bool

	mu    sync.Mutex
	cache map[string]boundKey
	bound map[string]string // origins of keys from the environment whose owner comes with none
}

// boundKey is a key with the origin that it is for; an empty one is any.
type boundKey struct {
	Secret
	origin string
}

// keyEntry is one line of keys.json. An empty Secret means the keychain.
type keyEntry struct {
	Secret string `json:"secret,omitempty"`
	Origin string `json:"origin,omitempty"` // that it is for; empty in lists of older versions, and means any
}

// NewKeys opens the keys of an installation. Nothing is read yet.
func NewKeys(c KeysConfig) *Keys {
	k := &Keys{
		file: filepath.Join(c.DataDir, "keys.json"), keychain: c.Keychain,
		env: map[string]Secret{}, known: map[string]Secret{}, cache: map[string]boundKey{}, bound: map[string]string{},
		ring: &guard{ring: c.Ring, wait: keychainWait}, address: c.Address, told: c.Told,
	}
	if k.address == nil {
		k.address = func(string) string { return "" }
	}
	if k.told == nil {
		k.told = func(string) bool { return false }
	}
	if c.Ring == nil {
		k.ring.ring = systemRing{}
	}
	for _, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		if short, ok := strings.CutPrefix(name, keyPrefix); ok && value != "" {
			k.env[short] = Secret{value}
		}
	}
	for name, variable := range registry.Variables() {
		if value := lookup(c.Env, variable); value != "" {
			k.known[name] = Secret{value}
		}
	}
	return k
}

// Get gives the key of a name, for the address that its owner has now. False means
// there is none for it, or the keychain does not answer.
func (k *Keys) Get(name string) (Secret, bool) {
	origin := originOf(k.address(name))
	k.mu.Lock()
	defer k.mu.Unlock()
	if secret, ok := k.env[variableForm(name)]; ok && k.boundTo(name, origin) {
		return secret, true
	}
	key, ok := k.cache[name]
	if !ok {
		if key, ok = k.read(name); !ok {
			return Secret{}, false
		}
		k.cache[name] = key
	}
	if key.origin != "" && origin != "" && key.origin != origin {
		return Secret{}, false
	}
	return key.Secret, true
}

// read gives a stored key; the caller holds mu.
func (k *Keys) read(name string) (boundKey, bool) {
	entries, err := k.load()
	entry, listed := entries[name]
	if err != nil || !listed {
		return boundKey{}, false
	}
	value := entry.Secret
	if value == "" {
		if value, err = k.ring.get(name); err != nil {
			return boundKey{}, false
		}
	}
	return boundKey{Secret{value}, entry.Origin}, true
}

// boundTo reports whether a key of the environment is for an origin: the one with
// which its owner comes, for one that comes with none the first that it had in this
// process, and any that who started the program named. The caller holds mu.
func (k *Keys) boundTo(name, origin string) bool {
	own := originOf(endpoints(Default())[name])
	if own == "" {
		own = k.bound[name]
	}
	if own == "" {
		own, k.bound[name] = origin, origin
	}
	return origin == own || k.told(name)
}

// originOf is scheme, host and port of an address, empty where it has none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// Set stores a key. Without a keychain it is refused with
// fault.ConfirmNeeded until the user chose a file by privacy.keychain = false.
// A key that comes from a FOOTNOTE_KEY_ variable cannot be changed.
func (k *Keys) Set(name string, key Secret) error {
	if err := k.checkWritable(name, key); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	entries, err := k.load()
	if err != nil {
		return err
	}
	entry := keyEntry{Secret: key.value, Origin: originOf(k.address(name))}
	if k.keychain == nil || k.keychain() {
		if err := k.ring.set(name, key.value); err != nil {
			return fault.Wrap(scrubbed(err, key), fault.ConfirmNeeded, "The keychain of this system cannot be used, so the key was not stored.",
				"Unlock it, or set privacy.keychain = false to keep keys in a file that only you can read.")
		}
		entry.Secret = ""
	}
	entries[name] = entry
	if err := k.save(entries); err != nil {
		return err
	}
	k.cache[name] = boundKey{key, entry.Origin}
	return nil
}

func (k *Keys) checkWritable(name string, key Secret) error {
	if !entryName.MatchString(name) {
		return fault.New(fault.InvalidRequest, "A key's name has 1 to 64 small letters, digits, - or _.", "Use the name of the provider.")
	}
	if strings.TrimSpace(key.value) == "" || strings.ContainsAny(key.value, "\r\n\x00") {
		return fault.New(fault.InvalidRequest, "The key is empty or holds a line break.", "Paste the key again.")
	}
	if _, ok := k.env[variableForm(name)]; ok {
		return fault.New(fault.InvalidRequest, "The key "+name+" comes from the environment.", "Change or unset "+keyPrefix+variableForm(name)+".")
	}
	return nil
}

// scrubbed keeps a system's message from carrying the key into the log.
func scrubbed(err error, key Secret) error {
	return errors.New(strings.ReplaceAll(err.Error(), key.value, hidden))
}

// Remove forgets a stored key, wherever it lies. A name without a key is fine.
func (k *Keys) Remove(name string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	entries, err := k.load()
	if err != nil {
		return err
	}
	entry, listed := entries[name]
	if !listed {
		return nil
	}
	if entry.Secret == "" {
		if err := k.ring.remove(name); err != nil {
			return err
		}
	}
	delete(entries, name)
	delete(k.cache, name)
	return k.save(entries)
}

// Names lists the names that have a key, sorted. Keys from the environment
// appear in the form of their variable, in small letters.
func (k *Keys) Names() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	entries, _ := k.load() // a damaged list shows as no stored keys; Set names the cause
	names := slices.Collect(maps.Keys(entries))
	for name := range k.env {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Offer names the variable of another program that holds a key for this
// provider, such as OPENAI_API_KEY. It may be shown; the key is not used.
func (k *Keys) Offer(name string) (variable string, ok bool) {
	_, ok = k.known[name]
	return registry.Variables()[name], ok
}

// Borrow gives the key in a provider's well-known variable. Call it only when
// the user has chosen this provider explicitly.
func (k *Keys) Borrow(name string) (Secret, bool) {
	secret, ok := k.known[name]
	return secret, ok
}

// variableForm is a name as it can stand in a variable.
func variableForm(name string) string {
	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// Callers of load and save hold mu.
func (k *Keys) load() (map[string]keyEntry, error) {
	entries := map[string]keyEntry{}
	data, err := disk.ReadRegular(k.file, largestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fault.New(fault.DataDamaged, "The list of keys is damaged.", "Remove keys.json from the data folder and enter the keys again.")
	}
	return entries, nil
}

func (k *Keys) save(entries map[string]keyEntry) error {
	data, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return fmt.Errorf("write keys: %w", err)
	}
	return writeAtomically(k.file, append(data, '\n'))
}
