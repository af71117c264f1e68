package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

// TestAHandbookIsAskedBeforeFootnoteIntroducesItself asks what is about a program in the
// files and what is about Footnote: both look alike to the classifier of intents.
func TestAHandbookIsAskedBeforeFootnoteIntroducesItself(t *testing.T) {
	folder := t.TempDir()
	text := "# Kettlewell handbook\n\nTo start the program, press the green button on the front panel. A new user is added in the menu Staff by its administrator.\n"
	if err := os.WriteFile(filepath.Join(folder, "handbook.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v := shelved(t, folder)
	awaitWord(t, v.Library, "Kettlewell")
	for question, want := range map[string]contract.Outcome{
		"How do I start the program?":   contract.Extracted,
		"How do I add a user?":          contract.Extracted,
		"Can you read my PDFs?":         contract.Chatted,
		"Do you send my data anywhere?": contract.Chatted,
		"What can you do?":              contract.Chatted,
	} {
		run := askOffline(t, v.Runs, question, "", true)
		if run.Answer == nil || run.Answer.Outcome != want || want == contract.Extracted && !strings.ContainsAny(run.Answer.Answer, "123") {
			t.Errorf("%s: %+v", question, run.Answer)
		}
	}
}
