package paper

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/goregular"
)

func TestLettersOfArabicTakeTheirShapes(t *testing.T) {
	signs := func(text string) string {
		var b strings.Builder
		for _, l := range joined([]rune(text)) {
			b.WriteRune(l.sign)
		}
		return b.String()
	}
	for text, want := range map[string]string{
		"بيت":         "\uFE91\uFEF4\uFE96", // beginning, middle, end
		"دار":         "\uFEA9\uFE8D\uFEAD", // letters that join none behind them
		"سلام":        "\uFEB3\uFEFC\uFEE1", // lam and alef are one
		"بَيت":        "\uFE91\u064E\uFEF4\uFE96",
		"می\u200cشود": "\uFEE3\uFBFD\u200C\uFEB7\uFEEE\uFEA9", // kept apart
		"latin é":     "latin é",
	} {
		if got := signs(text); got != want {
			t.Errorf("%s: %+q, not %+q", text, got, want)
		}
	}
}

// seen is a line as it stands on the page.
func seen(t *testing.T, text string) (string, bool) {
	t.Helper()
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	levels, right := levelsOf([]rune(text))
	cells := make([]cell, 0, len(levels))
	for i, r := range []rune(text) {
		cells = append(cells, cell{face: s.fonts.own[""], text: string(r), level: levels[i]})
	}
	var b strings.Builder
	for _, c := range inOrder(cells) {
		b.WriteString(c.text)
	}
	return b.String(), right
}

func TestAMarkIsOneSignToWhatStandsAroundIt(t *testing.T) {
	for text, want := range map[string]string{
		"אבג abc [12] דהו": "והד [12] abc גבא",
		"אבג (abc). [2]":   "[2] .)abc( גבא",
		"abc אבג [1] def":  "abc גבא [1] def",
		"one [1] two":      "one [1] two",
	} {
		signs := []rune(text)
		inks := make([]Ink, len(signs))
		inside := false
		for i, r := range signs {
			inside = inside || r == '['
			inks[i].Apart = inside
			inside = inside && r != ']'
		}
		levels, _ := levelsAmong(signs, inks)
		var cells []cell
		for i, r := range signs {
			cells = append(cells, cell{text: string(r), level: levels[i]})
		}
		var b strings.Builder
		for _, c := range inOrder(cells) {
			b.WriteString(c.text)
		}
		if b.String() != want {
			t.Errorf("%s: %q, not %q", text, b.String(), want)
		}
	}
}

func TestLinesRunAsTheyAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"abc 12":          "abc 12",
		"to אבג and back": "to גבא and back",
		"to אבג 12 then":  "to 12 גבא then",
		"אבג 12.5 דהו":    "והד 12.5 גבא",
		"אבג abc def דהו": "והד abc def גבא",
	} {
		got, right := seen(t, text)
		if got != want || right != strings.HasPrefix(text, "א") {
			t.Errorf("%s: %q %v, not %q", text, got, right, want)
		}
	}
}

func TestLinesEndBetweenWordsAndBetweenSignsOfHan(t *testing.T) {
	if got := breaksOf([]rune("to be")); !slices.Equal(got, []bool{false, false, true, false, true}) {
		t.Error(got)
	}
	if got := breaksOf([]rune("橋は。")); !slices.Equal(got, []bool{true, false, true}) { // a full stop begins no line
		t.Error(got)
	}
}

func TestFontsThatMayNotBeEmbeddedAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, rights byte) {
		data := slices.Clone(goregular.TTF)
		at := bytes.Index(data, []byte("OS/2"))
		start := int(data[at+8])<<24 | int(data[at+9])<<16 | int(data[at+10])<<8 | int(data[at+11])
		data[start+8], data[start+9] = 0, rights
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("restricted.ttf", 2)
	if got := offersOf(filepath.Join(dir, "restricted.ttf"), []rune{'я'}); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	write("free.ttf", 0)
	if got := offersOf(filepath.Join(dir, "free.ttf"), []rune{'я', '橋'}); len(got) != 1 || !got[0].has['я'] || got[0].has['橋'] {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.ttf"), []byte("no font"), 0o600); err != nil {
		t.Fatal(err)
	}
	if files := fontFiles([]string{dir, filepath.Join(dir, "missing")}); len(files) != 3 || len(offersOf(files[0], []rune{'я'})) > 0 {
		t.Errorf("%v", files)
	}
}

func TestTheSameTextGivesTheSameBytes(t *testing.T) {
	set := func() []byte {
		s, err := New(Options{Title: "A (title)", Changed: time.Unix(1, 0)})
		if err != nil {
			t.Fatal(err)
		}
		to := &Place{}
		for range 90 { // two pages
			s.Paragraph("P", []Piece{{Text: "Some words ", Ink: Ink{Size: 10}}, {Text: "[1]", Ink: Ink{Size: 10, Jump: to}}}, 0, 2)
		}
		s.At(to)
		s.Table([][][]Piece{{{{Text: "a", Ink: Ink{Size: 10}}}}}, 2, 0)
		b, err := s.Bytes()
		if err != nil || len(s.Lacking()) > 0 {
			t.Fatal(err, s.Lacking())
		}
		return b
	}
	if first := set(); !bytes.Equal(first, set()) || bytes.Count(first, []byte("/Type /Page /")) != 3 && bytes.Count(first, []byte("/Type /Page /")) != 2 {
		t.Errorf("%d pages", bytes.Count(first, []byte("/Type /Page /")))
	}
}
