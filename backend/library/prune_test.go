package library

import (
	"testing"
	"time"

	"footnote/backend/library/walk"
)

func TestTextsOfOneQuestionArePrunedByAgeAndSize(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	file := func(id string, age time.Duration, size int64) File {
		return File{ID: id, Path: "/docs/" + id, State: Ready, Indexed: now.Add(-age), Stamp: walk.Stamp{Size: size}}
	}
	listed, uploaded, waiting := file("listed", 90*24*time.Hour, 1), file("uploaded", 90*24*time.Hour, 1), file("waiting", 90*24*time.Hour, 1)
	listed.Listed, uploaded.Path, waiting.State = true, "/data/uploads/a.txt", Waiting
	got := map[string]bool{}
	for _, f := range outdated([]File{
		listed, uploaded, waiting,
		file("old", 31*24*time.Hour, 1), file("yesterday", 24*time.Hour, 1), file("huge", 2*time.Hour, attachedBytes), file("just now", time.Minute, attachedBytes),
	}, []string{"/data/uploads"}, now) {
		got[f.ID] = true
	}
	if len(got) != 3 || !got["old"] || !got["huge"] || !got["yesterday"] {
		t.Errorf("pruned %v", got)
	}
	if kept := outdated([]File{file("yesterday", 24*time.Hour, 1), file("today", 2*time.Hour, attachedBytes/2)}, nil, now); len(kept) != 0 {
		t.Errorf("pruned %v", kept)
	}
}
