package app

import (
	"footnote/backend/refresh"
	"footnote/backend/server"
)

// Refresh asks the question of an answered run again; the new answer tells how it
// differs.
func (b *Bindings) Refresh(id string) (server.Asked, error) { return b.verbs.Refresh(b.ctx, id) }

// KeepFresh has an answer asked again by the clock, or when a file that it cites
// changes.
func (b *Bindings) KeepFresh(id string, w refresh.Schedule) (refresh.Subscription, error) {
	return b.verbs.KeepFresh(b.ctx, id, w)
}

// DropFresh has an answer kept fresh no longer.
func (b *Bindings) DropFresh(id string) error { return b.verbs.DropFresh(b.ctx, id) }

// FreshList lists the answers that are kept fresh.
func (b *Bindings) FreshList() (server.Page[server.FreshView], error) {
	return b.verbs.FreshList(b.ctx)
}

// SeenThread notes that the reader has looked at what checks found in a thread.
func (b *Bindings) SeenThread(id string) error { return b.verbs.SeenThread(b.ctx, id) }
