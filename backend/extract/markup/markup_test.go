package markup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

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

func TestASavedAnswerIsKnownByItsHead(t *testing.T) {
	for head, want := range map[string]string{"footnote: run_aaaaaaaaaaaaaaaa\n": evidence.SavedAnswer, "footnote: see below\n": "", "tags: [footnote]\n": ""} {
		doc := extractString(t, "note.md", "---\ntitle: \"When was it opened?\"\nasked: 2026-03-01T10:00:00Z\n"+head+"---\n\nIt was opened in 1932[^1].\n")
		if doc.Source.MediaType != want || doc.Source.Title != "When was it opened?" {
			t.Errorf("%q: %+v", head, doc.Source)
		}
	}
}

func TestMarkdownIsReadAsShown(t *testing.T) {
	doc := extractString(t, "guide.md", sampleMarkdown)
	formattest.WantOutline(t, doc, `
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

func TestListsAndQuotationsKeepWhereTheyStand(t *testing.T) {
	n := func(depth, number int) evidence.Nested {
		return evidence.Nested{Depth: depth, Ordered: number > 0, Number: number}
	}
	goesOn := n(1, 4)
	goesOn.GoesOn = true
	want := []evidence.Nested{n(1, 3), n(2, 0), n(3, 1), n(1, 4), goesOn, n(1, 0), {Quoted: 1}, {Quoted: 2}, {}}
	for name, text := range map[string]string{
		"a.md":   "3. three\n   - inner\n     1. deep\n4. four\n\n   more\n\n- bullet\n\n> said\n>\n>> deeper\n\nplain",
		"a.html": `<ol start=3><li>three<ul><li>inner<ol><li>deep</ol></ul><li><p>four</p><p>more</p></ol><ul><li>bullet</ul><blockquote><p>said</p><blockquote>deeper</blockquote></blockquote><p>plain</p>`,
	} {
		doc := extractString(t, name, text)
		var got []evidence.Nested
		for _, b := range doc.Blocks {
			got = append(got, b.Nested())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v\n%+v", name, got, want)
		}
	}
}

func TestAFeedIsReadAsThePageOfItsEntries(t *testing.T) {
	doc := extractString(t, "news.rss", `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour news</title>
<item><title>The crane</title><pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;It lifts &lt;b&gt;40 tonnes&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>`)
	formattest.WantOutline(t, doc, `
heading1@0 Harbour news
heading2@0 The crane
paragraph0@0 2026-03-03
paragraph0@0 It lifts 40 tonnes.
`)
	if doc.Source.Title != "Harbour news" {
		t.Errorf("source %+v", doc.Source)
	}
	formattest.WantOutline(t, extractString(t, "settings.xml", "<?xml version=\"1.0\"?>\n<settings><title>x</title></settings>\n"), `
code0@1 <?xml version="1.0"?>
<settings><title>x</title></settings>
`)
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
	formattest.WantOutline(t, doc, `
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

func FuzzExtractMarkdown(f *testing.F) {
	f.Add([]byte(sampleMarkdown))
	f.Add([]byte("+++\ntitle = 'x'\n+++\n* a\n  > b\n"))
	formattest.FuzzReaders(f, ReadMarkdown)
}

func FuzzExtractHTML(f *testing.F) {
	f.Add([]byte("<title>x</title><table><tr><td><p>a<td>b</table><pre>c</pre>"))
	f.Add([]byte(strings.Repeat("<b>", 600) + "deep"))
	formattest.FuzzReaders(f, ReadHTML)
}

func TestNavigationIsNoTextOfThePage(t *testing.T) {
	page := `<html><body>
<div class="navheader"><table summary="Navigation header"><tr><th colspan="3">2. How is the mill driven?</th></tr><tr><td>1. The pond</td><td>3. The stones</td></tr></table></div>
<div class="related" role="navigation"><ul><li>index</li></ul></div>
<h1>2. How is the mill driven?</h1><p>By water from the pond.</p>
<nav><a href="3.html">3. The stones</a></nav></body></html>`
	formattest.WantOutline(t, extractString(t, "mill.html", page), `
heading1@0 2. How is the mill driven?
paragraph0@0 By water from the pond.
`)
	handbook := `<html><body><div class="sphinxsidebar"><ul><li><a href="usage.html">Usage</a></li></ul></div>
<h1>Questions</h1><ul><li>1. <a href="#grind">How fine is the flour?</a></li><li>2. <a href="#rest">When do the stones rest?</a><ul><li><a href="#ice">In winter</a></li></ul></li></ul>
<h2>How fine is the flour?<a class="headerlink" href="#grind">¶</a></h2><ul><li><a href="#a">Coarse</a>, for bread</li><li><a href="#b">Fine</a></li><li><a href="#c">Dust</a></li></ul></body></html>`
	formattest.WantOutline(t, extractString(t, "questions.html", handbook), `
heading1@0 Questions
heading2@0 How fine is the flour?
list0@0 Coarse, for bread
list0@0 Fine
list0@0 Dust
`)
	indexed := `<html><body><dl><dt><samp>--slow</samp><a href="#i1" class="copiable-anchor"> &para;</a></dt><dd><p>Turns the stones slowly.</p></dd></dl>
<table class="index-fn"><tr><td></td><th>Entry</th><th>Section</th></tr><tr><th>-</th><td></td></tr><tr><td>S</td><td><a href="#i1"><code>--slow</code></a>:</td><td>&nbsp;</td><td><a href="#o">Options</a></td></tr><tr><td></td><td><a href="#i2">--still</a>:</td><td><a href="#o">Options</a></td></tr></table>
<table><tr><th>Part</th><th>What it does</th></tr><tr><td><a href="#w">Wheel</a></td><td>turns</td></tr><tr><td><a href="#s">Stone</a></td><td>grinds</td></tr></table></body></html>`
	formattest.WantOutline(t, extractString(t, "options.html", indexed), `
list0@0 --slow: Turns the stones slowly.
row0@0 Part  What it does
row0@0 Wheel  turns
row0@0 Stone  grinds
`)
	indexOfPages := `<html><body><h1>Index</h1><table><tr><td>S</td></tr><tr><td><a href="stones.html#i-slow">slow turning</a></td><td><a href="stones.html">Stones</a></td></tr><tr><td><a href="pond.html#i-sluice">sluice</a></td><td><a href="pond.html">The pond</a></td></tr></table>
<ul><li><a href="stones.html">Stones</a></li><li><a href="pond.html">The pond</a></li><li><a href="https://mill.example/#top">The mill</a></li></ul></body></html>`
	formattest.WantOutline(t, extractString(t, "genindex.html", indexOfPages), `
heading1@0 Index
list0@0 Stones
list0@0 The pond
list0@0 The mill
`)
	paged := `<html><body><ul class="docnav"><li class="previous"><a accesskey="p" href="1.html"><strong>Poprzedni</strong></a></li><li class="next"><a accesskey="n" href="3.html"><strong>Następny</strong>4.2. Kamienie</a></li></ul>
<h1>4.1. Młyn</h1><ul><li><a href="kolo.html">Koło</a></li><li class="next"><a href="staw.html">Staw</a>, na północ stąd</li></ul>
<p>Go on with <a rel="next" href="3.html">the stones</a>.</p><div class="header"><p>Next: <a href="3.html" accesskey="n" rel="next">Stones</a>, Previous: <a href="1.html" accesskey="p" rel="prev">Pond</a>, Up: <a href="index.html" accesskey="u" rel="up">The mill</a> &nbsp; [<a href="x.html" title="Index" rel="index">Index</a>]</p></div><div><a rel="prev" href="1.html">The pond</a> | <a href="index.html">Contents</a></div></body></html>`
	formattest.WantOutline(t, extractString(t, "paged.html", paged), `
heading1@0 4.1. Młyn
list0@0 Koło
list0@0 Staw, na północ stąd
paragraph0@0 Go on with the stones.
`)
	onlyWays := extractString(t, "index.html", `<html><head><title>The mill</title></head><body><nav><a href="1.html">The pond</a></nav></body></html>`)
	if !strings.Contains(onlyWays.Text, "The pond") {
		t.Errorf("a page of links alone lost them: %q", onlyWays.Text)
	}
}

func TestTermAndDescriptionAreOneBlock(t *testing.T) {
	page := `<html><body><h1>Settings</h1><dl>
<dt><a name="m"></a><b>MaxSacks </b><i>number</i>
<dd style="margin-left: 5em">The most sacks that one cart may have.<p>The default is 12.</p></dd>
<dt><span class="term">-s</span></dt><dt>--slow:</dt><dd><p>Turns the stones slowly.</p></dd>
<dt>Stones</dt><dd><ul><li>coarse</li><li>fine</li></ul></dd>
<dt>Code</dt><dd><pre>grind --all</pre></dd>
<dt>Nothing</dt><dd></dd>
<dt>When do the stones rest?</dt><dd>In winter.</dd>
<dt>A term without a description</dt></dl>
<p>After it.</p></body></html>`
	formattest.WantOutline(t, extractString(t, "settings.html", page), `
heading1@0 Settings
list0@0 MaxSacks number: The most sacks that one cart may have.
list0@0 The default is 12.
list0@0 -s, --slow: Turns the stones slowly.
list0@0 Stones
list0@0 coarse
list0@0 fine
list0@0 Code
code0@0 grind --all
list0@0 Nothing
paragraph0@0 When do the stones rest?
paragraph0@0 In winter.
paragraph0@0 A term without a description
paragraph0@0 After it.
`)
}

func TestRowsOfLabelsAreNoHeads(t *testing.T) {
	for name, page := range map[string]string{
		"marked":  `<table><tr><th>New</th><td>clears everything after asking</td></tr><tr><th>Save</th><td>writes to disk</td></tr></table>`,
		"keys":    `<table><tr><td>N</td><td>clears everything after asking</td></tr><tr><td>S</td><td>writes to disk</td></tr></table>`,
		"scripts": `<table><tr><th>説明</th><td>ユーザ専用ディレクトリ</td></tr><tr><th>既定</th><td>ディスクへ</td></tr></table>`,
		"pairs":   `<table><tr><td>New</td><td>clears everything after asking</td></tr><tr><td>Save</td><td>writes to disk</td></tr></table>`,
	} {
		doc := extractString(t, "menu.html", page)
		rows := evidence.Rows(doc)
		if len(rows) != 2 || !slices.Contains([]string{"New", "N", "説明"}, rows[0].Label) || len(rows[1].Heads) > 0 && rows[1].Heads[0] != "" {
			t.Errorf("%s: %+v", name, rows)
		}
	}
	doc := extractString(t, "tolls.html", `<table><tr><td>Boat</td><td>Toll</td></tr><tr><td>Barge</td><td>9</td></tr></table>`)
	if rows := evidence.Rows(doc); len(rows) != 1 || rows[0].Heads[0] != "Toll" {
		t.Errorf("a table of figures lost its heads: %+v", rows)
	}
}

// A long list of terms without descriptions, and rows between tables inside a table,
// are read in about the time of their length.
func BenchmarkManyTermsAndTables(b *testing.B) {
	terms := "<dl>" + strings.Repeat("<dt>term", 50_000) + "</dl>"
	tables := "<table>" + strings.Repeat("<tr><td>a<td>b", 20_000) + strings.Repeat("<tr><td>a<td>b<tr><td><table><tr><td>c<td>d</table>", 5_000) + "</table>"
	for name, page := range map[string]string{"terms": terms, "tables": tables} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				writeMarkup(format.NewBuilder(len(page)), page, 0)
			}
		})
	}
}
