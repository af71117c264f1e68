package app

import (
	"context"

	"golang.org/x/sys/windows"
)

// alert shows a text to a person who sees no terminal, and waits until it is read.
func alert(_ context.Context, text string) error {
	body, err := windows.UTF16PtrFromString(text)
	if err != nil {
		return err
	}
	title, err := windows.UTF16PtrFromString("Footnote")
	if err != nil {
		return err
	}
	_, err = windows.MessageBox(0, body, title, windows.MB_OK|windows.MB_ICONERROR)
	return err
}
