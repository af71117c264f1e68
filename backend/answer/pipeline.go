package answer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/rank"
	"footnote/backend/settings"
)

// pipeline is one question on its way: plan → gather → read → select →
// compose → check → finish. Its fields fill up in that order.
type pipeline struct {
	*Engine
	*live
	q       Question
	s       settings.Settings
	meter   *Meter
	started time.Time
	name    digest // of what the answer depends on

	names     evidence.Named   // what the @names of the question stand for
	history   []Turn           // as models are given it
	recalled  []evidence.Found // what earlier answers cited, oldest first
	compacted *Compacted
	lenses    Lenses
	held      *withheld // models that may not see files yet; nil when there are none
	chat      ResolvedModel
	system    ResolvedModel
	why       error // why there is no model although one was looked for

	plan     plan
	part     string   // the subquestion of deep research that this looks into; else empty
	facets   []string // what else was looked for in modes that look several times
	early    *early
	found    []evidence.Found
	leads    []evidence.Lead
	pages    []evidence.Document
	unreadMu sync.Mutex
	failed   []Unread // pages that could not be read

	priorities map[string]priority // a model's opinions on web sources, by normalised address
	asked      []string            // engines that were asked
	searched   error               // why the web gave nothing
	shelfless  *fault.Fault        // why the reader's files were not searched
	bare       bool                // the files that were to be searched have no text

	ranked     []rank.Candidate                 // everything gathered, best first
	cands      []rank.Candidate                 // ranked pool
	chosen     []rank.Candidate                 // what the answer may rest on, best first
	rows       []quote.FoundRow                 // rows of tables that answer, best first; their passages are chosen
	neighbours map[evidence.PassageID]neighbour // what follows a chosen passage
	beside     []neighbour                      // of those, what a model read along and may cite
	overview   map[evidence.PassageID]int       // passages of the file that an overview is asked of, with their order; nil for other questions
	proofs     map[int]evidence.Mention         // of counted files, by number of their source
	fact       string                           // what was counted, for a model to say
	quotation  *quote.Result                    // what the answer quotes; nil until it is chosen, or when a model writes
	numbers    map[evidence.SourceID]int
	cards      []SourceCard

	passages map[evidence.PassageID]*cite.Passage // as the checker reads them

	disagreements []Disagreement // of its sources
	keeping       <-chan error   // tells once that the passages are stored; nil when nothing is being stored

	notices  []Notice
	counting sync.Mutex // usage and phases
	usage    UsagePair
	phases   phases
	counters Counters
	timing   Timing
}

// guarded runs the pipeline; a panic in any stage is an internal fault of this
// run alone, with its stack in the log.
func (p *pipeline) guarded(ctx context.Context) (a Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.live.log.Error("run panicked", "panic", r, "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "Footnote could not finish this answer because of an internal error.", "Ask again; the log has the details.")
		}
	}()
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if a, err = p.answer(ctx); err == nil && p.held == nil {
		p.keepAnswer(a)
	}
	if err == nil {
		a.Diff = p.diff(ctx, a)
	}
	return a, err
}

func (p *pipeline) answer(ctx context.Context) (Answer, error) {
	unnamed := p.lookUpNames(ctx)
	p.recall(ctx)
	p.takeLenses(ctx)
	kept := p.storedAnswer(ctx)
	opening := p.opening()
	opening.Cached = kept != nil
	if past, _ := p.live.since(0); len(past) == 0 { // an earlier process may have told it
		p.emit(opening)
	}
	if unnamed != nil {
		return Answer{}, unnamed
	}
	if kept != nil {
		return p.giveAgain(kept), nil
	}
	p.tellNames()
	if a, done := p.smallTalk(); done {
		return a, nil
	}
	if err := p.resolveModels(ctx); err != nil {
		return Answer{}, err
	}
	p.withhold(ctx)
	p.degrade()
	p.compact()
	if p.q.Mode == ModeDeep {
		return p.research(ctx)
	}
	if a, done, err := p.aboutSelection(ctx); done || err != nil {
		return a, err
	}
	if a, done, err := p.counted(ctx); done || err != nil {
		return a, err
	}
	if a, done, err := p.computed(ctx); done || err != nil {
		return a, err
	}
	retrieval, cancel := p.retrieval(ctx)
	defer cancel()
	retrieve := p.retrieveOnce
	if p.q.Mode == ModeAgent {
		retrieve = p.retrieveByAgent
	}
	err := cmp.Or(retrieve(retrieval, ctx), ctx.Err())
	p.release()
	switch {
	case errors.Is(err, errNoSearch):
		return p.converse(ctx)
	case err != nil:
		return Answer{}, err
	}
	p.readPasted(ctx)
	if err := p.selectPassages(ctx); err != nil {
		return Answer{}, err
	}
	a, err := p.write(ctx)
	return a, cmp.Or(err, p.settled())
}

// errNoSearch says that a message needs no evidence.
var errNoSearch = errors.New("no search is needed")

// retrieveOnce gathers the evidence of the quick modes: one plan, one search on
// each side. retrieval ends with "answer now", whole with the run.
func (p *pipeline) retrieveOnce(retrieval, whole context.Context) error {
	local := p.searchShelf(whole)
	p.searchEarly(retrieval)
	if err := p.makePlan(retrieval, whole); err != nil {
		p.early.drop()
		return err
	}
	if !p.plan.Search {
		p.early.drop()
	}
	switch {
	case len(p.plan.named) > 0:
		p.readNamed(retrieval)
	case !p.plan.Search && !p.plan.Shelf && (p.speaksOfEarlier() || p.asksOfPasted()):
	case !p.plan.Search && !p.plan.Shelf:
		return errNoSearch
	default:
		p.gather(retrieval, local)
		p.readPages(retrieval)
	}
	return nil
}

func (p *pipeline) opening() Started {
	q, scope := p.q, p.names.Ticked
	scope.Files, scope.Folders, scope.Collections = full(scope.Files), full(scope.Folders), full(scope.Collections)
	return Started{
		Thread: q.Thread, Question: p.run.Question.Text, Focus: q.Focus, Mode: q.Mode, SubMode: q.SubMode, Scope: scope, Web: q.Web, Offline: q.Offline,
		Models: ModelNames{
			Chat: first(q.Models.Chat, p.s.Models.Chat), System: first(q.Models.System, p.s.Models.System), Rewrite: p.s.Models.Rewrite,
			Embedding: p.s.Models.Embedding, Rerank: p.s.Models.Rerank,
		},
		PromptHash: promptHash,
	}
}

// degrade turns a mode that cannot be had into the nearest one that can, and
// says so.
func (p *pipeline) degrade() {
	why := ""
	switch {
	case p.q.Mode == ModeAgent && p.chat.Model == nil:
		why = "Agent needs a model that searches, and there is none"
	case p.q.Mode == ModeDeep && (p.q.Focus == FocusWriting || p.q.Focus == FocusCompute || isSmallTalk(p.q.Text, p.history)):
		why = "There is nothing to research in this"
	default:
		return
	}
	p.notice(Notice{Code: "mode-degraded", Level: "warn", Message: why + ", so the question was answered in Balanced."})
	p.q.Mode = ModeBalanced
}

// resolveModels finds the models of this run. A model that was chosen by name
// and is not there fails the run; with "auto" the answer is then extractive.
func (p *pipeline) resolveModels(ctx context.Context) error {
	want := first(p.q.Models.Chat, p.s.Models.Chat)
	var err error
	if p.chat, err = p.Models.Resolve(ctx, want); err != nil {
		if named(want) {
			return err
		}
		p.why = err
		p.live.log.Warn("provider down", "model", want, "err", err)
	}
	wantSystem := first(p.q.Models.System, p.s.Models.System)
	if wantSystem == "" {
		p.system = p.chat
		return nil
	}
	if p.system, err = p.Models.Resolve(ctx, wantSystem); err != nil {
		p.live.log.Warn("resolve system model", "model", wantSystem, "err", err)
		p.system = p.chat
	}
	return nil
}

func named(model string) bool { return model != "" && model != "auto" && model != "none" }

func (p *pipeline) notice(n Notice) {
	if slices.ContainsFunc(p.notices, func(m Notice) bool { return m == n }) {
		return
	}
	p.notices = append(p.notices, n)
	level := slog.LevelInfo
	if n.Level == "warn" {
		level = slog.LevelWarn
	}
	p.live.log.Log(context.Background(), level, "notice", "code", n.Code, "message", n.Message)
	p.emit(Noticed(n))
}

// count adds what a model call used to its role and publishes the sums.
func (p *pipeline) count(role *ModelUsage, model string, u llm.Usage) {
	p.countIn(p.phases.now, 0, role, model, u)
}

// countIn is count for a phase of deep research, with how long the call took. It
// may be called from several sections that are being written.
func (p *pipeline) countIn(phase string, took time.Duration, role *ModelUsage, model string, u llm.Usage) {
	p.counting.Lock()
	defer p.counting.Unlock()
	role.Model = model
	role.Prompt += u.Prompt
	role.Completion += u.Completion
	role.Total = role.Prompt + role.Completion
	role.Calls += max(1, u.Calls)
	role.Estimated = role.Estimated || u.Estimated
	p.counters.ModelCalls += max(1, u.Calls)
	told := UsageCounted{Chat: p.usage.Chat, System: p.usage.System, Context: WindowGauge{Used: u.Prompt, Window: p.window()}}
	p.emit(p.phases.counted(told, phase, took, u.Prompt+u.Completion))
	p.mindBudget()
}

func (p *pipeline) window() int {
	if p.chat.Ability.Window > 0 {
		return p.chat.Ability.Window
	}
	return p.s.Models.WindowDefault
}

// converse replies where no evidence is wanted: writing, and what a model finds to
// be small talk.
func (p *pipeline) converse(ctx context.Context) (Answer, error) {
	p.begin(StageCompose)
	if p.q.Focus != FocusWriting {
		p.notice(Notice{Code: "no-search", Level: "info", Message: "No search was made.", Action: "search"})
	}
	text, outcome := "", Chatted
	switch {
	case p.chat.Model == nil && p.q.Focus == FocusWriting:
		text, outcome = "Writing needs a model, and none is set up. Choose one in Settings, or ask a question: those are answered from your files and the web without one.", NoEvidence
		p.say(text)
	case p.chat.Model == nil:
		text = "Ask a question, and the answer comes with footnotes from your files and the web."
		p.say(text)
	default:
		name := "chat"
		if p.q.Focus == FocusWriting {
			name = "writing"
		}
		var err error
		if text, err = p.stream(ctx, chatMessages(name, p.q, p.history), 0, nil); err != nil {
			return Answer{}, err
		}
	}
	p.timing.Compose = p.finish(0, 1)
	return p.conclude(text, outcome, nil, noReport(), nil), nil
}

// conclude closes the run: the last stage and the answer object.
func (p *pipeline) conclude(text string, outcome Outcome, citations []Citation, report Report, followUps []string) Answer {
	p.begin(StageFinish)
	p.remember(citations)
	now := p.now().UTC()
	p.timing.Waited = p.meter.Waited().Milliseconds()
	grade := GradeAnswers
	if outcome == NoEvidence {
		grade = GradeNone
	}
	a := Answer{
		Question: p.run.Question.Text, Answer: text, Outcome: outcome, Grade: grade, Citations: full(citations), Sources: full(p.cards), Report: report,
		Disagreements: full(p.disagreements), FollowUps: full(followUps), Usage: p.usage, Timing: p.timing, Ledger: p.meter.Entries(),
		Notices: full(p.notices), Compacted: p.compacted, Run: p.run.ID, Thread: p.q.Thread, Timestamp: now.Truncate(time.Millisecond), LatencyMs: max(1, now.Sub(p.started).Milliseconds()),
	}
	p.finish(0, len(a.Sources))
	return a
}

func noVerdicts() map[Verdict]int {
	return map[Verdict]int{QuotedIn: 0, Supported: 0, Partly: 0, NotFound: 0, Contradicted: 0}
}

// full makes a nil slice an empty one: the API leaves nothing out.
func full[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

// ended reports whether err only says that ctx was cut short.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
