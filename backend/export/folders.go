package export

import (
	"encoding/json"
	"regexp"
	"strings"
)

const literal = `"(?:[^"\\]|\\.)*"`

var (
	placed   = regexp.MustCompile(`"(?:path|address)"\s*:\s*` + literal + `|"(?:files|folders)"\s*:\s*\[\s*` + literal + `(?:\s*,\s*` + literal + `)*`)
	literals = regexp.MustCompile(literal)
	absolute = regexp.MustCompile(`^(?:/|\\\\|[A-Za-z]:[/\\])`)
)

// WithoutFolders leaves of each path in JSON that is taken away the name alone:
// the folders above it tell of the computer, and of whose it is. Quotation marks
// within a text are escaped, so no text is taken for a path.
func WithoutFolders(body []byte) []byte {
	return placed.ReplaceAllFunc(body, func(field []byte) []byte { return literals.ReplaceAllFunc(field, nameAlone) })
}

func nameAlone(quoted []byte) []byte {
	var path string
	if json.Unmarshal(quoted, &path) != nil || !absolute.MatchString(path) {
		return quoted
	}
	name, err := json.Marshal(baseName(path))
	if err != nil {
		return quoted
	}
	return name
}

func baseName(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
