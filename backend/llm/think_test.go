package llm

import (
	"context"
	"iter"
	"strings"
	"testing"
)

// pieces is a model that says its texts one by one, then stops.
type pieces []string

func (p pieces) Stream(context.Context, Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for _, text := range p {
			if !yield(Delta{Text: text}, nil) {
				return
			}
		}
		yield(Delta{Finish: Stop, Usage: &Usage{Calls: 1}}, nil)
	}
}

const answer = "The bridge was opened in 1987 [1] and it has been in use since then without a break."

var thinkCases = []struct{ name, said, text, thought string }{
	{"none", answer, answer, ""},
	{"block", "<think>The user asks.</think>\n" + answer, answer, "The user asks."},
	{"white space around", "\n <think>a</think>\n\n" + answer, answer, "a"},
	{"missing opening tag", "SECRET goes first.</think>" + answer, answer, "SECRET goes first."},
	{"long thought without opening tag", strings.Repeat("SECRET ", 40) + "</think>\n" + answer, answer, strings.Repeat("SECRET ", 40)},
	{"never closed", "<think>SECRET and so on", "", "SECRET and so on"},
	{"two blocks", "<think>a</think>One. <think>b</think>Two.", "One. Two.", "ab"},
	{"other name", "<thinking>a</thinking>" + answer, answer, "a"},
	{"in backquotes", "Write `<think>` and `</think>` around it.", "Write `<think>` and `</think>` around it.", ""},
	{"looks like a tag", "a < b and <thin ice> </ thin", "a < b and <thin ice> </ thin", ""},
	{"half a tag at the end", "It is <thi", "It is <thi", ""},
	{"closing tag after a block", "<think>a</think>b</think>c", "bc", "a"},
	{"empty thought", "<think></think>" + answer, answer, ""},
	{"unicode", "<think>橋は</think>橋 é 👩‍👩‍👧", "橋 é 👩‍👩‍👧", "橋は"},
}

func TestThoughtsAreSplitOffAtAnyCut(t *testing.T) {
	for _, c := range thinkCases {
		for size := 1; size <= 13; size++ {
			var parts pieces
			for rest := c.said; rest != ""; {
				n := min(size, len(rest))
				parts, rest = append(parts, rest[:n]), rest[n:]
			}
			r, err := Collect(SplitThinking(parts).Stream(t.Context(), Call{}))
			if err != nil || r.Text != c.text || r.Thinking != c.thought || r.Finish != Stop {
				t.Errorf("%s by %d: text %q, thought %q, finish %q, %v", c.name, size, r.Text, r.Thinking, r.Finish, err)
			}
		}
	}
}

func TestTextStreamsWhileItComes(t *testing.T) {
	var parts pieces
	for range 100 {
		parts = append(parts, "word ")
	}
	deltas := 0
	for d := range SplitThinking(parts).Stream(t.Context(), Call{}) {
		if d.Text != "" {
			deltas++
		}
	}
	if deltas < 80 {
		t.Errorf("100 pieces came as %d", deltas)
	}
}

func TestAModelThatLeavesTheOpeningTagOutIsRemembered(t *testing.T) {
	long := strings.Repeat("SECRET ", 40)
	model := SplitThinking(pieces{long, long, "</think>", answer})
	for turn, want := range []int{1, 0} {
		retracted := 0
		for d := range model.Stream(t.Context(), Call{Model: "some-model"}) {
			if d.Retract {
				retracted++
			}
			if turn == 1 && strings.Contains(d.Text, "SECRET") {
				t.Error("the second reply showed the thought")
			}
		}
		if retracted != want {
			t.Errorf("turn %d: %d retractions, want %d", turn, retracted, want)
		}
	}
	for d := range SplitThinking(pieces{long, "</think>", answer}).Stream(t.Context(), Call{Model: "deepseek-r1:8b"}) {
		if d.Retract || strings.Contains(d.Text, "SECRET") {
			t.Errorf("a known thinker showed %+v", d)
		}
	}
}

func TestThoughtsOfTheServerPassThrough(t *testing.T) {
	model := deltas{{Thinking: "hm"}, {Text: "a"}, {Call: &ToolCall{Name: "x"}}, {Finish: UseTools}}
	r, err := Collect(SplitThinking(model).Stream(t.Context(), Call{}))
	if err != nil || r.Thinking != "hm" || r.Text != "a" || len(r.Calls) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTheListenerMayLeaveAtAnyPoint(t *testing.T) {
	for _, c := range thinkCases {
		for stop := range 8 {
			n := 0
			for range SplitThinking(pieces(strings.SplitAfter(c.said, " "))).Stream(t.Context(), Call{}) {
				if n++; n > stop {
					break
				}
			}
		}
	}
}

// deltas is a model that yields what it is made of.
type deltas []Delta

func (d deltas) Stream(context.Context, Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for _, one := range d {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// FuzzSplitThinking: wherever a text is cut, the same comes out, and no letter
// of it is lost but tags and white space.
func FuzzSplitThinking(f *testing.F) {
	for _, c := range thinkCases {
		f.Add(c.said, uint8(3))
	}
	f.Fuzz(func(t *testing.T, said string, size uint8) {
		var parts pieces
		for rest := said; rest != ""; {
			n := min(int(size)+1, len(rest))
			parts, rest = append(parts, rest[:n]), rest[n:]
		}
		one, _ := Collect(SplitThinking(pieces{said}).Stream(t.Context(), Call{}))
		cut, _ := Collect(SplitThinking(parts).Stream(t.Context(), Call{}))
		if one.Text != cut.Text || one.Thinking != cut.Thinking {
			t.Errorf("whole %q / %q, cut %q / %q", one.Text, one.Thinking, cut.Text, cut.Thinking)
		}
		if !strings.Contains(said, "think") && !strings.Contains(said, "thought") && one.Text != said {
			t.Errorf("%q became %q", said, one.Text)
		}
	})
}
