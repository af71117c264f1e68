package settings

import (
	"fmt"
	"io"
	"log/slog"
)

const hidden = "(hidden)"

// Secret is a key that never prints itself: not with fmt, JSON, TOML or slog.
// The zero value is no key.
type Secret struct{ value string }

// NewSecret keeps a key.
func NewSecret(value string) Secret { return Secret{value} }

// Reveal gives the key itself, for the one header that needs it.
func (s Secret) Reveal() string { return s.value }

// Empty reports whether there is no key.
func (s Secret) Empty() bool { return s.value == "" }

// String never shows the key.
func (s Secret) String() string { return hidden }

// Format never shows the key, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText never shows the key.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue never shows the key.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
