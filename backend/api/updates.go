package api

import (
	"context"
	"time"

	"footnote/backend/update"
	"footnote/backend/update/offer"
)

// Updates tell of newer versions of the program.
type Updates struct{ *Rooms }

// UpdateView is what is known of newer versions.
type UpdateView struct {
	Possible  bool         `json:"possible"` // this program knows whom to ask
	Enabled   bool         `json:"enabled"`  // it asks once a day
	Asked     bool         `json:"asked"`    // the reader was asked whether it may
	Version   string       `json:"version"`  // that runs
	Newer     *offer.Offer `json:"newer"`
	CheckedAt *time.Time   `json:"checked_at"`
}

// State tells what is known, without any traffic.
func (s Updates) State(context.Context, None) (UpdateView, error) {
	if s.Updates == nil {
		return s.view(update.State{}), nil
	}
	return s.view(s.Updates.State()), nil
}

// Check asks now, whatever the settings say: the reader does. Faults: not-acceptable,
// local-only, offline.
func (s Updates) Check(ctx context.Context, _ None) (UpdateView, error) {
	if s.Updates == nil {
		return s.State(ctx, None{})
	}
	state, err := s.Updates.Check(ctx)
	return s.view(state), err
}

func (s Updates) view(state update.State) UpdateView {
	now := s.Settings.Now()
	view := UpdateView{Possible: state.Possible, Enabled: now.Privacy.UpdateCheck, Asked: now.UI.UpdateAsked, Version: s.Version, Newer: state.Newer}
	if !state.Checked.IsZero() {
		view.CheckedAt = &state.Checked
	}
	return view
}
