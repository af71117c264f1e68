package answer

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/recent"
	"footnote/backend/llm"
	"footnote/backend/privacy"
)

// Versioned is a Shelf that knows when its files changed: the number grows with
// every change since the program began.
type Versioned interface{ LastEvent() int64 }

// keptAnswer is a finished answer with the facts that are told again, and what it
// depends on beside the question and the settings.
type keptAnswer struct {
	answer       contract.Answer
	facts        []contract.Body
	chat, system string // models that were used, by name
}

// answerName covers all that an answer depends on but the models that "auto"
// finds: the question with everything that belongs to it, the earlier turns, the
// reader's wishes, the settings, the prompts, and the state of the library.
func (p *Pipeline) answerName() recent.Digest {
	q := p.Task.Question
	q.Thread, q.Replaces, q.Refreshes, q.Cache = "", "", "", false
	version := int64(0)
	if shelf, ok := p.engine.Shelf.(Versioned); ok {
		version = shelf.LastEvent()
	}
	return recent.DigestOf(q, q.AllInstructions(), p.Task.Lenses, p.Task.History, p.Task.Settings, prompts.Hash, version)
}

func (p *Pipeline) keepsAnswers() bool {
	return p.Task.Settings.Ask.CacheMinutes > 0 && !p.Task.Question.Private && !p.Task.Question.Aside && p.Tell.Run.Question.Mode != contract.ModeDeep
}

// storedAnswer is the answer to the same question of some minutes ago, nil when
// there is none or the reader wants a new one.
func (p *Pipeline) storedAnswer(ctx context.Context) *keptAnswer {
	if !p.keepsAnswers() {
		return nil
	}
	p.cacheKey = p.answerName()
	if !p.Task.Question.Cache || p.Task.Question.Replaces != "" {
		return nil
	}
	kept, ok := p.engine.answers.Get(p.cacheKey, p.Tell.Now(), time.Duration(p.Task.Settings.Ask.CacheMinutes)*time.Minute)
	if !ok || p.resolveModels(ctx) != nil || p.Models.Chat.Name != kept.chat || p.Models.System.Name != kept.system {
		return nil
	}
	return kept
}

// giveAgain tells a stored answer anew, as the answer of this run. It cost
// nothing.
func (p *Pipeline) giveAgain(kept *keptAnswer) contract.Answer {
	for _, fact := range kept.facts {
		p.Tell.Emit(fact)
	}
	a := kept.answer
	p.Tell.Say(a.Answer)
	p.Tell.Emit(contract.Checked{Citations: a.Citations, Report: a.Report})
	now := p.Tell.Now().UTC()
	a.Cached, a.Run, a.Thread = true, p.Tell.Run.ID, p.Task.Question.Thread
	a.Usage, a.Timing, a.Ledger = contract.UsagePair{}, contract.Timing{}, []privacy.LedgerEntry{}
	a.Timestamp, a.LatencyMs = contract.StampOf(now), max(1, now.Sub(p.Task.Started).Milliseconds())
	return a
}

// keepAnswer stores an answer for the same question. One that had to do without
// something, or was cut short, is not worth it.
func (p *Pipeline) keepAnswer(a contract.Answer) {
	if !p.keepsAnswers() || a.Cached || a.Outcome == contract.NoEvidence || a.Outcome == contract.Chatted || p.Tell.CutShort() || p.Evidence.WebError != nil || p.Models.Why != nil || p.gradedInHaste() {
		return
	}
	p.engine.answers.Put(p.cacheKey, p.Tell.Now(), &keptAnswer{answer: a, facts: p.lasting(), chat: p.Models.Chat.Name, system: p.Models.System.Name})
}

// lasting are the facts of a run that hold for its answer whenever it is given.
func (p *Pipeline) lasting() []contract.Body {
	var facts []contract.Body
	for _, e := range p.Tell.Facts() {
		switch body := e.Body.(type) {
		case contract.Planned:
			body.By = "cache"
			facts = append(facts, body)
		case contract.Selected, contract.Noticed, contract.Picture, contract.FollowUps:
			facts = append(facts, body)
		}
	}
	return facts
}

// reworded is what the model makes of the end of the conversation, or made of it
// some minutes ago; by tells which.
func (p *planner) reworded(ctx context.Context, model llm.ResolvedModel) (said, by string, err error) {
	messages := prompts.Rewrite(p.task.Question, p.task.History, p.tell.Now())
	name := recent.DigestOf(model.Name, messages)
	keep := time.Duration(p.task.Settings.Ask.RewriteCacheMinutes) * time.Minute
	if said, ok := p.deps.rewrites.Get(name, p.tell.Now(), keep); ok && p.task.Question.Cache {
		return said, "cache", nil
	}
	said, usage, err := llm.CompleteUntil(privacy.WithPurpose(ctx, "rewrite"), model, llm.Call{Messages: messages, MaxTokens: 400, Purpose: "rewrite"}, p.early.Agrees)
	p.tell.Count(&p.tell.Usage.System, model.Name, usage)
	query, none := queries.Clean(said)
	if err == nil && (p.early.Agrees(said) || p.early.Covers([]string{query})) {
		said, query = p.early.Query, p.early.Query // which is what was searched for
	}
	if err == nil && (none || query != "") && keep > 0 && !p.task.Question.Private {
		p.deps.rewrites.Put(name, p.tell.Now(), said)
	}
	return said, "model", err
}
