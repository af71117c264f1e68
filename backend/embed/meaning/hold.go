package meaning

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Hold pauses the work in the background, between two passages, until the
// function it returns is called.
func (r *Reranker) Hold() (release func()) { return r.gate.Hold() }

// lookAgain is the time between looks at the battery and at the settings.
const lookAgain = 20 * time.Second

// idle waits until nobody holds, the encoder is wanted and the computer is not
// on battery.
func (r *Reranker) idle(ctx context.Context) error {
	for {
		if err := r.gate.Wait(ctx); err != nil {
			return err
		}
		if r.Options().On && (r.OnBattery == nil || !r.OnBattery()) {
			return nil
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Battery is an OnBattery that reads the folder in which Linux tells of power
// supplies; without it the answer is always no. It looks anew every 20 seconds.
func Battery(folder string, now func() time.Time) func() bool {
	var mu sync.Mutex
	var looked time.Time
	discharging := false
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		if looked.IsZero() || now().Sub(looked) >= lookAgain {
			looked, discharging = now(), dischargingIn(folder)
		}
		return discharging
	}
}

func dischargingIn(folder string) bool {
	states, _ := filepath.Glob(filepath.Join(folder, "*", "status")) // the pattern is well formed
	for _, path := range states {
		state, err := os.ReadFile(path)
		if err == nil && strings.TrimSpace(string(state)) == "Discharging" {
			return true
		}
	}
	return false
}
