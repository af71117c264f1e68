package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamplesAreWhatCommandsTake reads each line of them as a shell does, and holds
// it against the flags and arguments of its command.
func TestExamplesAreWhatCommandsTake(t *testing.T) {
	env := &Env{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer), Version: "1.2.3"}
	seen := map[string]bool{}
	err := eachCommand(newRoot(env), func(c *cobra.Command) error {
		seen[c.CommandPath()] = true
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range examples {
		if !seen[path] {
			t.Errorf("examples of %s, which is no command", path)
		}
		if !strings.Contains(text, path+" ") && !strings.HasSuffix(text, path) && !strings.Contains(text, path+"\n") {
			t.Errorf("no example of %s uses it:\n%s", path, text)
		}
		for line := range strings.Lines(text) {
			if why := takes(newRoot(env), wordsOf(line)); why != nil {
				t.Errorf("%s: %v", strings.TrimSpace(line), why)
			}
		}
	}
}

// wordsOf are those of a line behind the word footnote, up to a pipe or redirection.
func wordsOf(line string) (words []string) {
	quoted := rune(0)
	fields := strings.FieldsFunc(strings.TrimSpace(line), func(r rune) bool {
		switch {
		case quoted == 0 && (r == '"' || r == '\''):
			quoted = r
		case r == quoted:
			quoted = 0
		}
		return quoted == 0 && r == ' '
	})
	for _, f := range fields[slices.Index(fields, "footnote")+1:] {
		if f == "|" || f == ">" {
			break
		}
		words = append(words, strings.Trim(f, `"'`))
	}
	return words
}

func takes(root *cobra.Command, words []string) error {
	c, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	return c.ValidateArgs(c.Flags().Args())
}
