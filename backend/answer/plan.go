package answer

import (
	"context"
	"strings"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// plan is what a run is going to do, decided before anything is fetched.
type plan struct {
	Planned
	preset  rank.Preset
	named   []string // pages in the question, which are read instead of searching
	summary bool     // the question is nothing but a page
}

// wantsShelf and wantsWeb say which sides a question may draw on, before it is
// known whether it needs any.
func (p *pipeline) wantsShelf() bool {
	return p.Shelf != nil && (p.q.Focus == FocusLocal || p.q.Focus == FocusAll) &&
		(!p.q.Scope.Empty() || p.s.Library.SearchAll) && !isSmallTalk(p.q.Text, p.history)
}

func (p *pipeline) wantsWeb() bool {
	switch p.q.Focus {
	case FocusLocal, FocusCompute, FocusWriting:
		return false
	}
	return p.Web != nil && p.q.Web && p.s.Web.Enabled && !p.q.Offline && p.s.Privacy.Scope != "local-only"
}

// webNames are the engines that a focus restricts the search to; nil means the
// settings' order.
func (p *pipeline) webNames() []string {
	return p.enginesOf(p.q.Focus)
}

func (p *pipeline) enginesOf(focus Focus) []string {
	switch focus {
	case FocusAcademic:
		return p.s.Web.Academic.Engines
	case FocusCommunity:
		return p.s.Web.Community.Engines
	case FocusVideo:
		return p.s.Web.Video.Engines
	}
	return p.q.Engines
}

// makePlan decides what to search for. The rewriter works under ctx's soft
// stop: answering now does not wait for it.
func (p *pipeline) makePlan(ctx, whole context.Context) error {
	p.begin(StagePlan)
	standalone := standaloneByRules(p.q.Text, p.history)
	p.plan = plan{Planned: Planned{Standalone: standalone, Queries: []string{}, By: "rules", Shelf: p.wantsShelf()}}
	switch {
	case p.q.Focus == FocusWriting || p.q.Focus == FocusCompute:
		p.plan.Reason = "this focus searches nothing"
	case isSmallTalk(p.q.Text, p.history):
		p.plan.Reason = "small talk needs no search"
	case p.wantsWeb():
		if addresses, rest := addressesIn(p.q.Text); len(addresses) > 0 {
			p.planNamed(addresses, rest)
			break
		}
		p.rewrite(ctx, standalone)
	default:
		p.plan.Reason = "only your files are searched"
	}
	if err := whole.Err(); err != nil {
		return err
	}
	p.explainOffline()
	p.choosePreset()
	p.emit(p.plan.Planned)
	p.timing.Plan = p.finish(0, len(p.plan.Queries))
	return nil
}

// explainOffline says why a question that could have used the web did not.
func (p *pipeline) explainOffline() {
	if !p.q.Web || p.plan.Search || p.q.Focus != FocusAll && p.q.Focus != FocusWeb {
		return
	}
	if p.q.Offline || p.s.Privacy.Scope == "local-only" {
		p.notice(Notice{Code: "offline", Level: "info", Message: "“Local only” is on, so the web was not asked."})
	}
}

func (p *pipeline) choosePreset() {
	name := p.q.Preset
	if name == "" || name == "auto" {
		name = p.s.Rank.Preset
	}
	if name == "" || name == "auto" {
		name = rank.PresetFor(p.plan.Standalone, string(p.q.Focus))
	}
	preset := rank.Presets()[name]
	if set, ok := p.s.Rank.Presets[name]; ok {
		preset = rank.Preset{Weights: rank.Weights{Semantic: set.Semantic, Keyword: set.Keyword, Freshness: set.Freshness, Authority: set.Authority}, K: set.K}
	}
	if w := p.q.Weights; w != nil {
		preset.Weights = rank.Weights(*w)
	}
	if p.q.K > 0 {
		preset.K = p.q.K
	}
	preset.K = min(max(1, preset.K), max(1, p.s.Rank.MaxPassages))
	p.plan.preset = preset
	p.plan.Preset, p.plan.K, p.plan.Weights = name, preset.K, Weights(preset.Weights)
}

// rewrite asks the system model for a query, at most for the deadline; rules
// stand in when there is no model, no answer in time or nothing usable.
func (p *pipeline) rewrite(ctx context.Context, standalone string) {
	byRules := func(reason string) {
		p.plan.Search, p.plan.Reason = true, reason
		p.plan.Queries = []string{queryByRules(standalone, p.now())}
	}
	model, err := p.rewriter(ctx)
	if err != nil || model.Model == nil {
		byRules("no model rewrites questions here")
		return
	}
	limit := time.Duration(p.s.Ask.RewriteTimeoutMs) * time.Millisecond
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	said, by, err := p.reworded(timed, model)
	query, none := cleanRewrite(said)
	switch {
	case err == nil && none:
		p.plan.By, p.plan.Reason, p.plan.Shelf = by, "the model says no search is needed", p.plan.Shelf && p.q.Focus == FocusLocal
	case err == nil && query != "":
		p.plan.By, p.plan.Search, p.plan.Reason = by, true, "reworded by the model"
		p.plan.Queries = []string{query}
	case p.s.Ask.OnTimeout == "skip" && err != nil && !p.cutShort():
		p.plan.Reason = "the question could not be reworded"
		p.notice(Notice{Code: "search-skipped", Level: "warn", Message: "The web was not searched, because the question could not be reworded in time."})
	default:
		byRules("reworded by rules")
		p.rewriteFailed(ctx, timed, err, limit)
	}
}

func (p *pipeline) rewriteFailed(ctx, timed context.Context, err error, limit time.Duration) {
	if ctx.Err() != nil {
		return // cut short by the reader: nothing failed
	}
	why := "because the model gave nothing usable"
	switch {
	case timed.Err() != nil:
		why = count("because the model took longer than %v", limit)
		p.live.log.Warn("slow rewrite", "limit", limit)
	case err != nil:
		why = "because the model failed"
	}
	p.live.log.Warn("rewrite fell back to rules", "why", why, "err", err)
	p.notice(Notice{Code: "rewrite-fallback", Level: "info", Message: "The question was reworded by rules, " + why + "."})
}

func (p *pipeline) rewriter(ctx context.Context) (ResolvedModel, error) {
	if p.s.Models.Rewrite == "" || p.held != nil {
		return p.system, nil
	}
	return p.Models.Resolve(ctx, p.s.Models.Rewrite)
}

// complete drains one call that nobody watches. Thinking is left out.
func complete(ctx context.Context, m ResolvedModel, call llm.Call) (string, llm.Usage, error) {
	return completeUntil(ctx, m, call, func(string) bool { return false })
}

// completeUntil is complete for a call that is hung up once its text is enough.
func completeUntil(ctx context.Context, m ResolvedModel, call llm.Call, enough func(text string) bool) (string, llm.Usage, error) {
	call.Model = m.ID
	if call.Window == 0 {
		call.Window = m.Ability.Window
	}
	var text strings.Builder
	usage := llm.Usage{Calls: 1}
	for d, err := range m.Model.Stream(ctx, call) {
		if err != nil {
			return text.String(), usage, err
		}
		text.WriteString(d.Text)
		if d.Usage != nil {
			usage = *d.Usage
			usage.Calls = 1
		}
		if d.Text != "" && enough(text.String()) {
			break
		}
	}
	if usage.Prompt == 0 {
		usage = estimate(call, text.String())
	}
	if strings.TrimSpace(text.String()) == "" {
		return "", usage, fault.New(fault.ModelRefused, "The model gave an empty reply.", "Try again or choose another model.")
	}
	return text.String(), usage, nil
}

func estimate(call llm.Call, reply string) llm.Usage {
	u := llm.Usage{Calls: 1, Estimated: true, Completion: llm.EstimateTokens(reply)}
	for _, m := range call.Messages {
		u.Prompt += llm.EstimateTokens(m.Text) + 4
	}
	return u
}
