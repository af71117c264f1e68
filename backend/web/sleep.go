package web

import (
	"sync"
	"time"
)

// sleepGap is how far the wall clock may run ahead of the monotonic one before
// it counts as sleep. Connections that were open before it are dead.
const sleepGap = 10 * time.Second

// sleepWatch notices that the machine slept between two requests.
type sleepWatch struct {
	mu   sync.Mutex
	last time.Time
}

func (s *sleepWatch) slept(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last
	s.last = now
	return !last.IsZero() && jumped(now.Round(0).Sub(last.Round(0)), now.Sub(last))
}

func jumped(wall, monotonic time.Duration) bool { return wall-monotonic > sleepGap }
