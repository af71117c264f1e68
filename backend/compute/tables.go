package compute

import (
	"embed"
	"iter"
	"strings"
)

//go:embed tables/*.tsv
var tableFiles embed.FS

// rows gives the rows of a table: two fields each, notes and blank lines left out.
func rows(name string) iter.Seq2[string, string] {
	b, err := tableFiles.ReadFile("tables/" + name + ".tsv")
	if err != nil {
		panic(err) // the file is embedded: its absence is a broken build
	}
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			key, rest, ok := strings.Cut(line, "\t")
			if !ok {
				panic("table " + name + ": " + line)
			}
			if !yield(key, rest) {
				return
			}
		}
	}
}
