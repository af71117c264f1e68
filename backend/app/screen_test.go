package app

import (
	"testing"

	"footnote/backend/fault"
)

func TestAWindowNeedsAScreen(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	if err := screen("linux", none); fault.CodeOf(err) != fault.InvalidRequest || fault.Of(err).Hint == "" {
		t.Errorf("without one: %v", err)
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "GDK_BACKEND"} {
		if err := screen("linux", func(asked string) string {
			if asked == name {
				return "here"
			}
			return ""
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, system := range []string{"windows", "darwin"} {
		if err := screen(system, none); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
}
