package app

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/command"
)

func TestWhatLibrariesSayGoesToTheLog(t *testing.T) {
	printed, dir := swallowed(t), t.TempDir()
	h, err := Program{}.openHouse(t.Context(), command.Flags{Data: dir, Set: []string{"library.watch=false"}})
	if err != nil {
		t.Fatal(err)
	}
	log.Print("a library speaks")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		t.Error(err)
	}
	if said := printed(); strings.Contains(said, "a library speaks") {
		t.Errorf("it is printed: %q", said)
	}
	if logged, err := os.ReadFile(filepath.Join(dir, "logs", "footnote.log")); err != nil || !strings.Contains(string(logged), "a library speaks") {
		t.Errorf("%v: the log has %q", err, logged)
	}
}

func TestALimitOfMemoryThatNothingWorksInIsLogged(t *testing.T) {
	dir := t.TempDir()
	h, err := Program{raised: 1}.openHouse(t.Context(), command.Flags{Data: dir, Set: []string{"library.watch=false"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		t.Error(err)
	}
	if logged, err := os.ReadFile(filepath.Join(dir, "logs", "footnote.log")); err != nil || strings.Count(string(logged), "GOMEMLIMIT") != 1 {
		t.Errorf("%v: the log has %q", err, logged)
	}
}
