package api

import (
	"context"
	"iter"
	"testing"

	"footnote/backend/fault"
)

func TestManyEndedJobsAreForgotten(t *testing.T) {
	var all jobs
	var first string
	for i := range jobsKept + 20 {
		id := all.start(t.Context(), "pulling", func(context.Context) iter.Seq2[any, error] { return func(func(any, error) bool) {} })
		j, err := all.find(id)
		if err != nil {
			t.Fatal(err)
		}
		for last, changed := j.state(); !last.Ended(); last, changed = j.state() {
			<-changed
		}
		if i == 0 {
			first = id
		}
	}
	_, err := all.find(first)
	all.mu.Lock()
	defer all.mu.Unlock()
	if fault.CodeOf(err) != fault.NotFound || len(all.all) > jobsKept+1 {
		t.Errorf("%d jobs kept, %v", len(all.all), err)
	}
}
