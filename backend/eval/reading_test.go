package eval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/evidence"
)

func writePart(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDocumentsAreComparedWithTheirReferences(t *testing.T) {
	dir := t.TempDir()
	writePart(t, dir, "manifest.jsonl", `{"file":"pdf/a.pdf","format":"pdf","category":"normal","refs":[{"kind":"source","file":"a.tex"},{"kind":"text","file":"ref/a.txt"}]}
{"file":"pdf/b.pdf","format":"pdf","category":"normal","refs":[{"kind":"text","path":"ref/b.md"}]}
{"file":"pdf/c.pdf","format":"pdf","category":"normal","refs":[{"kind":"text","file":"ref/a.txt"}]}
{"file":"odd/d.pdf","format":"pdf","category":"encrypted","refs":[]}
`)
	writePart(t, dir, "ref/a.txt", "the lamp was lit at dusk")
	writePart(t, dir, "ref/b.md", "# The *lamp*\n\n<!-- image -->\n![a picture](x.png) was [lit](https://example.org/dusk) at dusk &amp; dawn")
	texts := map[string]string{"a.pdf": "The lamp was lit at dusk.", "b.pdf": "dusk at lit was lamp The dawn"}
	scores := filepath.Join(dir, "scores.jsonl")
	rows, err := Documents(context.Background(), []string{dir}, DocumentOptions{ScoresFile: scores, Extract: func(_ context.Context, path string) (evidence.Document, error) {
		if text, ok := texts[filepath.Base(path)]; ok {
			return evidence.Document{Text: text}, nil
		}
		return evidence.Document{}, errors.New("damaged: it cannot be read")
	}})
	if err != nil {
		t.Fatal(err)
	}
	all := rows[0]
	if all.Files != 3 || all.Read != 4 || all.Failed != 1 || all.WordF1P10 != 0 || len(rows) != 3 {
		t.Errorf("%+v", rows)
	}
	if want := (1 + 1 + 0.0) / 3; all.WordF1Mean != want {
		t.Errorf("mean %v, want %v", all.WordF1Mean, want)
	}
	if all.OrderF1 >= all.WordF1Mean || all.OrderF1 < 0.3 {
		t.Errorf("order %v", all.OrderF1)
	}
	if raw, err := os.ReadFile(scores); err != nil || strings.Count(string(raw), "\n") != 4 || !strings.Contains(string(raw), "damaged") {
		t.Errorf("%v %s", err, raw)
	}
	if _, err := Documents(context.Background(), []string{t.TempDir()}, DocumentOptions{}); err == nil {
		t.Error("an empty folder is measured")
	}
}

func TestPagesAreComparedWithWhatPeopleMarked(t *testing.T) {
	dir := t.TempDir()
	article := "<p>" + strings.Repeat("The lamp of the tower burns whale oil, and the keeper fills it at dusk. ", 12) + "</p>"
	page := "<html><body><nav><a href=/>Home</a> <a href=/b>Boats</a></nav><article><h1>Lamp</h1>" + article + "</article><footer>All rights reserved</footer></body></html>"
	writePart(t, dir, "one/source.html", page)
	writePart(t, dir, "one/expected.html", "<div><h1>Lamp</h1>"+article+"</div>")
	writePart(t, dir, "fixtures/two.html", page)
	writePart(t, dir, "expected/two.md", "```json\n{\n  \"title\": \"Lamp\"\n}\n```\n# Lamp\n\n"+strings.TrimSuffix(strings.TrimPrefix(article, "<p>"), "</p>"))
	rows, err := Pages(context.Background(), []string{dir}, PageOptions{Method: "all"})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Pages != 2 || rows[0].Failed != 0 || rows[0].F1 < 0.97 || rows[1].Method != "readability" {
		t.Errorf("%+v", rows)
	}
	if _, err := Pages(context.Background(), []string{t.TempDir()}, PageOptions{}); err == nil {
		t.Error("an empty folder is measured")
	}
}

func TestWordsAreCountedAlikeInAllScripts(t *testing.T) {
	for text, want := range map[string]string{
		"The ﬁrst, ﬂat “word”.": "the first flat word",
		"風の word 又三郎":           "風 の word 又 三 郎",
		"don't 3.5 naïve":       "don t 3 5 naïve",
	} {
		if got := strings.Join(wordsOf(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
