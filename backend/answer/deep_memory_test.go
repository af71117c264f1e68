package answer_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// The memory of a test keeps studies too.

func (m *memory) KeepStudy(_ context.Context, run contract.RunID, s contract.Study) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.states[run] = data
	return nil
}

func (m *memory) Study(_ context.Context, run contract.RunID) (s contract.Study, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.states[run]
	if !ok {
		return s, fault.New(fault.NotFound, "There is no such study.", "")
	}
	return s, json.Unmarshal(data, &s)
}

func (m *memory) Unfinished(context.Context) (left []contract.Run, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.runs {
		events := m.events[r.ID]
		if len(events) == 0 || !events[len(events)-1].Kind.Terminal() {
			left = append(left, r)
		}
	}
	return left, nil
}

// sortResearch gives what happens side by side in research one order, and the sums
// that are told meanwhile one value.
func sortResearch(events []contract.Event) {
	from := 0
	for i, e := range events {
		b, ok := e.Body.(contract.StageChanged)
		switch {
		case !ok || b.Stage != contract.StageResearch && b.Stage != contract.StageSynthesis:
		case b.State == "start":
			from = i + 1
		case b.State == "end" && b.Stage == contract.StageResearch:
			inOneOrder(events[from:i])
		case b.State == "end":
			usageFirst(events[from:i])
		}
	}
	for i := range events {
		events[i].Seq = i + 1
	}
}

// usageFirst tells what sections used, which are written side by side, before
// their text, which is published in order.
func usageFirst(events []contract.Event) {
	told := of[contract.UsageCounted](events)
	for i := range events {
		if _, ok := events[i].Body.(contract.UsageCounted); ok {
			events[i].Body = told[len(told)-1]
		}
	}
	used := func(e contract.Event) int {
		if e.Kind == "usage" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(events, func(a, b contract.Event) int { return used(a) - used(b) })
}

func inOneOrder(events []contract.Event) {
	var usage contract.UsageCounted
	for _, b := range of[contract.UsageCounted](events) {
		usage = b
	}
	name := map[int]string{}
	for i := range events {
		switch events[i].Body.(type) {
		case contract.Counters:
			events[i].Body = contract.Counters{Searches: len(of[contract.Counters](events))}
		case contract.UsageCounted:
			events[i].Body = usage
		}
		events[i].Seq = i
		body, err := json.Marshal(events[i].Body)
		if err != nil {
			panic(err) // bodies of events are plain
		}
		name[i] = string(events[i].Kind) + string(msOf.ReplaceAllString(string(body), ""))
	}
	slices.SortFunc(events, func(a, b contract.Event) int { return strings.Compare(name[a.Seq], name[b.Seq]) })
}

// copied is the memory as it is now: what a killed process leaves.
func (m *memory) copied() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := newMemory()
	for run, events := range m.events {
		c.events[run] = slices.Clone(events)
	}
	c.runs, c.kept, c.states, c.sources = slices.Clone(m.runs), maps.Clone(m.kept), maps.Clone(m.states), maps.Clone(m.sources)
	return c
}
