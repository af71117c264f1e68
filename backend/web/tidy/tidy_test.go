package tidy

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func parse(t *testing.T, markup string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// left is what a page shows after it was tidied.
func left(t *testing.T, markup string) string {
	t.Helper()
	doc := parse(t, markup)
	Remove(doc)
	return textOf(doc, 1<<20)
}

const prices = `<h1>Swimming prices</h1><p>Prices valid from 1 January.</p><table><tr><th>Ticket</th><th>Adult</th></tr><tr><td>Single swim</td><td>5.90</td></tr></table>`

// TestBannersThatAskForConsentGo has one banner a language, once by what it is called, once
// by its words alone.
func TestBannersThatAskForConsentGo(t *testing.T) {
	for code, said := range map[string]string{
		"en": "We and our 214 partners store information on your device, such as cookies. You can change your choice at any time.",
		"de": "Wir und unsere Partner verwenden Cookies. Sie können Ihre Einwilligung jederzeit widerrufen.",
		"fr": "Nous utilisons des cookies pour mesurer l’audience et vous proposer des contenus adaptés.",
		"es": "Utilizamos cookies propias y de terceros. Puede aceptar o rechazar todas.",
		"it": "Utilizziamo i cookie per personalizzare i contenuti. Puoi accettare o rifiutare.",
		"pt": "Utilizamos cookies para melhorar a sua experiência. Pode aceitar ou recusar.",
		"nl": "Wij gebruiken cookies en vragen uw toestemming. U kunt weigeren.",
		"pl": "Używamy plików cookie. Czy wyrażasz zgodę na ich zapis?",
		"sv": "Vi använder cookies. Du kan godkänna eller neka.",
		"ru": "Мы используем файлы cookie. Продолжая, вы соглашаетесь с этим.",
		"uk": "Ми використовуємо файли cookie. Ви можете прийняти або відхилити їх.",
		"tr": "Bu sitede çerez kullanıyoruz. Kabul etmek veya reddetmek size kalmış.",
		"ar": "نستخدم ملفات تعريف الارتباط. يمكنك قبول أو رفض ذلك.",
		"hi": "हम कुकी का उपयोग करते हैं। क्या आप सहमत हैं?",
		"zh": "我们使用 cookie 来改善体验。您可以接受或拒绝。",
		"ja": "当サイトではクッキーを使用しています。同意しますか。",
		"ko": "이 사이트는 쿠키를 사용합니다. 동의하시겠습니까?",
	} {
		for name, markup := range map[string]string{
			"a class":      `<div class="cookie-consent"><p>` + said + `</p></div><main>` + prices + `</main>`,
			"a product":    `<main>` + prices + `</main><div id="tarteaucitronRoot"><div><p>` + said + `</p></div></div>`,
			"its words":    `<header>Town</header><div class="x7"><p>` + said + `</p></div><main>` + prices + `</main><footer>Town</footer>`,
			"at the end":   `<div><div>` + prices + strings.Repeat("<p>The pool is heated all year.</p>", 20) + `</div><section><p>` + said + `</p></section></div>`,
			"in a dialog":  `<main>` + prices + `</main><div role=dialog><h1>Hello</h1><p>` + said + `</p></div>`,
			"in the main":  `<main><div class="axeptio_widget">` + said + `</div>` + prices + `</main>`,
			"of all pages": `<div id=page><div class="rgpd-bandeau"><p>` + said + `</p></div><div>` + prices + `</div></div>`,
		} {
			got := left(t, "<html><head><title>Swimming prices</title></head><body>"+markup+"</body></html>")
			if strings.Contains(got, said[:20]) || !strings.Contains(got, "Single swim") || !strings.Contains(got, "valid from") {
				t.Errorf("%s, %s: %q", code, name, got)
			}
		}
	}
}

// TestPagesAboutCookiesStay has what only looks like a banner.
func TestPagesAboutCookiesStay(t *testing.T) {
	for name, c := range map[string]struct{ title, body, kept string }{
		"a law":          {"Consent to cookies", `<div><h1>Consent to cookies</h1></div><div>A site must ask before it sets cookies; people may accept or reject them.</div>`, "must ask"},
		"a paragraph":    {"Privacy on the net", `<article><p>Most sites use cookies and ask people to accept them.</p><p>Few reject.</p></article>`, "Most sites"},
		"a recipe":       {"Oat cookies", `<main><div class="cookie-recipe"><p>Bake the cookies for ten minutes.</p></div></main>`, "ten minutes"},
		"a wrapper":      {"Prices", `<div class="didomi-popup-open"><main>` + prices + `</main></div>`, "Single swim"},
		"an article":     {"Study", `<main><p>The study.</p><div class="consent-form"><p>Patients sign a form before the operation.</p></div></main>`, "Patients sign"},
		"nothing else":   {"Before you continue", `<div class="cookie-banner"><p>We use cookies. Accept all? Reject all?</p></div>`, "Accept all"},
		"a main of both": {"Prices", `<main class="cookie-accepted">` + prices + `</main>`, "Single swim"},
	} {
		if got := left(t, "<html><head><title>"+c.title+"</title></head><body>"+c.body+"</body></html>"); !strings.Contains(got, c.kept) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWhatStandsAroundATextGoes(t *testing.T) {
	const text = `<h1>Arden 2</h1><p>The Arden 2 is a tent for two.</p>`
	for name, c := range map[string]struct{ markup, gone, kept string }{
		"a trail by class":        {`<nav class="breadcrumb">Home &gt; Tents</nav>` + text, "Home", ""},
		"a trail by its type":     {`<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li>Home<li>Tents</ol>` + text, "Home", ""},
		"a trail by its label":    {`<nav aria-label="Breadcrumb"><a>Home</a></nav>` + text, "Home", ""},
		"steps with a slash":      {`<div>Start / Tents / Arden 2</div>` + text, "Start", ""},
		"links with a sign":       {`<p><a>Home</a> › <a>Tents</a> › Arden 2</p>` + text, "Home", ""},
		"and or":                  {`<p>Tents and / or tarps are what we sell.</p>` + text, "", "Tents and"},
		"more than, in a text":    {text + `<p>A > B > C holds for all of them</p>`, "", "A > B"},
		"what to do with it":      {text + `<div><a>Jump to recipe</a> · <a>Print</a> · <a>Pin it</a></div>`, "Jump", ""},
		"the same in French":      {`<p>Aller à la recette</p>` + text, "Aller", ""},
		"the same in Japanese":    {text + `<ul><li>印刷</li><li>共有</li></ul>`, "印刷", ""},
		"a list of commands":      {text + `<ul><li>Print</li><li>Export as a sheet</li></ul>`, "", "Print"},
		"an advertisement":        {text + `<div><span>Anzeige</span> <a href=x>Zehn Zelte</a></div>`, "Zehn", ""},
		"one with a colon":        {text + `<p>Sponsored: ten tents you must see.</p>`, "ten tents", ""},
		"one behind a text":       {text + `<p>Read more in our app. Sponsored: ten tents you must see.</p>`, "ten tents", "in our app."},
		"who sponsored a law":     {text + `<table><tr><td>Sponsored:</td><td>A. Quill</td></tr></table>`, "", "Sponsored"},
		"a picture with a credit": {text + `<figure><img src=x><figcaption>The tent on Monday. Photo: A. Quill</figcaption></figure>`, "Monday", ""},
		"a picture without":       {text + `<figure><img src=x><figcaption>How the poles are set up.</figcaption></figure>`, "", "the poles"},
	} {
		got := left(t, "<html><body><main>"+c.markup+"</main></body></html>")
		if c.gone != "" && strings.Contains(got, c.gone) || !strings.Contains(got, c.kept) || !strings.Contains(got, "a tent for two") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCodeInALineBecomesText(t *testing.T) {
	doc := parse(t, "<p>Run <code>migrate --to 9</code> on each folder.</p><pre><code>a\nb</code></pre>")
	Remove(doc)
	var b strings.Builder
	if err := html.Render(&b, doc); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "<p>Run migrate --to 9 on each folder.</p>") || !strings.Contains(got, "<pre><code>a\nb</code></pre>") {
		t.Errorf("%q", got)
	}
}

func TestHeadlinesAreFoundWhereTheTitleSaysTheSame(t *testing.T) {
	for _, c := range []struct{ markup, title, want string }{
		{`<h1>Pelican 5.2 released</h1>`, "Pelican 5.2 released | Pelican", "Pelican 5.2 released"},
		{`<h1>The Bird Blog</h1><article><h1>Nests of  2024</h1></article>`, "Nests of 2024", "Nests of 2024"},
		{`<h1>Welcome</h1>`, "Nests of 2024", ""},
		{`<p>No headline</p>`, "No headline", ""},
	} {
		if got := Headline(parse(t, c.markup), c.title); got != c.want {
			t.Errorf("%q: %q", c.markup, got)
		}
	}
}

func TestTablesOfDataAreFoundAgain(t *testing.T) {
	const rows = `<tr><th>Ticket</th><th>Adult</th></tr><tr><td>Single swim</td><td>5.90</td></tr><tr><td>Ten swims</td><td>53</td></tr>`
	for name, c := range map[string]struct {
		markup, text string
		want         string
	}{
		"lost":         {`<main><h2>Prices</h2><table>` + rows + `</table></main>`, "The pool.", "Prices Ticket Adult Single swim 5.90 Ten swims 53"},
		"kept":         {`<main><table>` + rows + `</table></main>`, "Ticket | Adult\nSingle swim | 5.90\nTen swims | 53", ""},
		"beside":       {`<main><aside><table>` + rows + `</table></aside></main>`, "The pool.", ""},
		"outside":      {`<main>The pool.</main><table>` + rows + `</table>`, "The pool.", ""},
		"a navigation": {`<table class=navbox>` + rows + `</table>`, "The pool.", ""},
		"a layout":     {`<table><tr><td>a</td><td><table width=9><tr><td>b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table></td></tr></table>`, "The pool.", ""},
		"of links":     {`<table><tr><td><a>b</a></td><td><a>c</a></td></tr><tr><td><a>d</a></td><td><a>e</a></td></tr></table>`, "The pool.", ""},
	} {
		var got []string
		for _, lost := range LostTables(parse(t, c.markup), c.text) {
			got = append(got, textOf(lost, 1<<20))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestEachLanguageHasItsWords(t *testing.T) {
	seen := map[string]int{}
	for line := range strings.Lines(file) {
		f := strings.Split(line, "\t")
		seen[f[0]+" "+f[1]]++
	}
	for _, code := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "ru", "uk", "tr", "ar", "hi", "zh", "ja", "ko"} {
		for _, k := range []kind{choice, privacy, tool, sponsored, credit} {
			if seen[string(k)+" "+code] != 1 {
				t.Errorf("%s has no words of %s", code, k)
			}
		}
	}
}

// What a page nests or repeats costs little more than reading it: it once took half a minute.
func BenchmarkHostilePages(b *testing.B) {
	for name, markup := range map[string]string{
		"nested banners": "<body>" + strings.Repeat("<div class='cookie-banner'>a ", 480) + strings.Repeat("<b>x</b>", 150_000),
		"nested lines":   "<body>" + strings.Repeat(strings.Repeat("<div>", 140)+"a / b"+strings.Repeat("</div>", 140), 1_400) + "<h1>t</h1>",
		"code":           "<body><p>" + strings.Repeat("<code>x</code> ", 60_000),
		"parts":          "<body>" + strings.Repeat("<p>"+strings.Repeat("a. b: ", 1_300)+"</p>", 500),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				doc, err := html.Parse(strings.NewReader(markup))
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				Remove(doc)
			}
		})
	}
}
