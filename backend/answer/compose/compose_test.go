package compose_test

import (
	"testing"

	"footnote/backend/answer/answertest"
	"footnote/backend/answer/compose"
	"footnote/backend/answer/contract"
	"footnote/backend/llm"
)

func TestComposingIsTheTextOfTheModelWithItsMarkersBound(t *testing.T) {
	text := answertest.Sentence[:len(answertest.Sentence)-1] + " [1]."
	task, models := answertest.Task("How long is the Lorne bridge?"), &llm.RoleModels{Chat: llm.ResolvedModel{Name: "test/m", Model: answertest.Saying(text)}}
	tell := answertest.Teller(t, models)
	c := &compose.Composer{Tell: tell, Task: task, Models: models, Binder: answertest.Binder(t, task), Settled: func() error { return nil }, Selection: answertest.Selection()}
	draft, err := c.Compose(t.Context())
	if err != nil || draft.Text != text || tell.Partial() != text {
		t.Errorf("%q, %v", draft.Text, err)
	}
	if got := answertest.Told[contract.Cited](tell); len(got) != 1 || got[0].Passage != answertest.Selection().Chosen[0].Passage.ID || tell.Usage.Chat.Calls != 1 {
		t.Errorf("told %+v, %+v", got, tell.Usage)
	}
}
