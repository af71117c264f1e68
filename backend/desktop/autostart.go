package desktop

import "strings"

// Autostart is a program that starts with the session of a person.
type Autostart struct {
	Program string
	Data    string // its data folder, by which its entry is known
}

// Set has the program started, or not. An entry of another data folder is left
// alone unless it is replaced.
func (a Autostart) Set(on bool) error {
	there, err := readEntry()
	if err != nil {
		return err
	}
	switch wanted := a.entry(); {
	case on && there != wanted:
		return writeEntry(wanted)
	case !on && there != "" && strings.Contains(there, a.dataWord()):
		return removeEntry()
	}
	return nil
}
