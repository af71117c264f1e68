package answer

import (
	"context"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// Consents tell which providers beyond this computer the reader lets file text
// go to.
type Consents interface {
	MaySend(ctx context.Context, provider string) (bool, error)
}

// withheld are models that a run does without until it is known whether they
// would be sent text of the reader's files.
type withheld struct{ chat, system ResolvedModel }

// withhold puts models beyond this computer aside that the reader has not allowed
// to see files, where the question may draw on files.
func (p *pipeline) withhold(ctx context.Context) {
	if p.engine.Consents == nil || !p.task.Settings.Privacy.PreviewBeforeCloud || !p.task.WantsShelf() && !p.task.recalledFiles() {
		return
	}
	asked := withheld{p.models.Chat, p.models.System}
	if !p.unallowed(ctx, p.models.Chat) && !p.unallowed(ctx, p.models.System) {
		return
	}
	p.models.held, p.models.Chat, p.models.System = &asked, ResolvedModel{}, ResolvedModel{}
}

func (p *pipeline) unallowed(ctx context.Context, m ResolvedModel) bool {
	if m.Model == nil || !m.Cloud {
		return false
	}
	allowed, err := p.engine.Consents.MaySend(ctx, m.Provider)
	if err != nil {
		p.tell.Log.Error("read consents", "err", err)
	}
	return !allowed
}

// release gives the models back when no file text would go to them, and says
// what would have gone when it would.
func (p *pipeline) release() {
	if p.models.held == nil {
		return
	}
	files := map[evidence.SourceID]bool{}
	for _, f := range p.evidence.Found {
		files[f.Source.ID] = true
	}
	if len(files) == 0 && !p.task.recalledFiles() {
		p.models.Chat, p.models.System, p.models.held = p.models.held.chat, p.models.held.system, nil
		return
	}
	m := p.models.held.chat
	if !m.Cloud {
		m = p.models.held.system
	}
	message := m.Name + " works beyond this computer and would be sent text of " + plain.Plural(max(1, len(files)), "file", "files") + "; nothing was sent."
	p.models.Why = fault.New(fault.ConfirmNeeded, message, "")
	p.tell.Notice(Notice{Code: string(fault.ConfirmNeeded), Level: "warn", Message: message + " Allow it once: footnote models allow " + m.Provider + ".", Action: "allow-cloud:" + m.Provider})
}

func (t *Task) recalledFiles() bool {
	return slices.ContainsFunc(t.Recalled, func(f evidence.Found) bool { return f.Source.Kind == evidence.File })
}
