package command_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/store"
	"footnote/backend/web/webtest"
)

// TestEveryBadgeOpensAtAHighlightedPassage asks questions of files and pages, and
// resolves each citation of each answer to the stored text, as the window does.
func TestEveryBadgeOpensAtAHighlightedPassage(t *testing.T) {
	d := sit(t)
	d.write("menu.md", "# Menu\n\nÉclairs cost 4 €. Naïve buyers pay 5 €.\n\n## Bread\n\nThe rye loaf rests for 18 hours before it is baked.\n")
	d.web.Pages = []webtest.Page{
		{Address: "https://example.org/lorne", Title: "Lorne bridge", Text: "# Lorne bridge\nThe Lorne bridge is 503 metres long. It carries a road and two railway tracks."},
		{Address: "https://example.org/rye", Title: "Rye bread", Text: "# Rye\nA rye loaf rests for ten hours before it is baked, or even longer. “Déjà vu”, say the bakers."},
	}
	answers := d.answersTo("When was the bridge over the Lorne opened?", "How long is the Lorne bridge?", "How many workers died?",
		"What do éclairs cost?", "How long does the rye loaf rest before it is baked?", "What does the Lorne bridge carry?")
	kinds := d.resolveAll(answers)
	if kinds[evidence.File] < 4 || kinds[evidence.Web] < 4 {
		t.Errorf("%v badges were tried, want some of both", kinds)
	}
}

// TestEveryBadgeOfEveryKindOfFileOpens asks the files that come with the program:
// prose, tables, rows, pages of a PDF, and what is counted.
func TestEveryBadgeOfEveryKindOfFileOpens(t *testing.T) {
	t.Parallel()
	d := sit(t)
	library, err := filepath.Glob("../../build/library/*.*")
	if err != nil || len(library) < 5 {
		t.Fatal(library, err)
	}
	for _, path := range library {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d.write(filepath.Base(path), string(body))
	}
	answers := d.answersTo("How high is the tower?", "What does a ticket cost for a family?", "When does the boat leave on Saturday?", "When is high water on 5 May 2026?",
		"When is the causeway closed on 2026-05-03?", "How long does the crossing take?", "How many files mention the fog horn?", "How many files mention \"boat\"?",
		"What does the insurance policy cover?", "How much is the excess of the policy?", "Who pays for the new roof?", "What must volunteers do when there is a fire?",
		"How long must the oat bread bake?", "When did the fog horn sound again?", "Who decides whether the boat sails?")
	kinds := d.resolveAll(answers)
	if cited := citedFiles(answers); cited < 6 || kinds[evidence.File] < 15 {
		t.Errorf("%v badges of %d files were tried", kinds, cited)
	}
}

func citedFiles(answers []contract.Answer) int {
	files := map[string]bool{}
	for _, a := range answers {
		for _, c := range a.Citations {
			files[a.Sources[c.Marker-1].Path] = true
		}
	}
	return len(files)
}

// TestEveryBadgeThatAModelWroteOpens cites in the ways models do: behind the stop,
// twice, in tables and lists, rightly, wrongly and out of the air.
func TestEveryBadgeThatAModelWroteOpens(t *testing.T) {
	d := sit(t)
	d.web.Pages = []webtest.Page{{Address: "https://example.org/lorne", Title: "Lorne bridge", Text: "# Lorne bridge\nThe Lorne bridge is 503 metres long. It carries a road and two railway tracks. Naïve “quotes” – and dashes."}}
	text := "# Bridge\n\nThe bridge over the Lorne was opened in 1932.[1] It is 503 metres long [1, 2], and it carries a road and two tracks【2】.\n\n" +
		"- Elephants built it [2].\n- 4,711 workers died. (Source: [1])\n\n| What | How much |\n| --- | --- |\n| Length | 503 metres [2] |\n| Tracks | [2] |\n\n" +
		"“Naïve “quotes” – and dashes” [2]. It was painted red [7]."
	chat := llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "chat" }}
	d.model = llmtest.NewScripted(chat, llmtest.Reply{Text: "[]"})
	answers := d.answersTo("How long is the Lorne bridge, and when was it opened?", "--model", "test/m")
	if kinds := d.resolveAll(answers); kinds[evidence.File]+kinds[evidence.Web] < 8 || kinds[evidence.File] == 0 {
		t.Errorf("%v badges were tried: %s", kinds, answers[0].Answer)
	}
}

// answersTo asks questions of the folder, with the flags among them.
func (d *desk) answersTo(questions ...string) (answers []contract.Answer) {
	d.t.Helper()
	var flags []string
	if at := slices.IndexFunc(questions, func(q string) bool { return strings.HasPrefix(q, "--") }); at >= 0 {
		questions, flags = questions[:at], questions[at:]
	}
	for _, question := range questions {
		said := d.run(append([]string{"ask", "--json", "--files", d.dir, question}, flags...)...)
		var a contract.Answer
		if err := json.Unmarshal([]byte(said.out), &a); err != nil {
			d.t.Fatalf("%s: %v: %s %s", question, err, said.out, said.errs)
		}
		answers = append(answers, a)
	}
	return answers
}

// resolveAll follows every badge of every answer, and counts them by the kind of
// source.
func (d *desk) resolveAll(answers []contract.Answer) map[evidence.Kind]int {
	d.t.Helper()
	db, err := store.Open(d.t.Context(), d.data, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	kinds := map[evidence.Kind]int{}
	for _, a := range answers {
		d.t.Logf("%s\n%s", a.Question, a.Answer)
		for _, m := range cite.Markers(a.Answer, 0) {
			at := utf8.RuneCountInString(a.Answer[:m.Span.Start])
			if !slices.ContainsFunc(a.Citations, func(c contract.Citation) bool { return c.Marker == m.N && c.Claim.Start <= at }) {
				d.t.Errorf("%s: [%d] at %d opens nothing", a.Question, m.N, at)
			}
		}
		for _, c := range a.Citations {
			src, err := db.Source(d.t.Context(), c.Source)
			if err != nil {
				d.t.Errorf("%s: %v", c.Claim.Text, err)
				continue
			}
			kinds[src.Kind]++
			resolve(d.t, db, c)
		}
	}
	d.t.Logf("badges: %v", kinds)
	return kinds
}

// resolve follows a citation to its highlighted words in the stored text.
func resolve(t *testing.T, db *store.DB, c contract.Citation) {
	t.Helper()
	passage, src, err := db.Passage(t.Context(), c.Passage)
	if err != nil || src.ID != c.Source {
		t.Errorf("%s: passage of %s: %v", c.Claim.Text, src.ID, err)
		return
	}
	text, _, err := db.SourceText(t.Context(), c.Source)
	whole, body := []rune(text), []rune(passage.Text)
	if err != nil || passage.At.End > len(whole) || string(whole[passage.At.Start:passage.At.End]) != passage.Text {
		t.Errorf("%s: the passage does not stand at its place: %v", c.Claim.Text, err)
		return
	}
	for _, at := range append(c.Highlight, contract.Range{Start: c.Quote.Start, End: c.Quote.End}) {
		if at.Start < 0 || at.Start >= at.End || at.End > len(body) {
			t.Errorf("%s: highlight %+v of %d characters", c.Claim.Text, at, len(body))
		}
	}
	if c.Quote.End <= len(body) && string(body[c.Quote.Start:c.Quote.End]) != c.Quote.Text {
		t.Errorf("%s: quotes %q", c.Claim.Text, c.Quote.Text)
	}
}
