package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/registry"
)

// HasKey refuses a name that is no provider or engine: nothing would read its key.
func HasKey(s Settings, name string) error {
	names := append(registry.Keyed(), slices.Sorted(maps.Keys(s.Providers.Custom))...)
	if slices.Contains(names, name) {
		return nil
	}
	meant := plain.Nearest(name, names)
	if meant != "" {
		meant = "; did you mean " + meant + "?"
	} else {
		meant = "."
	}
	return fault.New(fault.InvalidRequest, fmt.Sprintf("There is no provider or engine %q that has a key%s", name, meant), "There are "+strings.Join(names, ", ")+".")
}
