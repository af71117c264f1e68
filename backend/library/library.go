package library

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/walk"
	"footnote/backend/llm"
	"footnote/backend/settings"
)

// Config is what a library works with. Embedder may be nil: then words alone
// are searched; Meaning may be: then the sentence encoder takes no part.
type Config struct {
	Catalog  Catalog
	Index    Index
	Embedder llm.Embedder
	Meaning  Meaning
	Extract  func(ctx context.Context, path string) (evidence.Document, error)
	Ability  func(ctx context.Context) string // what decides how much of a file is read here; nil: nothing is read better later
	Settings func() settings.Settings
	Now      func() time.Time
	Log      *slog.Logger
	Private  []string // folders that are never read, such as the data directory
	Opened   []string // folders inside private ones that are read all the same: uploads
	Mended   string   // tells people what became of a damaged catalog; empty: it was whole
	Watch    bool     // follow changes on disk; false for commands that end soon
	Resting  bool     // never started: others read files in, and the index keeps its vectors by itself
}

// Library is the reader's own files. Make it with New, start it once, close it
// once. Safe for concurrent use.
type Library struct {
	Config
	bus      bus
	counter  counter
	outcomes outcomes
	scope    wholeScope
	narrowed narrowed
	shut     shut
	list     func(dir *os.Root, rel string) ([]fs.DirEntry, error)
	poked    debouncer
	scanning sync.Mutex // one scan at a time: two would queue a file twice
	books    sync.Mutex // between looking at rows of files and writing them
	inflight inflight
	held     atomic.Int64 // bytes of text that wait to be stored
	searches atomic.Int64 // since the start
	deaf     atomic.Bool  // the index fails: nobody waits for words
	rebuilds atomic.Bool  // the index is being filled again
	tuned    atomic.Bool  // the collector is set for work
	background
	signals
	learned
}

// background is what works while the library is open.
type background struct {
	watcher atomic.Pointer[watcher]
	life    context.Context // ends with the library
	stop    context.CancelFunc
	running sync.WaitGroup
	looking atomic.Int64 // scans that go on behind those who asked for them
	release func()       // lets the sentence encoder go on that waits for the work; nil before any
}

// signals wake what works in the background.
type signals struct {
	feed     signal // there may be waiting files
	words    signal // there may be texts to index
	vectors  signal // there may be passages to embed
	searched signal // somebody searched

	queued      atomic.Int64 // grows whenever there may be files to read
	nothingLeft atomic.Int64 // queued, when there were none to read and no words to index
}

// learned is how far the vectors of the index are.
type learned struct {
	learning sync.Mutex // vectors that are added and passages that are dropped take turns
	length   int        // of the vectors in the index, 0 while there are none; under learning
	era      atomic.Pointer[string]
	fed      chan struct{} // closed when stored vectors are in the index
	stuck    atomic.Bool   // the embedder fails: nobody waits for vectors
}

// New makes a library. It does nothing before Start but search and list.
func New(c Config) *Library {
	l := &Library{
		Config: c, background: background{life: context.Background(), stop: func() {}}, list: walk.ReadFolder,
		signals: signals{feed: newSignal(), words: newSignal(), vectors: newSignal(), searched: newSignal()}, learned: learned{fed: make(chan struct{})},
	}
	l.queued.Add(1)
	if c.Resting {
		close(l.fed)
	}
	l.bus.init(c.Now)
	if c.Mended != "" {
		l.bus.publish(Noticed{string(fault.DataDamaged), c.Mended})
	}
	l.poked.wake = newSignal()
	l.inflight.ids, l.inflight.done = map[string]bool{}, map[string]bool{}
	return l
}

// Start takes up the work that the last process left: files that wait, texts the
// index lacks, vectors that are missing; then it looks through the roots. It
// returns at once; ctx ends the work as Close does.
func (l *Library) Start(ctx context.Context) error {
	ctx, l.stop = context.WithCancel(ctx)
	l.life = ctx
	era, err := l.Catalog.Note(ctx, vectorEra)
	if err != nil {
		return fmt.Errorf("start library: %w", err)
	}
	l.era.Store(&era)
	if err := l.checkIndex(ctx); err != nil {
		return fmt.Errorf("start library: %w", err)
	}
	if err := l.pruneAttached(ctx); err != nil {
		return fmt.Errorf("start library: %w", err)
	}
	if l.Watch {
		l.startWatcher(ctx)
	}
	results := make(chan outcome, batchFiles)
	jobs := make(chan File)
	l.spawn(func() { l.runFeeder(ctx, jobs) })
	var workers sync.WaitGroup
	for range l.workerCount() {
		workers.Go(func() { l.runWorker(ctx, jobs, results) })
	}
	l.spawn(func() { workers.Wait(); close(results) })
	l.spawn(func() { l.runCommitter(ctx, results) })
	l.spawn(func() { l.runWords(ctx) })
	l.spawn(func() { l.runVectors(ctx) })
	l.spawn(func() { l.runScans(ctx) })
	l.spawn(func() { l.giveBackAtRest(ctx) })
	if l.Meaning != nil {
		l.Meaning.Wake()
	}
	return nil
}

// quietTime is how long nobody has searched before memory is given back.
const quietTime = 20 * time.Second

// giveBackAtRest returns to the system what loading the vectors took, and later
// what searches did: a library that is open all day should not hold it.
func (l *Library) giveBackAtRest(ctx context.Context) {
	select {
	case <-l.fed:
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		debug.FreeOSMemory()
		if !l.searched.wait(ctx, 0) {
			return
		}
		for at := l.searches.Load(); pause(ctx, quietTime) && l.searches.Load() != at; {
			at = l.searches.Load()
		}
	}
}

// moreToRead wakes the reading of files.
func (l *Library) moreToRead() {
	l.queued.Add(1)
	l.feed.raise()
}

// noteSearch tells that memory is being used.
func (l *Library) noteSearch() {
	l.searches.Add(1)
	l.searched.raise()
}

func (l *Library) spawn(work func()) { l.running.Go(work) }

// Close ends all work and waits for it. What was acknowledged is safe; the rest
// is taken up by the next Start.
func (l *Library) Close() error {
	l.stop()
	l.running.Wait()
	l.tuneForRest()
	l.bus.close()
	return nil
}

func (l *Library) workerCount() int {
	if n := l.Settings().Library.Workers; n > 0 {
		return n
	}
	return runtime.NumCPU()
}

// embedderID names the vectors that are stored and searched.
func (l *Library) embedderID() string {
	if l.Embedder == nil {
		return ""
	}
	if era := l.era.Load(); era != nil && *era != "" {
		return l.Embedder.ID() + "#" + *era
	}
	return l.Embedder.ID()
}

// Status counts the library as it stands.
type Status struct {
	Roots      []Root
	Totals     Totals
	Rebuilding bool // the word index is being filled again: not all is found yet
	Progress   Progress
}

// Status tells what the library holds and how far the work is.
func (l *Library) Status(ctx context.Context) (Status, error) {
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return Status{}, err
	}
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil {
		return Status{}, err
	}
	return Status{Roots: roots, Totals: totals, Rebuilding: l.rebuilds.Load(), Progress: l.counter.progress(totals, l.Now())}, nil
}

// Files lists files; those that are being read just now, or whose words are not in
// the index yet, have the state reading: what is ready can be searched. While the
// whole index is filled again, Status says so and each file keeps its state.
func (l *Library) Files(ctx context.Context, q FileQuery) (page []File, next string, err error) {
	page, next, err = l.Catalog.Files(ctx, q)
	for i := range page {
		f := &page[i]
		f.Unworded = f.Unworded && f.State.kept() // the text of a file that waits is not the one it has now
		if f.Unworded && !l.rebuilds.Load() || f.State == Waiting && l.inflight.has(f.ID) {
			f.State = Reading
		}
	}
	return page, next, err
}

// signal wakes one sleeper; signals that nobody waits for fall into one.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// wait returns false when ctx ended first. A zero limit waits for ever.
func (s signal) wait(ctx context.Context, limit time.Duration) bool {
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-s:
	case <-late:
	case <-ctx.Done():
		return false
	}
	return true
}

func pause(ctx context.Context, d time.Duration) bool {
	return make(signal).wait(ctx, d)
}

// inflight are the files that were taken from the queue and not yet committed.
type inflight struct {
	mu   sync.Mutex
	ids  map[string]bool
	done map[string]bool // let go since the queue was last asked: what it tells of them may be old
}

// ask comes before the queue is read.
func (f *inflight) ask() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.done)
}

// take reports whether a file of the queue is the caller's to read, and whether
// the queue must be asked again to know.
func (f *inflight) take(id string) (taken, old bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ids[id] || f.done[id] {
		return false, f.done[id]
	}
	f.ids[id] = true
	return true, false
}

func (f *inflight) release(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.ids, id)
	f.done[id] = true
}

func (f *inflight) has(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ids[id]
}

func (f *inflight) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ids)
}
