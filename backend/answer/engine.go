package answer

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/settings"
)

// Stores keep what outlives a run. Without Preferences there are no personas and
// no lenses; without Traces nobody learns later how an answer came to be.
type Stores struct {
	Journal     journal.Store
	Records     Records
	Archive     Archive
	Preferences Preferences
	Traces      trace.Traces
	Studies     contract.Studies // nil: no research outlives the process
	Consents    Consents
}

// Config is what the engine needs. Shelf, Web and Reader may be nil: that side
// is then empty. Without Meaning the sentence encoder takes no part. Without
// Texts the tables of files are quoted only as far as their passages were found.
type Config struct {
	Settings func() settings.Settings
	Stores
	Shelf    gather.Shelf
	Texts    Texts
	Web      gather.WebSearch
	Reader   gather.Reader
	Models   llm.ModelSource
	Embedder llm.Embedder
	Meaning  gather.Meaning
	Computer Computer
	Pictures Pictures
	Checker  *cite.Checker
	Pieces   func(word string) int // of a vocabulary of many languages; nil: typing errors stay
	// Investigate has a model gather the evidence by itself: agent mode. Nil leaves
	// such questions to balanced. retrieval ends with "answer now", whole with the run.
	Investigate func(retrieval, whole context.Context, search *gather.Retriever) error
	// Research takes a question through deep research. Nil leaves such questions to
	// balanced.
	Research func(ctx context.Context, p *Pipeline) (contract.Answer, error)
	Now      func() time.Time
	Log      *slog.Logger

	// TakeOpened gives what was opened ahead of a question and is in no ledger yet;
	// nil where nothing is.
	TakeOpened func(context.Context) ([]privacy.LedgerEntry, error)
	// AtRest is called when no question has been answered for a while; it may be nil.
	AtRest func(context.Context)
}

const queueLimit = 16 // questions that may wait for a free place

// Engine answers questions. Safe for concurrent use.
type Engine struct {
	Config
	ctx  context.Context
	quit context.CancelFunc

	tableRows     quote.RowCache
	answers       Recent[*keptAnswer]
	rewrites      Recent[string]
	paces         gather.Pace
	journalWriter *journal.Writer

	mu      sync.Mutex
	live    map[contract.RunID]*journal.Live
	unkept  []*journal.Live // the last runs that ended and are in no journal, oldest first
	waiting int
	resting *time.Timer   // runs until AtRest is due
	stir    chan struct{} // closed and replaced when a run begins or ends
	places  chan struct{}
	work    sync.WaitGroup
}

// NewEngine makes an engine that runs until Close.
func NewEngine(c Config) *Engine {
	ctx, quit := context.WithCancel(context.Background())
	c.Models = trace.Recorded{ModelSource: accounted{c.Models}}
	c.Web, c.Reader = gather.Guarded(c.Web, c.Reader)
	places := max(1, c.Settings().Limits.RunsAtOnce)
	return &Engine{Config: c, ctx: ctx, quit: quit, journalWriter: journal.NewWriter(c.Journal, c.Now, c.Log), live: map[contract.RunID]*journal.Live{}, stir: make(chan struct{}), places: make(chan struct{}, places)}
}

// Defaults is a question with the settings' focus, mode and web toggle: mouths
// decode a request over it.
func (e *Engine) Defaults() contract.Question {
	s := e.Settings()
	return contract.Question{Focus: contract.Focus(s.Ask.Focus), Mode: contract.Mode(s.Ask.Mode), Web: s.Ask.Web, Preset: "auto", Language: s.Ask.Language, Cache: true, Private: s.Store.PrivateDefault}
}

// Ask starts a run and returns its name at once. The run goes on when ctx ends;
// only ctx's values are not carried over. Errors are faults: question-empty,
// question-too-long, invalid-focus-mode, invalid-mode, too-large, busy.
func (e *Engine) Ask(ctx context.Context, q contract.Question) (contract.Run, error) {
	q.Aside = false
	return e.ask(ctx, q)
}

func (e *Engine) ask(ctx context.Context, q contract.Question) (contract.Run, error) {
	s := e.Settings()
	if q.Focus == "chat" {
		q.Focus = contract.FocusWriting
	}
	q.TakeCommand()
	most := s.Limits.QuestionChars
	if q.Mode == contract.ModeDeep {
		most = min(most, s.Limits.DeepQueryChars)
	}
	if err := q.Check(most, s.Limits.ContextChars); err != nil {
		return contract.Run{}, err
	}
	if err := q.Focus.Reachable(q.Offline || s.Privacy.Scope == "local-only"); err != nil {
		return contract.Run{}, err
	}
	if err := e.withPersonas(ctx, &q); err != nil {
		return contract.Run{}, err
	}
	if q.Thread == "" {
		q.Thread = contract.ThreadID(newID("thr"))
	}
	run := contract.Run{ID: contract.RunID(newID("run")), Thread: q.Thread, Question: q, Status: contract.Running, Started: e.Now().UTC()}
	if err := e.reserve(); err != nil {
		return contract.Run{}, err
	}
	if !q.Private {
		if err := e.Records.Begin(ctx, run, Title(q.Text)); err != nil {
			e.unreserve()
			return contract.Run{}, err
		}
	}
	e.start(e.journalWriter.Open(run))
	return run, nil
}

func (e *Engine) reserve() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() != nil {
		return fault.New(fault.Busy, "Footnote is shutting down.", "Start it again.")
	}
	if len(e.live) >= cap(e.places)+queueLimit {
		return fault.New(fault.Busy, "Too many questions are being answered.", "Wait for one of them to end.")
	}
	e.waiting++
	e.work.Add(1)
	return nil
}

func (e *Engine) unreserve() {
	e.mu.Lock()
	e.waiting--
	e.mu.Unlock()
	e.work.Done()
}

// start conducts a run; past are its events where an earlier process began it.
func (e *Engine) start(l *journal.Live) {
	ctx, stop := context.WithCancel(e.ctx)
	l.Stop = stop
	e.mu.Lock()
	e.live[l.Run.ID] = l
	e.stirred()
	e.mu.Unlock()
	go func() {
		defer e.unreserve()
		defer func() {
			stop()
			e.mu.Lock()
			delete(e.live, l.Run.ID)
			e.stirred()
			if !l.Journaled() {
				e.unkept = append(e.unkept, l)
				e.unkept = e.unkept[max(0, len(e.unkept)-unkeptRuns):]
			}
			e.mu.Unlock()
			close(l.Done)
		}()
		select {
		case e.places <- struct{}{}:
			defer func() { <-e.places }()
		case <-ctx.Done():
		}
		e.conduct(ctx, l)
	}()
}

// Follow gives the events of a run after a number: replay first, then live,
// nothing lost or repeated, ending after the last event. It waits for new
// events until ctx ends. An unknown run is a fault not-found.
func (e *Engine) Follow(ctx context.Context, id contract.RunID, after int) iter.Seq2[contract.Event, error] {
	return func(yield func(contract.Event, error) bool) {
		l := e.find(id)
		if l == nil {
			e.replay(ctx, id, after, yield)
			return
		}
		for {
			events, changed := l.Since(after)
			if hidden, err := e.withheld(ctx, id); hidden || err != nil {
				yield(contract.Event{}, cmp.Or(err, withdrawn()))
				return
			}
			for _, ev := range events {
				if !yield(ev, nil) {
					return
				}
				after = ev.Seq
			}
			if changed == nil {
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(contract.Event{}, ctx.Err())
				return
			}
		}
	}
}

// replay tells what the journal has of a run that is not in progress here. One that
// another process is at work on is followed there, as it is written.
func (e *Engine) replay(ctx context.Context, id contract.RunID, after int, yield func(contract.Event, error) bool) {
	for first := true; ; first = false {
		goesOn, err := e.elsewhere(ctx, id)
		events, since := e.Journal.Since(ctx, id, 0)
		if err = cmp.Or(err, since); err == nil && len(events) == 0 && first && !goesOn {
			err = NoSuchRun()
		}
		if err != nil {
			yield(contract.Event{}, err)
			return
		}
		for _, ev := range events {
			if ev.Seq <= after {
				continue
			}
			if !yield(ev, nil) {
				return
			}
			after = ev.Seq
		}
		if !goesOn || len(events) > 0 && events[len(events)-1].Kind.Terminal() {
			return
		}
		select {
		case <-time.After(elsewherePause):
		case <-ctx.Done():
			yield(contract.Event{}, ctx.Err())
			return
		}
	}
}

const elsewherePause = 200 * time.Millisecond

// elsewhere reports whether another process is at work on a run.
func (e *Engine) elsewhere(ctx context.Context, id contract.RunID) (bool, error) {
	if shared, ok := e.Journal.(journal.Shared); ok {
		return shared.AtWork(ctx, id)
	}
	return false, nil
}

// withheld reports whether what a run tells may not be shown any more.
func (e *Engine) withheld(ctx context.Context, id contract.RunID) (bool, error) {
	if shared, ok := e.Journal.(journal.Shared); ok {
		return shared.Withheld(ctx, id)
	}
	return false, nil
}

// Wait follows a run to its end and returns the last event.
func (e *Engine) Wait(ctx context.Context, id contract.RunID) (contract.Event, error) {
	var last contract.Event
	for ev, err := range e.Follow(ctx, id, 0) {
		if err != nil {
			return last, err
		}
		last = ev
	}
	return last, nil
}

// Stop ends a run at once and keeps its partial text. It returns when the run
// has ended or ctx does. Faults: not-found, already-ended.
func (e *Engine) Stop(ctx context.Context, id contract.RunID, by string) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	l.Halt(by)
	select {
	case <-l.Done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// AnswerNow ends the retrieval of a run; the answer is written from what is
// collected. Faults: not-found, already-ended.
func (e *Engine) AnswerNow(ctx context.Context, id contract.RunID) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	l.AnswerNow("user")
	return nil
}

// Head is the number of the newest published event of a run in progress, and 0 for any
// other.
func (e *Engine) Head(id contract.RunID) int {
	l := e.find(id)
	if l == nil {
		return 0
	}
	return l.Head()
}

// RunningIn tells which runs of a thread are in progress.
func (e *Engine) RunningIn(thread contract.ThreadID) []contract.RunID {
	return e.inProgress(func(l *journal.Live) bool { return l.Run.Thread == thread })
}

// Running lists all runs that have not ended.
func (e *Engine) Running() []contract.RunID {
	return e.inProgress(func(*journal.Live) bool { return true })
}

func (e *Engine) inProgress(which func(*journal.Live) bool) (ids []contract.RunID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, l := range e.live {
		if which(l) && !l.Over() {
			ids = append(ids, id)
		}
	}
	return ids
}

// Close stops every run and waits for their ends, or for ctx.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	running := slices.Collect(maps.Values(e.live))
	e.mu.Unlock()
	for _, l := range running {
		l.Halt("shutdown") // before quit: a run is to know why it ends
	}
	e.quit()
	done := make(chan struct{})
	go func() { e.work.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// unkeptRuns is how many ended runs that no journal has can still be followed:
// private ones, and those of a full disk. Who asked follows a moment later.
const unkeptRuns = 16

func (e *Engine) find(id contract.RunID) *journal.Live {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l := e.live[id]; l != nil {
		return l
	}
	if at := slices.IndexFunc(e.unkept, func(l *journal.Live) bool { return l.Run.ID == id }); at >= 0 {
		return e.unkept[at]
	}
	return nil
}

func (e *Engine) running(ctx context.Context, id contract.RunID) (*journal.Live, error) {
	l := e.find(id)
	if l != nil && !l.Over() {
		return l, nil
	}
	if l != nil {
		return nil, alreadyEnded()
	}
	events, err := e.Journal.Since(ctx, id, 0)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, NoSuchRun()
	}
	return nil, alreadyEnded()
}

func withdrawn() error {
	return fault.New(fault.PathNotAllowed, "This answer rests on a source that you may not open any more.", "Ask again to get an answer from what you may read.")
}

func alreadyEnded() error {
	return fault.New(fault.AlreadyEnded, "This run has ended.", "Ask again to start a new one.")
}

// NoSuchRun is the fault of a run that nobody knows.
func NoSuchRun() error {
	return fault.New(fault.NotFound, "There is no such run.", "Look in the list of threads.")
}

var idLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func newID(prefix string) string {
	var b [16]byte
	rand.Read(b[:]) // never fails (crypto/rand, Go 1.24)
	return prefix + "_" + idLetters.EncodeToString(b[:])
}

// Title is the title of a thread by rules: its first question, cut at a word.
func Title(question string) string {
	title := strings.TrimRight(strings.Join(strings.Fields(question), " "), ".")
	if utf8.RuneCountInString(title) <= 60 {
		return title
	}
	cut := string([]rune(title)[:60])
	if i := strings.LastIndexByte(cut, ' '); i > 30 {
		cut = cut[:i]
	}
	return cut + "…"
}
