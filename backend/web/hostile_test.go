package web

import (
	"fmt"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// hostilePages are small to write and large to read.
func hostilePages(size int) map[string]string {
	filled := func(head, each string) string { return head + strings.Repeat(each, (size-len(head))/len(each)) }
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	styled := numbered("<b id=%d>", 300)
	return map[string]string{
		"paragraphs":             filled("", "<p>a"),
		"empty paragraphs":       filled("", "<p>"),
		"breaks":                 filled("", "<br>"),
		"inputs":                 filled("", "<hr>"),
		"comments":               filled("", "<!---->"),
		"rows":                   filled("<table>", "<tr>"),
		"cells":                  filled("<table>", "<td>"),
		"options":                filled("<select>", "<option>"),
		"items":                  filled("<ul>", "<li>"),
		"bold that never ends":   filled(styled, "<p>a"),
		"bold in paragraphs":     filled("<p>"+styled, "</p>a<p>"),
		"fonts in cells":         filled("<table><tr><td>"+numbered("<font size=%d>", 300), "<td>a"),
		"adopted":                filled("", "<b><p></b>"),
		"adopted links":          filled("", "<a><div></a>"),
		"nested lists":           filled("", "<ul><li>"),
		"depth":                  filled("", "<div>"),
		"attributes":             filled("<p ", "a b c "),
		"attributes of bold":     filled("<p><b "+numbered("a%d ", 4000)+"><i id=x>", "<p>a"),
		"one attribute":          filled("<p a=\"", "x"),
		"style in a drawing":     filled("<svg><style>", "<p>a"),
		"title in a drawing":     filled("<svg><title>"+styled, "<p>a"),
		"split drawings":         filled("<svg><style><p>"+styled+"</style>", "<p>a"),
		"script in a drawing":    filled("<svg><script><!--</script>", "<p>a"),
		"section in a drawing":   filled("<svg><![CDATA[><!--]]></svg>"+styled, "<p>a"),
		"attribute in a section": filled("<svg><![CDATA[><x y=\"]]></svg>"+styled, "<p>a"),
		"formula":                filled("<math>", "<mi>a"),
		"templates":              filled("", "<template>"),
		"frames":                 filled("<frameset>", "<frame>"),
		"no tags":                filled("", "< "),
		"entities":               filled("", "&amp;<i>"),
		"one word":               filled("<p>", "x"),
		"script":                 filled("<script>", "<p>a"),
	}
}

func TestTheTreeOfAPageIsBounded(t *testing.T) {
	for name, markup := range hostilePages(1_500_000) {
		part, cut := boundedMarkup(markup)
		doc, err := html.Parse(strings.NewReader(part))
		if err != nil {
			continue // too deep: read tag by tag
		}
		nodes := 0
		for range doc.Descendants() {
			nodes++
		}
		if nodes > 2*mostNodes {
			t.Errorf("%s: %d nodes from %d bytes (cut: %v)", name, nodes, len(part), cut)
		}
	}
}

func TestAPageThatIsTooLargeIsReadInPartAndSaysSo(t *testing.T) {
	p := read(t, article(strings.Repeat("<p>a", mostNodes)))
	if !p.cut || !strings.Contains(p.text, "Velnor bridge was opened") {
		t.Errorf("cut: %v, %d bytes", p.cut, len(p.text))
	}
	if p := read(t, article(strings.Repeat("<p>Some words of a <b>long</b> page, with a <a href=/x>link</a>.", 5000))); p.cut {
		t.Error("a long page was cut")
	}
	r := &Reader{opt: ReaderOptions{Now: time.Now}}
	u, err := url.Parse("https://site.example/page")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := r.htmlDocument(article(strings.Repeat("<p>a", mostNodes)), u)
	if err != nil || !doc.Coverage.Truncated || doc.Coverage.Reason != "The page has more than 200000 parts; the first of them were read." || doc.Flags[0] != "partly-read" {
		t.Errorf("%v %+v %v", err, doc.Coverage, doc.Flags)
	}
	doc, err = plainDocument(strings.Repeat("a\n\n", 3*mostNodes))
	if err != nil || !doc.Coverage.Truncated || len(doc.Blocks) != mostNodes {
		t.Errorf("%v %+v %d blocks", err, doc.Coverage, len(doc.Blocks))
	}
}

// TestHostilePagesCostLittle reads eight at once, as a question does.
func TestHostilePagesCostLittle(t *testing.T) {
	u, err := url.Parse("https://site.example/page")
	if err != nil {
		t.Fatal(err)
	}
	pages := hostilePages(4_900_000)
	for _, name := range []string{"paragraphs", "bold that never ends", "attributes of bold"} {
		markup := pages[name]
		debug.FreeOSMemory()
		before := heapPeak()
		slots := make(chan struct{}, parsesAtOnce)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				slots <- struct{}{}
				readPage(markup, u)
				<-slots
			})
		}
		wait.Wait()
		if grown := heapPeak() - before; grown > 400<<20 {
			t.Errorf("%s: memory grew by %d MB", name, grown>>20)
		}
	}
}

// heapPeak is what the heap has taken from the system and not given back.
func heapPeak() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}
