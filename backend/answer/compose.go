package answer

import (
	"context"
	"strings"
	"time"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

const (
	flushEvery   = 50 * time.Millisecond
	smallWindow  = 3000 // tokens; below it the short prompt is used
	overhead     = 420  // tokens of rules, fence and question
	shortenTimes = 2    // after context-too-long
	followUpTime = 4 * time.Second
)

func estimateText(s string) int { return llm.EstimateTokens(s) }

// write composes the answer from the chosen passages, with the model or by
// quoting, and has it checked.
func (p *pipeline) write(ctx context.Context) (Answer, error) {
	if len(p.chosen) == 0 {
		return p.nothingFound(), nil
	}
	if p.chat.Model == nil {
		return p.quote(ctx, "")
	}
	p.begin(StageCompose)
	pictures := p.fetchPictures(ctx)
	text, err := p.composeFitted(ctx)
	if err != nil {
		if ctx.Err() != nil || named(first(p.q.Models.Chat, p.s.Models.Chat)) || p.partial() != "" {
			return Answer{}, err
		}
		p.finish(len(p.chosen), 0)
		p.live.log.Warn("provider down", "model", p.chat.Name, "err", err)
		return p.quote(ctx, fault.Of(err).Message)
	}
	p.timing.Compose = p.finish(len(p.chosen), 1)
	followUps := p.suggest(ctx, text)
	final, citations, report := p.check(ctx, text)
	p.addPictures(pictures)
	return p.conclude(final, Answered, citations, report, p.propose(<-followUps)), ctx.Err()
}

// composeFitted writes with as many passages as the model's real window takes,
// and with fewer when the server says it was too much.
func (p *pipeline) composeFitted(ctx context.Context) (string, error) {
	window := p.window()
	reserve := min(window/4, p.s.Models.AnswerReserve)
	budget := window - reserve - overhead - estimateText(p.q.Text) - estimateText(p.q.Context) - estimateText(p.q.wishes())
	for _, t := range p.history {
		budget -= turnCost(t)
	}
	for try := 0; ; try++ {
		kept, left := rank.Fit(p.chosen, max(budget, 200), func(c rank.Candidate) int { return blockCost(c, "") })
		p.widen(kept, budget)
		if left > 0 {
			p.notice(Notice{Code: "context-shortened", Level: "warn",
				Message: count("%d of %d passages did not fit the model's window and were left out.", left, len(p.chosen))})
		}
		var blocks []string
		for _, c := range rank.PromptOrder(kept) {
			blocks = append(blocks, evidenceBlock(p.numbers[c.Source.ID], c, p.alongside(c)))
		}
		text, err := p.stream(ctx, p.withFact(answerMessages(p.q, p.history, blocks, window < smallWindow)), reserve, kept)
		if err == nil || fault.CodeOf(err) != fault.ContextTooLong || try == shortenTimes || p.partial() != "" {
			return text, err
		}
		budget = budget * 6 / 10
	}
}

// stream has the chat model write, publishes its text as it comes with the
// markers parsed, and returns the canonical text.
func (p *pipeline) stream(ctx context.Context, messages []llm.Message, reserve int, kept []rank.Candidate) (string, error) {
	call := p.chatCall(messages, reserve)
	w := p.newWriter()
	usage := llm.Usage{Calls: 1}
	err := w.pump(WithPurpose(ctx, "chat"), p.chat.Model, call, &usage)
	if usage.Prompt == 0 {
		usage = estimate(call, w.text.String())
	}
	p.count(&p.usage.Chat, p.chat.Name, usage)
	var sent []evidence.PassageID
	for _, c := range kept {
		sent = append(sent, c.Passage.ID)
	}
	for _, n := range p.beside {
		sent = append(sent, n.Passage.ID)
	}
	p.meter.Sent("chat", sent)
	if err != nil {
		return w.text.String(), err
	}
	return w.text.String(), w.verdict()
}

// chatCall asks the chat model for at most reserve tokens.
func (p *pipeline) chatCall(messages []llm.Message, reserve int) llm.Call {
	return llm.Call{Model: p.chat.ID, Messages: messages, Temperature: p.s.Models.Temperature, MaxTokens: reserve, Window: p.chat.Ability.Window, Purpose: "chat"}
}

// newWriter writes at the end of what stands.
func (p *pipeline) newWriter() *writer {
	return &writer{pipeline: p, parser: cite.NewParser(len(p.cards)), base: runes(p.partial())}
}

// writer turns a model's deltas into published text and bound markers.
type writer struct {
	*pipeline
	parser  *cite.Parser
	text    strings.Builder // canonical answer so far
	base    int             // code points that stood before it
	pending strings.Builder // canonical text not yet published
	facts   []Body          // to publish right after the pending text
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
	if w.pending.Len() == 0 || w.timing.FirstText > 0 {
		return nil
	}
	err := w.settled()
	if err == nil {
		w.flush()
	}
	return err
}

func (w *writer) hear(d llm.Delta, usage *llm.Usage) {
	if d.Retract { // what came so far was thought, as only its end told
		w.take(w.parser.Close())
		w.thought.WriteString(w.text.String())
		w.parser = cite.NewParser(len(w.cards))
		w.text.Reset()
		w.pending.Reset()
		w.facts = nil
		w.unsayTo(w.base)
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
			w.facts = append(w.facts, Dropped{Marker: piece.Raw, At: w.base + runes(w.text.String()), Reason: piece.Reason})
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
func (w *writer) bind(n int) (Cited, bool) {
	text := w.text.String()
	claims := cite.Claims(text + "[" + itoa(n) + "]")
	if len(claims) == 0 {
		return Cited{}, false
	}
	claim := claims[len(claims)-1].Sentence
	best, _ := w.bestPassage(n, claims[len(claims)-1].Text)
	if best == nil {
		return Cited{}, false
	}
	span := runeRange(text, claim.Start, min(claim.End, len(text)))
	return Cited{Marker: n, Passage: best.Passage.ID, Claim: Range{w.base + span.Start, w.base + span.End}}, true
}

func (w *writer) flush() {
	if w.thought.Len() > 0 {
		w.emit(Thinking{Delta: w.thought.String()})
		w.thought.Reset()
	}
	if w.pending.Len() > 0 {
		if w.timing.FirstText == 0 {
			w.timing.FirstText = max(1, w.now().Sub(w.started).Milliseconds())
		}
		w.say(w.pending.String())
		w.pending.Reset()
	}
	for _, fact := range w.facts {
		w.emit(fact)
	}
	w.facts = nil
}

// verdict says whether what came is an answer.
func (w *writer) verdict() error {
	switch {
	case w.ending == llm.Filtered:
		return fault.New(fault.ModelRefused, "The model's filter held the answer back.", "Ask in other words or choose another model.")
	case strings.TrimSpace(w.text.String()) == "":
		return fault.New(fault.ModelRefused, "The model gave an empty answer.", "Ask again or choose another model.")
	case w.ending == llm.Repeated:
		w.notice(Notice{Code: "context-shortened", Level: "warn", Message: "The model began to repeat itself and was stopped; the answer may be cut."})
	case w.ending == llm.Length:
		w.notice(Notice{Code: "context-shortened", Level: "warn", Message: "The model stopped at its length limit; the answer may be cut."})
	}
	return nil
}

// suggestion is what the system model proposes to ask next.
type suggestion struct {
	questions []string
	usage     *llm.Usage // nil when nothing was asked
}

// suggest asks for follow-up questions beside the check; the channel gives
// them, or nothing, exactly once.
func (p *pipeline) suggest(ctx context.Context, text string) <-chan suggestion {
	out := make(chan suggestion, 1)
	if p.q.Mode == ModeSpeed || p.system.Model == nil || p.s.Ask.FollowUps == 0 || p.cutShort() {
		out <- suggestion{}
		return out
	}
	go func() {
		ctx, cancel := context.WithTimeout(WithPurpose(ctx, "follow-ups"), followUpTime)
		defer cancel()
		said, usage, err := complete(ctx, p.system, llm.Call{Messages: followUpMessages(p.q.Text, text), MaxTokens: 300, Purpose: "follow-ups"})
		if err != nil {
			p.live.log.Info("no follow-up questions", "err", err)
		}
		out <- suggestion{parseFollowUps(said), &usage}
	}()
	return out
}

// propose publishes the follow-up questions once they are there.
func (p *pipeline) propose(next suggestion) []string {
	if next.usage != nil {
		p.count(&p.usage.System, p.system.Name, *next.usage)
		p.emit(FollowUps{Questions: full(next.questions)})
	}
	return next.questions
}

// quote answers without a model: the sentences of the passages that fit best.
// why tells what kept a model from writing; empty when none is set up.
func (p *pipeline) quote(ctx context.Context, why string) (Answer, error) {
	if err := p.settled(); err != nil {
		return Answer{}, err
	}
	p.begin(StageCompose)
	pictures := p.fetchPictures(ctx)
	if why == "" && p.why != nil {
		why = fault.Of(p.why).Message
	}
	message := "Extracted from the sources; no model was used."
	if why != "" {
		message += " " + why
	}
	p.notice(Notice{Code: "extractive", Level: "info", Message: message, Action: "choose-model"})
	if p.quotation == nil { // a model was to write
		p.quotation = p.extracted(ctx)
	}
	result := *p.quotation
	text, outcome := p.quoted(result)
	p.timing.FirstText = max(1, p.now().Sub(p.started).Milliseconds())
	p.publish(text)
	p.timing.Compose = p.finish(len(p.chosen), len(result.Sentences))
	if outcome == NoEvidence {
		return p.conclude(text, outcome, nil, Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{p.q.Text}, Warnings: []string{}}, nil), ctx.Err()
	}
	final, citations, report := p.check(ctx, text)
	report.Unanswered = full(append(report.Unanswered, result.Open...))
	p.addPictures(pictures)
	return p.conclude(final, outcome, citations, report, nil), ctx.Err()
}

func (p *pipeline) quotable() []extractPassage {
	texts := make([]string, len(p.cands))
	for i, c := range p.cands {
		texts[i] = rankText(c)
	}
	scores := rank.NewBM25(texts).Scores(p.plan.Standalone)
	byID := map[evidence.PassageID]float64{}
	for i, c := range p.cands {
		byID[c.Passage.ID] = scores[i]
	}
	best := 0.0
	for _, c := range p.chosen {
		best = max(best, byID[c.Passage.ID])
	}
	s2, cosines := p.s2()
	out := make([]extractPassage, 0, len(p.chosen))
	for i, c := range p.chosen {
		bm := 0.0
		if best > 0 {
			bm = byID[c.Passage.ID] / best
		}
		out = append(out, extractPassage{N: p.numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text, BM: bm, S2: s2[i], Cosine: cosines[i]})
	}
	return out
}

// quoted renders the chosen sentences under what may honestly be said of them.
func (p *pipeline) quoted(r extractResult) (string, Outcome) {
	body := renderExtract(r)
	if len(r.Open) > 0 {
		body += "\n\nNothing was found about " + escapeMarkdown(strings.Join(r.Open, ", ")) + "."
	}
	switch r.State {
	case extractNone:
		return "The sources do not answer this. The closest passages are listed.", NoEvidence
	case extractWeak:
		return "**Closest passages; they may not answer the question.**\n\n" + body, Extracted
	}
	return body, Extracted
}

// publish says a whole canonical text with its markers. Nothing else in it is
// taken for a marker: what is quoted stays as it stands.
func (p *pipeline) publish(text string) {
	w := &writer{pipeline: p, base: runes(p.partial())}
	w.take(cite.Pieces(text))
	w.flush()
}

// Stocked is a Shelf that can also say how many texts a scope has to search.
type Stocked interface {
	Stock(ctx context.Context, scope Scope) (texts int, err error)
}

// nothingToRead reports whether the files that were to be searched have no text at
// all. A shelf that cannot say has some.
func (p *pipeline) nothingToRead(ctx context.Context) bool {
	stocked, can := p.Shelf.(Stocked)
	if !can {
		return false
	}
	n, err := stocked.Stock(ctx, p.q.Scope)
	if err != nil {
		p.live.log.Warn("count texts", "err", err)
	}
	return err == nil && n == 0
}

// nothingFound says plainly that there is nothing to answer from.
func (p *pipeline) nothingFound() Answer {
	if p.q.Mode != ModeDeep { // a report has begun its stage
		p.begin(StageCompose)
	}
	var looked []string
	if p.plan.Shelf && p.shelfless == nil {
		looked = append(looked, "your files")
	}
	if p.plan.Search {
		looked = append(looked, "the web for “"+p.plan.Queries[0]+"”")
	}
	text := "Nothing found that answers this."
	if len(looked) > 0 {
		text += " Searched " + strings.Join(looked, " and ") + "."
	}
	switch {
	case len(p.plan.named) > 0 && len(p.failed) > 0 && !p.plan.Search:
		text = "The page could not be read. " + p.failed[0].Reason
	case p.shelfless != nil:
		text += " Your files were not searched. " + strings.TrimSpace(p.shelfless.Message+" "+p.shelfless.Hint)
	case p.searched != nil:
		f := fault.Of(p.searched)
		text += " " + strings.TrimSpace(f.Message+" "+f.Hint)
	case p.plan.Shelf && !p.plan.Search && p.bare:
		text = "There is nothing to read yet: no file has been added. Add a file or folder, then ask again."
		if !p.q.Scope.Empty() {
			text = "There is nothing to read here: none of the files and folders asked about has text that could be read. Choose others, or add files to them."
		}
	case p.plan.Shelf && !p.plan.Search:
		text += " Add a file or folder that has the answer, or let the web be searched."
	default:
		text += " Try other words, or add a file that has the answer."
	}
	p.publish(text)
	p.timing.Compose = p.finish(0, 0)
	return p.conclude(text, NoEvidence, nil, Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{p.q.Text}, Warnings: []string{}}, nil)
}
