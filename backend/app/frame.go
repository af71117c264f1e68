package app

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/disk"
	"footnote/backend/server"
)

// frame is how large the window was when it was left and where it stood, in the
// system's units.
type frame struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
	Placed    bool `json:"placed"` // Left and Top are known
	Left      int  `json:"left"`
	Top       int  `json:"top"`
}

const (
	leastWidth, leastHeight = 720, 520
	mostSide                = 16_384 // beyond it the file is not to be believed
	frameBytes              = 64 << 10
	grip                    = 100 // so much of a window has to be on the screens
)

func frameFile(dataDir string) string { return filepath.Join(dataDir, "window.json") }

// lastFrame gives the frame that was kept in a data directory, or that of a new
// window when there is none to be believed.
func lastFrame(dataDir string) frame {
	fresh := frame{Width: 1280, Height: 800}
	data, err := disk.ReadRegular(frameFile(dataDir), frameBytes)
	if err != nil {
		return fresh
	}
	var f frame
	if json.Unmarshal(data, &f) != nil || f.Width < leastWidth || f.Height < leastHeight || f.Width > mostSide || f.Height > mostSide {
		return fresh
	}
	return f
}

// state is what the window starts in.
func (f frame) state() options.WindowStartState {
	if f.Maximised {
		return options.Maximised
	}
	return options.Normal
}

// reachable reports whether a window in this frame can be seen on screens that
// are so wide together, the first alone, and so high.
func (f frame) reachable(together, first, high int) bool {
	others := together - first // they may stand on either side
	return f.Left+f.Width >= grip-others && f.Left <= together-grip && f.Top >= 0 && f.Top <= high-grip
}

// place moves the window to where it was left, if the screens are still there.
func (f frame) place(page context.Context) error {
	if !f.Placed || f.Maximised {
		return nil
	}
	screens, err := runtime.ScreenGetAll(page)
	if err != nil {
		return err
	}
	together, first, high := 0, 0, 0
	for _, s := range screens {
		together, high = together+s.Size.Width, max(high, s.Size.Height)
		if s.IsPrimary || first == 0 {
			first = s.Size.Width
		}
	}
	if f.reachable(together, first, high) {
		runtime.WindowSetPosition(page, f.Left, f.Top)
	}
	return nil
}

// keepFrame keeps how large the window is and where. A maximised window keeps the
// frame that it had before.
func keepFrame(page context.Context, dataDir string) error {
	f := lastFrame(dataDir)
	if f.Maximised = runtime.WindowIsMaximised(page); !f.Maximised && !runtime.WindowIsMinimised(page) && !runtime.WindowIsFullscreen(page) {
		f.Width, f.Height = runtime.WindowGetSize(page)
		f.Left, f.Top = runtime.WindowGetPosition(page)
		f.Placed = true
	}
	return f.write(dataDir)
}

func (f frame) write(dataDir string) error {
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return server.SaveFile(frameFile(dataDir), data)
}
