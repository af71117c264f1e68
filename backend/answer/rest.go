package answer

import "time"

// quietTime is how long no question is being answered before the engine rests.
const quietTime = 15 * time.Second

// settle has AtRest called in a while where no run is in progress, and not where
// one is; the engine is locked.
func (e *Engine) settle() {
	if e.AtRest == nil {
		return
	}
	if e.resting != nil {
		e.resting.Stop()
	}
	if len(e.live) == 0 && e.ctx.Err() == nil {
		e.resting = time.AfterFunc(quietTime, e.rest)
	}
}

// rest is part of the work that Close waits for.
func (e *Engine) rest() {
	e.mu.Lock()
	busy := len(e.live) > 0 || e.ctx.Err() != nil
	if !busy {
		e.work.Add(1)
	}
	e.mu.Unlock()
	if !busy {
		defer e.work.Done()
		e.AtRest(e.ctx)
	}
}
