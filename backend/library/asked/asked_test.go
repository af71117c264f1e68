package asked

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// told is a search as it was understood, in one line.
func told(a Search) string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	return strings.Trim(fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s", a.Words, strings.Join(a.Phrases, ","), strings.Join(a.Without, ","),
		strings.Join(a.Types, ","), strings.Join(a.Folders, ","), day(a.After), day(a.Before)), "|")
}

func TestASearchIsUnderstood(t *testing.T) {
	for text, want := range map[string]string{
		`bridge lorne`:                        "bridge lorne",
		`"net income" 2023`:                   "2023|net income",
		`“net income”`:                        "|net income",
		`„Netto Gewinn“ «a b»`:                "|Netto Gewinn,a b",
		`tax -draft -"old version"`:           "tax||draft,old version",
		`tax type:PDF type:.docx type:mail`:   "tax|||pdf,docx,mail",
		`report type:spreadsheet`:             "report|||sheet",
		`folder:Taxes folder:"My Files" x`:    "x||||Taxes,My Files",
		`after:2023-01 before:2024 x`:         "x|||||2023-01-01|2024-01-01",
		`After:2023-1-5 x`:                    "x|||||2023-01-05",
		`after:soon before: type: type:!! x`:  "after:soon before: type: type:!! x",
		`note:this http://x.org/a C:\x 12:30`: `note:this http://x.org/a C:\x 12:30`,
		`-5 degrees - x`:                      "-5 degrees - x",
		`well-known e-mail`:                   "well-known e-mail",
		`"half open`:                          `"half open`,
		`"" "?" x`:                            "x",
		`-"half open`:                         `-"half open`,
		`say "type:pdf"`:                      "say|type:pdf",
		"  ":                                  "",
		"東京 -京都 type:pdf":                     "東京||京都|pdf",
	} {
		if got := told(Understand(text)); got != strings.Trim(want, "|") {
			t.Errorf("%s is understood as %s, want %s", text, got, want)
		}
	}
}

func TestAMinusInAQuestionIsPartOfAName(t *testing.T) {
	for text, want := range map[string]string{
		`What does -k do?`:                 "What does -k do?",
		`how do I use -bt`:                 "how do I use -bt",
		`Wozu dient -print0? type:pdf`:     "Wozu dient -print0?|||pdf",
		`What is due -"last year"?`:        `What is due ?||last year`,
		`tax -draft`:                       "tax||draft",
		`notes about the old lease -draft`: "notes about the old lease||draft",
	} {
		if got := told(Question(text)); got != strings.Trim(want, "|") {
			t.Errorf("%s is understood as %s, want %s", text, got, want)
		}
	}
}

func TestOnlyAPlainLastWordIsStillTyped(t *testing.T) {
	for text, want := range map[string]bool{"bri": true, "bri ": false, `bri "x"`: false, "bri type:pdf": false, "type:pdf bri": true, `"bri`: true, "": false} {
		if got := Understand(text).growing; got != want {
			t.Errorf("%q still grows: %v", text, got)
		}
	}
}

func TestFiltersChooseFiles(t *testing.T) {
	type file struct {
		path    string
		changed time.Time
	}
	on := func(path, day string) file {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		return file{path, at}
	}
	files := []file{on("/home/Ann/Taxes/2023/a.PDF", "2023-03-01"), on("/home/ann/b.docx", "2023-12-31"), on("/home/ann/taxes.eml", "2024-01-01")}
	for text, want := range map[string][]int{
		"x": {0, 1, 2}, "type:pdf": {0}, "type:doc": {1}, "type:mail type:pdf": {0, 2}, "folder:taxes": {0}, "folder:ann": {0, 1, 2}, "folder:taxes/2023": {0},
		"folder:tax": nil, "after:2023-12": {1, 2}, "before:2024": {0, 1}, "after:2023-03-01 before:2023-03-02": {0}, "type:go": nil,
	} {
		var got []int
		for i, f := range files {
			if Understand(text).Fits(f.path, f.changed) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s chooses %v, want %v", text, got, want)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{`a "b c" -d type:pdf folder:"e f" after:2023-01`, `-"`, `""`, `“„«`, "a:\xff", `-type:pdf`, `folder:""`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := Understand(text)
		if len(a.Phrases) != len(a.phrases) || len(a.Without) != len(a.barred)+len(a.not) {
			t.Fatalf("%q: %+v", text, a)
		}
		letters := func(s string) int { return len(strings.Join(strings.Fields(s), "")) } // what is cut apart gets a blank
		if letters(a.Words) > letters(text) || a.growing && a.Words == "" {
			t.Fatalf("%q has the words %q", text, a.Words)
		}
		if plain := Understand(a.Words); letters(plain.Words) > letters(a.Words) {
			t.Fatalf("%q grows to %q", a.Words, plain.Words)
		}
	})
}

func TestAWordOfOneOrTwoLettersMarksNoOtherWord(t *testing.T) {
	text := "Include it in the Python that I install, if it is used in 塔台."
	for search, want := range map[string][]string{
		"how do I install ": {"I", "install"},
		"install i":         {"Include", "it", "in", "I", "install", "if", "it", "is", "in"}, // it is still being typed
		"塔 ":                {"塔台"},
	} {
		snippet, marks := Snippet(text, Understand(search).Marking())
		var marked []string
		for _, m := range marks {
			marked = append(marked, string([]rune(snippet)[m[0]:m[1]]))
		}
		if !slices.Equal(marked, want) {
			t.Errorf("%q marks %q, want %q", search, marked, want)
		}
	}
}

func TestASnippetDoesNotEndBetweenTwoBlocks(t *testing.T) {
	for n := range 120 {
		text := "The budget of 2026 is 14,200 euro, of which the town gives 6,000, and the fee goes" + strings.Repeat("n", n) + " up\n\nWorks\n\n" + strings.Repeat("The lock is mended in September. ", 9)
		if snippet, _ := Snippet(text, Understand("budget").Marking()); strings.HasSuffix(snippet, "·") || strings.HasSuffix(snippet, " ") {
			t.Fatalf("%d: it ends %q", n, snippet[len(snippet)-12:])
		}
	}
}
