package app

import (
	"log/slog"
	"os"
	"testing"

	"github.com/wailsapp/wails/v2/pkg/options"
)

func TestTheWindowHasTheFrameItWasLeftWith(t *testing.T) {
	dir := t.TempDir()
	if f := lastFrame(dir); f != (frame{Width: 1280, Height: 800}) || f.state() != options.Normal {
		t.Errorf("a first window is %+v", f)
	}
	left := frame{Width: 1100, Height: 700, Maximised: true, Placed: true, Left: 40, Top: 25}
	if err := left.write(dir); err != nil {
		t.Fatal(err)
	}
	if f := lastFrame(dir); f != left || f.state() != options.Maximised {
		t.Errorf("%+v after %+v", f, left)
	}
}

func TestAFrameThatCannotBeIsNotBelieved(t *testing.T) {
	for _, kept := range []string{"", "{", "[]", `{"width":10,"height":800}`, `{"width":1280,"height":9000000}`, `{"width":-1,"height":-1}`} {
		dir := t.TempDir()
		if err := os.WriteFile(frameFile(dir), []byte(kept), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := lastFrame(dir); f != (frame{Width: 1280, Height: 800}) {
			t.Errorf("%s gives %+v", kept, f)
		}
	}
}

func TestAFileThatCannotBeAFrameIsNotReadWhole(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(frameFile(dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(frameFile(dir), 1<<40); err != nil {
		t.Fatal(err)
	}
	if f := lastFrame(dir); f != (frame{Width: 1280, Height: 800}) {
		t.Errorf("%+v", f)
	}
	known := knownModels{frameFile(dir), slog.New(slog.DiscardHandler)}
	if got := known.Load(); got != nil {
		t.Errorf("%v is known of models", got)
	}
}

func TestAWindowIsNotPutWhereNoScreenIs(t *testing.T) {
	for _, c := range []struct {
		left, top             int
		together, first, high int
		want                  bool
	}{
		{0, 0, 1920, 1920, 1080, true},
		{-300, 40, 1920, 1920, 1080, true},
		{2200, 40, 3840, 1920, 1080, true},
		{2200, 40, 1920, 1920, 1080, false},
		{-1500, 40, 3840, 1920, 1080, true},
		{-1500, 40, 1920, 1920, 1080, false},
		{40, 1050, 1920, 1920, 1080, false},
		{40, -30, 1920, 1920, 1080, false},
		{40, 40, 0, 0, 0, false},
	} {
		f := frame{Width: 1100, Height: 700, Placed: true, Left: c.left, Top: c.top}
		if got := f.reachable(c.together, c.first, c.high); got != c.want {
			t.Errorf("at %d, %d on screens %d wide, the first %d, %d high: %v", c.left, c.top, c.together, c.first, c.high, got)
		}
	}
}
