package answer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"footnote/backend/llm"
)

// Versioned is a Shelf that knows when its files changed: the number grows with
// every change since the program began.
type Versioned interface{ LastEvent() int64 }

const keptAnswers = 64 // answers, and as many rewrites, that may be given again

// digest names what a kept result depends on.
type digest [32]byte

// digestOf is the digest of values as JSON. They are structs of plain fields, so
// there is nothing that JSON cannot say.
func digestOf(values ...any) digest {
	b, err := json.Marshal(values)
	if err != nil {
		b = fmt.Appendf(nil, "%#v", values)
	}
	return sha256.Sum256(b)
}

// recent keeps results for some minutes, the last ones only. The zero value is
// ready. Safe for concurrent use.
type recent[T any] struct {
	most  int // kept at a time; 0 = keptAnswers
	mu    sync.Mutex
	by    map[digest]aged[T]
	order []digest // as they were put, oldest first
}

type aged[T any] struct {
	value T
	since time.Time
}

// get gives what was put under a name less than keep ago.
func (r *recent[T]) get(name digest, now time.Time, keep time.Duration) (value T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.by[name]
	if !ok || now.Sub(a.since) >= keep {
		return value, false
	}
	return a.value, true
}

func (r *recent[T]) put(name digest, now time.Time, value T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[digest]aged[T]{}
	}
	if _, again := r.by[name]; again {
		r.order = slices.DeleteFunc(r.order, func(d digest) bool { return d == name })
	}
	r.by[name], r.order = aged[T]{value, now}, append(r.order, name)
	for most := cmp.Or(r.most, keptAnswers); len(r.order) > most; r.order = r.order[1:] {
		delete(r.by, r.order[0])
	}
}

// keptAnswer is a finished answer with the facts that are told again, and what it
// depends on beside the question and the settings.
type keptAnswer struct {
	answer       Answer
	facts        []Body
	chat, system string // models that were used, by name
}

// answerName covers all that an answer depends on but the models that "auto"
// finds: the question with everything that belongs to it, the earlier turns, the
// reader's wishes, the settings, the prompts, and the state of the library.
func (p *pipeline) answerName() digest {
	q := p.q
	q.Thread, q.Replaces, q.Refreshes, q.Cache = "", "", "", false
	version := int64(0)
	if shelf, ok := p.Shelf.(Versioned); ok {
		version = shelf.LastEvent()
	}
	return digestOf(q, q.wishes(), p.lenses, p.history, p.s, promptHash, version)
}

func (p *pipeline) keepsAnswers() bool {
	return p.s.Ask.CacheMinutes > 0 && !p.q.Private && !p.q.Aside && p.run.Question.Mode != ModeDeep
}

// storedAnswer is the answer to the same question of some minutes ago, nil when
// there is none or the reader wants a new one.
func (p *pipeline) storedAnswer(ctx context.Context) *keptAnswer {
	if !p.keepsAnswers() {
		return nil
	}
	p.name = p.answerName()
	if !p.q.Cache || p.q.Replaces != "" {
		return nil
	}
	kept, ok := p.answers.get(p.name, p.now(), time.Duration(p.s.Ask.CacheMinutes)*time.Minute)
	if !ok || p.resolveModels(ctx) != nil || p.chat.Name != kept.chat || p.system.Name != kept.system {
		return nil
	}
	return kept
}

// giveAgain tells a stored answer anew, as the answer of this run. It cost
// nothing.
func (p *pipeline) giveAgain(kept *keptAnswer) Answer {
	for _, fact := range kept.facts {
		p.emit(fact)
	}
	a := kept.answer
	p.say(a.Answer)
	p.emit(Checked{Citations: a.Citations, Report: a.Report})
	now := p.now().UTC()
	a.Cached, a.Run, a.Thread = true, p.run.ID, p.q.Thread
	a.Usage, a.Timing, a.Ledger = UsagePair{}, Timing{}, []LedgerEntry{}
	a.Timestamp, a.LatencyMs = now.Truncate(time.Millisecond), max(1, now.Sub(p.started).Milliseconds())
	return a
}

// keepAnswer stores an answer for the same question. One that had to do without
// something, or was cut short, is not worth it.
func (p *pipeline) keepAnswer(a Answer) {
	if !p.keepsAnswers() || a.Cached || a.Outcome == NoEvidence || a.Outcome == Chatted || p.cutShort() || p.searched != nil || p.why != nil {
		return
	}
	p.answers.put(p.name, p.now(), &keptAnswer{answer: a, facts: p.lasting(), chat: p.chat.Name, system: p.system.Name})
}

// lasting are the facts of a run that hold for its answer whenever it is given.
func (p *pipeline) lasting() []Body {
	var facts []Body
	for _, e := range p.live.facts() {
		switch body := e.Body.(type) {
		case Planned:
			body.By = "cache"
			facts = append(facts, body)
		case Selected, Noticed, Picture, FollowUps:
			facts = append(facts, body)
		}
	}
	return facts
}

// reworded is what the model makes of the end of the conversation, or made of it
// some minutes ago; by tells which.
func (p *pipeline) reworded(ctx context.Context, model ResolvedModel) (said, by string, err error) {
	messages := rewriteMessages(p.q, p.history, p.now())
	name := digestOf(model.Name, messages)
	keep := time.Duration(p.s.Ask.RewriteCacheMinutes) * time.Minute
	if said, ok := p.rewrites.get(name, p.now(), keep); ok && p.q.Cache {
		return said, "cache", nil
	}
	said, usage, err := completeUntil(WithPurpose(ctx, "rewrite"), model, llm.Call{Messages: messages, MaxTokens: 400, Purpose: "rewrite"}, p.early.agrees)
	p.count(&p.usage.System, model.Name, usage)
	query, none := cleanRewrite(said)
	if err == nil && (p.early.agrees(said) || p.early.covers([]string{query})) {
		said, query = p.early.query, p.early.query // which is what was searched for
	}
	if err == nil && (none || query != "") && keep > 0 && !p.q.Private {
		p.rewrites.put(name, p.now(), said)
	}
	return said, "model", err
}
