package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestAQuestionForTheFolderIsAnsweredByASentenceOfEachFile(t *testing.T) {
	s, l := listing(t, 3)
	l.opens = map[int]string{
		0: "Garden agreement\n\nThis agreement between the residents and the gardener runs for twelve months from April.\n",
		1: "Date  Client  Place  Charged\n2024-01-16  Lockhart  Hillend  185\n2024-01-24  Gillespie  Eddleston  342\n",
	}
	for _, q := range []string{"What is in this folder?", "de que é esta pasta? resume em poucas linhas", "这个文件夹里主要是些什么？"} {
		a := finished(t, s.ask(t, q, nil))
		lines := strings.Split(a.Answer, "\n")
		if a.Outcome != contract.Extracted || len(lines) != 5 || !strings.Contains(lines[0], "**3** · 4.5 kB · txt 3") ||
			lines[2] != "- **report0.txt** – Garden agreement: This agreement between the residents and the gardener runs for twelve months from April. [1]" ||
			lines[3] != "- **report1.txt** – Report: Date · Client · Place · Charged [2]" {
			t.Errorf("%s: %s %q", q, a.Outcome, a.Answer)
		}
		if len(a.Citations) != 2 || a.Citations[0].Quote.Text != "This agreement between the residents and the gardener runs for twelve months from April." || a.Citations[0].Verdict != contract.QuotedIn {
			t.Errorf("%s: %+v", q, a.Citations)
		}
	}
}

func TestManyFilesAreNotAllDescribed(t *testing.T) {
	s, _ := listing(t, 300)
	a := finished(t, s.ask(t, "Give me an overview of these documents", nil))
	if len(a.Sources) != 12 || !strings.Contains(a.Answer, "**300**") || !strings.HasSuffix(a.Answer, "288 more files") {
		t.Errorf("%d sources: %q", len(a.Sources), a.Answer)
	}
}

func TestWhatIsNotOfAllFilesIsSearched(t *testing.T) {
	s, _ := listing(t, 3)
	for _, q := range []string{"What is in the folder Nowhere?", "What do my notes say about the boiler?", "Summarise the lease"} {
		if a := finished(t, s.ask(t, q, nil)); strings.Contains(a.Answer, "**report0.txt**") {
			t.Errorf("%s: %q", q, a.Answer)
		}
	}
}
