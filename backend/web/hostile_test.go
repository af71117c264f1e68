package web

import (
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"footnote/backend/bounded"
	"footnote/backend/hostile"
)

func TestTheTreeOfAPageIsBounded(t *testing.T) {
	for name, markup := range hostile.Pages(1_500_000) {
		part, _ := bounded.Markup(markup, bounded.Nodes)
		doc, err := html.Parse(strings.NewReader(part))
		if err != nil {
			continue // too deep: read tag by tag
		}
		nodes := 0
		for range doc.Descendants() {
			nodes++
		}
		if nodes > 2*bounded.Nodes {
			t.Errorf("%s: %d nodes from %d bytes of %d", name, nodes, len(part), len(markup))
		}
	}
}

func TestAPageThatIsTooLargeIsReadInPartAndSaysSo(t *testing.T) {
	p := read(t, article(strings.Repeat("<p>a", bounded.Nodes)))
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
	doc, err := r.pageDocument(readPage(article(strings.Repeat("<p>a", bounded.Nodes)), u), u)
	if err != nil || !doc.Coverage.Truncated || doc.Coverage.Reason != "The page has more than 200000 parts; the first of them were read." || doc.Flags[0] != "partly-read" {
		t.Errorf("%v %+v %v", err, doc.Coverage, doc.Flags)
	}
	doc, err = plainDocument(strings.Repeat("a\n\n", 3*bounded.Nodes))
	if err != nil || !doc.Coverage.Truncated || len(doc.Blocks) != bounded.Nodes {
		t.Errorf("%v %+v %d blocks", err, doc.Coverage, len(doc.Blocks))
	}
}

// TestHostilePagesCostLittle reads eight at once, as a question does.
func TestHostilePagesCostLittle(t *testing.T) {
	u, err := url.Parse("https://site.example/page")
	if err != nil {
		t.Fatal(err)
	}
	pages := hostile.Pages(4_900_000)
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
