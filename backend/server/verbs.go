package server

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"time"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/refresh"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/web"
)

// Verbs is what a reader can do, as both mouths say it: a route or a bound
// method calls one of these and passes its result on. Ids are checked by the
// rooms; results are the wire's own shapes.
type Verbs struct {
	Engine    *answer.Engine
	DB        *store.DB
	Library   *library.Library
	Settings  *settings.Store
	Keys      *settings.Keys
	Models    *llm.Registry
	Engines   *web.Desk
	Warmer    *web.Warmer // nil: nothing is opened ahead
	Pictures  *web.Pictures
	Refresher *refresh.Refresher // nil: no answers are kept fresh
	Version   string
	Began     time.Time
	Log       *slog.Logger

	// OpenPath opens a file in the system's own program; nil where there is no desktop.
	OpenPath func(path string) error
	// FromWindow marks the mouth that may set addresses of private endpoints.
	FromWindow bool

	jobs jobs
}

// stopTime is what a run has to end in after it was stopped.
const stopTime = 5 * time.Second

// Page is one slice of a list.
type Page[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next"`
}

func pageOf[T any](items []T, next string) Page[T] {
	if items == nil {
		items = []T{}
	}
	p := Page[T]{Items: items}
	if next != "" {
		p.Next = &next
	}
	return p
}

// Asked names a run that has begun.
type Asked struct {
	Run    answer.RunID    `json:"run"`
	Thread answer.ThreadID `json:"thread"`
	Events string          `json:"events"`
}

// Ask starts a run.
func (v *Verbs) Ask(ctx context.Context, q answer.Question) (Asked, error) {
	run, err := v.ask(ctx, q)
	if err != nil {
		return Asked{}, err
	}
	return Asked{run.ID, run.Thread, "/api/runs/" + string(run.ID) + "/events"}, nil
}

// ask checks what a question names before the engine takes it: a thread that
// exists, a run of it to be replaced, weights that are some.
func (v *Verbs) ask(ctx context.Context, q answer.Question) (answer.Run, error) {
	if w := q.Weights; w != nil && !sumToOne(w.Semantic, w.Keyword, w.Freshness, w.Authority) {
		return answer.Run{}, fault.New(fault.InvalidRequest, "The weights are not four numbers from 0 to 1 that sum to 1.", "Send all four, or none.")
	}
	if q.Thread == "" && q.Replaces == "" {
		return v.Engine.Ask(ctx, q)
	}
	thread, err := v.known(ctx, q)
	if err != nil {
		return answer.Run{}, err
	}
	q.Private = q.Private || thread.Private
	if q.Replaces != "" {
		if err := v.stopFrom(ctx, thread, q.Replaces); err != nil {
			return answer.Run{}, err
		}
	}
	return v.Engine.Ask(ctx, q)
}

func sumToOne(weights ...float64) bool {
	sum := 0.0
	for _, w := range weights {
		if !(w >= 0 && w <= 1) {
			return false
		}
		sum += w
	}
	return math.Abs(sum-1) < 0.01
}

// known finds the thread a question goes on in. One that is kept in memory only
// is known to nobody else.
func (v *Verbs) known(ctx context.Context, q answer.Question) (ThreadView, error) {
	if q.Private && q.Replaces == "" {
		return ThreadView{}, nil
	}
	if q.Thread == "" {
		return ThreadView{}, fault.New(fault.InvalidRequest, "A run is to be replaced, but no thread is named.", "Send the thread it belongs to.")
	}
	return v.Thread(ctx, string(q.Thread))
}

// stopFrom ends the runs that a question replaces: one of its thread and all
// later ones. The store drops them when the new run begins.
func (v *Verbs) stopFrom(ctx context.Context, thread ThreadView, first answer.RunID) error {
	at := slices.IndexFunc(thread.Runs, func(r answer.Run) bool { return r.ID == first })
	if at < 0 {
		return fault.New(fault.InvalidRequest, "The run to replace is not in this thread.", "Send the thread it belongs to.")
	}
	for _, run := range thread.Runs[at:] {
		if err := v.stopIfRunning(ctx, run.ID); err != nil {
			return err
		}
	}
	return nil
}

func (v *Verbs) stopIfRunning(ctx context.Context, run answer.RunID) error {
	err := v.Engine.Stop(ctx, run, "user")
	if code := fault.CodeOf(err); code == fault.AlreadyEnded || code == fault.NotFound {
		return nil
	}
	return err
}

// RunView is a run with the counts that the last event carried.
type RunView struct {
	answer.Run
	Metadata RunMetadata `json:"metadata"`
}

// RunMetadata is what of an answer is counted; nil without one.
type RunMetadata struct {
	Stats *ModelStats `json:"modelStats,omitempty"`
}

// ModelStats says which models wrote an answer and what it took.
type ModelStats struct {
	Model       string            `json:"modelName"`
	ChatModel   string            `json:"modelNameChat"`
	SystemModel string            `json:"modelNameSystem"`
	Usage       TokenTotal        `json:"usage"`
	Chat        answer.ModelUsage `json:"usageChat"`
	System      answer.ModelUsage `json:"usageSystem"`
	Ms          int64             `json:"responseTime"`
}

// TokenTotal is what all models together used.
type TokenTotal struct {
	Total int `json:"total"`
}

func statsOf(a answer.Answer) ModelStats {
	chat, system := a.Usage.Chat, a.Usage.System
	return ModelStats{chat.Model, chat.Model, system.Model, TokenTotal{chat.Total + system.Total}, chat, system, a.LatencyMs}
}

// Run gives a run with its answer or what there is of it.
func (v *Verbs) Run(ctx context.Context, id string) (RunView, error) {
	run, err := v.run(ctx, id)
	if err != nil {
		return RunView{}, err
	}
	return viewOf(run), nil
}

// run is a run as it is stored or, a private one, as it is in memory.
func (v *Verbs) run(ctx context.Context, id string) (answer.Run, error) {
	run, err := v.DB.Run(ctx, answer.RunID(id))
	if fault.CodeOf(err) == fault.NotFound {
		if private, ok := v.Engine.PrivateRun(answer.RunID(id)); ok {
			return private, nil
		}
	}
	return run, err
}

func viewOf(run answer.Run) RunView {
	view := RunView{Run: run}
	if run.Answer != nil {
		stats := statsOf(*run.Answer)
		view.Metadata.Stats = &stats
	}
	return view
}

// Runs lists runs, newest first.
func (v *Verbs) Runs(ctx context.Context, q store.RunQuery) (Page[answer.Run], error) {
	runs, next, err := v.DB.Runs(ctx, q)
	return pageOf(runs, next), err
}

// Stop ends a run at once and keeps its partial text.
func (v *Verbs) Stop(ctx context.Context, id string) (answer.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	return answer.Stopped, v.Engine.Stop(ctx, answer.RunID(id), "user")
}

// AnswerNow ends the retrieval of a run.
func (v *Verbs) AnswerNow(ctx context.Context, id string) error {
	return v.Engine.AnswerNow(ctx, answer.RunID(id))
}

// Retry asks the question of a run again, in another way where change says so.
func (v *Verbs) Retry(ctx context.Context, id string, mode answer.Mode, models answer.Models) (Asked, error) {
	run, err := v.run(ctx, id)
	if err != nil {
		return Asked{}, err
	}
	q := run.Question
	q.Thread, q.Replaces, q.Cache = run.Thread, "", false
	if mode != "" {
		q.Mode = mode
	}
	if models.Chat != "" {
		q.Models.Chat = models.Chat
	}
	if models.System != "" {
		q.Models.System = models.System
	}
	return v.Ask(ctx, q)
}

// Ledger lists what a run sent and received.
func (v *Verbs) Ledger(ctx context.Context, id string) (Page[answer.LedgerEntry], error) {
	run, err := v.run(ctx, id)
	return pageOf(ledgerOf(run), ""), err
}

// Threads lists conversations.
func (v *Verbs) Threads(ctx context.Context, q store.ThreadQuery) (Page[store.ThreadInfo], error) {
	threads, next, err := v.DB.Threads(ctx, q)
	return pageOf(threads, next), err
}

// ThreadView is a thread with its runs in order.
type ThreadView struct {
	store.ThreadInfo
	Runs    []answer.Run `json:"runs"`
	Private bool         `json:"private,omitempty"` // kept in memory only

	Fresh []refresh.Subscription `json:"fresh,omitempty"` // answers of it that are checked from time to time
}

// Thread gives a conversation.
func (v *Verbs) Thread(ctx context.Context, id string) (ThreadView, error) {
	detail, err := v.DB.Thread(ctx, answer.ThreadID(id))
	if fault.CodeOf(err) == fault.NotFound {
		return v.privateThread(answer.ThreadID(id), err)
	}
	if err != nil {
		return ThreadView{}, err
	}
	view := ThreadView{ThreadInfo: detail.ThreadInfo, Runs: detail.Items}
	if view.Runs == nil {
		view.Runs = []answer.Run{}
	}
	if v.Refresher != nil {
		view.Fresh, err = v.Refresher.List(ctx, view.ID)
	}
	return view, err
}

// privateThread is a private thread as far as it is in memory; else it is unknown.
func (v *Verbs) privateThread(id answer.ThreadID, unknown error) (ThreadView, error) {
	runs := v.Engine.PrivateRuns(id)
	if len(runs) == 0 {
		return ThreadView{}, unknown
	}
	first, last := runs[0], runs[len(runs)-1]
	info := store.ThreadInfo{ID: id, Title: first.Question.Text, Type: "chat", Created: first.Started, Updated: last.Started, Runs: len(runs), Running: last.Ended == nil, Group: "today"}
	if first.Question.Mode == answer.ModeDeep {
		info.Type = "deep-research"
	}
	if last.Ended != nil {
		info.Updated = *last.Ended
	}
	return ThreadView{ThreadInfo: info, Runs: runs, Private: true}, nil
}

// ThreadChange is what may be changed of a thread; nil leaves a field as it is.
type ThreadChange struct {
	Title  *string `json:"title"`
	Pinned *bool   `json:"pinned"`
}

// ChangeThread renames or pins a thread.
func (v *Verbs) ChangeThread(ctx context.Context, id string, c ThreadChange) error {
	if c.Title != nil {
		if err := v.DB.Rename(ctx, answer.ThreadID(id), *c.Title); err != nil {
			return err
		}
	}
	if c.Pinned != nil {
		return v.DB.Pin(ctx, answer.ThreadID(id), *c.Pinned)
	}
	return nil
}

// DeleteThread stops what runs in a thread and deletes it; erase also drops the
// snapshots that only it cites.
func (v *Verbs) DeleteThread(ctx context.Context, id string, erase bool) error {
	for _, run := range v.Engine.RunningIn(answer.ThreadID(id)) {
		if err := v.stopIfRunning(ctx, run); err != nil {
			return err
		}
	}
	return v.DB.DeleteThread(ctx, answer.ThreadID(id), erase)
}
