package api

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
	Threads int             `json:"threads"` // that ask it
	Notes   int             `json:"notes"`
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

// Collections are named sets of files and folders.
type Collections struct{ *Rooms }

// List lists them, oldest first.
func (s Collections) List(ctx context.Context, _ None) (Page[CollectionView], error) {
	list, err := s.Library.Collections(ctx)
	if err != nil {
		return Page[CollectionView]{}, err
	}
	views := make([]CollectionView, len(list))
	for i, c := range list {
		if views[i], err = s.view(ctx, c); err != nil {
			return Page[CollectionView]{}, err
		}
	}
	return PageOf(views, ""), nil
}

// Get gives one by id or name.
func (s Collections) Get(ctx context.Context, in ID) (CollectionView, error) {
	c, err := s.Library.Collection(ctx, in.ID)
	if err != nil {
		return CollectionView{}, err
	}
	return s.view(ctx, c)
}

// Add makes a collection.
func (s Collections) Add(ctx context.Context, in CollectionChange) (CollectionView, error) {
	c, err := s.Library.MakeCollection(ctx, in.Name, in.members())
	if err != nil {
		return CollectionView{}, err
	}
	return s.view(ctx, c)
}

// ChangeCollection names a collection and what is changed of it.
type ChangeCollection struct {
	ID   string `path:"id"`
	Body CollectionChange
}

// Change gives a collection another name or other members. Files and Folders go
// together: when one is given, the other is all that is left of it.
func (s Collections) Change(ctx context.Context, in ChangeCollection) (CollectionView, error) {
	c, err := s.Library.ChangeCollection(ctx, in.ID, in.Body.Name, in.Body.members())
	if err != nil {
		return CollectionView{}, err
	}
	return s.view(ctx, c)
}

// Remove forgets a collection with its notes; its files and threads stay.
func (s Collections) Remove(ctx context.Context, in ID) (Nothing, error) {
	return Nothing{}, s.Library.DropCollection(ctx, in.ID)
}

func (s Collections) view(ctx context.Context, c library.Collection) (CollectionView, error) {
	view := CollectionView{ID: c.ID, Name: c.Name, Files: []CollectedFile{}, Folders: c.Folders}
	var err error
	if view.Threads, view.Notes, err = s.DB.CollectionCounts(ctx, c.ID); err != nil {
		return view, err
	}
	if len(c.Files) > 0 {
		files, _, err := s.Library.Files(ctx, library.FileQuery{IDs: c.Files, Unlisted: true})
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
	texts, err := s.DB.Digests(ctx, c.Files, c.Folders)
	view.Texts = len(texts)
	return view, err
}
