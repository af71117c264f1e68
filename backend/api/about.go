package api

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/about"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/table"
)

// AboutQuery names what is asked about: one of a file, a folder or a collection.
type AboutQuery struct {
	File       string `query:"file" says:"A file, by id or path"`
	Folder     string `query:"folder" says:"A folder in the library, by path"`
	Collection string `query:"collection" says:"A collection, by id or name"`
}

// AboutView is what files mostly say, in their own sentences, and questions that
// they answer, surest first.
type AboutView struct {
	Name      string             `json:"name"`
	Path      string             `json:"path"`  // of a file or folder
	Files     []AboutFile        `json:"files"` // that were looked at, the newest first
	Count     int                `json:"count"` // of all of them
	Whole     bool               `json:"whole"` // false: of a long file its beginning was looked at
	Sentences []about.Sentence   `json:"sentences"`
	Questions []about.Suggestion `json:"questions"`
}

// AboutFile is a file that was looked at.
type AboutFile struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Topics []string `json:"topics"`
}

const (
	lookedAt   = 6 // files of a folder or collection
	aboutsKept = 200
)

// About says what a file, folder or collection is about, without a model. Faults:
// invalid-request when it names none, or several; not-found; and what keeps a file
// from being read.
func (s Library) About(ctx context.Context, q AboutQuery) (AboutView, error) {
	view, files, err := s.aboutWhat(ctx, q)
	if err != nil {
		return view, err
	}
	readable := slices.DeleteFunc(slices.Clone(files), func(f library.File) bool { return f.Digest == "" || f.State == library.Failed })
	if len(readable) == 0 && q.File != "" {
		why, err := s.Rooms.Library.Unread(ctx, files[0].ID)
		if err != nil {
			return view, err
		}
		return view, fault.New(fault.InvalidRequest, cmp.Or(why, "Nothing of this file can be read."), "Look at it in the library.")
	}
	slices.SortStableFunc(readable, func(a, b library.File) int { return cmp.Compare(b.Stamp.Modified, a.Stamp.Modified) })
	readable = readable[:min(len(readable), lookedAt)]
	key := view.Name
	for _, f := range readable {
		key += "\x00" + f.ID + f.Digest
	}
	if kept, ok := s.abouts.get(key); ok {
		kept.Count = view.Count
		return kept, nil
	}
	if err := s.look(ctx, &view, readable); err != nil {
		return view, err
	}
	s.abouts.put(key, view)
	return view, nil
}

// aboutWhat finds what a query names, and its files.
func (s Library) aboutWhat(ctx context.Context, q AboutQuery) (view AboutView, files []library.File, err error) {
	view = AboutView{Whole: true, Files: []AboutFile{}, Sentences: []about.Sentence{}, Questions: []about.Suggestion{}}
	named := slices.DeleteFunc([]string{q.File, q.Folder, q.Collection}, func(n string) bool { return n == "" })
	if len(named) != 1 {
		return view, nil, fault.New(fault.InvalidRequest, "One file, folder or collection is to be named.", "Send file, folder or collection.")
	}
	members := named
	if q.Collection != "" {
		c, err := s.Rooms.Library.Collection(ctx, q.Collection)
		if err != nil {
			return view, nil, err
		}
		view.Name, members = c.Name, slices.Concat(c.Files, c.Folders)
	}
	if q.Folder != "" {
		view.Name, view.Path = filepath.Base(q.Folder), q.Folder
	}
	if files, err = s.Rooms.Library.Members(ctx, members); err != nil {
		return view, nil, err
	}
	if q.File != "" {
		files = slices.DeleteFunc(files, func(f library.File) bool { return f.ID != q.File && f.Path != q.File })
		if len(files) == 1 {
			view.Name, view.Path = filepath.Base(files[0].Path), files[0].Path
		}
	}
	if len(files) == 0 && q.Collection == "" {
		return view, nil, fault.New(fault.NotFound, "There is no such file or folder in the library.", "It may have been removed.")
	}
	view.Count = len(files)
	return view, files, nil
}

// look reads files: of one all that says most, of several the best sentence each.
func (s Library) look(ctx context.Context, view *AboutView, files []library.File) error {
	each := max(1, about.Most/max(1, len(files)))
	for _, f := range files {
		text, blocks, err := s.DB.Text(ctx, f.Digest)
		if err != nil {
			return err
		}
		view.Files = append(view.Files, AboutFile{f.ID, filepath.Base(f.Path), append([]string{}, f.Topics...)})
		said, whole := about.Sentences(s.Engine.Checker, f.ID, evidence.Document{Source: f.Source(), Text: text, Blocks: blocks})
		if len(files) == 1 {
			view.Sentences, view.Whole = append(view.Sentences, said...), whole
		} else if best, ok := about.Best(said); ok {
			view.Sentences = append(view.Sentences, best)
		}
		if wanted := min(each, about.Most-len(view.Questions)); wanted > 0 {
			view.Questions = append(view.Questions, about.Answered(ctx, s.Engine, s.Engine.Defaults(), table.File{ID: f.ID, Path: f.Path}, about.Questions(text, blocks), wanted)...)
		}
	}
	slices.SortStableFunc(view.Questions, func(a, b about.Suggestion) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return ctx.Err()
}

// abouts keeps what was said of files that are as they were.
type abouts struct {
	mu   sync.Mutex
	kept map[string]AboutView
}

func (a *abouts) get(key string) (AboutView, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	view, ok := a.kept[strings.ToLower(key)]
	return view, ok
}

func (a *abouts) put(key string, view AboutView) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil || len(a.kept) >= aboutsKept {
		a.kept = map[string]AboutView{}
	}
	a.kept[strings.ToLower(key)] = view
}
