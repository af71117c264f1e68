package journal

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// Live is a run in progress: its numbered events so far, and the two ways to
// cut it short. Every event is in the journal before a follower sees it; when
// the journal cannot take it (a full disk) the run goes on in memory, and the
// answer on screen is not lost.
type Live struct {
	Run  contract.Run
	Stop context.CancelFunc // ends everything; set before anybody can halt the run
	Done chan struct{}      // closed when nothing of it is left to do

	journal *Writer
	Now     func() time.Time
	Log     *slog.Logger

	mu      sync.Mutex
	events  []contract.Event
	shown   int           // of them are published
	changed chan struct{} // closed and replaced when another one is
	unsaved bool          // the journal lacks events
	ended   bool          // nothing more is emitted
	stopBy  string
	cut     cut
	waits   waits
	Resumed bool // an earlier process began it
	open    open
	text    []rune // the answer so far, as published
	memory  memory
}

// cut is how retrieval is ended before its time.
type cut struct {
	by   string // who asked to answer now; empty = nobody
	stop context.CancelFunc
}

// waits are those who wait for the reader; nil where nobody does.
type waits struct {
	reply chan contract.Clarified // for the answer to a question that was asked back
	edits chan planEdit           // for changes of a plan of research
	steer func(dimension string, to contract.Steering, question string) error
}

// open is the open stage, empty between stages.
type open struct {
	stage contract.Stage
	since time.Time
}

// memory is what a private run that has ended leaves for the next one.
type memory struct {
	cited []evidence.Found
	files bool // its answer was written from files
}

// Emit numbers one fact and has it journaled and published, which it does not
// wait for. Nothing follows a last event.
func (l *Live) Emit(body contract.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.emitLocked(body)
}

// End emits the last event and returns when it is published. What is left of the
// run is stored with that event or, where whole is nil or cannot be stored, by
// keep, right before the event is published and with the journal complete.
func (l *Live) End(last contract.Body, whole *Ending, keep func()) {
	l.mu.Lock()
	l.emitThen(last, whole, keep)
	l.mu.Unlock()
	for changed := l.news(); changed != nil; changed = l.news() {
		<-changed
	}
}

func (l *Live) emitLocked(body contract.Body) { l.emitThen(body, nil, nil) }

func (l *Live) emitThen(body contract.Body, whole *Ending, then func()) {
	if l.ended {
		return
	}
	l.ended = body.Kind().Terminal()
	e := contract.Event{Run: l.Run.ID, Seq: len(l.events) + 1, At: l.Now().UTC(), Kind: body.Kind(), Body: body}
	l.events = append(l.events, e)
	l.journal.note(entry{l, e, whole, then})
}

// Journaled reports whether the journal has everything of this run so far and
// may have more.
func (l *Live) Journaled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.unsaved && !l.Run.Question.Private
}

// lose notes that the journal could not take an event: the rest of the run stays
// in memory, for a journal has no gaps.
func (l *Live) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsaved = true
}

// publish shows the next event to the followers.
func (l *Live) publish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shown++
	close(l.changed)
	l.changed = make(chan struct{})
}

// Since gives the published events after seq and a channel that closes at the
// next one; the channel is nil after the last event.
func (l *Live) Since(seq int) ([]contract.Event, <-chan struct{}) {
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

func (l *Live) news() <-chan struct{} {
	_, changed := l.Since(0)
	return changed
}

// Facts are all events so far, published or not.
func (l *Live) Facts() []contract.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[:len(l.events):len(l.events)]
}

// Begin opens a stage.
func (l *Live) Begin(s contract.Stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.stage, l.open.since = s, l.Now()
	l.emitLocked(contract.StageChanged{Stage: s, State: "start", Label: s.Label()})
}

// Progress tells what goes on in the open stage.
func (l *Live) Progress(detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.emitLocked(contract.StageChanged{Stage: l.open.stage, State: "progress", Label: l.open.stage.Label(), Detail: detail})
}

// Finish closes the open stage and tells how long it took.
func (l *Live) Finish(in, out int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	ms := l.Now().Sub(l.open.since).Milliseconds()
	l.emitLocked(contract.StageChanged{Stage: l.open.stage, State: "end", Label: l.open.stage.Label(), In: in, Out: out, Ms: ms})
	l.open.stage = ""
	return ms
}

// Abandon closes a stage that is still open with an error, so that starts and
// ends stay paired, and tells which it was.
func (l *Live) Abandon(message string) contract.Stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.open.stage
	if s != "" {
		l.emitLocked(contract.StageChanged{Stage: s, State: "error", Label: s.Label(), Message: message, Ms: l.Now().Sub(l.open.since).Milliseconds()})
		l.open.stage = ""
	}
	return s
}

// Say publishes answer text at the end of what stands.
func (l *Live) Say(delta string) {
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
func (l *Live) UnsayTo(at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = l.text[:min(at, len(l.text))]
}

// Partial is the answer so far.
func (l *Live) Partial() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// AnswerNow ends retrieval; what is collected is answered from. A run that waits
// for a reply only stops waiting. It reports whether the wish changed anything.
func (l *Live) AnswerNow(by string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clarifyLocked(contract.Clarified{By: "answer-now"}) {
		return true
	}
	if l.cut.by != "" || l.ended {
		return false
	}
	l.cut.by = by
	if l.cut.stop != nil {
		l.cut.stop()
	}
	l.emitLocked(contract.Answering{By: by})
	return true
}

// Retrieval derives the context that answerNow ends.
func (l *Live) Retrieval(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut.by != "" {
		cancel()
	}
	l.cut.stop = cancel
	return ctx, cancel
}

// CutShort reports whether retrieval is to end.
func (l *Live) CutShort() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut.by != ""
}

// Head is the number of the newest published event.
func (l *Live) Head() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown
}

// Remember keeps what the answer of a private run cites, and whether it was
// written from files, for the next question of its thread: in memory only.
func (l *Live) Remember(cited []evidence.Found, files bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.memory.cited, l.memory.files = cited, files
}

// Remembered is what Remember was given.
func (l *Live) Remembered() (cited []evidence.Found, files bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.memory.cited, l.memory.files
}

// Over reports whether the last event is on its way: what remains is closing.
func (l *Live) Over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// Halt ends a run; the first who does so is named.
func (l *Live) Halt(by string) {
	l.mu.Lock()
	if l.stopBy == "" {
		l.stopBy = by
	}
	l.mu.Unlock()
	l.Stop()
}

// Halted names who ended the run; empty when nobody did.
func (l *Live) Halted() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopBy
}
