package library_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/library"
)

// shelved is a real library over a few files.
func shelved(t testing.TB, files map[string]string) (l *library.Library, docs string) {
	t.Helper()
	docs, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		must(t, os.MkdirAll(filepath.Dir(docs+"/"+name), 0o755))
		must(t, os.WriteFile(docs+"/"+name, []byte(text), 0o644))
	}
	l = realHouse(t, t.TempDir())
	addTree(t, l, docs)
	return l, docs
}

func typed(t *testing.T, l *library.Library, query string) []string {
	t.Helper()
	m, err := l.SearchWords(t.Context(), query, 20)
	must(t, err)
	names := []string{}
	for _, i := range m.Items {
		names = append(names, filepath.Base(i.Path))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var letters = map[string]string{
	"income.txt":        "Net income rose by a tenth, the board said.",
	"incomes.txt":       "The income, net of tax, and net incomes of all.",
	"draft.md":          "A draft: net income may fall.",
	"old/tax.txt":       "The tax of the café, and the taxes. To be or not to be.",
	"old/Ärger.md":      "Die Brücken der Stadt sind alt, und das Geld ist nicht da. Es wird mit den Steuern von der Stadt bezahlt.",
	"annual report.txt": "Nothing but figures.",
}

func TestOperatorsHoldWhileOneTypes(t *testing.T) {
	l, _ := shelved(t, letters)
	for query, want := range map[string][]string{
		"net incom":             {"draft.md", "income.txt", "incomes.txt"},
		`"net income"`:          {"draft.md", "income.txt"},
		`"Net Incomes"`:         {"incomes.txt"},
		`"net income" bo`:       {"draft.md", "income.txt"},
		`"net income" -draft`:   {"income.txt"},
		`income -"net incomes"`: {"draft.md", "income.txt"},
		"income -taxes":         {"draft.md", "income.txt"},
		"income type:md":        {"draft.md"},
		"tax folder:old":        {"tax.txt"},
		"tax folder:new":        {},
		"income after:2020":     {"draft.md", "income.txt", "incomes.txt"},
		"income before:2020":    {},
		`"to be or not to be"`:  {"tax.txt"},
		`"the cafe"`:            {"tax.txt"},
		`"annual report"`:       {"annual report.txt"},
		"Brücke":                {"Ärger.md"},
		"brucken":               {"Ärger.md"},
		"bezahl":                {"Ärger.md"},
		"annual":                {"annual report.txt"},
		"xncome":                {},
		"incone":                {"draft.md", "income.txt", "incomes.txt"},
		"type:md":               {},
	} {
		if got := typed(t, l, query); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	m, err := l.SearchWords(t.Context(), `"net income" -draft type:txt`, 20)
	must(t, err)
	if a := m.Understood; !slices.Equal(a.Phrases, []string{"net income"}) || !slices.Equal(a.Without, []string{"draft"}) || !slices.Equal(a.Types, []string{"txt"}) {
		t.Errorf("understood as %+v", a)
	}
}

func TestOperatorsHoldInQuestions(t *testing.T) {
	l, docs := shelved(t, letters)
	found := func(question string) []string {
		t.Helper()
		hits, err := l.Search(t.Context(), question, contract.Scope{}, 10)
		must(t, err)
		names := []string{}
		for _, f := range hits {
			names = append(names, filepath.Base(f.Source.Address))
		}
		slices.Sort(names)
		return names
	}
	for question, want := range map[string][]string{
		`What did the board say about "net income"?`:   {"draft.md", "income.txt"},
		"How much did income rise? type:md folder:x":   {},
		"Which income is it? type:md":                  {"draft.md", "Ärger.md"},
		`What is "never written like this" of income?`: found("What is never written like this of income?"),
	} {
		if got := found(question); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", question, got, want)
		}
	}
	// Filters follow a file that changes its place.
	must(t, os.Rename(docs+"/draft.md", docs+"/old/draft.md"))
	must(t, l.Rescan(t.Context()))
	deadline := time.Now().Add(20 * time.Second)
	for !slices.Equal(typed(t, l, "income folder:old"), []string{"draft.md"}) {
		if time.Now().After(deadline) {
			t.Fatal("the moved file is never found in its new folder")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestAnOptionInAQuestionIsSearchedFor(t *testing.T) {
	l, _ := shelved(t, map[string]string{
		"options.txt": "-bt\nThis option tests the addresses that it is given.\n",
		"daemon.txt":  "-bd\nThis option starts a daemon, and no other option does.\n",
	})
	found, err := l.Search(t.Context(), "What does the -bt option do?", contract.Scope{}, 2)
	must(t, err)
	if len(found) == 0 || filepath.Base(found[0].Source.Address) != "options.txt" {
		t.Errorf("found %+v", found)
	}
}
