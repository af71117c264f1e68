package answer_test

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// What a file says of something else is no evidence for a question to the web, however new
// the file is and however many places are free: no card, and not in the prompt.
func TestFilesAboutSomethingElseStayOutOfWebQuestions(t *testing.T) {
	for name, model := range map[string]llm.Model{"quoted": nil, "written": llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It is 503 metres long [1]."))} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t)
			var models llm.ModelSource
			if model != nil {
				models = oneModel{name: "cloud/m", model: wired{model, w}, abil: llm.Ability{Window: 16000}}
			}
			s := set(t, models, func(s *stage) {
				s.shelf.files = map[string]string{"/home/ann/mri.txt": "MRI of the left knee: no finding.", "/home/ann/History.txt": bridgeFile}
			})
			a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
			has := func(title string) bool {
				return slices.ContainsFunc(a.Sources, func(c contract.SourceCard) bool { return c.Kind == evidence.File && c.Title == title })
			}
			if has("mri.txt") || !has("History.txt") {
				t.Errorf("%+v", a.Sources)
			}
			if model != nil {
				w.checkLedger(t, a, nil)
				for _, came := range w.came {
					if strings.Contains(came, "left knee") {
						t.Error("the prompt has text of a file that has nothing to do with the question")
					}
				}
			}
		})
	}
}
