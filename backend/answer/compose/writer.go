package compose

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

const flushEvery = 50 * time.Millisecond

// newWriter writes at the end of what stands.
func (p *Composer) newWriter() *writer {
	return &writer{p: p, parser: cite.NewParser(len(p.Selection.Cards)), base: utf8.RuneCountInString(p.Tell.Partial())}
}

// writer turns a model's deltas into published text and bound markers.
type writer struct {
	p       *Composer
	parser  *cite.Parser
	text    strings.Builder // canonical answer so far
	base    int             // code points that stood before it
	pending strings.Builder // canonical text not yet published
	facts   []contract.Body // to publish right after the pending text
	thought strings.Builder
	ending  llm.Finish
}

type heard struct {
	delta llm.Delta
	err   error
}

func (w *writer) pump(ctx context.Context, model llm.Model, call llm.Call, usage *llm.Usage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	deltas := make(chan heard)
	go func() {
		defer close(deltas)
		for d, err := range model.Stream(ctx, call) {
			select {
			case deltas <- heard{d, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case h, open := <-deltas:
			if !open {
				w.take(w.parser.Close())
				w.flush()
				return ctx.Err()
			}
			if h.err != nil {
				w.take(w.parser.Close())
				w.flush()
				return h.err
			}
			w.hear(h.delta, usage)
			if err := w.showFirst(); err != nil {
				return err
			}
		case <-tick.C:
			w.flush()
		case <-ctx.Done():
			w.flush()
			return ctx.Err()
		}
	}
}

// showFirst shows the first words at once, as soon as what they may cite is
// stored. What follows is shown at the writer's pace.
func (w *writer) showFirst() error {
	if w.pending.Len() == 0 || w.p.Tell.Timing.FirstText > 0 {
		return nil
	}
	err := w.p.Settled()
	if err == nil {
		w.flush()
	}
	return err
}

func (w *writer) hear(d llm.Delta, usage *llm.Usage) {
	if d.Retract { // what came so far was thought, as only its end told
		w.take(w.parser.Close())
		w.thought.WriteString(w.text.String())
		w.parser = cite.NewParser(len(w.p.Selection.Cards))
		w.text.Reset()
		w.pending.Reset()
		w.facts = nil
		w.p.Tell.UnsayTo(w.base)
	}
	w.thought.WriteString(d.Thinking)
	if d.Text != "" {
		w.take(w.parser.Feed(d.Text))
	}
	if d.Usage != nil {
		*usage = *d.Usage
		usage.Calls = 1
	}
	if d.Finish != "" {
		w.ending = d.Finish
	}
}

func (w *writer) take(pieces []cite.Piece) {
	for _, piece := range pieces {
		switch piece.Kind {
		case cite.Drop:
			w.facts = append(w.facts, contract.Dropped{Marker: piece.Raw, At: w.base + utf8.RuneCountInString(w.text.String()), Reason: piece.Reason})
			w.text.WriteString(piece.Text)
			w.pending.WriteString(piece.Text)
		case cite.Marker:
			if fact, ok := w.bind(piece.N); ok {
				w.facts = append(w.facts, fact)
			}
			w.text.WriteString(piece.Text)
			w.pending.WriteString(piece.Text)
		default:
			text := piece.Text
			if w.text.Len() == 0 {
				text = strings.TrimLeft(text, " \t\r\n")
			}
			w.text.WriteString(text)
			w.pending.WriteString(text)
		}
	}
}

// bind ties a marker to the passage of its source that carries the sentence
// best, as far as the sentence stands now; the check at the end has the last
// word.
func (w *writer) bind(n int) (contract.Cited, bool) {
	text := w.text.String()
	claims := cite.Claims(text + "[" + strconv.Itoa(n) + "]")
	if len(claims) == 0 {
		return contract.Cited{}, false
	}
	claim := claims[len(claims)-1].Sentence
	best, _ := w.p.Binder.BestPassage(n, claims[len(claims)-1].Text)
	if best == nil {
		return contract.Cited{}, false
	}
	span := contract.RangeIn(text, claim.Start, min(claim.End, len(text)))
	return contract.Cited{Marker: n, Passage: best.Passage.ID, Claim: contract.Range{Start: w.base + span.Start, End: w.base + span.End}}, true
}

func (w *writer) flush() {
	if w.thought.Len() > 0 {
		w.p.Tell.Emit(contract.Thinking{Delta: w.thought.String()})
		w.thought.Reset()
	}
	if w.pending.Len() > 0 {
		if w.p.Tell.Timing.FirstText == 0 {
			w.p.Tell.Timing.FirstText = max(1, w.p.Tell.Now().Sub(w.p.Task.Started).Milliseconds())
		}
		w.p.Tell.Say(w.pending.String())
		w.pending.Reset()
	}
	for _, fact := range w.facts {
		w.p.Tell.Emit(fact)
	}
	w.facts = nil
}

// verdict says whether what came is an answer.
func (w *writer) verdict() error {
	switch {
	case w.ending == llm.Filtered:
		return fault.New(fault.ModelRefused, "The model's filter held the answer back.", "Ask in other words or choose another model.")
	case w.ending == llm.UseTools || llm.IsToolCall(w.text.String()):
		w.p.Tell.UnsayTo(w.base) // what stands before a call is no answer either
		return fault.New(fault.ModelRefused, "The model called a tool, which nobody had offered it, instead of answering.", "Ask again or choose another model.")
	case strings.TrimSpace(w.text.String()) == "":
		return fault.New(fault.ModelRefused, "The model gave an empty answer.", "Ask again or choose another model.")
	case w.ending == llm.Repeated:
		w.p.Tell.Notice(contract.Notice{Code: contract.NoticeCutOff, Level: "warn", Message: "The text is cut off: the model began to repeat itself and was stopped."})
	case w.ending == llm.Length:
		w.p.Tell.Notice(contract.Notice{Code: contract.NoticeCutOff, Level: "warn", Message: "The text is cut off: the model stopped at its length limit."})
	}
	return nil
}

// Publish says a whole canonical text with its markers. Nothing else in it is
// taken for a marker: what is quoted stays as it stands.
func (p *Composer) Publish(text string) {
	w := &writer{p: p, base: utf8.RuneCountInString(p.Tell.Partial())}
	w.take(cite.Pieces(text))
	w.flush()
}
