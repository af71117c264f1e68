package desktop

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
)

// entry is an agent that launchd starts at login.
func (a Autostart) entry() string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>footnote</string>
<key>RunAtLoad</key><true/>
<key>ProgramArguments</key><array>` + inList(a.Program) + inList("--hidden") + inList("--data") + a.dataWord() + `</array>
</dict></plist>
`
}

func (a Autostart) dataWord() string { return inList(a.Data) }

func inList(word string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(word)) // a Builder takes all
	return "<string>" + b.String() + "</string>"
}

func entryFile() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", "footnote.plist"), err
}
