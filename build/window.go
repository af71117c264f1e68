package main

import (
	"context"
	"path/filepath"
	"slices"
)

// x11Needs are the Debian packages of an X server for tests, and of what moves
// windows and browsers on it.
var x11Needs = []string{"xvfb", "xauth", "openbox", "xdotool", "dbus-daemon", "python3-gi", "gir1.2-gtk-3.0", "webkit2gtk-driver", "fonts-dejavu-core"}

// window does the main job in WebKit and in the real window, on X servers of its
// own. Linux only.
func window(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		return err
	}
	if err := j.debian(ctx, slices.Concat(windowNeeds, x11Needs)); err != nil {
		return err
	}
	if err := j.buildHeadless(ctx); err != nil {
		return err
	}
	desktop := j.path("build", "out", "footnote-devtools")
	if err := j.buildWindow(ctx, desktop, "devtools"); err != nil {
		return err
	}
	env := []string{"FOOTNOTE_BINARY=" + j.binary(), "FOOTNOTE_WINDOW=" + desktop, "FOOTNOTE_LIBRARY=" + j.path("build", "library")}
	onX := func(command ...string) func() error {
		return func() error {
			return j.tool(ctx, j.path("frontend"), env, "xvfb-run", append([]string{"-a", "-s", "-screen 0 1600x1000x24"}, command...)...)
		}
	}
	j.step("the UI in WebKit", onX("node", filepath.Join("e2e", "webkit.mjs")))
	j.step("the window", onX("dbus-run-session", "--", "sh", "-c", "openbox & exec node --experimental-websocket e2e/window.mjs"))
	return j.outcome()
}
