package server

import (
	"context"
	"path/filepath"
	"slices"

	"footnote/backend/library"
)

// CollectedFile is a file of a collection.
type CollectedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Path string `json:"path"`
}

// CollectionView is a named set of files and folders. Files that were removed
// from the library are left out.
type CollectionView struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Files   []CollectedFile `json:"files"`
	Folders []string        `json:"folders"` // absolute paths
	Texts   int             `json:"texts"`   // that are searched; files with equal bytes count once
}

// CollectionChange names a collection and what it holds: ids of files or roots,
// or paths that are in the library. Nil members leave what there is; an empty
// name does as well.
type CollectionChange struct {
	Name    string   `json:"name"`
	Files   []string `json:"files"`
	Folders []string `json:"folders"`
}

func (c CollectionChange) members() []string {
	if c.Files == nil && c.Folders == nil {
		return nil
	}
	return slices.Concat([]string{}, c.Files, c.Folders)
}

// Collections lists the named sets of files and folders, oldest first.
func (v *Verbs) Collections(ctx context.Context) (Page[CollectionView], error) {
	list, err := v.Library.Collections(ctx)
	if err != nil {
		return Page[CollectionView]{}, err
	}
	views := make([]CollectionView, len(list))
	for i, c := range list {
		if views[i], err = v.collectionView(ctx, c); err != nil {
			return Page[CollectionView]{}, err
		}
	}
	return pageOf(views, ""), nil
}

// Collection gives one by id or name.
func (v *Verbs) Collection(ctx context.Context, id string) (CollectionView, error) {
	c, err := v.Library.Collection(ctx, id)
	if err != nil {
		return CollectionView{}, err
	}
	return v.collectionView(ctx, c)
}

// AddCollection makes a collection.
func (v *Verbs) AddCollection(ctx context.Context, in CollectionChange) (CollectionView, error) {
	c, err := v.Library.MakeCollection(ctx, in.Name, in.members())
	if err != nil {
		return CollectionView{}, err
	}
	return v.collectionView(ctx, c)
}

// ChangeCollection gives a collection another name or other members. Files and
// Folders go together: when one is given, the other is all that is left of it.
func (v *Verbs) ChangeCollection(ctx context.Context, id string, in CollectionChange) (CollectionView, error) {
	c, err := v.Library.ChangeCollection(ctx, id, in.Name, in.members())
	if err != nil {
		return CollectionView{}, err
	}
	return v.collectionView(ctx, c)
}

// RemoveCollection forgets a collection; its files stay.
func (v *Verbs) RemoveCollection(ctx context.Context, id string) error {
	return v.Library.DropCollection(ctx, id)
}

func (v *Verbs) collectionView(ctx context.Context, c library.Collection) (CollectionView, error) {
	view := CollectionView{ID: c.ID, Name: c.Name, Files: []CollectedFile{}, Folders: c.Folders}
	if len(c.Files) > 0 {
		files, _, err := v.Library.Files(ctx, library.FileQuery{IDs: c.Files, Unlisted: true})
		if err != nil {
			return view, err
		}
		for _, f := range files {
			view.Files = append(view.Files, CollectedFile{f.ID, filepath.Base(f.Path), f.Path})
		}
	}
	if len(c.Files)+len(c.Folders) == 0 {
		return view, nil
	}
	texts, err := v.DB.Digests(ctx, c.Files, c.Folders)
	view.Texts = len(texts)
	return view, err
}
