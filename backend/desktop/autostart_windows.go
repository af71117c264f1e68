package desktop

import (
	"errors"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

const runKey, runName = `Software\Microsoft\Windows\CurrentVersion\Run`, "Footnote"

// entry is a command line that Windows starts at login.
func (a Autostart) entry() string {
	return windows.ComposeCommandLine([]string{a.Program, "--hidden", "--data"}) + " " + a.dataWord()
}

func (a Autostart) dataWord() string { return windows.EscapeArg(a.Data) }

func readEntry() (string, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.QUERY_VALUE)
	if err != nil {
		return "", err
	}
	defer key.Close()
	value, _, err := key.GetStringValue(runName)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	return value, err
}

func writeEntry(text string) error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.SetStringValue(runName, text)
}

func removeEntry() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	return key.DeleteValue(runName)
}
