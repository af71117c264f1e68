package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/api"
)

// TestTypingErrorsAreMendedAndWordsStay asks over files in four languages: what no file
// has is no typing error while it is a word.
func TestTypingErrorsAreMendedAndWordsStay(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"handbuch.md": "Die Heizung wird im Keller gesteuert. Die Temperatur im Keller liegt bei 12 Grad. Die Entwickler der Anlage sitzen in Bremen, der Gewinn bleibt im Verein. Am Anfang des Jahres wird die Pumpe mit dem Kessel verbunden.\n",
		"appunti.md":  "Per annotare una bolla si apre il registro nella stanza accanto. Le bolle differenti stanno nel secondo scaffale.\n",
		"notes.md":    "The arrangement of the shelves is shown on the plan. Combine both functions with the lever. A missing label is written anew. The latency of the pump is two seconds.\n",
		"notas.md":    "El encargado guarda la contraseña en el armario de la entrada y cambia las llaves cada mes. Para añadir una llave se llama al taller.\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := shelved(t, folder, "rank.encoder=off")
	for _, word := range []string{"Keller", "bolle", "shelves", "encargado"} {
		awaitWord(t, v.Library, word)
	}
	for question, want := range map[string]string{
		"Welche Temparatur hat der Keller?":              "Read as: Welche Temperatur hat der Keller?",
		"Wie hoch ist der Gewin im Verein?":              "Read as: Wie hoch ist der Gewinn im Verein?",
		"¿Dónde está guardada la contrsaeña?":            "Read as: ¿Dónde está guardada la contraseña?",
		"What does the arangement show?":                 "Read as: What does the arrangement show?",
		"What if I am messing up a label?":               "",
		"Wann anfängt das Jahr im Keller?":               "",
		"Wie verbinde ich die Pumpe?":                    "",
		"¿Por qué añadí una llave?":                      "",
		"Wer hat die Anlage entwickelt?":                 "",
		"Come si annotano le bolle?":                     "",
		"Qual è la differenza tra le bolle?":             "",
		"Combien coûte une bouteille de cidre au port ?": "",
		"¿Cuál es la latencia del registro?":             "",
		"¿Cómo funciona el arranque?":                    "",
	} {
		run := askOffline(t, v.Runs, question, "", true)
		if run.Answer == nil {
			t.Fatalf("%s: no answer", question)
		}
		got := ""
		for _, n := range run.Answer.Notices {
			if n.Code == "spelled" {
				got = n.Message
			}
		}
		if got != want {
			t.Errorf("%s\n got %q\nwant %q", question, got, want)
		}
	}
}

// awaitWord waits until a word of a file can be found.
func awaitWord(t *testing.T, v api.Library, word string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if found, err := v.Search(t.Context(), api.SearchQuery{Q: word, Limit: 1}); err == nil && len(found.Items) > 0 {
			return
		}
	}
	t.Fatalf("%s is not found", word)
}

// shelved is a program of which a folder is the library.
func shelved(t *testing.T, folder string, settings ...string) *api.Services {
	t.Helper()
	v := running(t, append(settings, "library.watch=false", "models.chat=none", "web.enabled=false")...)
	if _, err := v.Library.Add(t.Context(), api.AddRequest{Paths: []string{folder}}); err != nil {
		t.Fatal(err)
	}
	return v
}
