package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// Consents tell which providers beyond this computer the reader lets file text
// go to.
type Consents interface {
	MaySend(ctx context.Context, provider string) (bool, error)
}

// withhold puts models beyond this computer aside that the reader has not allowed
// to see files, where the question may draw on files.
func (p *Pipeline) withhold(ctx context.Context) {
	if !p.Task.WantsShelf() && !p.Task.RecallsFiles() {
		return
	}
	asked := llm.RoleModels{Chat: p.Models.Chat, System: p.Models.System}
	if !p.mayNotSee(ctx, p.Models.Chat) && !p.mayNotSee(ctx, p.Models.System) {
		return
	}
	p.Models.Held, p.Models.Chat, p.Models.System = &asked, llm.ResolvedModel{}, llm.ResolvedModel{}
}

// mayNotSee reports whether a model is beyond this computer and the reader has not
// let it be sent text of files.
func (p *Pipeline) mayNotSee(ctx context.Context, m llm.ResolvedModel) bool {
	if p.engine.Consents == nil || !p.Task.Settings.Privacy.PreviewBeforeCloud || m.Model == nil || !m.Cloud {
		return false
	}
	allowed, err := p.engine.Consents.MaySend(ctx, m.Provider)
	if err != nil {
		p.Tell.Log.Error("read consents", "err", err)
	}
	return !allowed
}

// Release gives the models back when no file text would go to them, and says
// what would have gone when it would.
func (p *Pipeline) Release() {
	if p.Models.Held == nil {
		return
	}
	files := map[evidence.SourceID]bool{}
	for _, f := range p.Evidence.Found {
		files[f.Source.ID] = true
	}
	if len(files) == 0 && !p.Task.RecallsFiles() {
		p.Models.Chat, p.Models.System, p.Models.Held = p.Models.Held.Chat, p.Models.Held.System, nil
		return
	}
	m := p.Models.Held.Chat
	if !m.Cloud {
		m = p.Models.Held.System
	}
	message := m.Name + " works beyond this computer and would be sent text of " + plain.Plural(max(1, len(files)), "file", "files") + "; nothing was sent."
	p.Models.Why = fault.New(fault.ConfirmNeeded, message, "")
	p.Tell.Notice(contract.Notice{Code: string(fault.ConfirmNeeded), Level: "warn", Message: message + " Allow it once: footnote models allow " + m.Provider + ".", Action: "allow-cloud:" + m.Provider})
}
