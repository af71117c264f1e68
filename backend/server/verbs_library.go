package server

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/library"
)

// FileStatus says where a file stands, in the words of the API.
type FileStatus string

// The statuses of files that lists show.
const (
	FileWaiting FileStatus = "waiting"
	FileReading FileStatus = "reading"
	FileReady   FileStatus = "ready"
	FilePartial FileStatus = "partial"
	FileFailed  FileStatus = "failed"
	FileSkipped FileStatus = "skipped"
	FileAway    FileStatus = "away" // its drive or folder is not connected
)

// FileView is a file of the library as lists show it.
type FileView struct {
	ID         string     `json:"id"`
	Source     string     `json:"source,omitempty"` // what was read of it; none before
	Name       string     `json:"name"`
	Path       string     `json:"path"`
	Status     FileStatus `json:"status"`
	Reason     string     `json:"reason"`
	Pages      int        `json:"pages"`
	PagesRead  int        `json:"pages_read"`
	PagesEmpty int        `json:"pages_empty"`
	Garbled    float64    `json:"garbled"`
	Truncated  bool       `json:"truncated"`
	Chunks     int        `json:"chunks"`
	Topics     []string   `json:"topics"`
	Bytes      int64      `json:"bytes"`
	Modified   time.Time  `json:"modified"`
	Indexed    time.Time  `json:"indexed"`
	Digest     string     `json:"digest"`
}

func fileView(f library.File) FileView {
	v := FileView{
		ID: f.ID, Name: filepath.Base(f.Path), Path: f.Path, Status: FileStatus(f.State), Reason: f.Reason, Pages: f.Coverage.Pages, PagesRead: f.Coverage.Read,
		PagesEmpty: f.Coverage.Empty, Garbled: f.Coverage.Garbled, Truncated: f.Coverage.Truncated, Chunks: f.Chunks, Topics: append([]string{}, f.Topics...),
		Bytes: f.Stamp.Size, Modified: time.Unix(0, f.Stamp.Modified).UTC(), Indexed: f.Indexed, Digest: f.Digest,
	}
	if f.State == library.NotReachable {
		v.Status = FileAway
	}
	if f.Chunks > 0 {
		v.Source = string(f.Source().ID)
	}
	return v
}

// RootView is a folder or file that was added.
type RootView struct {
	ID     string         `json:"id"`
	Path   string         `json:"path"`
	Watch  bool           `json:"watch"`
	Folder bool           `json:"folder"` // else a file that was added by itself
	Files  int            `json:"files"`
	Ready  int            `json:"ready"`
	State  string         `json:"state"`  // ready, reading, away, shut: it cannot be looked into
	Shut   []library.Skip `json:"shut"`   // folders in it, or itself, that cannot be looked into; the first ones
	Closed int            `json:"closed"` // how many there are of them
}

// shownShut is how many folders that cannot be looked into a root names.
const shownShut = 20

// LibraryView is the library as a whole.
type LibraryView struct {
	Roots      []RootView       `json:"roots"`
	Totals     library.Totals   `json:"totals"`
	Rebuilding *int             `json:"rebuilding"` // percent while the index is filled again
	Progress   library.Progress `json:"progress"`
}

// LibraryStatus tells what the library holds and how far the work is.
func (v *Verbs) LibraryStatus(ctx context.Context) (LibraryView, error) {
	s, err := v.Library.Status(ctx)
	if err != nil {
		return LibraryView{}, err
	}
	view := LibraryView{Roots: []RootView{}, Totals: s.Totals, Progress: s.Progress}
	if s.Rebuilding {
		percent := 0
		if s.Totals.Chunks > 0 {
			percent = 100 * s.Totals.Indexed / s.Totals.Chunks
		}
		view.Rebuilding = &percent
	}
	for _, r := range s.Roots {
		root, err := v.rootView(ctx, r)
		if err != nil {
			return LibraryView{}, err
		}
		view.Roots = append(view.Roots, root)
	}
	return view, nil
}

func (v *Verbs) rootView(ctx context.Context, r library.Root) (RootView, error) {
	view := RootView{ID: r.ID, Path: r.Path, Watch: r.Watch, Folder: r.Folder, State: "ready"}
	counts, err := v.DB.RootCounts(ctx, r.ID)
	if err != nil {
		return view, err
	}
	view.Files, view.Ready = counts.Files, counts.Ready
	if counts.Waiting > 0 {
		view.State = "reading"
	}
	shut := v.Library.Shut(r.ID)
	view.Closed, view.Shut = len(shut), append([]library.Skip{}, shut[:min(len(shut), shownShut)]...)
	switch {
	case !r.Reachable:
		view.State, view.Closed, view.Shut = "away", 0, []library.Skip{}
	case slices.ContainsFunc(shut, func(s library.Skip) bool { return s.Path == r.Path }):
		view.State = "shut"
	}
	return view, nil
}

// singleFiles in place of a root's id selects the files that were added by themselves.
const singleFiles = "files"

// FilesQuery selects files of the library.
type FilesQuery struct {
	Q      string `json:"q"`
	Status string `json:"status"`
	Root   string `json:"root"`
	Limit  int    `json:"limit"`
	After  string `json:"after"`
}

// Files lists files.
func (v *Verbs) Files(ctx context.Context, q FilesQuery) (Page[FileView], error) {
	query := library.FileQuery{Q: q.Q, Root: q.Root, Limit: q.Limit, After: q.After}
	if query.Limit == 0 {
		query.Limit = 50
	}
	if q.Root == singleFiles {
		query.Root, query.Single = "", true
	}
	switch q.Status {
	case "":
	case "away":
		query.States = []library.State{library.NotReachable}
	default:
		query.States = []library.State{library.State(q.Status)}
	}
	files, next, err := v.Library.Files(ctx, query)
	views := make([]FileView, 0, len(files))
	for _, f := range files {
		views = append(views, fileView(f))
	}
	return pageOf(views, next), err
}

// File gives one file.
func (v *Verbs) File(ctx context.Context, id string) (FileView, error) {
	files, _, err := v.Library.Files(ctx, library.FileQuery{IDs: []string{id}, Unlisted: true})
	if err != nil {
		return FileView{}, err
	}
	if len(files) == 0 {
		return FileView{}, fault.New(fault.NotFound, "There is no such file in the library.", "It may have been removed.")
	}
	return fileView(files[0]), nil
}

// AddRequest names files and folders to add; watch follows changes on disk and
// is on unless it is false. What was added joins Collection, an id or a name;
// there may be none of this name yet.
type AddRequest struct {
	Paths      []string `json:"paths"`
	Watch      *bool    `json:"watch"`
	Collection string   `json:"collection"`
}

// AddedPath is a root that was added.
type AddedPath struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// AddView says what became of added paths.
type AddView struct {
	Added   []AddedPath    `json:"added"`
	Skipped []library.Skip `json:"skipped"`
}

// AddPaths adds files and folders, read in place.
func (v *Verbs) AddPaths(ctx context.Context, in AddRequest) (AddView, error) {
	watch := v.Settings.Now().Library.Watch
	if in.Watch != nil {
		watch = *in.Watch
	}
	if in.Collection != "" {
		if err := v.Library.CanCollect(ctx, in.Collection); err != nil {
			return AddView{Added: []AddedPath{}, Skipped: []library.Skip{}}, err
		}
	}
	result, err := v.Library.Add(ctx, homed(in.Paths), watch)
	view := AddView{Added: []AddedPath{}, Skipped: result.Skipped}
	if view.Skipped == nil {
		view.Skipped = []library.Skip{}
	}
	for i, r := range result.Added {
		view.Added = append(view.Added, AddedPath{r.ID, result.Paths[i]})
	}
	if err == nil && in.Collection != "" {
		_, err = v.Library.Collect(ctx, in.Collection, result.Paths)
	}
	return view, err
}

// homed has ~ stand for the reader's own folder, as people write it.
func homed(paths []string) []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return paths // then ~ is a name like any other, and refused as one
	}
	all := slices.Clone(paths)
	for i, path := range all {
		if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			all[i] = filepath.Join(home, rest)
		}
	}
	return all
}

// Rescan looks for changes in all roots, or in those that are named.
func (v *Verbs) Rescan(ctx context.Context, ids []string) error { return v.Library.Rescan(ctx, ids...) }

// RemoveFile forgets a file or a root; the file itself stays where it is, unless
// it is a copy that was uploaded.
func (v *Verbs) RemoveFile(ctx context.Context, id string) error {
	files, _, err := v.Library.Files(ctx, library.FileQuery{IDs: []string{id}, Unlisted: true})
	if err != nil {
		return err
	}
	if err := v.Library.Remove(ctx, id); err != nil {
		return err
	}
	uploads, err := v.UploadFolder()
	for _, f := range files {
		if strings.HasPrefix(f.Path, uploads+string(filepath.Separator)) {
			err = errors.Join(err, os.Remove(f.Path))
			_ = os.Remove(filepath.Dir(f.Path)) // stays when it holds the same bytes by another name
		}
	}
	return err
}

// SearchView is what search as you type found.
type SearchView = library.Matches

// SearchLibrary finds passages by words, the last one by its beginning.
func (v *Verbs) SearchLibrary(ctx context.Context, q string, limit int) (SearchView, error) {
	if limit <= 0 {
		limit = 20
	}
	return v.Library.SearchWords(ctx, q, min(limit, 100))
}

// WhyView says why a file is found for a question, or why not.
type WhyView = library.Why

// WhyFound tells how a file fares in a search for a question, and what keeps it
// from the answer's candidates.
func (v *Verbs) WhyFound(ctx context.Context, file, question string) (WhyView, error) {
	if strings.TrimSpace(question) == "" {
		return WhyView{}, fault.New(fault.QuestionEmpty, "There is no question to look for.", "Give the question as q.")
	}
	return v.Library.Why(ctx, file, question, answer.ShelfPassages)
}

// CountView is an exact count of what files mention.
type CountView = library.Counted

// CountFiles counts the files that mention all words and phrases of q exactly,
// by file, folder or type.
func (v *Verbs) CountFiles(ctx context.Context, q, by string) (CountView, error) {
	return v.Library.Count(ctx, q, by)
}

// LibraryEvents gives events after a number, then live, until ctx ends.
func (v *Verbs) LibraryEvents(ctx context.Context, after int64) iter.Seq[library.Event] {
	return v.Library.Events(ctx, after)
}

// Uploaded is a file that was copied into the data folder.
type Uploaded struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Topics []string `json:"topics"`
}

// KeepUpload adds a file that was copied into the data folder under its digest.
// The folder of uploads is a root of its own: whatever else is added, it stays.
func (v *Verbs) KeepUpload(ctx context.Context, path string) (Uploaded, error) {
	if err := v.uploadsRoot(ctx, filepath.Dir(filepath.Dir(path))); err != nil {
		return Uploaded{}, err
	}
	watch := false
	added, err := v.AddPaths(ctx, AddRequest{Paths: []string{path}, Watch: &watch})
	if fault.CodeOf(err) == fault.PathNotAllowed {
		return Uploaded{}, notADocument(path, err)
	}
	if err != nil {
		return Uploaded{}, err
	}
	files, _, err := v.Library.Files(ctx, library.FileQuery{Under: []string{added.Added[0].Path}})
	if err != nil {
		return Uploaded{}, err
	}
	if len(files) == 0 {
		return Uploaded{}, notADocument(path, nil)
	}
	return Uploaded{ID: files[0].ID, Name: filepath.Base(path), Topics: append([]string{}, files[0].Topics...)}, nil
}

func notADocument(path string, cause error) error {
	return fault.Wrap(cause, fault.UnsupportedMedia, filepath.Base(path)+" is left out: keys, passwords and tool files are never read.", "Send a document.")
}

// uploadsRoot adds the folder of uploads to the library, if it is not there.
func (v *Verbs) uploadsRoot(ctx context.Context, dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fault.Wrap(err, fault.DiskFull, "The folder of uploads cannot be read.", "Check the data folder.")
	}
	roots, err := v.DB.Roots(ctx)
	if err != nil || slices.ContainsFunc(roots, func(r library.Root) bool { return r.Path == dir }) {
		return err
	}
	watch := false
	_, err = v.AddPaths(ctx, AddRequest{Paths: []string{dir}, Watch: &watch})
	return err
}

// Uploads is the folder of a data folder in which uploads are kept.
func Uploads(dataDir string) string { return filepath.Join(dataDir, "uploads") }

// UploadFolder makes the folder in which uploads are kept, if it is not there.
func (v *Verbs) UploadFolder() (string, error) {
	dir := Uploads(v.Settings.DataDir())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, nil
}
