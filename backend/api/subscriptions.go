package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/refresh"
)

// FreshView is an answer that is kept fresh, as lists show it.
type FreshView struct {
	refresh.Subscription
	Title string `json:"title"` // of its conversation
}

// Subscriptions are answers that are kept fresh.
type Subscriptions struct{ *Rooms }

// KeepFresh names a run and when its question is asked again.
type KeepFresh struct {
	ID   string `path:"id"`
	Body refresh.Schedule
}

// Keep has an answer asked again by the clock, or when a file that it cites
// changes.
func (s Subscriptions) Keep(ctx context.Context, in KeepFresh) (refresh.Subscription, error) {
	if s.Refresher == nil {
		return refresh.Subscription{}, noRefresher()
	}
	return s.Refresher.Keep(ctx, contract.RunID(in.ID), in.Body)
}

// Of is how an answer is kept fresh.
func (s Subscriptions) Of(ctx context.Context, in ID) (refresh.Subscription, error) {
	if s.Refresher == nil {
		return refresh.Subscription{}, noRefresher()
	}
	return s.Refresher.Of(ctx, contract.RunID(in.ID))
}

// Drop has an answer kept fresh no longer.
func (s Subscriptions) Drop(ctx context.Context, in ID) (Nothing, error) {
	if s.Refresher == nil {
		return Nothing{}, noRefresher()
	}
	return Nothing{}, s.Refresher.Drop(ctx, contract.RunID(in.ID))
}

// List lists the answers that are kept fresh.
func (s Subscriptions) List(ctx context.Context, _ None) (Page[FreshView], error) {
	if s.Refresher == nil {
		return PageOf[FreshView](nil, ""), nil
	}
	all, err := s.Refresher.List(ctx, "")
	if err != nil {
		return Page[FreshView]{}, err
	}
	views := make([]FreshView, 0, len(all))
	for _, one := range all {
		title, err := s.DB.Title(ctx, one.Thread)
		if err != nil && fault.CodeOf(err) != fault.NotFound { // deleted a moment ago
			return Page[FreshView]{}, err
		}
		views = append(views, FreshView{one, title})
	}
	return PageOf(views, ""), nil
}

func noRefresher() error {
	return fault.New(fault.NotFound, "Nothing is kept fresh here.", "Start Footnote as a program of its own.")
}
