package answer

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

const (
	rememberedTurns  = 200 // of a thread, whole or shortened
	shortQuestion    = 160 // characters of a question in the summary of older turns
	shortReply       = 240 // and of its answer
	shareOfHistory   = 4   // a window's part that earlier turns may take: one in so many
	shareOfCompacted = 3   // and of that part the summary: one in so many
)

// Markers are the footnotes of a text, each with the space before it.
var Markers = regexp.MustCompile(` ?\[\d+\]`)

// recall gives the run the earlier turns of its thread: the last ones whole, as
// many as the settings and the model's window allow, the older ones shortened.
// What was cited there may be cited again.
func (p *Pipeline) recall(ctx context.Context) {
	before := p.Tell.Run.ID
	if p.Task.Question.Refreshes != "" { // as if it were asked for the first time
		before = p.Task.Question.Refreshes
		if past, ok := p.engine.Records.(Past); ok { // nor with what later answers to it cited, which may be old by now
			before = origin(ctx, past, before)
		}
	}
	turns, err := p.engine.Records.History(ctx, p.Task.Question.Thread, before, rememberedTurns)
	if err != nil {
		p.Tell.Log.Warn("read history", "err", err)
	}
	if p.Task.Question.Private {
		turns = append(turns, p.engine.unkeptTurns(p.Task.Question.Thread, p.Tell.Run.ID)...)
	}
	turns = append(turns, p.Task.Question.EarlierTurns()...)
	for i := range turns {
		p.Task.Recalled = append(p.Task.Recalled, turns[i].Cited...)
		turns[i].Answer = Markers.ReplaceAllString(turns[i].Answer, "") // of other numbers than this run's
	}
	p.Task.TakeWritten(turns, p.Tell.Now())
	p.Task.History = turns
}

// compact shortens the turns that the model cannot be given whole.
func (p *Pipeline) compact() {
	whole := p.wholeTurns()
	older, recent := p.Task.History[:len(p.Task.History)-whole], p.Task.History[len(p.Task.History)-whole:]
	p.Task.History = recent
	if len(older) == 0 || p.Models.Chat.Model == nil && p.Models.System.Model == nil {
		return
	}
	p.Task.Compacted = &contract.Compacted{Turns: len(older), Summary: shorten(older, p.Tell.Window()/shareOfHistory/shareOfCompacted)}
	p.Task.History = append([]contract.Turn{{Question: "What did we speak of before?", Answer: p.Task.Compacted.Summary}}, recent...)
	p.Tell.Notice(contract.Notice{Code: "context-shortened", Level: "info",
		Message: plain.Plural(len(older), "older turn was", "older turns were") + " given to the model as a summary."})
}

// wholeTurns is how many of the last turns fit as they are.
func (p *Pipeline) wholeTurns() int {
	room := p.Tell.Window() / shareOfHistory
	n := 0
	for _, t := range slices.Backward(p.Task.History) {
		room -= prompts.TurnCost(t)
		if room < 0 || n == p.Task.Settings.Ask.HistoryTurns {
			break
		}
		n++
	}
	return n
}

// shorten names each turn in a line, newest last. Where that is still too much
// for the tokens, answers go first, then the oldest questions, which are counted.
func shorten(turns []contract.Turn, tokens int) string {
	lines := make([]string, len(turns))
	for i, t := range turns {
		lines[i] = "- " + plain.OneLine(t.Question, shortQuestion) + " → " + plain.OneLine(firstSentence(t.Answer), shortReply)
	}
	for i := 0; i < len(lines) && llm.EstimateTokens(strings.Join(lines, "\n")) > tokens; i++ {
		lines[i] = "- " + plain.OneLine(turns[i].Question, shortQuestion)
	}
	left := 0
	for left < len(lines)-1 && llm.EstimateTokens(strings.Join(lines[left:], "\n")) > tokens {
		left++
	}
	if left > 0 {
		lines[left-1] = "- (" + plain.Plural(left, "question", "questions") + " before these)"
		left--
	}
	return strings.Join(lines[left:], "\n")
}

func firstSentence(text string) string {
	spans := evidence.Sentences(text)
	if len(spans) == 0 {
		return text
	}
	return text[spans[0].Start:spans[0].End]
}

// speaksOfEarlier reports a request about what was answered before, which needs
// no search but has evidence: what was cited then.
func (p *Pipeline) speaksOfEarlier() bool {
	return p.Models.Chat.Model != nil && p.Task.Question.Focus != contract.FocusWriting && p.Task.Question.Focus != contract.FocusCompute && queries.IsOnText(p.Task.Question.Text) && len(p.Task.EarlierCandidates(nil)) > 0
}

// remember keeps what the answer of a private run cites for the next question of
// its thread, in memory only.
func (p *Pipeline) remember(citations []contract.Citation) {
	if !p.Task.Question.Private {
		return
	}
	var cited []evidence.Found
	for _, c := range p.binding().Citable() {
		if slices.ContainsFunc(citations, func(o contract.Citation) bool { return o.Passage == c.Passage.ID }) {
			cited = append(cited, evidence.Found{Source: c.Source, Passage: c.Passage, Via: c.Via})
		}
	}
	p.Tell.Remember(cited, p.usedFiles())
}

// unkeptTurns are the earlier turns of a private thread, oldest first.
func (e *Engine) unkeptTurns(thread contract.ThreadID, before contract.RunID) []contract.Turn {
	var turns []contract.Turn
	for _, l := range e.endedPrivately(thread) {
		if text := l.Partial(); text != "" && l.Run.ID != before {
			cited, files := l.Remembered()
			turns = append(turns, contract.Turn{Question: l.Run.Question.Text, Untold: l.Run.Question.Untold, Answer: text, Cited: cited, Files: files})
		}
	}
	return turns
}

// tellHeld says that words were kept back from searches.
func (p *Pipeline) tellHeld() {
	if p.Task.Taint.HasHeld() {
		p.Tell.Notice(contract.Notice{Code: "query-withheld", Level: "info", Message: "Words that stand only in your files were left out of a web search."})
	}
}

// usedFiles reports whether the answer was written with text of files at hand.
func (p *Pipeline) usedFiles() bool {
	return slices.ContainsFunc(p.Selection.Cards, func(c contract.SourceCard) bool { return c.Kind == evidence.File })
}
