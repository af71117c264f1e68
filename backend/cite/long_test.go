package cite

import (
	"slices"
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

// Of the words beside a number the nearest counts: all of them were measured, each by all
// words in between, and a passage of 24 KB that says one thing again and again took a minute.
func TestTheNearestWordIsTheOneBesideANumber(t *testing.T) {
	c, err := NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	c.Check("The bridge was opened in 1932.", "", strings.Repeat("bridge 1932 ", 2000))
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it takes %s", took)
	}
	s := c.Read("tower, then bridge (1874) and near it the old bridge").sentences[0]
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "1874" })
	if got, want := nearest(&s, "bridg", at), nearness(&s, at-1, at); got != want {
		t.Errorf("near is %v, not %v", got, want)
	}
	if got := nearest(&s, "lamp", at); got != 0 {
		t.Errorf("what is not there is near by %v", got)
	}
}
