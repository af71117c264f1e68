package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/command"
)

func TestACommandThatEndsSoonMakesTheBackupOfTheDay(t *testing.T) {
	data := t.TempDir()
	short := func(more ...string) (backups []string) {
		t.Helper()
		set := append([]string{"models.chat=none", "web.enabled=false", "library.watch=false", "rank.encoder=off"}, more...)
		house, err := Program{}.openHouse(t.Context(), command.Flags{Data: data, Set: set})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := house.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if backups, err = filepath.Glob(filepath.Join(data, "backups", "*")); err != nil {
			t.Fatal(err)
		}
		return backups
	}
	if made := short("store.backup_days=0"); len(made) != 0 {
		t.Errorf("without backups there are %q", made)
	}
	made := short()
	if len(made) != 1 {
		t.Fatalf("after a command there are %q", made)
	}
	written, err := os.Stat(made[0])
	if err != nil {
		t.Fatal(err)
	}
	if again := short(); len(again) != 1 {
		t.Errorf("after a second one there are %q", again)
	}
	if now, err := os.Stat(made[0]); err != nil || !os.SameFile(now, written) {
		t.Errorf("the backup was written twice: %v", err)
	}
}
