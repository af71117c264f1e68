package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"footnote/backend/disk"
)

// withoutDebugInfo has everything compiled without what only debuggers read, which
// is a quarter of the cache. Traces of panics name their lines all the same.
const withoutDebugInfo = "-gcflags=all=-dwarf=false"

// lean has all that this process and those it starts compile take less room.
func lean() error {
	return os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" "+withoutDebugInfo))
}

// room is what a command takes on a disk, in megabytes, in a fresh clone with empty
// caches (measured, and rounded up).
type room struct{ tree, cache, temporary int64 }

var (
	roomOfTest  = room{tree: 350, cache: 700, temporary: 400}
	roomOfCheck = room{tree: 700, cache: 1400, temporary: 500} // after test, or without it
)

// mind says in one line how much room is missing, where less is free than is needed
// beyond what lies there already. It is no error: what is missing may be little.
func (j *job) mind(ctx context.Context, need room) {
	out, err := j.command(ctx, j.root, nil, "go", "env", "GOCACHE").Output()
	if err != nil {
		return // the next use of the go command says why
	}
	var missing []string
	for _, p := range needed([]place{
		{j.root, need.tree - taken(j.path("frontend", "node_modules")) - taken(j.path("build", "out")) - taken(j.path("build", "clients", "node_modules")) - taken(j.binary())},
		{strings.TrimSpace(string(out)), need.cache - taken(strings.TrimSpace(string(out)))},
		{os.TempDir(), need.temporary},
	}) {
		if free, known := disk.Free(p.dir); known && free>>20 < p.megabytes {
			missing = append(missing, fmt.Sprintf("%d MB are missing in %s: %d MB are free, up to %d MB are needed", p.megabytes-free>>20, p.dir, free>>20, p.megabytes))
		}
	}
	if len(missing) > 0 {
		j.say("disk: %s", strings.Join(missing, "; "))
	}
}

// place is a folder and what will be written there.
type place struct {
	dir       string
	megabytes int64
}

// needed joins the places that lie on one disk, at the nearest folders that are there.
func needed(places []place) (disks []place) {
	for _, p := range places {
		p.dir, p.megabytes = nearest(p.dir), max(p.megabytes, 0)
		joined := false
		for i := range disks {
			if !joined && disk.Same(disks[i].dir, p.dir) {
				disks[i].megabytes += p.megabytes
				joined = true
			}
		}
		if !joined {
			disks = append(disks, p)
		}
	}
	return disks
}

// nearest is the folder, or the one above it that is there.
func nearest(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// taken is how many megabytes a file, or all below a folder, holds; 0 where there
// is none.
func taken(path string) int64 {
	var sum int64
	filepath.WalkDir(path, func(_ string, d os.DirEntry, err error) error { // what cannot be read counts as not there
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum >> 20
}
