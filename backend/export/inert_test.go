package export

import (
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"footnote/backend/evidence"
)

const strange = "![i](http://evil.example/p.png) ![r][ref] [c](http://evil.example/c) [[w]] ![[e]] <img src=http://evil.example/q> \\![b](http://evil.example/b) \\\\![d](http://evil.example/d)"

// loaded lists what a reader of Markdown would fetch, or take for a tag.
func loaded(t *testing.T, markdown string) (list []string) {
	t.Helper()
	source := []byte(markdown)
	err := ast.Walk(markdownParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Image:
			list = append(list, "picture "+string(n.Destination))
		case *ast.RawHTML, *ast.HTMLBlock:
			list = append(list, "tag")
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// What a page is called, what it says and what a model wrote of it loads nothing
// in the program that a Markdown file or a note is opened with.
func TestMarkdownLoadsNothing(t *testing.T) {
	thread := sampleThread()
	run := &thread.Runs[0]
	thread.Title, run.Question.Text = strange, strange
	run.Answer.Answer = strange + "\n\n[ref]: http://evil.example/ref\n\n<script src=http://evil.example/s></script>\n\nWow![1]\n\n```\n![code](x) <b>\n```\n\n" + run.Answer.Answer
	run.Answer.Citations = citationsOf(run.Answer.Answer, "supported")
	for i := range run.Answer.Sources {
		run.Answer.Sources[i].Title, run.Answer.Sources[i].Path = strange, strings.ReplaceAll(strange, "/", "")
	}
	run.Answer.Sources[0].URL, run.Answer.Sources[0].Kind = "https://example.org/x", evidence.Web
	run.Answer.Citations[0].Quote.Text = strange
	run.Answer.Disagreements[0].Claim = strange
	for name, made := range map[string]string{"md": markdown(Of(thread, "[1]")), "md footnotes": markdown(Of(thread, "[^1]")), "note": string(Note(*run, Vault{}))} {
		if found := loaded(t, made); len(found) > 0 {
			t.Errorf("%s: %q\n%s", name, found, made)
		}
		embeds := strings.ReplaceAll(strings.ReplaceAll(made, "\\![", ""), "!\\[", "")
		if strings.Contains(strings.ReplaceAll(embeds, "![code](x)", ""), "![") || !strings.Contains(made, "![code](x) <b>") {
			t.Errorf("%s:\n%s", name, made)
		}
	}
}

func TestSignsThatTouchAreEachTakenForThemselves(t *testing.T) {
	for _, s := range []string{
		"*<![i](http://evil.example/p.png)", "<!![i](x)", "</![i](x)", "<?![i](x)", "<a![i](x)", "<<b>", "!![i](x)", "![![i](x)](y)", "a\\  \r\n![a](b)\n", "a\\  \n![a](b)\n", "a\\ \r![a](b)\n",
		"<!-- -->```\n\té-->[\\    <b>\n- \t![a](b)[x]: y\n|*<!--\t1. [    <b>\n- \t![a](b)>     <",
	} {
		if found := loaded(t, inert(s)); len(found) > 0 {
			t.Errorf("%q becomes %q, which loads %q", s, inert(s), found)
		}
	}
}

func TestFrontMatterKeepsItsWords(t *testing.T) {
	if got := quotedYAML("<![a](b)"); got != `"\x3C\x21[a](b)"` {
		t.Error(got)
	}
	if got := quotedYAML("![a](b) <i> \"c\" 1 < 2"); got != `"\x21[a](b) \x3Ci> \"c\" 1 < 2"` {
		t.Error(got)
	}
}

func TestWhatLoadsNothingStays(t *testing.T) {
	for _, s := range []string{"a < b <3", "x `![a](b) <i>`", "<https://example.org/a>", "\\![a](b)", "\\<b>", "Wow! [1]", "1 <2", "    ![indented](x)"} {
		if got := inert(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
	if got := escaped("see [1] and [2](http://x)"); got != "see [1] and \\[2](http://x)" {
		t.Errorf("%q", got)
	}
	if deep := strings.Repeat("> ", 5000) + "![a](b)"; inert(deep) != strings.Replace(deep, "!", "\\!", 1) {
		t.Error("a deep text keeps its picture")
	}
}

func FuzzInert(f *testing.F) {
	for _, seed := range []string{strange, sampleText, "`` ` ![a](b) ``", "~~~\n![a](b)\n~~~\n![c](d)", "> ```\n> <b>\n\n<i>", "[![a](b)](c)", "\\\\![a](b) \\<b>", "    <b>\n- \t![a](b)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		if len(markdown) > 4096 || tangled(markdown) {
			return
		}
		late := time.AfterFunc(10*time.Second, func() { panic("a text of four kilobytes takes ten seconds") })
		defer late.Stop()
		if found := loaded(t, inert(markdown)); len(found) > 0 {
			t.Fatalf("%q loads %q", inert(markdown), found)
		}
	})
}
