//go:build linux

package desktop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheProgramStartsWithTheSessionByChoice(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	file := filepath.Join(config, "autostart", "footnote.desktop")
	mine := Autostart{Program: `/opt/my "apps"/footnote`, Data: "/home/a/100% data"}
	other := Autostart{Program: "/usr/bin/footnote", Data: "/tmp/try"}
	if err := mine.Set(false); err != nil {
		t.Fatal("not wished for, and not there: ", err)
	}
	if err := mine.Set(true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if want := `Exec="/opt/my \\"apps\\"/footnote" --hidden --data "/home/a/100%% data"` + "\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("it holds %s, %v", text, err)
	}
	if err := other.Set(false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("the entry of one data folder was removed for another: ", err)
	}
	if err := mine.Set(false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error("it is still there: ", err)
	}
}

func TestADesktopWithoutATrayIsSaid(t *testing.T) {
	conn := onBus(t)
	if err := TrayProblem(); err == nil || !strings.Contains(err.Error(), "no tray") {
		t.Errorf("without one: %v", err)
	}
	if _, err := conn.RequestName("org.kde.StatusNotifierWatcher", 0); err != nil {
		t.Fatal(err)
	}
	if err := TrayProblem(); err != nil {
		t.Errorf("with one: %v", err)
	}
}
