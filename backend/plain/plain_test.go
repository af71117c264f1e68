package plain

import "testing"

func TestTextsForPeople(t *testing.T) {
	for got, want := range map[string]string{
		OneLine("two\n lines ", 20): "two lines", OneLine("äöü more", 3): "äöü…", Cut("two\nlines", 4): "two\n…", Cut("two", 3): "two",
		Plural(1, "file", "files"): "1 file", Plural(0, "file", "files"): "0 files",
		Unescaped(`\# a\*b C:\dir \\`): `# a*b C:\dir \`,
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := Distinct([]string{"b", "a", "b"}); len(got) != 2 || got[0] != "a" {
		t.Errorf("%v", got)
	}
	if Full[int](nil) == nil {
		t.Error("a nil list stays nil")
	}
}

func TestAnExcerptTellsAHeadingFromItsText(t *testing.T) {
	if got := Excerpt("\n\nThe tower\n\nIt is\n34 metres high.\n\n", 100); got != "The tower · It is 34 metres high." {
		t.Errorf("%q", got)
	}
	if got := Excerpt("It is high.\n\nIts lamp\n\n\n\nburns", 100); got != "It is high. Its lamp · burns" {
		t.Errorf("%q", got)
	}
	if got := Excerpt("a b\n\nc", 5); got != "a b ·…" {
		t.Errorf("%q", got)
	}
}

func TestABarIsEscapedWhereItCouldMakeATable(t *testing.T) {
	for text, want := range map[string]string{
		"Total length | 412 m": "Total length | 412 m", "a | b\n--- | ---": "a \\| b\n--- \\| ---", "--- | ---": `--- \| ---`,
	} {
		if got := EscapeMarkdown(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
