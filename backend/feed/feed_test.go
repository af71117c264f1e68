package feed

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"footnote/backend/bounded"
)

const rss = `<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Harbour news</title><link>https://example.org/</link><description>What happens at the quay</description>
<image><title>a picture</title></image>
<item><title>The crane &amp;amp; the ferry</title><pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate><dc:creator>A. Quill</dc:creator>
<description>&lt;p&gt;The crane lifts &lt;b&gt;40 tonnes&lt;/b&gt;.&lt;div&gt;&lt;!-- never closed</description><media:title>not this</media:title></item>
<item><title>Second</title><description>short</description><content:encoded><![CDATA[<p>The ferry leaves at 7&nbsp;a.m. <plaintext>]]></content:encoded></item>
<item><title>Third</title><description><p>Markup <i>as it is</i>.</p></description></item>
</channel></rss>`

const atomFeed = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Notes &lt;1&gt;</title><updated>2026-03-01T00:00:00Z</updated>
<entry><title>a &lt; b</title><published>2026-02-28T08:00:00Z</published><author><name>Ann Lee</name><email>a@example.org</email></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Read <em>this</em>.</p></div></content></entry>
<entry><title type="html">&lt;b&gt;bold&lt;/b&gt;</title><summary type="text">5 &lt; 6</summary></entry></feed>`

// lines is what a reader sees of a page.
func lines(t *testing.T, page string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			b.WriteString(strings.Join(strings.Fields(n.Data), " ") + "|")
		}
	}
	return b.String()
}

func TestAFeedIsAPageOfItsEntries(t *testing.T) {
	for name, c := range map[string]struct{ feed, want string }{
		"rss":      {rss, "Harbour news|Harbour news|What happens at the quay|The crane & the ferry|2026-03-03 A. Quill|The crane lifts|40 tonnes|.|Second|The ferry leaves at 7 a.m.|Third|Markup|as it is|.|"},
		"atom":     {atomFeed, "Notes <1>|Notes <1>|a < b|2026-02-28 Ann Lee|Read|this|.|bold|5 < 6|"},
		"rdf":      {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>T</title></channel><item><title>One</title></item></rdf:RDF>`, "T|T|One|"},
		"cut off":  {rss[:strings.Index(rss, "<item><title>Second")] + "<item><title>Sec", "Harbour news|Harbour news|What happens at the quay|The crane & the ferry|2026-03-03 A. Quill|The crane lifts|40 tonnes|.|"},
		"unknowns": {`<rss><channel><title>T</title><item><pubDate>last week</pubDate><description>x &eacute; y</description></item></channel></rss>`, "T|T|last week|x é y|"},
	} {
		t.Run(name, func(t *testing.T) {
			page, _, ok := Page(c.feed)
			if got := lines(t, page); !ok || got != c.want {
				t.Errorf("%v %s\nwant %s", ok, got, c.want)
			}
		})
	}
}

// TestALargeFeedIsReadInPart: three bytes of a fragment become a node, and each
// level of a feed has them.
func TestALargeFeedIsReadInPart(t *testing.T) {
	first := "<rss><channel><title>T</title><item><title>One</title></item>"
	var styled strings.Builder
	for i := range 300 {
		fmt.Fprintf(&styled, "&lt;b id=%d>", i)
	}
	for name, c := range map[string]struct {
		feed string
		cut  bool
	}{
		"small":     {first + "</channel></rss>", false},
		"entries":   {first + strings.Repeat("<item><title>a</title></item>", 60_000), true},
		"sections":  {first + "<item><description><![CDATA[" + strings.Repeat("<p>a", 300_000) + "]]></description></item>", true},
		"escaped":   {first + "<item><description>" + strings.Repeat("&lt;p>a", 300_000) + "</description></item>", true},
		"in many":   {first + strings.Repeat("<item><description>"+strings.Repeat("&lt;p>a", 3000)+"</description></item>", 100), true},
		"style":     {first + "<item><description>&lt;p>" + styled.String() + strings.Repeat("&lt;/p>a&lt;p>", 10_000) + "</description></item>", true},
		"one depth": {first + "<item><description>" + strings.Repeat("<p>", 300_000), true},
	} {
		t.Run(name, func(t *testing.T) {
			page, cut, ok := Page(c.feed)
			if !ok || cut != c.cut || !strings.Contains(page, "<h2>One</h2>") {
				t.Errorf("ok: %v, cut: %v, %d bytes", ok, cut, len(page))
			}
			if n := strings.Count(page, "<"); n > 3*bounded.Nodes {
				t.Errorf("%d tags of %d bytes", n, len(c.feed))
			}
		})
	}
}

func FuzzPage(f *testing.F) {
	f.Add(rss)
	f.Add(atomFeed)
	f.Fuzz(func(t *testing.T, text string) {
		page, _, ok := Page(text)
		if !ok {
			return
		}
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			return // too deep for a tree
		}
		if body := doc.FirstChild.LastChild; body.FirstChild == nil || body.FirstChild != body.LastChild {
			t.Errorf("an entry reaches out of the page: %q", page)
		}
	})
}

func TestWhatIsNoFeedIsLeftAlone(t *testing.T) {
	for _, text := range []string{"", "plain text", `{"rss": 1}`, `<?xml version="1.0"?><config><title>x</title></config>`, "<html><body><feed></body></html>", "<rss></rss>"} {
		if page, _, ok := Page(text); ok {
			t.Errorf("%q became %s", text, page)
		}
	}
}
