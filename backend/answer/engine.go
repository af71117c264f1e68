package answer

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/recent"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/fault"
	"footnote/backend/lang"
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
	Texts    gather.Texts
	Web      gather.WebSearch
	Reader   gather.Reader
	Models   llm.ModelSource
	Embedder llm.Embedder
	Meaning  gather.Meaning
	Computer Computer
	Pictures Pictures
	Checker  *cite.Checker
	// Likelihood is what is known of a word of a language: how many pieces of a vocabulary
	// it is, and the logarithm of how likely these are. Nil: typing errors stay.
	Likelihood func(code lang.Code, word string) (pieces int, logarithm float64)
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

// Engine answers questions. Safe for concurrent use.
type Engine struct {
	Config
	runs          *journal.Runs
	journalWriter *journal.Writer

	tableRows quote.RowCache
	answers   recent.Values[*keptAnswer]
	rewrites  recent.Values[string]
	paces     gather.Pace
}

// NewEngine makes an engine that runs until Close.
func NewEngine(c Config) *Engine {
	c.Models = trace.Recorded{ModelSource: accounted{c.Models}}
	c.Web, c.Reader = gather.Guarded(c.Web, c.Reader)
	return &Engine{Config: c, runs: journal.NewRuns(c.Settings().Limits.RunsAtOnce, c.AtRest), journalWriter: journal.NewWriter(c.Journal, c.Now, c.Log)}
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
	if err := e.runs.Reserve(); err != nil {
		return contract.Run{}, err
	}
	if !q.Private {
		if err := e.Records.Begin(ctx, run, Title(q.Text)); err != nil {
			e.runs.Release()
			return contract.Run{}, err
		}
	}
	e.runs.Start(e.journalWriter.Open(run), e.conduct)
	return run, nil
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

// RunningIn tells which runs of a thread are in progress.
func (e *Engine) RunningIn(thread contract.ThreadID) []contract.RunID {
	return e.runs.InProgress(func(l *journal.Live) bool { return l.Run.Thread == thread })
}

// Running lists all runs that have not ended.
func (e *Engine) Running() []contract.RunID {
	return e.runs.InProgress(func(*journal.Live) bool { return true })
}

// Close stops every run and waits for their ends, or for ctx.
func (e *Engine) Close(ctx context.Context) error { return e.runs.Close(ctx) }

func (e *Engine) running(ctx context.Context, id contract.RunID) (*journal.Live, error) {
	l := e.runs.Find(id)
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
