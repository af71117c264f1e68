//go:build linux || freebsd || openbsd || netbsd

package desktop

import (
	"os"
	"path/filepath"
	"strings"
)

// entry is what the desktop entry specification of freedesktop.org wants.
func (a Autostart) entry() string {
	return "[Desktop Entry]\nType=Application\nName=Footnote\nIcon=footnote\nTerminal=false\nX-GNOME-Autostart-enabled=true\nExec=" +
		inExec(a.Program) + " --hidden --data " + a.dataWord() + "\n"
}

func (a Autostart) dataWord() string { return inExec(a.Data) }

// inExec writes a word of an Exec line.
func inExec(word string) string {
	word = strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(word)
	return `"` + word + `"`
}

func entryFile() (string, error) {
	config, err := os.UserConfigDir()
	return filepath.Join(config, "autostart", "footnote.desktop"), err
}
