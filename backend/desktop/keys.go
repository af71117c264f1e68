package desktop

import (
	"fmt"
	"slices"
	"strings"

	"footnote/backend/fault"
)

// Keys is a combination of keys: one key with those that are held.
type Keys struct {
	Ctrl, Alt, Shift, Super bool
	Key                     string // a…z, 0…9, space, f1…f12
}

// ParseKeys reads a combination such as ctrl+alt+space.
func ParseKeys(text string) (Keys, error) {
	var k Keys
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(text, " ", "")), "+")
	for _, part := range parts[:len(parts)-1] {
		held, ok := map[string]*bool{"ctrl": &k.Ctrl, "alt": &k.Alt, "shift": &k.Shift, "super": &k.Super}[part]
		if !ok {
			return Keys{}, notKeys(text)
		}
		*held = true
	}
	k.Key = parts[len(parts)-1]
	if k.function() == 0 && (k.Key != "space" && !isLetterOrDigit(k.Key) || !k.Ctrl && !k.Alt && !k.Super) {
		return Keys{}, notKeys(text)
	}
	return k, nil
}

func notKeys(text string) error {
	return fault.New(fault.InvalidSetting, fmt.Sprintf("%q is no combination of keys that can be taken.", text), "Hold Ctrl, Alt or Super with a letter, a digit or Space; F1 to F12 go alone.")
}

func isLetterOrDigit(key string) bool {
	return len(key) == 1 && (key[0] >= 'a' && key[0] <= 'z' || key[0] >= '0' && key[0] <= '9')
}

// function is the number of a function key, or 0.
func (k Keys) function() int {
	return 1 + slices.Index([]string{"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}, k.Key)
}

// String says the combination as people read it: Ctrl+Alt+Space.
func (k Keys) String() string {
	return k.join("Ctrl", "Alt", "Shift", "Super", strings.ToUpper(k.Key[:1])+k.Key[1:])
}

func (k Keys) join(ctrl, alt, shift, super, key string) string {
	var parts []string
	for _, held := range []struct {
		on   bool
		name string
	}{{k.Ctrl, ctrl}, {k.Alt, alt}, {k.Shift, shift}, {k.Super, super}} {
		if held.on {
			parts = append(parts, held.name)
		}
	}
	return strings.Join(append(parts, key), "+")
}

// Take takes keys from the whole desktop: pressed is called each time, until
// release. The error says why they cannot be had, in words for people.
func Take(keys Keys, pressed func()) (release func(), err error) { return take(keys, pressed) }

func taken(keys Keys) error {
	return fault.New(fault.NotAcceptable, fmt.Sprintf("%s is taken by another program.", keys), "Choose other keys.")
}

func noSuchKey(keys Keys) error {
	return fault.New(fault.NotAcceptable, fmt.Sprintf("This keyboard has no key for %s.", keys), "Choose other keys.")
}
