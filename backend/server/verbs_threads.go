package server

import (
	"context"

	"footnote/backend/answer"
)

// RepairThread stops what runs in a thread and takes the runs out of it that have
// no answer to show: stuck, failed or damaged. It gives the thread as it is then.
func (v *Verbs) RepairThread(ctx context.Context, id string) (ThreadView, error) {
	thread := answer.ThreadID(id)
	for _, run := range v.Engine.RunningIn(thread) {
		if err := v.stopIfRunning(ctx, run); err != nil {
			return ThreadView{}, err
		}
	}
	gone, err := v.DB.Repair(ctx, thread)
	if err != nil {
		return ThreadView{}, err
	}
	v.Log.Info("thread repaired", "thread", thread, "runs_dropped", gone)
	return v.Thread(ctx, id)
}
