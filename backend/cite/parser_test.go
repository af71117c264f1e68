package cite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// parse feeds text in chunks of size n, whole when n is 0, and returns the
// canonical text with the pieces, neighbouring text joined.
func parse(text string, sources, n int) (string, []Piece) {
	p := NewParser(sources)
	var all []Piece
	if n <= 0 {
		n = len(text) + 1
	}
	for len(text) > n {
		all = append(all, p.Feed(text[:n])...)
		text = text[n:]
	}
	all = append(all, p.Feed(text)...)
	return join(append(all, p.Close()...))
}

func join(pieces []Piece) (string, []Piece) {
	var canonical strings.Builder
	var joined []Piece
	for _, piece := range pieces {
		canonical.WriteString(piece.Text)
		if n := len(joined); piece.Kind == Text && n > 0 && joined[n-1].Kind == Text {
			joined[n-1].Text += piece.Text
			continue
		}
		joined = append(joined, piece)
	}
	return canonical.String(), joined
}

// styles reads the corpus of ways to write a mark, with five sources.
func styles(t testing.TB) [][2]string {
	t.Helper()
	b, err := os.ReadFile("testdata/marks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all [][2]string
	for line := range strings.Lines(string(b)) {
		var x struct{ In, Out string }
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, [2]string{x.In, x.Out})
	}
	return all
}

func TestEveryStyleBecomesCanonical(t *testing.T) {
	all, wrong := styles(t), 0
	for _, c := range all {
		if got, _ := parse(c[0], 5, 0); got != c[1] {
			wrong++
			t.Logf("%q\n  got  %q\n  want %q", c[0], got, c[1])
		}
	}
	t.Logf("%d of %d cases wrong", wrong, len(all))
	if len(all) < 300 || float64(wrong) >= 0.005*float64(len(all)) {
		t.Errorf("%d of %d cases wrong; below 0.5 %% of at least 300 is allowed", wrong, len(all))
	}
}

// holdsForEveryCut checks what must be true of any text.
func holdsForEveryCut(t *testing.T, text string, cuts ...int) {
	t.Helper()
	whole, pieces := parse(text, 4, 0)
	for _, n := range cuts {
		if got, parts := parse(text, 4, n); got != whole || !slices.Equal(pieces, parts) {
			t.Fatalf("chunks of %d: %q\n whole: %q\n got:   %q", n, text, whole, got)
		}
	}
	for _, p := range pieces {
		if p.Kind == Marker && (p.N < 1 || p.N > 4 || p.Text != "["+strconv.Itoa(p.N)+"]") {
			t.Fatalf("%q gave the marker %+v", text, p)
		}
	}
	same, _ := join(Pieces(whole))
	if same != whole {
		t.Fatalf("cutting %q into pieces made it %q", whole, same)
	}
	for _, c := range Claims(whole) {
		if c.Sentence.Start < 0 || c.Sentence.Start > c.Sentence.End || c.Sentence.End > len(whole) || len(c.Markers) == 0 {
			t.Fatalf("%q has the claim %+v", whole, c)
		}
	}
}

func FuzzParserCuts(f *testing.F) {
	f.Add("A [1, 2] (Source: [4]) `x[1]` [2024] [a](b) \\[1\\] <sup>[1]</sup> Sources 1, 2 and 3.\n[^1]: d\n```\n[1]\n```\n", uint8(3))
	for _, c := range styles(f) {
		f.Add(c[0], uint8(len(c[0])/2))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		holdsForEveryCut(t, text, 1, int(cut%7)+1, int(cut)+1)
	})
}

// fragments are what texts are made of that puts the parser to the test.
var fragments = []string{"[", "]", "[1]", "[2", "1", "2", ", ", " ", "  ", "\n", "\n\n", "^", "(", ")", "Source 1", "Sources 1, 2 and 3", "Source", "s ", "`", "```", "~~~",
	"http://x/", "](", "word", "a", "arr", ".", ".b", "=", " = ", "+", "\\", "<sup>", "</sup>", "【", "】", "†source", "-", "–", " and ", "[9]", "2024", "|", "- ", "    ", "日本。", "é",
	"[^1]:", "(Source: [4])", "[[", "]]", "*", "[1, 2]", "(see [1])", "#", "0", ";", "ſource 1", "[Source ", "[doc", "\t", "\u00a0", ":",
	"^[", "]^", "$", "$^{", "}$", "\\cite{", "}", "¹", "²", "⁹", "⁻", "（", "）", "来源", "Quelle", "[*", "\"", "…", "cite", "[cite_start]", "<cite>", "</cite>", "–[3]", "[\\[", "\\]]", "S", "no", "|"}

func TestRandomTextsParseTheSameForEveryCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 6000
	if testing.Short() {
		n = 500
	}
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(24) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		holdsForEveryCut(t, b.String(), 1, 2, 3, 5, 1+r.IntN(30))
	}
}

func TestCanonicalTextStaysAsItIs(t *testing.T) {
	for _, c := range styles(t) {
		if again, _ := parse(c[1], 5, 0); again != c[1] && !strings.HasSuffix(c[1], "[") && c[0] != c[1] {
			t.Errorf("%q became %q", c[1], again)
		}
	}
}

func TestOnlyAPossibleMarkIsHeldBack(t *testing.T) {
	for _, c := range []struct{ text, held string }{
		{"The bridge was opened", ""}, {"The bridge [", " ["}, {"The bridge [1", " [1"}, {"The bridge [see the", ""}, {"The [long bracket", ""},
		{"The bridge (", " ("}, {"The bridge (Sou", " (Sou"}, {"The bridge (built", ""}, {"A Sour", " Sour"}, {"A Sourdough", ""}, {"A `[1", ""}, {"word ", " "},
	} {
		p := NewParser(3)
		got, _ := join(p.Feed(c.text))
		if got+c.held != c.text {
			t.Errorf("%q: wrote %q, want all but %q", c.text, got, c.held)
		}
	}
}

func TestNothingIsHeldBackForLong(t *testing.T) {
	for _, open := range []string{"[", "[1 ", "[1, ", "(Source: [1] ", "【", "<sup>", "\\[", "[1](http://", "Sources 1, ", "Sources 1"} {
		p := NewParser(3)
		text := open + strings.Repeat("1, ", 400)
		got, _ := join(p.Feed(text))
		if len(text)-len(got) > 3*longestAddress {
			t.Errorf("%q…: %d bytes held back", open, len(text)-len(got))
		}
	}
}

func TestADroppedMarkSaysWhy(t *testing.T) {
	_, pieces := parse("A [9] b [^] c [1, 7].", 5, 0)
	var got []string
	for _, p := range pieces {
		if p.Kind == Drop {
			got = append(got, fmt.Sprintf("%d %s %s", p.N, p.Raw, p.Reason))
		}
	}
	if want := []string{"9 [9] no-such-source", "0 [^] malformed", "7 [1, 7] no-such-source"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
