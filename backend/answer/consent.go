package answer

import (
	"context"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/fault"
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
	if p.Consents == nil || !p.s.Privacy.PreviewBeforeCloud || !p.wantsShelf() && !p.recalledFiles() {
		return
	}
	asked := withheld{p.chat, p.system}
	if !p.unallowed(ctx, p.chat) && !p.unallowed(ctx, p.system) {
		return
	}
	p.held, p.chat, p.system = &asked, ResolvedModel{}, ResolvedModel{}
}

func (p *pipeline) unallowed(ctx context.Context, m ResolvedModel) bool {
	if m.Model == nil || !m.Cloud {
		return false
	}
	allowed, err := p.Consents.MaySend(ctx, m.Provider)
	if err != nil {
		p.live.log.Error("read consents", "err", err)
	}
	return !allowed
}

// release gives the models back when no file text would go to them, and says
// what would have gone when it would.
func (p *pipeline) release() {
	if p.held == nil {
		return
	}
	files := map[evidence.SourceID]bool{}
	for _, f := range p.found {
		files[f.Source.ID] = true
	}
	if len(files) == 0 && !p.recalledFiles() {
		p.chat, p.system, p.held = p.held.chat, p.held.system, nil
		return
	}
	m := p.held.chat
	if !m.Cloud {
		m = p.held.system
	}
	message := m.Name + " works beyond this computer and would be sent text of " + plural(max(1, len(files)), "file", "files") + "; nothing was sent."
	p.why = fault.New(fault.ConfirmNeeded, message, "")
	p.notice(Notice{Code: string(fault.ConfirmNeeded), Level: "warn", Message: message + " Allow it once: footnote models allow " + m.Provider + ".", Action: "allow-cloud:" + m.Provider})
}

func (p *pipeline) recalledFiles() bool {
	return slices.ContainsFunc(p.recalled, func(f evidence.Found) bool { return f.Source.Kind == evidence.File })
}
