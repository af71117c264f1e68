package extract

import (
	"strings"
	"testing"
	"time"
)

// fuzzTypes reads any bytes as each of types: a document that keeps its
// promises, or an *Error that is no parser's panic.
func fuzzTypes(f *testing.F, types ...string) {
	lim := DefaultLimits()
	lim.Text, lim.Entry, lim.Archive = 1<<20, 4<<20, 8<<20
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mediaType := range types {
			doc, err := Extract(t.Context(), mediaType, "file", data, lim)
			if err != nil {
				if strings.Contains(err.Error(), "parser panic") {
					t.Fatalf("%s: %v", mediaType, err)
				}
				continue
			}
			checkDocument(t, doc)
		}
	})
}

const sampleMarkdown = `---
title: "The guide"
date: 2024-03-01
---
# Guide

Some *marked* text with a [link](https://a.example/x) and
` + "`code`" + `, over two lines.

## Steps

1. First
2. Second \* star

| Year | Sales |
| ---- | ----- |
| 2021 | **12** |

` + "```go\nfunc f() {}\n```" + `

<div>Raw <b>words</b></div>
`

func TestMarkdownIsReadAsShown(t *testing.T) {
	doc := extractString(t, "guide.md", sampleMarkdown)
	wantOutline(t, doc, `
heading1@5 Guide
paragraph0@7 Some marked text with a link and
paragraph0@8 code, over two lines.
heading2@10 Steps
list0@12 First
list0@13 Second * star
row0@15 Year  Sales
row0@17 2021  12
code0@20 func f() {}
paragraph0@23 Raw words
`)
	if doc.Source.Title != "The guide" || !doc.Source.Published.Equal(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestHostileMarkdownIsQuick(t *testing.T) {
	for name, text := range map[string]string{
		"brackets":    strings.Repeat("[", 60000),
		"links":       strings.Repeat("[a](", 30000),
		"quotes":      strings.Repeat(">", 30000) + " x",
		"stars":       strings.Repeat("*_", 30000),
		"definitions": strings.Repeat("[a]: /x\n", 30000),
		"lists": func() (s string) {
			for i := range 800 {
				s += strings.Repeat("  ", i) + "- x\n"
			}
			return
		}(),
	} {
		start := time.Now()
		doc := extractString(t, "a.md", "token\n\n"+text+"\n")
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %s", name, took)
		}
		if !strings.Contains(doc.Text, "token") {
			t.Errorf("%s: the word is gone", name)
		}
	}
}

func TestHTMLIsReadAsShown(t *testing.T) {
	doc := extractString(t, "page.html", `<!doctype html><title>The &lt;page&gt;</title>
<meta property="article:published_time" content="2023-05-06T10:00:00Z">
<style>p{}</style><script>var hidden = "script"</script>
<h1>Top <em>head</em></h1><p>One<br>two <b>three</b>.</p>
<p style="DISPLAY : none">secret</p><div hidden>secret</div><span style="font-size:0">secret</span>
<ul><li>apple<li>pear</ul>
<table><tr><th>Year<th>Sales</tr><tr><td>2021<td>$ 12</tr></table>
<table><tr><td><h2>Layout</h2><p>In a cell.</td></tr></table>
<pre>a
  b</pre><noscript>shown</noscript><textarea>typed</textarea>`)
	wantOutline(t, doc, `
heading1@0 Top head
paragraph0@0 One
paragraph0@0 two three.
list0@0 apple
list0@0 pear
row0@0 Year  Sales
row0@0 2021  $ 12
heading2@0 Layout
paragraph0@0 In a cell.
code0@0 a
  b
paragraph0@0 shown
`)
	if doc.Source.Title != "The <page>" || doc.Source.Published.Year() != 2023 {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestDeepHTMLIsReadByTokens(t *testing.T) {
	start := time.Now()
	doc := extractString(t, "deep.html", "<title>T</title>"+strings.Repeat("<div>", 100_000)+"<script>x</script><p>the word</p>"+strings.Repeat("</div>", 100_000))
	if doc.Text != "the word" || doc.Source.Title != "T" {
		t.Errorf("got %q %q", doc.Text, doc.Source.Title)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestHTMLCharsets(t *testing.T) {
	for name, page := range map[string]string{
		"declared": "<meta charset=\"windows-1252\"><p>caf\xe9</p>",
		"lie":      "<meta charset=\"shift_jis\"><p>café</p>",
		"none":     "<p>caf\xe9 and d\xe9j\xe0 vu</p>",
	} {
		if doc := extractString(t, "a.html", page); !strings.HasPrefix(doc.Text, "café") {
			t.Errorf("%s: %q", name, doc.Text)
		}
	}
}

const (
	wordHead = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
	wordTail = `</w:body></w:document>`
)

func para(style, text string) string {
	return `<w:p><w:pPr>` + style + `</w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func TestWordIsReadInOrder(t *testing.T) {
	body := para(`<w:pStyle w:val="My"/>`, "Chapter") + para("", "Some &amp; text.") + para(`<w:numPr/>`, "item") +
		`<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t><w:tab/><w:t>too</w:t></w:r></w:p>` +
		`<w:tbl><w:tr><w:tc>` + para("", "Year") + `</w:tc><w:tc>` + para("", "12") + para("", "more") + `</w:tc></w:tr></w:tbl>` +
		`<w:p><w:r><w:t>outer </w:t><w:txbxContent>` + para("", "box") + `</w:txbxContent><w:t>end</w:t></w:r></w:p>`
	doc := extractString(t, "a.docx", string(zipOf(t,
		"word/document.xml", wordHead+body+wordTail,
		"word/styles.xml", `<styles><style styleId="My"><basedOn val="H"/></style><style styleId="H"><name val="heading 2"/></style></styles>`,
		"word/footnotes.xml", `<w:footnotes xmlns:w="x">`+para("", "a note")+`</w:footnotes>`,
		"docProps/core.xml", `<cp><dc:title>Report</dc:title><dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>2021-01-02T03:04:05Z</dcterms:modified></cp>`,
	)))
	wantOutline(t, doc, `
heading2@0 Chapter
paragraph0@0 Some & text.
list0@0 item
paragraph0@0 kept too
row0@0 Year  12 more
paragraph0@0 box
paragraph0@0 outer end
paragraph0@0 a note
`)
	if doc.Source.Title != "Report" || doc.Source.Published.Year() != 2021 {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestHostileArchivesGiveReasons(t *testing.T) {
	lim := DefaultLimits()
	lim.Entry, lim.RatioFrom = 8<<20, 1<<20
	many := []string{}
	for i := range 3000 {
		many = append(many, strings.Repeat("x", i%9)+string(rune('a'+i%26)), "")
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"bomb":        {zipOf(t, "word/document.xml", wordHead+strings.Repeat(" ", 20<<20)+wordTail), TooLarge},
		"many parts":  {zipOf(t, many...), TooLarge},
		"no archive":  {[]byte("plain"), Malformed},
		"no document": {zipOf(t, "x", "y"), Malformed},
		"DTD":         {zipOf(t, "word/document.xml", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>`+wordHead+para("", "&a;")+wordTail), Malformed},
		"deep":        {zipOf(t, "word/document.xml", wordHead+strings.Repeat("<w:p>", 5000)), Malformed},
		"deep skip":   {zipOf(t, "word/document.xml", wordHead+strings.Repeat("<w:del>", 5000)), Malformed},
		"blank":       {zipOf(t, "word/document.xml", wordHead+wordTail), Empty},
		"locked":      {append(append([]byte{}, oleMagic...), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00"...), Encrypted},
		"old":         {append(append([]byte{}, oleMagic...), "WordDocument"...), Malformed},
	} {
		if got := extractCode("a.docx", c.data, lim); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	cut := extractString(t, "a.docx", string(zipOf(t, "word/document.xml", wordHead+para("", "before")+"<w:p><w:r>")))
	if cut.Text != "before" || !cut.Coverage.Truncated {
		t.Errorf("a document that breaks off: %q %+v", cut.Text, cut.Coverage)
	}
}

func FuzzExtractMarkdown(f *testing.F) {
	f.Add([]byte(sampleMarkdown))
	f.Add([]byte("+++\ntitle = 'x'\n+++\n* a\n  > b\n"))
	fuzzTypes(f, "text/markdown")
}

func FuzzExtractHTML(f *testing.F) {
	f.Add([]byte("<title>x</title><table><tr><td><p>a<td>b</table><pre>c</pre>"))
	f.Add([]byte(strings.Repeat("<b>", 600) + "deep"))
	fuzzTypes(f, "text/html")
}

func FuzzExtractDocx(f *testing.F) {
	f.Add([]byte(wordHead + para("", "x") + wordTail))
	f.Fuzz(func(t *testing.T, part []byte) {
		doc, err := Extract(t.Context(), docxType, "a.docx", zipOf(t, "word/document.xml", string(part), "word/styles.xml", string(part), "docProps/core.xml", string(part)), DefaultLimits())
		if err == nil {
			checkDocument(t, doc)
		} else if strings.Contains(err.Error(), "parser panic") {
			t.Fatal(err)
		}
	})
}
