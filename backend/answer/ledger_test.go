package answer_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/privacy"
)

// wire is a host to which models send what they are asked, as those of a provider
// do. It keeps what came, by purpose.
type wire struct {
	server *httptest.Server
	client *http.Client
	mu     sync.Mutex
	came   map[string]string
}

func newWire(t *testing.T) *wire {
	w := &wire{client: &http.Client{Transport: privacy.Metered(http.DefaultTransport)}, came: map[string]string{}}
	w.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.came[r.URL.Query().Get("purpose")] += string(body)
	}))
	t.Cleanup(w.server.Close)
	return w
}

type wired struct {
	llm.Model
	wire *wire
}

func (m wired) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		var body strings.Builder
		for _, message := range call.Messages {
			body.WriteString(message.Text + "\n")
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.wire.server.URL+"?purpose="+call.Purpose, strings.NewReader(body.String()))
		if err == nil {
			var resp *http.Response
			if resp, err = m.wire.client.Do(req); err == nil {
				err = resp.Body.Close()
			}
		}
		if err != nil {
			yield(llm.Delta{}, err)
			return
		}
		m.Model.Stream(ctx, call)(yield)
	}
}

// checkLedger holds the ledger of an answer against what came over the wire: an
// entry names a passage of a file exactly where its words came. It gives the
// purposes under which any did.
func (w *wire) checkLedger(t *testing.T, a contract.Answer, files map[evidence.PassageID][]string) (purposes []string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for purpose, came := range w.came {
		at := slices.IndexFunc(a.Ledger, func(e privacy.LedgerEntry) bool { return e.Purpose == purpose && "http://"+e.Host == w.server.URL })
		if at < 0 {
			t.Errorf("%s has no line: %+v", purpose, a.Ledger)
			continue
		}
		for id, words := range files {
			carried := slices.ContainsFunc(words, func(some string) bool { return strings.Contains(came, some) })
			if named := slices.Contains(a.Ledger[at].Sent, id); named != carried {
				t.Errorf("%s carried %q: %v, the ledger says %v:\n%s", purpose, words, carried, named, came)
			}
			if carried && !slices.Contains(purposes, purpose) {
				purposes = append(purposes, purpose)
			}
		}
	}
	slices.Sort(purposes)
	return purposes
}

// passageOf is the passage as which a stage's shelf gives a file.
func passageOf(text string) evidence.PassageID {
	return evidence.NewPassageID(evidence.Digest([]byte(text)), 0, len([]rune(text)))
}

const (
	tollFile  = "The toll that met the cost of the Lorne bridge was four pence for a cart until the county took it over in 1951."
	tollTold  = "A cart paid four pence until 1951" // what models say of it
	tollWords = "four pence for a cart until the county took it over"
	otherFile = "Elm Street has a bakery that opens at seven and sells rye bread on Fridays only."
	otherPart = "bakery that opens at seven and sells rye bread"
)

// tolls are two files, of which one has to do with the question.
func tolls(s *stage) {
	s.shelf.files = map[string]string{"/d/toll.txt": tollFile, "/d/bakery.txt": otherFile}
	s.search = onlyToll{s.shelf}
}

// onlyToll finds a single one of the files.
type onlyToll struct{ *shelf }

func (o onlyToll) Search(ctx context.Context, query string, scope contract.Scope, n int) ([]evidence.Found, error) {
	found, err := o.shelf.Search(ctx, query, scope, n)
	return slices.DeleteFunc(found, func(f evidence.Found) bool { return f.Source.Title != "toll.txt" }), err
}

var tollPassages = map[evidence.PassageID][]string{passageOf(tollFile): {tollWords, tollTold, "A key finding."}, passageOf(otherFile): {otherPart}}

func TestTheLedgerNamesTheFilesOfWhichACallCarriedText(t *testing.T) {
	told := tollTold + " [1]."
	for name, c := range map[string]struct {
		model    llm.Model
		change   func(*stage)
		question func(*contract.Question)
		want     []string
	}{
		"balanced": {llmtest.NewScripted(rewrite("Lorne bridge toll"), chat(told)), nil, nil, []string{"chat", "follow-ups"}},
		"agent": {
			steps(told, wish("file_search", `{"query":"toll"}`), wish("web_search", `{"query":"Lorne bridge"}`)), func(s *stage) { s.set.Agent.Reflection = true }, inAgentMode, []string{"agent", "chat", "follow-ups", "reflect"},
		},
		"deep research": {&researcher{}, func(s *stage) { s.web.Pages, s.set.Deep.ReviewMs = lornePages, 1 }, inDeepMode, []string{"chat", "compress", "extract", "judge", "related", "scope"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t)
			s := set(t, oneModel{name: "cloud/m", model: wired{c.model, w}, abil: llm.Ability{Tools: true, Window: 16000}}, func(s *stage) {
				tolls(s)
				if c.change != nil {
					c.change(s)
				}
			})
			a := finished(t, s.ask(t, "What did a cart pay on the Lorne bridge?", c.question))
			if got := w.checkLedger(t, a, tollPassages); !slices.Equal(got, c.want) {
				t.Errorf("text of the file went out for %v, want %v", got, c.want)
			}
		})
	}
}

func TestTheLedgerNamesTheFilesThatAnEarlierAnswerTellsOf(t *testing.T) {
	w := newWire(t)
	models := byName{
		"test/chat":    llmtest.NewScripted(chat(tollTold + " [1].")),
		"cloud/reword": wired{llmtest.NewScripted(llmtest.Reply{Text: "Lorne bridge cart toll end"}), w},
	}
	s := set(t, models, func(s *stage) { tolls(s); s.set.Models.Rewrite = "cloud/reword" })
	first := finished(t, s.ask(t, "What did a cart pay on the Lorne bridge?", nil))
	if got := w.checkLedger(t, first, tollPassages); len(got) != 0 {
		t.Errorf("text of files went out for %v", got)
	}
	a := finished(t, s.ask(t, "And why did it end?", func(q *contract.Question) { q.Thread = first.Thread }))
	if got := w.checkLedger(t, a, tollPassages); !slices.Equal(got, []string{"rewrite"}) {
		t.Errorf("text of files went out for %v, want the rewriter", got)
	}
}

func TestARewriterBeyondThisComputerSeesEarlierAnswersFromFilesOnlyWithConsent(t *testing.T) {
	for _, may := range []bool{false, true} {
		w := newWire(t)
		models := byName{
			"test/chat":    llmtest.NewScripted(chat(tollTold + " [1].")),
			"cloud/reword": wired{llmtest.NewScripted(llmtest.Reply{Text: "Lorne bridge cart toll end"}), w},
		}
		s := set(t, models, func(s *stage) { tolls(s); s.set.Models.Rewrite, s.consents = "cloud/reword", allowed{"cloud": may} })
		first := finished(t, s.ask(t, "What did a cart pay on the Lorne bridge?", nil))
		w.mu.Lock()
		asked := w.came["rewrite"]
		w.came = map[string]string{}
		w.mu.Unlock()
		if asked == "" || strings.Contains(asked, tollTold) {
			t.Errorf("allowed %v: before there was an answer the rewriter was sent %q", may, asked)
		}
		finished(t, s.ask(t, "And why did it end?", func(q *contract.Question) { q.Thread = first.Thread }))
		if sent := strings.Contains(w.came["rewrite"], tollTold); sent != may {
			t.Errorf("allowed %v: the rewriter was sent %q", may, w.came["rewrite"])
		}
	}
}

func TestTheLedgerNamesWhatTheRerankerWasSent(t *testing.T) {
	w := newWire(t)
	models := byName{
		"test/chat":   llmtest.NewScripted(rewrite("Lorne bridge toll"), chat(tollTold+" [1].")),
		"cloud/order": wired{llmtest.NewScripted(llmtest.Reply{Text: "[1, 2]"}), w},
	}
	s := set(t, models, func(s *stage) { tolls(s); s.set.Models.Rerank = "cloud/order" })
	a := finished(t, s.ask(t, "What did a cart pay on the Lorne bridge?", nil))
	if got := w.checkLedger(t, a, tollPassages); !slices.Equal(got, []string{"rerank"}) {
		t.Errorf("text of files went out for %v", got)
	}
	at := slices.IndexFunc(a.Ledger, func(e privacy.LedgerEntry) bool { return e.Purpose == "rerank" })
	if at < 0 || len(a.Ledger[at].Sent) < 2 {
		t.Errorf("the passages of the page are not named: %+v", a.Ledger)
	}
}
