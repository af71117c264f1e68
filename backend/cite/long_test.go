package cite

import (
	"strings"
	"testing"
	"time"
)

// Whether a sign begins a mark is told by the few characters that a mark may have: each
// sign of a text of nothing else was told by all that followed, and 100 KB took two minutes.
func TestAMarkIsToldByTheCharactersItMayHave(t *testing.T) {
	const n = 16 << 20
	for text, read := range map[string]func(text string) form{
		strings.Repeat("(", n):                 func(text string) form { return readParen(text, false) },
		strings.Repeat("<", n):                 func(text string) form { return readSup(text, ' ', false) },
		strings.Repeat("【", n):                 func(text string) form { return readBracket(text, false) },
		"Sources 1" + strings.Repeat(", 2", n): func(text string) form { return readNamed(text, false) },
		"[1](http://" + strings.Repeat("a", n): func(text string) form { return NewParser(3).readMark("", text, false) },
	} {
		began := time.Now()
		for range 4000 {
			if read(text).size > longestMark {
				t.Fatalf("%.20s… is a mark of %d bytes", text, read(text).size)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%.20s…: four thousand take %s", text, took)
		}
	}
}

// What waits for its end is not read anew with each chunk.
func TestWhatIsHeldBackIsReadOnce(t *testing.T) {
	for _, unit := range []string{"`", " ", "Sources 1, 2, 3, 4, 5, 6, 7, 8, "} {
		p, text, began := NewParser(9), strings.Repeat(unit, 1<<19/len(unit)), time.Now()
		for i := range len(text) {
			p.Feed(text[i : i+1])
		}
		if len(p.buf) > longestAddress {
			t.Errorf("%q: %d bytes are held back", unit, len(p.buf))
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q: %s", unit, took)
		}
	}
}
