package llm

import (
	"context"
	"iter"
)

const (
	repeatWindow = 1536 // bytes of text that must be one pattern over and over
	repeatPeriod = 160  // longest pattern
)

// Bounded ends streams that do not end by themselves: after tokens estimated
// tokens of text and thinking together, after a quarter more text than
// Call.MaxTokens asked for, and when a model repeats itself. The reply then ends
// with Finish Length or Repeated and an estimated usage; what had come stays.
func Bounded(model Model, tokens int) Model { return &bounded{model, tokens} }

type bounded struct {
	model  Model
	tokens int
}

// Stream implements Model.
func (b *bounded) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		watch := lengthWatch{all: b.tokens, answer: call.MaxTokens + call.MaxTokens/4}
		for d, err := range b.model.Stream(ctx, call) {
			if !yield(d, err) || err != nil {
				return
			}
			if finish := watch.hear(d); finish != "" && d.Finish == "" {
				used := Usage{Prompt: EstimatePrompt(call), Completion: watch.whole.Total(), Calls: 1, Estimated: true}
				yield(Delta{Finish: finish, Usage: &used}, nil)
				return
			}
		}
	}
}

type lengthWatch struct {
	all, answer int // 0 = no limit
	text, whole TokenCount
	tail        []byte
	unchecked   int
}

// hear counts a delta and says why the stream must end, empty when it need not.
func (w *lengthWatch) hear(d Delta) Finish {
	if d.Retract { // it was thought
		w.text = TokenCount{}
	}
	w.text.Add(d.Text)
	w.whole.Add(d.Text)
	w.whole.Add(d.Thinking)
	if w.answer > 0 && w.text.Total() > w.answer || w.all > 0 && w.whole.Total() > w.all {
		return Length
	}
	if w.repeats(d.Text + d.Thinking) {
		return Repeated
	}
	return ""
}

func (w *lengthWatch) repeats(text string) bool {
	w.tail = append(w.tail, text...)
	if w.unchecked += len(text); w.unchecked < repeatPeriod {
		return false
	}
	w.unchecked = 0
	if over := len(w.tail) - repeatWindow; over > 0 {
		w.tail = append(w.tail[:0], w.tail[over:]...)
	}
	return len(w.tail) == repeatWindow && period(w.tail) <= repeatPeriod
}

// period is the length of the shortest pattern that text is made of, the last
// copy of which may be cut.
func period(text []byte) int {
	border := make([]int, len(text)) // of the prefix that ends here
	for i, k := 1, 0; i < len(text); i++ {
		for k > 0 && text[i] != text[k] {
			k = border[k-1]
		}
		if text[i] == text[k] {
			k++
		}
		border[i] = k
	}
	return len(text) - border[len(text)-1]
}
