package api

import (
	"context"
	"iter"
	"math"
	"slices"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/records"
)

// Runs are questions being answered, and answered ones.
type Runs struct{ *Rooms }

// StopTime is what a run has to end in after it was stopped.
const StopTime = 5 * time.Second

// Asked names a run that has begun.
type Asked struct {
	Run    contract.RunID    `json:"run"`
	Thread contract.ThreadID `json:"thread"`
	Events string            `json:"events"`
}

// Question is a question that is sent. Who waits for the end of the run cannot be
// asked back.
type Question struct {
	Wait bool `query:"wait" says:"true: answer when the run has ended"`
	Body contract.Question
}

// Fresh is a question with nothing in it but the defaults.
func (s Runs) Fresh() Question { return Question{Body: s.Engine.Defaults()} }

// Ask starts a run.
func (s Runs) Ask(ctx context.Context, in Question) (Asked, error) {
	in.Body.Unattended = in.Body.Unattended || in.Wait
	run, err := s.ask(ctx, in.Body)
	if err != nil {
		return Asked{}, err
	}
	return askedOf(run), nil
}

func askedOf(run contract.Run) Asked {
	return Asked{run.ID, run.Thread, "/api/runs/" + string(run.ID) + "/events"}
}

// ask checks what a question names before the engine takes it: a thread that
// exists, a run of it to be replaced, weights that are some.
func (s Runs) ask(ctx context.Context, q contract.Question) (contract.Run, error) {
	if w := q.Weights; w != nil && !sumToOne(w.Semantic, w.Keyword, w.Freshness, w.Authority) {
		return contract.Run{}, fault.New(fault.InvalidRequest, "The weights are not four numbers from 0 to 1 that sum to 1.", "Send all four, or none.")
	}
	if q.Thread == "" && q.Replaces == "" {
		return s.Engine.Ask(ctx, q)
	}
	private, err := s.goesOn(ctx, q)
	if err != nil {
		return contract.Run{}, err
	}
	q.Private = q.Private || private
	return s.Engine.Ask(ctx, q)
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

// goesOn tells whether there is the thread that a question goes on in, and whether it
// is kept in memory only, where nobody else knows it. What the question replaces
// is stopped.
func (s Runs) goesOn(ctx context.Context, q contract.Question) (private bool, err error) {
	switch {
	case q.Replaces != "":
		return s.replaces(ctx, q)
	case q.Private:
		return true, nil
	}
	_, err = s.DB.Title(ctx, q.Thread)
	if fault.CodeOf(err) == fault.NotFound && len(s.Engine.PrivateRuns(q.Thread)) > 0 {
		return true, nil
	}
	return false, err
}

// replaces ends the runs that a question replaces: one of its thread and all later
// ones. The store drops them when the new run begins.
func (s Runs) replaces(ctx context.Context, q contract.Question) (private bool, err error) {
	if q.Thread == "" {
		return false, fault.New(fault.InvalidRequest, "A run is to be replaced, but no thread is named.", "Send the thread it belongs to.")
	}
	thread, err := Threads(s).Get(ctx, ID{string(q.Thread)})
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(thread.Runs, func(r contract.Run) bool { return r.ID == q.Replaces })
	if at < 0 {
		return false, fault.New(fault.InvalidRequest, "The run to replace is not in this thread.", "Send the thread it belongs to.")
	}
	for _, run := range thread.Runs[at:] {
		if err := s.StopIfRunning(ctx, run.ID); err != nil {
			return false, err
		}
	}
	return thread.Private, nil
}

// StopIfRunning ends a run; one that has ended, or never was, is no error.
func (s Runs) StopIfRunning(ctx context.Context, run contract.RunID) error {
	err := s.Engine.Stop(ctx, run, "user")
	if code := fault.CodeOf(err); code == fault.AlreadyEnded || code == fault.NotFound {
		return nil
	}
	return err
}

// RunView is a run with the counts that the last event carried.
type RunView struct {
	contract.Run
	Metadata RunMetadata `json:"metadata"`
}

// RunMetadata is what of an answer is counted; nil without one.
type RunMetadata struct {
	Stats *ModelStats `json:"modelStats,omitempty"`
}

// ModelStats says which models wrote an answer and what it took.
type ModelStats struct {
	Model       string              `json:"modelName"`
	ChatModel   string              `json:"modelNameChat"`
	SystemModel string              `json:"modelNameSystem"`
	Usage       TokenTotal          `json:"usage"`
	Chat        contract.ModelUsage `json:"usageChat"`
	System      contract.ModelUsage `json:"usageSystem"`
	Ms          int64               `json:"responseTime"`
}

// TokenTotal is what all models together used.
type TokenTotal struct {
	Total int `json:"total"`
}

// StatsOf counts an answer.
func StatsOf(a contract.Answer) ModelStats {
	chat, system := a.Usage.Chat, a.Usage.System
	return ModelStats{chat.Model, chat.Model, system.Model, TokenTotal{chat.Total + system.Total}, chat, system, a.LatencyMs}
}

// Get gives a run with its answer or what there is of it.
func (s Runs) Get(ctx context.Context, in ID) (RunView, error) {
	run, err := s.run(ctx, in.ID)
	if err != nil {
		return RunView{}, err
	}
	return viewOf(run), nil
}

// run is a run as it is stored or, a private one, as it is in memory.
func (s Runs) run(ctx context.Context, id string) (contract.Run, error) {
	run, err := s.DB.Run(ctx, contract.RunID(id))
	if fault.CodeOf(err) == fault.NotFound {
		if private, ok := s.Engine.PrivateRun(contract.RunID(id)); ok {
			return private, nil
		}
	}
	return run, err
}

func viewOf(run contract.Run) RunView {
	view := RunView{Run: run}
	if run.Answer != nil {
		stats := StatsOf(*run.Answer)
		view.Metadata.Stats = &stats
	}
	return view
}

// RunsQuery selects runs.
type RunsQuery struct {
	Status string `query:"status" says:"running, finished, failed or stopped"`
	Thread string `query:"thread" says:"Of this conversation"`
	Paging
}

// List lists runs, newest first.
func (s Runs) List(ctx context.Context, q RunsQuery) (Page[contract.Run], error) {
	runs, next, err := s.DB.Runs(ctx, records.RunQuery{Status: contract.Status(q.Status), Thread: contract.ThreadID(q.Thread), Limit: int(q.Limit), After: q.After})
	return PageOf(runs, next), err
}

// Stop ends a run at once and keeps its partial text.
func (s Runs) Stop(ctx context.Context, in ID) (map[string]contract.Status, error) {
	ctx, cancel := context.WithTimeout(ctx, StopTime)
	defer cancel()
	return map[string]contract.Status{"status": contract.Stopped}, s.Engine.Stop(ctx, contract.RunID(in.ID), "user")
}

// AnswerNow ends the retrieval of a run.
func (s Runs) AnswerNow(ctx context.Context, in ID) (map[string]string, error) {
	return map[string]string{"run": in.ID}, s.Engine.AnswerNow(ctx, contract.RunID(in.ID))
}

// RetryChange is what is different when a question is asked again.
type RetryChange struct {
	Mode   contract.Mode   `json:"mode"`
	Models contract.Models `json:"models"`
}

// RetryRun names a run and what is different.
type RetryRun struct {
	ID   string `path:"id"`
	Body RetryChange
}

// Retry asks the question of a run again, in another way where change says so.
func (s Runs) Retry(ctx context.Context, in RetryRun) (Asked, error) {
	mode, models := in.Body.Mode, in.Body.Models
	run, err := s.run(ctx, in.ID)
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
	return s.Ask(ctx, Question{Body: q})
}

// renewTime is how long changed files may take to be read before their question
// is asked again; what is not read by then is answered from as it was.
const renewTime = 20 * time.Second

// Refresh asks the question of an answered run again; the new answer tells how it
// differs.
func (s Runs) Refresh(ctx context.Context, in ID) (Asked, error) {
	before, err := s.Get(ctx, in)
	if err != nil {
		return Asked{}, err
	}
	timed, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	if err := s.Library.Renew(timed, before.FilesRead()); err != nil {
		s.Log.Warn("read files again before they are asked about", "run", in.ID, "err", err)
	}
	run, err := s.Engine.Refresh(ctx, before.ID)
	return askedOf(run), err
}

// Ledger lists what a run sent and received.
func (s Runs) Ledger(ctx context.Context, in ID) (Page[privacy.LedgerEntry], error) {
	run, err := s.run(ctx, in.ID)
	return PageOf(LedgerOf(run), ""), err
}

// Follow tells the events of a run: replay from the journal, then live.
func (s Runs) Follow(ctx context.Context, in EventsOf) (Stream, error) {
	if _, err := s.run(ctx, in.ID); err != nil {
		return nil, err
	}
	return func(ctx context.Context) iter.Seq2[Told, error] {
		return func(yield func(Told, error) bool) {
			for e, err := range s.Engine.Follow(ctx, contract.RunID(in.ID), in.After) {
				if !yield(Told{e.Seq, string(e.Kind), e}, err) {
					return
				}
			}
		}
	}, nil
}
