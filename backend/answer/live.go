package answer

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// live is a run in progress: its numbered events so far, and the two ways to
// cut it short. Every event is in the journal before a follower sees it; when
// the journal cannot take it (a full disk) the run goes on in memory, and the
// answer on screen is not lost.
type live struct {
	Run  contract.Run
	stop context.CancelFunc // ends everything

	journal *JournalWriter
	Now     func() time.Time
	Log     *slog.Logger

	mu       sync.Mutex
	events   []contract.Event
	shown    int           // of them are published
	changed  chan struct{} // closed and replaced when another one is
	unsaved  bool          // the journal lacks events
	ended    bool          // nothing more is emitted
	stopBy   string
	soft     string // who asked to answer now; empty = nobody
	softStop context.CancelFunc
	reply    chan contract.Clarified // who waits for the reader's reply; nil when nobody does
	edits    chan planEdit           // who shows a plan of research; nil when nobody does
	Resumed  bool                    // an earlier process began it
	stage    contract.Stage          // open stage, empty between stages
	stageAt  time.Time
	text     []rune           // the answer so far, as published
	cited    []evidence.Found // of a private run that has ended
	files    bool             // its answer was written from files
	done     chan struct{}
}

func (e *Engine) newLive(run contract.Run) *live {
	return &live{Run: run, journal: e.journalWriter, Now: e.Now, Log: e.logOf(run), changed: make(chan struct{}), done: make(chan struct{})}
}

// Emit numbers one fact and has it journaled and published, which it does not
// wait for. Nothing follows a last event.
func (l *live) Emit(body contract.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.emitLocked(body)
}

// end emits the last event and returns when it is published. What is left of the
// run is stored with that event or, where whole is nil or cannot be stored, by
// keep, right before the event is published and with the journal complete.
func (l *live) end(last contract.Body, whole *Ending, keep func()) {
	l.mu.Lock()
	l.emitThen(last, whole, keep)
	l.mu.Unlock()
	for changed := l.news(); changed != nil; changed = l.news() {
		<-changed
	}
}

func (l *live) emitLocked(body contract.Body) { l.emitThen(body, nil, nil) }

func (l *live) emitThen(body contract.Body, whole *Ending, then func()) {
	if l.ended {
		return
	}
	l.ended = body.Kind().Terminal()
	e := contract.Event{Run: l.Run.ID, Seq: len(l.events) + 1, At: l.Now().UTC(), Kind: body.Kind(), Body: body}
	l.events = append(l.events, e)
	l.journal.note(entry{l, e, whole, then})
}

// journaled reports whether the journal has everything of this run so far and
// may have more.
func (l *live) journaled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.unsaved && !l.Run.Question.Private
}

// lose notes that the journal could not take an event: the rest of the run stays
// in memory, for a journal has no gaps.
func (l *live) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsaved = true
}

// publish shows the next event to the followers.
func (l *live) publish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shown++
	close(l.changed)
	l.changed = make(chan struct{})
}

// since gives the published events after seq and a channel that closes at the
// next one; the channel is nil after the last event.
func (l *live) since(seq int) ([]contract.Event, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var events []contract.Event
	if seq < l.shown {
		events = l.events[seq:l.shown:l.shown]
	}
	if l.ended && l.shown == len(l.events) {
		return events, nil
	}
	return events, l.changed
}

func (l *live) news() <-chan struct{} {
	_, changed := l.since(0)
	return changed
}

// facts are all events so far, published or not.
func (l *live) facts() []contract.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[:len(l.events):len(l.events)]
}

// Begin opens a stage.
func (l *live) Begin(s contract.Stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage, l.stageAt = s, l.Now()
	l.emitLocked(contract.StageChanged{Stage: s, State: "start", Label: s.Label()})
}

// Progress tells what goes on in the open stage.
func (l *live) Progress(detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.emitLocked(contract.StageChanged{Stage: l.stage, State: "progress", Label: l.stage.Label(), Detail: detail})
}

// Finish closes the open stage and tells how long it took.
func (l *live) Finish(in, out int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	ms := l.Now().Sub(l.stageAt).Milliseconds()
	l.emitLocked(contract.StageChanged{Stage: l.stage, State: "end", Label: l.stage.Label(), In: in, Out: out, Ms: ms})
	l.stage = ""
	return ms
}

// abandon closes a stage that is still open with an error, so that starts and
// ends stay paired, and tells which it was.
func (l *live) abandon(message string) contract.Stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stage
	if s != "" {
		l.emitLocked(contract.StageChanged{Stage: s, State: "error", Label: s.Label(), Message: message, Ms: l.Now().Sub(l.stageAt).Milliseconds()})
		l.stage = ""
	}
	return s
}

// Say publishes answer text at the end of what stands.
func (l *live) Say(delta string) {
	if delta == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := len(l.text)
	l.text = append(l.text, []rune(delta)...)
	l.emitLocked(contract.TextDelta{Delta: delta, At: at})
}

// UnsayTo takes back what was published as answer from a place on: the next text
// stands there.
func (l *live) UnsayTo(at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = l.text[:min(at, len(l.text))]
}

// Partial is the answer so far.
func (l *live) Partial() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// AnswerNow ends retrieval; what is collected is answered from. A run that waits
// for a reply only stops waiting. It reports whether the wish changed anything.
func (l *live) AnswerNow(by string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clarifyLocked(contract.Clarified{By: "answer-now"}) {
		return true
	}
	if l.soft != "" || l.ended {
		return false
	}
	l.soft = by
	if l.softStop != nil {
		l.softStop()
	}
	l.emitLocked(contract.Answering{By: by})
	return true
}

// Retrieval derives the context that answerNow ends.
func (l *live) Retrieval(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.soft != "" {
		cancel()
	}
	l.softStop = cancel
	return ctx, cancel
}

// CutShort reports whether retrieval is to end.
func (l *live) CutShort() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.soft != ""
}

// over reports whether the last event is on its way: what remains is closing.
func (l *live) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

func (l *live) halt(by string) {
	l.mu.Lock()
	if l.stopBy == "" {
		l.stopBy = by
	}
	l.mu.Unlock()
	l.stop()
}

func (l *live) halted() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopBy
}
