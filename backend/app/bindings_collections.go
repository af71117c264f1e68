package app

import "footnote/backend/server"

// Collections lists the named sets of files and folders.
func (b *Bindings) Collections() (server.Page[server.CollectionView], error) {
	return b.verbs.Collections(b.ctx)
}

// AddCollection makes a collection.
func (b *Bindings) AddCollection(in server.CollectionChange) (server.CollectionView, error) {
	return b.verbs.AddCollection(b.ctx, in)
}

// ChangeCollection gives a collection another name or other members.
func (b *Bindings) ChangeCollection(id string, in server.CollectionChange) (server.CollectionView, error) {
	return b.verbs.ChangeCollection(b.ctx, id, in)
}

// RemoveCollection forgets a collection; its files stay.
func (b *Bindings) RemoveCollection(id string) error { return b.verbs.RemoveCollection(b.ctx, id) }

// CollectPaths adds files and folders and puts them into a collection, which is
// made when there is none of this name.
func (b *Bindings) CollectPaths(paths []string, collection string) (server.AddView, error) {
	return b.add(server.AddRequest{Paths: paths, Collection: collection})
}
