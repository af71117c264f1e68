package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

func TestAnAnswerThatIsCutOffSaysSo(t *testing.T) {
	for finish, why := range map[llm.Finish]string{llm.Length: "length limit", llm.Repeated: "repeat itself", llm.Stop: ""} {
		long := chat("The bridge over the Lorne was opened on 3 May 1932 [1]. It is")
		long.Finish = finish
		s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("Lorne bridge opened"), long)}, nil)
		events := s.ask(t, "When was the bridge over the Lorne opened?", nil)
		said := finished(t, events).CutOff()
		if (said != "") != (why != "") || why != "" && (!strings.Contains(said, "cut off") || !strings.Contains(said, why)) {
			t.Errorf("%s: %q", finish, said)
		}
	}
}
