package cite

import (
	"strings"
	"testing"
	"time"
)

// Whether a sign begins a mark is told by the few characters that a mark may have: each
// sign of a text of nothing else was told by all that followed, and 100 KB took two minutes.
func TestAMarkIsToldByTheCharactersItMayHave(t *testing.T) {
	for sign, read := range map[string]func(text string) form{
		"(": func(text string) form { return readParen(text, false) },
		"<": func(text string) form { return readSup(text, ' ', false) },
	} {
		text, began := strings.Repeat(sign, 64<<20), time.Now()
		for range 1000 {
			if read(text).reading != plain {
				t.Fatalf("%s is a mark", sign)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: a thousand take %s", sign, took)
		}
	}
}
