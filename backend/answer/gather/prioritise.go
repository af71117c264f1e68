package gather

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

const (
	prioritised   = 5 // leads that a model orders
	priorityWords = 300
	slowInARow    = 2 // calls past the deadline after which "auto" leaves it
	restOfSlow    = 10 * time.Minute
)

// priority is a model's opinion on a source: what it adds to its authority, and
// why.
type priority struct {
	Bonus  float64
	Reason string
}

// Pace remembers whether the models that prioritise were too slow lately. The
// zero value is ready; safe for concurrent use.
type Pace struct {
	mu    sync.Mutex
	slow  int
	until time.Time
}

func (p *Pace) note(late bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !late {
		p.slow = 0
		return
	}
	if p.slow++; p.slow >= slowInARow {
		p.slow, p.until = 0, now.Add(restOfSlow)
	}
}

func (p *Pace) resting(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.until)
}

// prioritise asks the system model which of the leads to rely on, beside the
// reading of pages. It only reorders: whatever goes wrong leaves the computed
// order. It is nil when no model is asked.
func (r *Retriever) prioritise(ctx context.Context, leads []evidence.Lead) *opinion {
	wish := r.Task.Settings.Rank.Prioritise
	if wish == "off" || r.Task.Question.Mode == contract.ModeSpeed || r.Models.System.Model == nil || len(leads) < 2 || wish == "auto" && r.Deps.Paces.resting(r.Tell.Now()) {
		return nil
	}
	limit := time.Duration(r.Task.Settings.Rank.PrioritiseTimeoutMs) * time.Millisecond
	timed, stop := context.WithTimeout(privacy.WithPurpose(ctx, "prioritise"), limit)
	o := &opinion{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		defer stop()
		said, usage, err := llm.Complete(timed, r.Models.System, llm.Call{Messages: priorityMessages(r.Task.Question.Text, leads), MaxTokens: 400, Purpose: "prioritise"})
		if ctx.Err() == nil {
			r.Deps.Paces.note(timed.Err() != nil, r.Tell.Now())
		}
		if err != nil {
			r.Tell.Log.Info("sources were not prioritised", "err", err)
		}
		o.of, o.usage = parsePriorities(said, leads), usage
	}()
	return o
}

// opinion is a model's view of the sources. The fields stand when done is closed.
type opinion struct {
	stop  context.CancelFunc
	done  chan struct{}
	of    map[string]priority // by normalised address
	usage llm.Usage
}

func priorityMessages(question string, leads []evidence.Lead) []llm.Message {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n", plain.OneLine(question, 1000))
	for _, l := range leads[:min(len(leads), prioritised)] {
		fmt.Fprintf(&b, "\nurl: %s\ntitle: %s\nexcerpt: %s\n", l.Source.Address, plain.OneLine(l.Source.Title, 200), plain.OneLine(l.Snippet, priorityWords))
	}
	return []llm.Message{{Author: llm.System, Text: prompts.Fill("prioritise")}, {Author: llm.User, Text: b.String()}}
}

// parsePriorities reads the reply. Addresses that were not given, and what stands
// behind the fifth, are left out.
func parsePriorities(said string, leads []evidence.Lead) map[string]priority {
	known := map[string]bool{}
	for _, l := range leads[:min(len(leads), prioritised)] {
		known[rank.NormalizeURL(l.Source.Address)] = true
	}
	for value := range llm.Values(said) {
		var list []struct {
			URL    string  `json:"url"`
			Rank   float64 `json:"rank"`
			Reason string  `json:"reason"`
		}
		if json.Unmarshal([]byte(value), &list) != nil || len(list) == 0 {
			continue
		}
		of := map[string]priority{}
		for _, entry := range list {
			at := rank.NormalizeURL(strings.TrimSpace(entry.URL))
			if _, twice := of[at]; known[at] && !twice && len(of) < prioritised && entry.Rank >= 1 && entry.Rank <= prioritised {
				of[at] = priority{rank.Prioritise(int(entry.Rank)), plain.OneLine(entry.Reason, 160)}
			}
		}
		if len(of) > 0 {
			return of
		}
	}
	return nil
}

// takeOpinion notes the opinions on the sources and what asking cost. Unless the
// reader wants them always, they are taken only where they cost no time: the
// pages are read now.
func (r *Retriever) takeOpinion(o *opinion) {
	if o == nil {
		return
	}
	if r.Task.Settings.Rank.Prioritise != "on" {
		o.stop()
	}
	<-o.done
	r.Evidence.Priorities = o.of
	r.Tell.Count(&r.Tell.Usage.System, r.Models.System.Name, o.usage)
}
