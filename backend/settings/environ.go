package settings

import (
	"slices"
	"strings"
)

// WithoutKeys is an environment, like that of os.Environ, for a child process:
// without any variable that may hold a key or the server's token.
func WithoutKeys(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		for _, end := range []string{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD"} {
			if strings.HasSuffix(strings.ToUpper(name), end) {
				return true
			}
		}
		return strings.HasPrefix(name, keyPrefix)
	})
}
