package settings

import (
	"fmt"
	"strings"
	"time"
)

// Duration is a time span written like "10m" or "6h".
type Duration struct{ time.Duration }

// UnmarshalText reads the written form.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("read duration %q: write it like 90s, 10m or 6h", text)
	}
	d.Duration = v
	return nil
}

// MarshalText writes the shortest form: 10m, not 10m0s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// String is the shortest written form.
func (d Duration) String() string {
	s := d.Duration.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
