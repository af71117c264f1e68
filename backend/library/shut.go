package library

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"footnote/backend/library/walk"
)

// shut remembers, by root, what the last scan could not look into. What had been
// read of it stays listed and searchable, so the list alone would not tell.
type shut struct {
	mu   sync.Mutex
	from map[string][]walk.Skip
}

// note takes over what a scan of a target found: of what lies elsewhere in the
// root, the scan knows nothing.
func (s *shut) note(t target, skips []walk.Skip) {
	if t.root.ID == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil {
		s.from = map[string][]walk.Skip{}
	}
	kept := slices.DeleteFunc(slices.Clone(s.from[t.root.ID]), func(skip walk.Skip) bool {
		return skip.Path == t.path || strings.HasPrefix(skip.Path, strings.TrimRight(t.path, walk.Separator)+walk.Separator)
	})
	for _, skip := range skips {
		if skip.Reason != walk.Excluded && !skip.Incidental() {
			kept = append(kept, skip)
		}
	}
	s.from[t.root.ID] = kept
}

func (s *shut) forget(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.from, root)
}

// Shut lists the folders of a root that could not be looked into when it was last
// scanned, with the reasons; the root itself comes first when it is one of them.
func (l *Library) Shut(root string) []walk.Skip {
	l.shut.mu.Lock()
	defer l.shut.mu.Unlock()
	return slices.Clone(l.shut.from[root])
}

// triedAgain is how many shut folders of a root are tried between scans.
const triedAgain = 20

// opened reports whether one of the shut folders of a root may be read by now.
func (l *Library) opened(r Root) bool {
	skips := l.Shut(r.ID)
	return slices.ContainsFunc(skips[:min(len(skips), triedAgain)], func(s walk.Skip) bool { return l.mayRead(s.Path) })
}

func (l *Library) mayRead(path string) bool {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return false
	}
	entries, err := l.list(dir, ".")
	if err == nil && len(entries) > 0 {
		_, err = entries[0].Info()
	}
	return errors.Join(err, dir.Close()) == nil
}

// Unreadable says why a root cannot be looked into now; empty when it can.
func Unreadable(r Root) string {
	var err error
	if r.Folder {
		_, err = os.ReadDir(r.Path)
	} else {
		var f *os.File
		if f, err = os.Open(r.Path); err == nil {
			err = f.Close()
		}
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return walk.Reason(err)
}
