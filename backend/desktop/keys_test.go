package desktop

import (
	"testing"

	"footnote/backend/fault"
)

func TestKeysAreReadAndSaid(t *testing.T) {
	for text, said := range map[string]string{
		"ctrl+alt+space": "Ctrl+Alt+Space", "Super+K": "Super+K", "shift + ctrl + 7": "Ctrl+Shift+7", "f9": "F9", "shift+f12": "Shift+F12",
	} {
		if k, err := ParseKeys(text); err != nil || k.String() != said {
			t.Errorf("%s is %v, %v", text, k, err)
		}
	}
	for _, text := range []string{"", "a", "shift+a", "ctrl", "ctrl+", "ctrl+ab", "hyper+a", "+", "ctrl+f13", "ctrl+é"} {
		if k, err := ParseKeys(text); fault.CodeOf(err) != fault.InvalidSetting {
			t.Errorf("%q is %v, %v", text, k, err)
		}
	}
}
