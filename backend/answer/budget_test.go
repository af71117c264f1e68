package answer_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

func TestTheFirstBudgetReachedEndsRetrievalAndIsNamed(t *testing.T) {
	for limit, change := range map[string]func(*stage){
		"1 model call": func(s *stage) { s.set.Limits.ModelCalls = 1 },
		"5 tokens":     func(s *stage) { s.set.Limits.Tokens = 5 },
		"0.002 in money": func(s *stage) {
			s.set.Limits.Cost, s.set.Models.PromptPrices = 0.002, map[string]float64{"test/m": 10000}
		},
	} {
		model := llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It was opened on 3 May 1932 [1]."))
		s := set(t, oneModel{name: "test/m", model: model}, change)
		events := s.ask(t, "When was the Lorne bridge opened?", nil)
		a := finished(t, events)
		named := false
		for _, n := range a.Notices {
			named = named || n.Code == "budget" && strings.Contains(n.Message, limit)
		}
		if !named || !has(events, "answering") || a.Outcome != contract.Answered {
			t.Errorf("%s: %s, %+v", limit, a.Outcome, a.Notices)
		}
		if len(s.web.Reads()) != 0 {
			t.Errorf("%s: pages were read after the end of retrieval: %v", limit, s.web.Reads())
		}
	}
}

func TestMoneyIsCountedByTheProvidersOwnPrices(t *testing.T) {
	price := llm.Price{Prompt: 1e6, Reply: 2e6}
	for limit, ended := range map[float64]bool{1: true, 1e9: false, 0: false} {
		model := llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It was opened on 3 May 1932 [1]."))
		s := set(t, oneModel{name: "test/m", model: model, abil: llm.Ability{Window: 8192, Price: price}}, func(s *stage) { s.set.Limits.Cost = limit })
		if got := noticed(finished(t, s.ask(t, "When was the Lorne bridge opened?", nil)), "budget"); got != ended {
			t.Errorf("limit %g: ended by the budget: %t", limit, got)
		}
	}
}

// crowd counts how many pages are read at once.
type crowd struct {
	*webtest.Frozen
	now, most atomic.Int64
}

func (c *crowd) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	return c.Frozen.Read(ctx, lead)
}

func TestNoMorePagesAreReadAtOnceThanAllowed(t *testing.T) {
	var reader *crowd
	s := set(t, nil, func(s *stage) {
		s.set.Limits.FetchesAtOnce, s.set.Web.ReadPages = 2, 12
		for i := range 12 {
			s.web.Pages = append(s.web.Pages, webtest.Page{Address: fmt.Sprintf("https://d%d.example.org/", i), Title: "Lorne bridge", Text: fmt.Sprintf("The Lorne bridge is %d metres long.", i)})
		}
		reader = &crowd{Frozen: s.web}
		s.reader = reader
	})
	finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
	if most := reader.most.Load(); most == 0 || most > 2 {
		t.Errorf("%d pages at once", most)
	}
}
