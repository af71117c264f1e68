package asked

import (
	"strings"
	"testing"
)

func TestTextsHoldWhatWasTyped(t *testing.T) {
	typed := NewTyped([]Word{{Text: "running", Stem: "run"}, {Text: "lamps", Stem: "lamp"}, {Text: "con", Stem: "con", Growing: true}})
	for text, want := range map[string][2]int{
		"": {0, 0}, "The lamp was running.": {2, 1}, "Lamps run on.": {2, 1}, "two connections": {1, 0}, "A con, running lamps": {3, 3}, "icon": {0, 0},
	} {
		for range 2 { // known the second time
			if held, exact := typed.In(text).Count(); held != want[0] || exact != want[1] {
				t.Errorf("%q holds %d, %d as typed, want %v", text, held, exact, want)
			}
		}
	}
	both := typed.None()
	for _, text := range []string{"a lamp", "it runs", "the connection"} {
		if both.Whole() {
			t.Errorf("all is held before %q", text)
		}
		both.Add(typed.In(text))
	}
	if !both.Whole() || NewTyped(nil).None().Whole() {
		t.Errorf("together %+v", both)
	}
}

// BenchmarkTyped looks for three words in forty passages that share most of theirs.
func BenchmarkTyped(b *testing.B) {
	words := strings.Fields(strings.Repeat("the keeper of the lamp wrote down each ship that passed and the weather of the day before he ran ", 3))
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.Join(words[i%9:], " ")+" connection "+strings.Repeat("x", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		typed := NewTyped([]Word{{Text: "keepers", Stem: "keeper"}, {Text: "lamp", Stem: "lamp"}, {Text: "conn", Stem: "conn", Growing: true}})
		for _, text := range texts {
			typed.In(text).Count()
		}
	}
}
