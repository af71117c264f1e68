package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

const sandboxExec = "/usr/bin/sandbox-exec"

// Enter does nothing more: the process was started in its box.
func Enter(Rules) error { return nil }

// Wrap has the system start a process in its box.
func Wrap(r Rules, command []string) []string {
	if Missing() != "" || len(command) == 0 {
		return command
	}
	return append([]string{sandboxExec, "-p", profile(r, command[0]), "--"}, command...)
}

// Missing says what of this system a box lacks; empty when nothing.
func Missing() string {
	if _, err := os.Stat(sandboxExec); err != nil {
		return "This macOS has no sandbox-exec."
	}
	return ""
}

// profile is in the language of the system's sandbox: the later rule counts.
func profile(r Rules, self string) string {
	var b strings.Builder
	rule := func(words, form string, paths ...string) {
		for _, path := range paths {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			b.WriteString("(" + words + " (" + form + " " + quoted(path) + "))\n")
		}
	}
	b.WriteString("(version 1)\n(allow default)\n(deny network*)\n(deny process-exec*)\n(deny signal (target others))\n(deny file-write*)\n(deny appleevent-send)\n(deny mach-lookup)\n")
	rule("deny file-read-data", "subpath", "/Users", "/Volumes", "/private/tmp", "/private/var/folders", "/private/etc", "/Network")
	rule("allow file-read* file-write*", "subpath", r.Write...)
	rule("allow file-write-data", "literal", "/dev/null")
	rule("allow file-read-data process-exec*", "literal", append(r.Programs[:len(r.Programs):len(r.Programs)], self)...)
	return b.String()
}

// quoted is a text of a profile.
func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
