package answer_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

var update = flag.Bool("update", false, "write the golden event logs anew")

// atOnce says its reply in one delta, so that a log does not depend on how fast
// the machine is.
type atOnce struct {
	query, thought, text string
	err                  error
}

func (m atOnce) Stream(_ context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		usage := &llm.Usage{Prompt: 100, Completion: 20, Calls: 1}
		switch call.Purpose {
		case "rewrite":
			yield(llm.Delta{Text: m.query, Usage: usage}, nil)
		case "chat":
			if m.thought != "" && !yield(llm.Delta{Thinking: m.thought}, nil) {
				return
			}
			if yield(llm.Delta{Text: m.text, Usage: usage, Finish: llm.Stop}, nil) && m.err != nil {
				yield(llm.Delta{}, m.err)
			}
		default:
			yield(llm.Delta{Text: `["How long is it?", "Who built it?", "What did it cost?"]`, Usage: usage}, nil)
		}
	}
}

// TestGoldenEventLogs writes or compares the logs that the front end's tests
// fold too. Ids, times and durations are made equal first.
func TestGoldenEventLogs(t *testing.T) {
	proved := atOnce{"Lorne bridge", "Two sources.", "The bridge was opened on 3 May 1932 [1].\n\n- It is 503 metres long [2].\n- It was painted red [9].\n- It cost 9 million pounds [1].", nil}
	lost := atOnce{"Lorne bridge", "", "The bridge was opened on 3 May 1932 [1] and", fault.New(fault.ModelTimeout, "The model stopped after 60 seconds.", "Ask again.")}
	for _, c := range []struct {
		name    string
		model   llm.ModelSource
		ask     string
		change  func(*stage)
		respond func(*contract.Question)
	}{
		{"extracted", nil, "When was the bridge over the Lorne opened?", func(s *stage) { s.web = nil }, func(q *contract.Question) { q.Offline = true }},
		{"answered", oneModel{name: "test/m", model: proved}, "When was the bridge over the Lorne opened, and how long is it?", nil, nil},
		{"no-evidence", nil, "What is the airspeed of a swallow?", func(s *stage) { s.shelf.files = nil; s.web.Pages = nil }, nil},
		{"failed", oneModel{name: "test/m", model: lost}, "When was the bridge over the Lorne opened?", nil, func(q *contract.Question) { q.Models.Chat = "test/m" }},
		{"chatted", nil, "Hello!", nil, nil},
		{"agent", agentic(investigator()), "Who built the Lorne bridge, and where was he born?", planless, inAgentMode},
		{"deep", deeply(&researcher{}), lorneQuestion, site, inDeepMode},
		{"deep-extracted", nil, lorneQuestion, site, inDeepMode},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []byte
			synctest.Test(t, func(t *testing.T) { // no event depends on how fast the machine is
				s := set(t, c.model, func(s *stage) {
					s.now = func() time.Time { return day }
					if c.change != nil {
						c.change(s)
					}
				})
				got = normal(t, s.ask(t, c.ask, c.respond))
			})
			compareGolden(t, filepath.Join("testdata", "events", c.name+".json"), got)
		})
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; look at it and run with -update\n%s", path, got)
	}
}

var (
	timeOf = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`)
	msOf   = regexp.MustCompile(`"(\w*ms|freshness|composite)": [0-9.e-]+`)
	idsOf  = regexp.MustCompile(`(run|thr)_[a-z0-9]{26}`)
)

func normal(t *testing.T, events []contract.Event) []byte {
	t.Helper()
	if has(events, "scoped") {
		sortResearch(events)
	} else {
		sortShelf(events)
	}
	body, err := json.MarshalIndent(events, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text := timeOf.ReplaceAllString(string(body), `"2026-11-21T10:00:00.000Z"`)
	text = msOf.ReplaceAllString(text, `"$1": 1`)
	text = idsOf.ReplaceAllString(text, "${1}_0000000000000000000000000")
	return []byte(text + "\n")
}

// sortShelf gives events of what runs beside each other one order: after the
// opening the local search, then the one for the question as typed, then the
// others.
func sortShelf(events []contract.Event) {
	queries, more := []string{}, false
	for _, e := range events {
		if b, ok := e.Body.(contract.Planned); ok {
			queries = b.Queries
			more = b.By == "rules" // else what was searched for as typed may be all
		}
	}
	for _, e := range events {
		if b, ok := e.Body.(contract.FoundLeads); ok && b.Engine != "library" && !slices.Contains(queries, b.Query) {
			more = true
		}
	}
	side := func(e contract.Event) int {
		switch b := e.Body.(type) {
		case contract.Searching:
			if b.Engine == "library" {
				return 0
			}
		case contract.FoundLeads:
			switch {
			case b.Engine == "library":
				return 0
			case !more || !slices.Contains(queries, b.Query):
				return 1
			}
		}
		return 2
	}
	slices.SortStableFunc(events[1:], func(a, b contract.Event) int { return cmp.Compare(side(a), side(b)) })
	for i := range events {
		events[i].Seq = i + 1
	}
}
