package answer_test

import (
	"context"
	"testing"

	"footnote/backend/answer/contract"
)

// busy is an encoder that is late for every answer but those after its turns.
type busy struct {
	certain
	late *int
}

func (b busy) On() bool { return true }

func (b busy) Near(ctx context.Context, question string, texts []string) ([]float64, bool) {
	if *b.late > 0 {
		*b.late--
		return nil, false
	}
	return b.certain.Near(ctx, question, texts)
}

func TestAnAnswerGradedByWordsAloneSaysSoAndIsNotGivenAgain(t *testing.T) {
	s, late := set(t, nil, nil), 1
	s.Meaning = busy{certain{word: "503"}, &late}
	local := func(q *contract.Question) { q.Focus, q.Cache = contract.FocusLocal, true }
	hasty := finished(t, s.ask(t, howLong, local))
	if !noticed(hasty, "graded-by-words") {
		t.Errorf("%s: %v", hasty.Grade, hasty.Notices)
	}
	calm := finished(t, s.ask(t, howLong, local))
	if calm.Cached || noticed(calm, "graded-by-words") || *calm.Confidence == *hasty.Confidence {
		t.Errorf("cached %v, %v, %.2f after %.2f", calm.Cached, calm.Notices, *calm.Confidence, *hasty.Confidence)
	}
	if again := finished(t, s.ask(t, howLong, local)); !again.Cached {
		t.Error("the calm answer was not kept")
	}
}
