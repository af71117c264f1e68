package report

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
)

// A report is written ahead: the model writes its sections side by side, and the
// reader gets them in their order.

// draft is a section that a model writes or has written.
type draft struct {
	section  section
	passages []rank.Candidate // it may be written from, best first
	kept     []rank.Candidate // that fitted
	room     int              // tokens, for passages and notes
	call     llm.Call
	reply    *ahead
	restored bool // from an earlier process
}

// received is a piece of a reply.
type received struct {
	delta llm.Delta
	err   error
}

// ahead is the reply to one call, received before anybody comes to it. As a model
// it gives what has come and waits for the rest, whatever it is asked. Safe for
// concurrent use.
type ahead struct {
	mu    sync.Mutex
	heard []received
	ended bool
	more  chan struct{} // closed and replaced when something came
}

func newAhead() *ahead { return &ahead{more: make(chan struct{})} }

func (a *ahead) put(h received) { a.change(func() { a.heard = append(a.heard, h) }) }

func (a *ahead) end() { a.change(func() { a.ended = true }) }

func (a *ahead) change(with func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	with()
	close(a.more)
	a.more = make(chan struct{})
}

// since gives what came after the first n deltas, and a channel that closes when
// more is there; nil after the end.
func (a *ahead) since(n int) ([]received, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return a.heard[n:], nil
	}
	return a.heard[n:], a.more
}

// Stream implements llm.Model.
func (a *ahead) Stream(ctx context.Context, _ llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		for n := 0; ; {
			came, more := a.since(n)
			for _, h := range came {
				if !yield(h.delta, h.err) {
					return
				}
			}
			if n += len(came); more == nil {
				return
			}
			select {
			case <-more:
			case <-ctx.Done():
				yield(llm.Delta{}, ctx.Err())
				return
			}
		}
	}
}

// writeAhead has the model begin all sections that it can write, in their order
// and as many at a time as there are places; those that an earlier process had
// finished are taken as they are. A turn is kept for each section that stands
// alone. The drafts are by section, nil where there is none; the channel gives the
// related topics, exactly once.
func (w *reporter) writeAhead(ctx context.Context, sections []section) ([]*draft, <-chan []string) {
	drafts, related := make([]*draft, len(sections)), make(chan []string, 1)
	var todo []*draft
	if w.Pipeline.Models.Chat.Model != nil && w.Pipeline.Tell.Now().Before(w.Limit) {
		todo = w.plannedDrafts(sections, drafts)
	}
	w.writers.Go(func() {
		for _, d := range todo {
			release, err := w.Calls.Slot(ctx)
			if err != nil {
				d.reply.put(received{err: err})
				d.reply.end()
				continue
			}
			w.writers.Go(func() {
				defer release()
				w.receive(ctx, d)
			})
		}
		related <- w.Run.Related(ctx)
	})
	return drafts, related
}

// plannedDrafts fills in the drafts of the sections and gives those that are still
// to be written.
func (w *reporter) plannedDrafts(sections []section, drafts []*draft) (todo []*draft) {
	spare := w.Calls.Turns.Left()
	for i, s := range sections {
		if s.write != nil {
			continue
		}
		if d := w.draft(s); d != nil {
			drafts[i] = d
			if !d.restore(w.Study.Drafts, w.Pipeline.Selection.Numbers) && s.parent == "" {
				spare--
			}
		}
	}
	for i, d := range drafts {
		switch {
		case d == nil || d.restored:
		case d.section.parent == "":
			todo = append(todo, d)
		case spare > 0:
			spare--
			todo = append(todo, d)
		default:
			drafts[i] = nil
		}
	}
	return todo
}

// draft prepares the call for a section; nil when there is nothing to write it
// from.
func (w *reporter) draft(s section) *draft {
	passages := w.passagesFor(s)
	if len(passages) == 0 {
		return nil
	}
	d := &draft{section: s, passages: passages, reply: newAhead(), room: w.Pipeline.Tell.Window() - w.reply(s) - prompts.Overhead - llm.EstimateTokens(w.Pipeline.Task.Question.AllInstructions())}
	w.fit(d)
	return d
}

// fit makes the call of a draft with the passages that there is room for.
func (w *reporter) fit(d *draft) {
	kept, left := rank.Fit(d.passages, max(d.room*3/4, 200), func(c rank.Candidate) int { return prompts.BlockCost(c, "") })
	if left > 0 {
		w.Pipeline.Tell.Notice(contract.Notice{Code: "context-shortened", Level: "warn", Message: "Some passages of a section did not fit the model's window and were left out."})
	}
	d.kept = kept
	d.call = w.Pipeline.ChatCall(w.sectionMessages(d.section, kept, d.room/4), w.reply(d.section))
}

// from names what a draft is written from: its passages, by the numbers that their
// sources have.
func (d *draft) from(numbers map[evidence.SourceID]int) string {
	var parts []string
	for _, c := range d.kept {
		parts = append(parts, strconv.Itoa(numbers[c.Source.ID])+" "+string(c.Passage.ID))
	}
	return strings.Join(parts, ", ")
}

// restore takes the text that an earlier process kept for the same section, and
// reports whether there was one.
func (d *draft) restore(kept []contract.SectionDraft, numbers map[evidence.SourceID]int) bool {
	from := d.from(numbers)
	at := slices.IndexFunc(kept, func(k contract.SectionDraft) bool { return k.Section == d.section.name() && k.From == from })
	if at < 0 {
		return false
	}
	d.reply.put(received{delta: llm.Delta{Text: kept[at].Text, Finish: llm.Stop}})
	d.reply.end()
	d.restored = true
	return true
}

// receive has the model write a draft, and keeps one that is whole for a later
// process.
func (w *reporter) receive(ctx context.Context, d *draft) {
	defer d.reply.end()
	defer calls.Contain(w.Pipeline.Tell.Log, d.section.title)
	limited, cancel := context.WithDeadline(privacy.Carrying(privacy.WithPurpose(ctx, "chat"), idsOf(d.kept)...), time.Now().Add(w.Limit.Sub(w.Pipeline.Tell.Now())))
	defer cancel()
	if w.Calls.GivenUp(calls.Section) {
		d.reply.put(received{err: calls.ErrGivenUp})
		return
	}
	began := w.Pipeline.Tell.Now()
	text, usage, err := d.hear(limited, w.Pipeline.Models.Chat.Model)
	if fault.CodeOf(err) == fault.BudgetExceeded { // the model was not asked
		return
	}
	if ctx.Err() == nil {
		w.Calls.Strike(calls.Section, 1, blankOnly(text, err))
	}
	if usage.Prompt == 0 {
		usage = llm.EstimateUsage(d.call, text)
	}
	w.Run.Wrote(ctx, contract.SectionDraft{Section: d.section.name(), From: d.from(w.Pipeline.Selection.Numbers), Text: text}, err == nil, w.Pipeline.Tell.Now().Sub(began), usage)
}

// blankOnly is the error of a section that failed; one that was cut has words.
func blankOnly(text string, err error) error {
	if errors.Is(err, calls.ErrCut) && strings.TrimSpace(text) != "" {
		return nil
	}
	return err
}

// hear receives the reply to a draft's call and gives its text. What came is there
// for the reader also when it ends with an error.
func (d *draft) hear(ctx context.Context, model llm.Model) (string, llm.Usage, error) {
	var text strings.Builder
	usage, finish := llm.Usage{Calls: 1}, llm.Stop
	for delta, err := range model.Stream(ctx, d.call) {
		d.reply.put(received{delta, err})
		if err != nil {
			return text.String(), usage, err
		}
		if delta.Retract {
			text.Reset()
		}
		text.WriteString(delta.Text)
		if delta.Usage != nil {
			usage = *delta.Usage
			usage.Calls = 1
		}
		if delta.Finish != "" {
			finish = delta.Finish
		}
	}
	if finish != llm.Stop || strings.TrimSpace(text.String()) == "" {
		return text.String(), usage, calls.ErrCut
	}
	return text.String(), usage, nil
}
