package main

import "footnote/backend/server"

// Collections lists the named sets of files and folders.
func (a *App) Collections() (server.Page[server.CollectionView], error) {
	return a.verbs.Collections(a.ctx)
}

// AddCollection makes a collection.
func (a *App) AddCollection(in server.CollectionChange) (server.CollectionView, error) {
	return a.verbs.AddCollection(a.ctx, in)
}

// ChangeCollection gives a collection another name or other members.
func (a *App) ChangeCollection(id string, in server.CollectionChange) (server.CollectionView, error) {
	return a.verbs.ChangeCollection(a.ctx, id, in)
}

// RemoveCollection forgets a collection; its files stay.
func (a *App) RemoveCollection(id string) error { return a.verbs.RemoveCollection(a.ctx, id) }

// CollectPaths adds files and folders and puts them into a collection, which is
// made when there is none of this name.
func (a *App) CollectPaths(paths []string, collection string) (server.AddView, error) {
	return a.verbs.AddPaths(a.ctx, server.AddRequest{Paths: paths, Collection: collection})
}
