package eval

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

// shelfOfOne is a library with one file, in which everything is found.
type shelfOfOne struct{ searches, looks int }

func (s *shelfOfOne) AddSoon(context.Context, []string, bool, time.Duration) (library.AddResult, error) {
	return library.AddResult{}, nil
}
func (s *shelfOfOne) Files(context.Context, library.FileQuery) ([]library.File, string, error) {
	return []library.File{{Topics: []string{"lamp", "keeper"}}}, "", nil
}
func (s *shelfOfOne) Rescan(context.Context, ...string) error { return nil }
func (s *shelfOfOne) Search(context.Context, string, evidence.Scope, int) ([]evidence.Found, error) {
	s.searches++
	return nil, nil
}
func (s *shelfOfOne) SearchWords(context.Context, string, int) (library.Matches, error) {
	s.searches++
	return library.Matches{Items: []library.Match{{}}}, nil
}
func (s *shelfOfOne) Status(context.Context) (library.Status, error) {
	s.looks++
	return library.Status{}, nil
}
func (s *shelfOfOne) Wait(context.Context, []string, func(library.File)) error { return nil }

func TestSpeedMeasuresEachLineAndTheAnchorBesideIt(t *testing.T) {
	truth, err := exec.LookPath("true")
	if err != nil {
		t.Skip("no program that does nothing")
	}
	folder, shelf, commands := t.TempDir(), &shelfOfOne{}, []string{}
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("the lamp"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := Speed(t.Context(), folder, t.TempDir(), SpeedProgram{
		Command: func(ctx context.Context, data string, args ...string) *exec.Cmd {
			commands = append(commands, args[0])
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			return exec.CommandContext(ctx, truth)
		},
		Open: func(_ context.Context, _ string, with func(Shelf) error) error { return with(shelf) },
		Peer: truth, Looks: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(commands, []string{"library", "ask", "ask"}) || shelf.looks != 3 || shelf.searches < 10 {
		t.Errorf("ran %v, looked %d times, searched %d times", commands, shelf.looks, shelf.searches)
	}
	for _, line := range []string{"index", "first search by words and vectors", "keystroke", "words and vectors", "one changed file", "ask the library, cold", "ask a folder, cold", "add a folder", "status while files are read"} {
		if !slices.ContainsFunc(rows, func(r SpeedRow) bool { return r.Line == line }) {
			t.Errorf("no line %s", line)
		}
	}
	wall := rows[slices.IndexFunc(rows, func(r SpeedRow) bool { return r.Line == "index" && r.What == "wall" })]
	if wall.Anchor != "true" || wall.Ratio <= 0 || !strings.Contains(wall.String(), "× true") {
		t.Errorf("held against nothing: %s", wall)
	}
}

func TestSpeedSaysWhichProcessFailed(t *testing.T) {
	_, err := Speed(t.Context(), t.TempDir(), t.TempDir(), SpeedProgram{
		Command: func(ctx context.Context, _ string, _ ...string) *exec.Cmd {
			return exec.CommandContext(ctx, filepath.Join(t.TempDir(), "nowhere"))
		},
	})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("got %v", err)
	}
}
