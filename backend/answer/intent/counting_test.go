package intent

import (
	"slices"
	"testing"
)

func TestQuestionsForACountAreTold(t *testing.T) {
	for _, c := range []struct {
		question, query string
		often, list     bool
	}{
		{"How many files mention tax?", `"tax"`, false, false},
		{"how many of my documents mention the word “net income”?", `"net income"`, false, false},
		{"How many PDFs contain the phrase force majeure?", `"force majeure" type:pdf`, false, false},
		{"Count the files that mention Ada Lovelace", `"Ada Lovelace"`, false, false},
		{"In how many files is the term escrow mentioned?", `"escrow"`, false, false},
		{"Which files mention the Lorne bridge?", `"Lorne bridge"`, false, true},
		{"Which files mention “the Lorne”?", `"the Lorne"`, false, true},
		{`What documents have the word "lease" in my library?`, `"lease"`, false, true},
		{"List all emails that mention invoices", `"invoices" type:mail`, false, true},
		{"Please show me all notes that mention both tea and sugar.", `"tea" "sugar"`, false, true},
		{"Which files mention tax but not income?", `"tax" -"income"`, false, true},
		{"How often is Arden mentioned in my files?", `"Arden"`, true, false},
		{"How many times do my files mention Arden?", `"Arden"`, true, false},
		{`Which files say "shall not be liable"?`, `"shall not be liable"`, false, true},
	} {
		got, ok := CountingOf(c.question)
		if !ok || got.Queries[0] != c.query || got.Often != c.often || got.List != c.list || got.More != "" {
			t.Errorf("%s gives %+v, want %s", c.question, got, c.query)
		}
	}
	more, ok := CountingOf("How many files mention tax, and what do they say about it?")
	if !ok || more.More != "and what do they say about it" && more.More != "and what do they say about it?" {
		t.Errorf("what else is asked: %+v", more)
	}
	if both, _ := CountingOf("How many files mention tea and sugar?"); !slices.Equal(both.Queries, []string{`"tea and sugar"`, `"tea" "sugar"`}) {
		t.Errorf("an exact phrase first, then both words: %q", both.Queries)
	}
	for _, question := range []string{
		"How many people work there?", "How many files are there?", "Which file explains how the tax is paid?", "Which files mention how tax is paid?",
		"How often does the train run?", "What files have tables?", "Which documents mention it?", "How many files mention tax or income?", "",
		"List all countries that contain lakes", "How many files mention the very long description of a thing nobody wrote?",
	} {
		if got, ok := CountingOf(question); ok {
			t.Errorf("%q is counted: %+v", question, got)
		}
	}
}

func FuzzCountingOf(f *testing.F) {
	for _, s := range []string{"How many files mention “a” but not \"b\"?", "list all files that mention ", "which files say “", "how many files mention \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		c, ok := CountingOf(question)
		if ok && (len(c.Queries) == 0 || c.Queries[0] == "") {
			t.Errorf("%q gives %+v", question, c)
		}
	})
}
