package server

import (
	"context"
	"net/http"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/refresh"
)

// FreshView is an answer that is kept fresh, as lists show it.
type FreshView struct {
	refresh.Subscription
	Title string `json:"title"` // of its conversation
}

// KeepFresh has an answer asked again by the clock, or when a file that it cites
// changes.
func (v *Verbs) KeepFresh(ctx context.Context, id string, w refresh.Schedule) (refresh.Subscription, error) {
	if v.Refresher == nil {
		return refresh.Subscription{}, noRefresher()
	}
	return v.Refresher.Keep(ctx, answer.RunID(id), w)
}

// Freshness is how an answer is kept fresh.
func (v *Verbs) Freshness(ctx context.Context, id string) (refresh.Subscription, error) {
	if v.Refresher == nil {
		return refresh.Subscription{}, noRefresher()
	}
	return v.Refresher.Of(ctx, answer.RunID(id))
}

// DropFresh has an answer kept fresh no longer.
func (v *Verbs) DropFresh(ctx context.Context, id string) error {
	if v.Refresher == nil {
		return noRefresher()
	}
	return v.Refresher.Drop(ctx, answer.RunID(id))
}

// FreshList lists the answers that are kept fresh.
func (v *Verbs) FreshList(ctx context.Context) (Page[FreshView], error) {
	if v.Refresher == nil {
		return pageOf[FreshView](nil, ""), nil
	}
	all, err := v.Refresher.List(ctx, "")
	if err != nil {
		return Page[FreshView]{}, err
	}
	views := make([]FreshView, 0, len(all))
	for _, s := range all {
		title, err := v.DB.Title(ctx, s.Thread)
		if err != nil && fault.CodeOf(err) != fault.NotFound { // deleted a moment ago
			return Page[FreshView]{}, err
		}
		views = append(views, FreshView{s, title})
	}
	return pageOf(views, ""), nil
}

// SeenThread notes that the reader has looked at a thread: what checks found in it
// is no news any more.
func (v *Verbs) SeenThread(ctx context.Context, id string) error {
	return v.DB.Seen(ctx, answer.ThreadID(id))
}

func noRefresher() error {
	return fault.New(fault.NotFound, "Nothing is kept fresh here.", "Start Footnote as a program of its own.")
}

// freshRoutes keep answers fresh.
func (s *Server) freshRoutes(mux *routes) {
	v := s.verbs
	mux.HandleFunc("GET /api/fresh", got(v.FreshList))
	mux.HandleFunc("GET /api/runs/{id}/fresh", byID(http.StatusOK, v.Freshness))
	mux.HandleFunc("PUT /api/runs/{id}/fresh", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err != nil {
			writeError(w, err)
			return
		}
		sent(http.StatusOK, func(ctx context.Context, in refresh.Schedule) (refresh.Subscription, error) {
			return v.KeepFresh(ctx, id, in)
		})(w, r)
	})
	mux.HandleFunc("DELETE /api/runs/{id}/fresh", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.DropFresh(r.Context(), id)
		}
		done(w, err)
	})
	mux.HandleFunc("POST /api/threads/{id}/seen", func(w http.ResponseWriter, r *http.Request) {
		id, err := idOf(r)
		if err == nil {
			err = v.SeenThread(r.Context(), id)
		}
		done(w, err)
	})
}
