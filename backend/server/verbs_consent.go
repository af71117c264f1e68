package server

import (
	"context"
	"fmt"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// SentFile is a file of which passages would go to a model, as they would go.
type SentFile struct {
	Source   evidence.SourceID `json:"source"`
	Title    string            `json:"title"`
	Path     string            `json:"path"`
	Passages []PassageView     `json:"passages"`
}

// Preview lists the text of files that a model was or would be sent for a run,
// blacked out as it would be.
func (v *Verbs) Preview(ctx context.Context, id string) (Page[SentFile], error) {
	run, err := v.Run(ctx, id)
	if err != nil || run.Answer == nil {
		return pageOf[SentFile](nil, ""), err
	}
	var files []SentFile
	for _, card := range run.Answer.Sources {
		if card.Kind != evidence.File {
			continue
		}
		file := SentFile{Source: card.ID, Title: card.Title, Path: card.Path}
		for _, p := range card.Passages {
			passage, err := v.Passage(ctx, string(p.ID))
			if err != nil {
				return Page[SentFile]{}, err
			}
			if v.Settings.Now().Privacy.Redact {
				passage.Text, _ = evidence.Redact(passage.Text)
			}
			file.Passages = append(file.Passages, passage)
		}
		files = append(files, file)
	}
	return pageOf(files, ""), nil
}

// Consents lists the providers that may be sent file text.
func (v *Verbs) Consents(ctx context.Context) (Page[string], error) {
	list, err := v.DB.Consents(ctx)
	return pageOf(list, ""), err
}

// Consent lets a provider be sent file text, or not any more.
func (v *Verbs) Consent(ctx context.Context, provider string, allowed bool) error {
	_, _, err := v.Models.Find(provider + "/any")
	if allowed && fault.CodeOf(err) == fault.InvalidModel {
		return fault.New(fault.NotFound, fmt.Sprintf("There is no provider %q.", provider), "Run footnote models to see what there is.")
	}
	return v.DB.Consent(ctx, provider, allowed)
}
