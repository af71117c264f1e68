package llm

import (
	"context"
	"iter"
	"strings"
	"testing"
	"time"
)

// endless says the same piece for ever and counts how often.
type endless struct {
	next func(n int) string
	n    int
}

func (e *endless) Stream(context.Context, Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for e.n = 0; ; e.n++ {
			if !yield(Delta{Text: e.next(e.n)}, nil) {
				return
			}
		}
	}
}

func numbers(n int) string {
	return strings.Repeat(string(rune('a'+n%26)), n%7+1) + " " + time.Duration(n*n).String() + " "
}

func TestStreamsThatDoNotEndAreEnded(t *testing.T) {
	cases := []struct {
		name   string
		next   func(int) string
		call   Call
		finish Finish
		most   int // bytes
	}{
		{"endless", numbers, Call{}, Length, 20000},
		{"beyond what was asked", numbers, Call{MaxTokens: 100}, Length, 600},
		{"the same sentence", func(int) string { return "I do not know. " }, Call{}, Repeated, 4000},
		{"one letter", func(int) string { return "a" }, Call{}, Repeated, 4000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := Collect(Bounded(&endless{next: c.next}, 5000).Stream(t.Context(), c.call))
			if err != nil || r.Finish != c.finish || len(r.Text) > c.most || !r.Usage.Estimated || r.Usage.Completion == 0 {
				t.Errorf("%d bytes, finish %q, usage %+v, %v", len(r.Text), r.Finish, r.Usage, err)
			}
		})
	}
}

func TestAHealthyReplyIsNotBounded(t *testing.T) {
	text := strings.Repeat("A table row | 1 |\n", 60) + answer
	r, err := Collect(Bounded(pieces(strings.SplitAfter(text, " ")), 5000).Stream(t.Context(), Call{MaxTokens: 2000}))
	if err != nil || r.Text != text || r.Finish != Stop {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCountedCountsEveryCall(t *testing.T) {
	var got []Usage
	count := func(_ Call, u Usage) { got = append(got, u) }
	_, _ = Collect(Counted(pieces{"a"}, count).Stream(t.Context(), Call{}))
	for range Counted(pieces{"a b c d", "e"}, count).Stream(t.Context(), Call{Messages: []Message{{Text: "question"}}}) {
		break
	}
	if len(got) != 2 || got[0].Estimated || !got[1].Estimated || got[1].Prompt == 0 || got[1].Completion == 0 {
		t.Errorf("%+v", got)
	}
}

func TestPeriod(t *testing.T) {
	for text, want := range map[string]int{"aaaa": 1, "ababa": 2, "abcabcab": 3, "abcd": 4} {
		if got := period([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
