package library

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/library/walk"
)

// Folder is a folder of this computer, as a picker shows it.
type Folder struct {
	Name string `json:"name"`
	Path string `json:"path"`
}

// Folders are the folders in one that may be read.
type Folders struct {
	Path    string   `json:"path"`    // "" where a picker begins
	Parent  string   `json:"parent"`  // "" where it cannot go up
	Addable bool     `json:"addable"` // else it only leads to others
	Folders []Folder `json:"folders"`
	More    int      `json:"more"` // folders that are not shown, there are so many
}

const shownFolders = 500

// mounts are where the system puts drives.
var mounts = map[string][]string{"linux": {"/media/*/*", "/media/*", "/mnt/*", "/run/media/*/*"}, "darwin": {"/Volumes/*"}}

// FoldersIn lists the folders in one. It shows no more than may be added: nothing
// that is left out by name, no folder of the system, nothing behind a link.
func (l *Library) FoldersIn(ctx context.Context, path string) (Folders, error) {
	if path == "" {
		return l.beginnings(ctx), nil
	}
	at, info, reason := l.admit(ctx, path)
	leads := reason == walk.System && leadsBeyond(filepath.Clean(path))
	if leads {
		at, info, reason = l.admit(WithConfirmed(ctx), path)
		leads = leadsBeyond(at)
	}
	switch {
	case reason == walk.System || reason == "" && walk.OfTheSystem(at) && !leads && !isConfirmed(ctx):
		return Folders{}, fault.New(fault.ConfirmNeeded, path+" belongs to the system and is not listed.", "Choose a folder of your own.")
	case reason != "" || !info.IsDir():
		return Folders{}, fault.New(fault.PathNotAllowed, path+" cannot be listed. "+reason, "Choose a folder that you may read.")
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return Folders{}, fault.New(fault.PathNotAllowed, at+" cannot be listed. "+walk.Reason(err), "Choose a folder that you may read.")
	}
	in := Folders{Path: at, Addable: !leads, Folders: []Folder{}}
	if up := filepath.Dir(at); up != at {
		in.Parent = up
	}
	for _, e := range entries {
		if one := filepath.Join(at, e.Name()); e.IsDir() && l.isOffered(ctx, one) {
			in.Folders = append(in.Folders, Folder{e.Name(), one})
		}
	}
	slices.SortFunc(in.Folders, func(a, b Folder) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	in.More = max(0, len(in.Folders)-shownFolders)
	in.Folders = in.Folders[:len(in.Folders)-in.More]
	return in, nil
}

// isOffered reports whether a folder is shown: it may be added, or leads to what may.
func (l *Library) isOffered(ctx context.Context, path string) bool {
	if strings.HasPrefix(filepath.Base(path), ".") || l.exclusion().Covers(path) {
		return false
	}
	return !walk.OfTheSystem(path) || isConfirmed(ctx) || leadsBeyond(path)
}

// leadsBeyond reports whether a folder is none of the system's, but holds some.
func leadsBeyond(path string) bool {
	if runtime.GOOS == "windows" {
		return strings.Trim(filepath.ToSlash(strings.TrimPrefix(path, filepath.VolumeName(path))), "/") == ""
	}
	return walk.OfTheSystem(path) && !walk.InSystem(path)
}

// beginnings are where a picker begins: the reader's own folder, what is in it, and drives.
func (l *Library) beginnings(ctx context.Context) Folders {
	begin := Folders{Folders: []Folder{}}
	add := func(name, path string) {
		if info, err := os.Stat(path); err == nil && info.IsDir() && l.isOffered(ctx, path) {
			begin.Folders = append(begin.Folders, Folder{name, path})
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add("Home", home)
		for _, name := range []string{"Documents", "Desktop", "Downloads", "Pictures"} {
			add(name, filepath.Join(home, name))
		}
	}
	for _, pattern := range mounts[runtime.GOOS] {
		found, _ := filepath.Glob(pattern) // the patterns are well-formed
		for _, path := range found {
			add(path, path)
		}
	}
	add("All folders", string(filepath.Separator))
	return begin
}
