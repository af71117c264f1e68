package api

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
func (s Runs) Preview(ctx context.Context, in ID) (Page[SentFile], error) {
	run, err := s.Get(ctx, in)
	if err != nil || run.Answer == nil {
		return PageOf[SentFile](nil, ""), err
	}
	var files []SentFile
	for _, card := range run.Answer.Sources {
		if card.Kind != evidence.File {
			continue
		}
		file := SentFile{Source: card.ID, Title: card.Title, Path: card.Path}
		for _, p := range card.Passages {
			passage, err := Sources(s).Passage(ctx, ID{string(p.ID)})
			if err != nil {
				return Page[SentFile]{}, err
			}
			if s.Settings.Now().Privacy.Redact {
				passage.Text, _ = evidence.Redact(passage.Text)
			}
			file.Passages = append(file.Passages, passage)
		}
		files = append(files, file)
	}
	return PageOf(files, ""), nil
}

// Consents say which providers may be sent file text.
type Consents struct{ *Rooms }

// List lists the providers that may be sent file text.
func (s Consents) List(ctx context.Context, _ None) (Page[string], error) {
	list, err := s.DB.Consents(ctx)
	return PageOf(list, ""), err
}

// Provider names a provider.
type Provider struct {
	Name string `path:"provider"`
}

// Give lets a provider be sent file text.
func (s Consents) Give(ctx context.Context, in Provider) (Nothing, error) {
	if _, _, err := s.Models.Find(in.Name + "/any"); fault.CodeOf(err) == fault.InvalidModel {
		return Nothing{}, fault.New(fault.NotFound, fmt.Sprintf("There is no provider %q.", in.Name), "Run footnote models to see what there is.")
	}
	return Nothing{}, s.DB.Consent(ctx, in.Name, true)
}

// Withdraw has a provider be sent file text no more.
func (s Consents) Withdraw(ctx context.Context, in Provider) (Nothing, error) {
	return Nothing{}, s.DB.Consent(ctx, in.Name, false)
}
