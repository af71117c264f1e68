package api

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/walk"
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
	ReadAs     string     `json:"read_as"` // the character set its letters were read in where that is doubtful; else empty
	Answer     bool       `json:"answer"`  // Footnote wrote it: an answer that was saved as a note, and proves no other
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
		PagesEmpty: f.Coverage.Empty, Garbled: f.Coverage.Garbled, Truncated: f.Coverage.Truncated, ReadAs: f.Coverage.ReadAs, Answer: f.Media == evidence.SavedAnswer, Chunks: f.Chunks, Topics: append([]string{}, f.Topics...),
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
	ID     string      `json:"id"`
	Path   string      `json:"path"`
	Watch  bool        `json:"watch"`
	Folder bool        `json:"folder"` // else a file that was added by itself
	Sample bool        `json:"sample"` // the sample library, which came with the program
	Files  int         `json:"files"`
	Ready  int         `json:"ready"`
	State  string      `json:"state"`  // ready, reading, away, shut: it cannot be looked into
	Shut   []walk.Skip `json:"shut"`   // folders in it, or itself, that cannot be looked into; the first ones
	Closed int         `json:"closed"` // how many there are of them
}

// shownShut is how many folders that cannot be looked into a root names.
const shownShut = 20

// LibraryView is the library as a whole.
type LibraryView struct {
	Roots      []RootView       `json:"roots"`
	Totals     library.Totals   `json:"totals"`
	Rebuilding *int             `json:"rebuilding"` // percent while the index is filled again
	Progress   library.Progress `json:"progress"`
	LastEvent  int64            `json:"last_event"` // what was told up to this number is in it
}

// Library are the reader's files.
type Library struct{ *Rooms }

// Status tells what the library holds and how far the work is.
func (s Library) Status(ctx context.Context, _ None) (LibraryView, error) {
	last := s.Library.LastEvent() // before the rest is read: what happens meanwhile is told
	status, err := s.Library.Status(ctx)
	if err != nil {
		return LibraryView{}, err
	}
	view := LibraryView{Roots: []RootView{}, Totals: status.Totals, Progress: status.Progress, LastEvent: last}
	if status.Rebuilding {
		percent := 0
		if status.Totals.Chunks > 0 {
			percent = 100 * status.Totals.Indexed / status.Totals.Chunks
		}
		view.Rebuilding = &percent
	}
	for _, r := range status.Roots {
		root, err := s.rootView(ctx, r)
		if err != nil {
			return LibraryView{}, err
		}
		view.Roots = append(view.Roots, root)
	}
	return view, nil
}

func (s Library) rootView(ctx context.Context, r library.Root) (RootView, error) {
	view := RootView{ID: r.ID, Path: r.Path, Watch: r.Watch, Folder: r.Folder, Sample: r.Path == s.samplePath(), State: "ready"}
	counts, err := s.DB.RootCounts(ctx, r.ID)
	if err != nil {
		return view, err
	}
	view.Files, view.Ready = counts.Files, counts.Ready
	if counts.Waiting > 0 || s.Library.Looking() {
		view.State = "reading"
	}
	shut := s.Library.Shut(r.ID)
	view.Closed, view.Shut = len(shut), append([]walk.Skip{}, shut[:min(len(shut), shownShut)]...)
	switch {
	case !r.Reachable:
		view.State, view.Closed, view.Shut = "away", 0, []walk.Skip{}
	case slices.ContainsFunc(shut, func(s walk.Skip) bool { return s.Path == r.Path }):
		view.State = "shut"
	}
	return view, nil
}

// singleFiles in place of a root's id selects the files that were added by themselves.
const singleFiles = "files"

// FilesQuery selects files of the library.
type FilesQuery struct {
	Q      string `query:"q" says:"In their paths"`
	Status string `query:"status" says:"Of this status"`
	Root   string `query:"root" says:"Below this root; files: those added by themselves"`
	Sort   string `query:"sort" says:"By name, date, size or kind, with - before it for the other way; else as they were added"`
	Paging
}

// Files lists files.
func (s Library) Files(ctx context.Context, q FilesQuery) (Page[FileView], error) {
	query := library.FileQuery{Q: q.Q, Root: q.Root, Limit: int(q.Limit), After: q.After, Sort: q.Sort}
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
	files, next, err := s.Library.Files(ctx, query)
	views := make([]FileView, 0, len(files))
	for _, f := range files {
		views = append(views, fileView(f))
	}
	return PageOf(views, next), err
}

// File gives one file.
func (s Library) File(ctx context.Context, in ID) (FileView, error) {
	files, _, err := s.Library.Files(ctx, library.FileQuery{IDs: []string{in.ID}, Unlisted: true})
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
	Added   []AddedPath `json:"added"`
	Skipped []walk.Skip `json:"skipped"`
	Looking bool        `json:"looking"` // folders are still looked through: more files will come
}

// addPatience is how long who adds a folder waits for all its files to be queued;
// large ones are looked through behind the reply.
const addPatience = 60 * time.Millisecond

// Add adds files and folders, read in place. Of a large folder the files come to
// the list after the reply.
func (s Library) Add(ctx context.Context, in AddRequest) (AddView, error) {
	watch := s.Settings.Now().Library.Watch
	if in.Watch != nil {
		watch = *in.Watch
	}
	if in.Collection != "" {
		if err := s.Library.CanCollect(ctx, in.Collection); err != nil {
			return AddView{Added: []AddedPath{}, Skipped: []walk.Skip{}}, err
		}
	}
	result, err := s.Library.AddSoon(ctx, homed(in.Paths), watch, addPatience)
	view := AddView{Added: []AddedPath{}, Skipped: result.Skipped, Looking: s.Library.Looking()}
	if view.Skipped == nil {
		view.Skipped = []walk.Skip{}
	}
	for i, r := range result.Added {
		view.Added = append(view.Added, AddedPath{r.ID, result.Paths[i]})
	}
	if err == nil && in.Collection != "" {
		_, err = s.Library.Collect(ctx, in.Collection, result.Paths)
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

// Rescanned names the roots that are looked through.
type Rescanned struct {
	IDs []string `json:"ids"` // empty: everything
}

// Rescan looks for changes in all roots, or in those that are named.
func (s Library) Rescan(ctx context.Context, in Rescanned) (map[string]bool, error) {
	return map[string]bool{"queued": true}, s.Library.Rescan(ctx, in.IDs...)
}

// Remove forgets a file or a root; the file itself stays where it is, unless
// it is a copy that was uploaded.
func (s Library) Remove(ctx context.Context, in ID) (Nothing, error) {
	files, _, err := s.Library.Files(ctx, library.FileQuery{IDs: []string{in.ID}, Unlisted: true})
	if err != nil {
		return Nothing{}, err
	}
	if err := s.Library.Remove(ctx, in.ID); err != nil {
		return Nothing{}, err
	}
	uploads, err := s.UploadFolder()
	for _, f := range files {
		if strings.HasPrefix(f.Path, uploads+string(filepath.Separator)) {
			err = errors.Join(err, os.Remove(f.Path))
			_ = os.Remove(filepath.Dir(f.Path)) // stays when it holds the same bytes by another name
		}
	}
	return Nothing{}, err
}

// SearchQuery is what is looked for while it is typed.
type SearchQuery struct {
	Q     string `query:"q" says:"The words"`
	Limit Limit  `query:"limit" says:"How many, 1 to 100"`
}

// Search finds passages by words, the last one by its beginning.
func (s Library) Search(ctx context.Context, q SearchQuery) (library.Matches, error) {
	return s.Library.SearchWords(ctx, q.Q, min(cmp.Or(int(q.Limit), 20), 100))
}

// WhyQuery names a file and a question.
type WhyQuery struct {
	ID string `path:"id"`
	Q  string `query:"q" needed:"true" says:"The question"`
}

// Why tells how a file fares in a search for a question, and what keeps it from
// the answer's candidates.
func (s Library) Why(ctx context.Context, q WhyQuery) (library.Why, error) {
	if strings.TrimSpace(q.Q) == "" {
		return library.Why{}, fault.New(fault.QuestionEmpty, "There is no question to look for.", "Give the question as q.")
	}
	return s.Library.Why(ctx, q.ID, q.Q, gather.ShelfPassages)
}

// CountQuery is what is counted.
type CountQuery struct {
	Q  string `query:"q" needed:"true" says:"What"`
	By string `query:"by" says:"file, folder or type"`
}

// Count counts the files that mention all words and phrases of q exactly, by
// file, folder or type.
func (s Library) Count(ctx context.Context, q CountQuery) (library.Counted, error) {
	return s.Library.Count(ctx, q.Q, q.By)
}

// EventsAfter names the last event that was seen.
type EventsAfter struct {
	After int `after:""`
}

// Events tells what happens in the library: replay, then live.
func (s Library) Events(_ context.Context, in EventsAfter) (Stream, error) {
	return func(ctx context.Context) iter.Seq2[Told, error] {
		return func(yield func(Told, error) bool) {
			for e := range s.Library.Events(ctx, int64(in.After)) {
				if !yield(Told{int(e.Seq), e.Body.Kind(), e}, nil) {
					return
				}
			}
		}
	}, nil
}

// Uploads are the files that were taken.
type Uploads struct {
	Files []Uploaded `json:"files"`
}

// Uploaded is a file that was copied into the data folder.
type Uploaded struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Topics []string `json:"topics"`
}

// KeepUpload adds a file that was copied into the data folder under its digest.
// The folder of uploads is a root of its own: whatever else is added, it stays.
func (s Library) KeepUpload(ctx context.Context, path string) (Uploaded, error) {
	if err := s.uploadsRoot(ctx, filepath.Dir(filepath.Dir(path))); err != nil {
		return Uploaded{}, err
	}
	watch := false
	added, err := s.Add(ctx, AddRequest{Paths: []string{path}, Watch: &watch})
	if fault.CodeOf(err) == fault.PathNotAllowed {
		return Uploaded{}, notADocument(path, err)
	}
	if err != nil {
		return Uploaded{}, err
	}
	files, _, err := s.Library.Files(ctx, library.FileQuery{Under: []string{added.Added[0].Path}})
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
func (s Library) uploadsRoot(ctx context.Context, dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fault.Wrap(err, fault.DiskFull, "The folder of uploads cannot be read.", "Check the data folder.")
	}
	roots, err := s.DB.Roots(ctx)
	if err != nil || slices.ContainsFunc(roots, func(r library.Root) bool { return r.Path == dir }) {
		return err
	}
	watch := false
	_, err = s.Add(ctx, AddRequest{Paths: []string{dir}, Watch: &watch})
	return err
}

// UploadsIn is the folder of a data folder in which uploads are kept.
func UploadsIn(dataDir string) string { return filepath.Join(dataDir, "uploads") }

// UploadFolder makes the folder in which uploads are kept, if it is not there.
func (s Library) UploadFolder() (string, error) {
	dir := UploadsIn(s.Settings.DataDir())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, nil
}

// FoldersQuery names a folder to look into.
type FoldersQuery struct {
	Path string `query:"path" says:"The folder, as a full path"`
}

// Folders lists the folders in one: what a page shows that has no dialog of the
// system for it.
func (s Library) Folders(ctx context.Context, q FoldersQuery) (library.Folders, error) {
	if q.Path == "" {
		return s.Library.FoldersIn(ctx, "")
	}
	return s.Library.FoldersIn(ctx, homed([]string{q.Path})[0])
}
