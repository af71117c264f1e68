package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
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

// TestAQuestionLikelyAboutFootnoteIsNotSearchedFor counts what an engine is asked.
func TestAQuestionLikelyAboutFootnoteIsNotSearchedFor(t *testing.T) {
	var asked atomic.Int64
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(`{"results":[]}`))
	}))
	defer engine.Close()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mill.md"), []byte("The Kettlewell mill has three stones.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := running(t, "library.watch=false", "models.chat=none", "web.keyless=never", "web.engines=searxng", "web.retries=0", "web.searxng.url="+engine.URL)
	if _, err := v.Library.Add(t.Context(), api.AddRequest{Paths: []string{folder}}); err != nil {
		t.Fatal(err)
	}
	awaitWord(t, v.Library, "Kettlewell")
	if run := askOffline(t, v.Runs, "Do you send my data anywhere?", "", false); run.Answer == nil || run.Answer.Outcome != contract.Chatted || asked.Load() != 0 {
		t.Errorf("asked %d times: %+v", asked.Load(), run.Answer)
	}
	if askOffline(t, v.Runs, "When was the Kettlewell mill built?", "", false); asked.Load() == 0 {
		t.Error("the engine is asked nothing at all")
	}
}
