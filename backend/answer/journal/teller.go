package journal

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/settings"
)

// Teller is what a stage tells while it works: facts, notices, what was used and
// how long it took.
type Teller struct {
	*Live
	Meter    *privacy.Meter
	settings settings.Settings
	models   *llm.RoleModels

	Notices  []contract.Notice
	counting sync.Mutex // usage and phases
	Usage    contract.UsagePair
	phases   phases
	Counters contract.Counters
	Timing   contract.Timing
}

// NewTeller tells of a run; models are those that it resolves later.
func NewTeller(run *Live, meter *privacy.Meter, s settings.Settings, models *llm.RoleModels) *Teller {
	return &Teller{Live: run, Meter: meter, settings: s, models: models}
}

// Branch tells of the same run and counts by itself.
func (t *Teller) Branch() *Teller {
	return NewTeller(t.Live, t.Meter, t.settings, t.models)
}

// Notice tells the reader something, once.
func (t *Teller) Notice(n contract.Notice) {
	if slices.ContainsFunc(t.Notices, func(m contract.Notice) bool { return m == n }) {
		return
	}
	t.Notices = append(t.Notices, n)
	level := slog.LevelInfo
	if n.Level == "warn" {
		level = slog.LevelWarn
	}
	t.Log.Log(context.Background(), level, "notice", "code", n.Code, "message", n.Message)
	t.Emit(contract.Noticed(n))
}

// Count adds what a model call used to its role and publishes the sums.
func (t *Teller) Count(role *contract.ModelUsage, model string, u llm.Usage) {
	t.CountIn(t.phases.now, 0, role, model, u)
}

// CountIn is count for a phase of deep research, with how long the call took. It
// may be called from several sections that are being written.
func (t *Teller) CountIn(phase string, took time.Duration, role *contract.ModelUsage, model string, u llm.Usage) {
	t.counting.Lock()
	defer t.counting.Unlock()
	role.Model = model
	role.Prompt += u.Prompt
	role.Completion += u.Completion
	role.Total = role.Prompt + role.Completion
	role.Calls += max(1, u.Calls)
	role.Estimated = role.Estimated || u.Estimated
	t.Counters.ModelCalls += max(1, u.Calls)
	told := contract.UsageCounted{Chat: t.Usage.Chat, System: t.Usage.System, Context: contract.WindowGauge{Used: u.Prompt, Window: t.Window()}}
	t.Emit(t.phases.counted(told, phase, took, u.Prompt+u.Completion))
	t.mindBudget()
}

// Window is how many tokens the chat model takes.
func (t *Teller) Window() int {
	if t.models.Chat.Ability.Window > 0 {
		return t.models.Chat.Ability.Window
	}
	return t.settings.Models.WindowDefault
}

// PhaseAnswer is the phase of what models write for the reader; in modes without
// phases all of it is that.
const PhaseAnswer = "Answer"

// phases adds up tokens by phase. The zero value, of the other modes, has none.
type phases struct {
	now    string
	tokens map[string]int
}

// counted completes what is told of usage. In modes without phases all is Answer.
func (p *phases) counted(u contract.UsageCounted, phase string, took time.Duration, tokens int) contract.UsageCounted {
	u.Phase = cmp.Or(phase, PhaseAnswer)
	if phase == "" {
		return u
	}
	if p.tokens == nil {
		p.tokens = map[string]int{}
	}
	p.tokens[phase] += tokens
	all := 0
	for _, n := range p.tokens {
		all += n
	}
	u.Tokens = p.tokens[phase]
	u.Percent = 100 * u.Tokens / max(1, all)
	if took > 0 {
		u.Ms = max(1, took.Milliseconds())
	}
	return u
}

// GoOn counts from where an earlier process ended.
func (t *Teller) GoOn(usage contract.UsagePair, counters contract.Counters, tokens map[string]int) {
	t.Usage, t.Counters, t.phases = usage, counters, phases{tokens: tokens}
}

// SoFar is what was used: by role, by kind, and tokens by phase.
func (t *Teller) SoFar() (contract.UsagePair, contract.Counters, map[string]int) {
	t.counting.Lock()
	defer t.counting.Unlock()
	return t.Usage, t.Counters, maps.Clone(t.phases.tokens)
}

// InPhase has what is counted from here on belong to a phase.
func (t *Teller) InPhase(phase string) { t.phases.now = phase }
