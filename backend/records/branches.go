package records

import (
	"slices"

	"footnote/backend/answer/contract"
)

// Branch says where a new thread leaves another one, and what it is called: the
// title of that one where it is empty, or where they share the first turn. A version
// goes on in the place of the run, and is one conversation with the thread that it left.
type Branch struct {
	From    contract.ThreadID
	Run     contract.RunID
	Version bool
	Title   string
}

// Versions are threads that differ from one turn on, the oldest first; one of them
// is the thread that they are listed with.
type Versions struct {
	Turn    int                 `json:"turn"` // from 0
	Threads []contract.ThreadID `json:"threads"`
}

// Branched is a thread of a family: it left another one at a turn.
type Branched struct {
	ID, Of    contract.ThreadID
	At, Turns int
}

type family map[contract.ThreadID]Branched

// CopyOf is a run as it stands in a branch, under another name.
func CopyOf(run contract.Run, thread contract.ThreadID, id contract.RunID) contract.Run {
	run.ID, run.Thread, run.Question.Thread = id, thread, thread
	if run.Answer != nil {
		copied := *run.Answer
		copied.Run, copied.Thread = id, thread
		run.Answer = &copied
	}
	return run
}

// VersionsOf are the turns of a thread that were asked in other ways as well; list
// is its family, the oldest first.
func VersionsOf(list []Branched, id contract.ThreadID) []Versions {
	kin := family{}
	for _, b := range list {
		kin[b.ID] = b
	}
	all := []Versions{}
	for _, b := range list {
		if b.Of == "" || b.At >= kin[id].Turns || slices.ContainsFunc(all, func(v Versions) bool { return v.Turn == b.At }) {
			continue
		}
		v := Versions{Turn: b.At, Threads: kin.ways(list, id, b.At)}
		if len(v.Threads) > 1 {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Versions) int { return a.Turn - b.Turn })
	return all
}

// ways are the threads that asked a turn in different ways, in the order of a list.
// Of those that share it stands the one it was asked in, else the first; for those
// that share it with id stands id.
func (f family) ways(list []Branched, id contract.ThreadID, turn int) (ways []contract.ThreadID) {
	told := map[contract.ThreadID]bool{}
	for _, b := range list {
		way := f.asked(b.ID, turn)
		if b.Turns <= turn || told[way] || f.first(b.ID, turn) != f.first(id, turn) {
			continue
		}
		told[way] = true
		_, there := f[way]
		switch {
		case way == f.asked(id, turn):
			ways = append(ways, id)
		case there:
			ways = append(ways, way)
		default: // it was deleted
			ways = append(ways, b.ID)
		}
	}
	return ways
}

// asked is the thread of which a thread's turn is a copy, or itself. One that was
// deleted is named all the same.
func (f family) asked(id contract.ThreadID, turn int) contract.ThreadID {
	for b, there := f[id]; there && b.Of != "" && turn < b.At; b, there = f[id] {
		id = b.Of
	}
	return id
}

// first is the thread from which all versions of a turn went their own ways.
func (f family) first(id contract.ThreadID, turn int) contract.ThreadID {
	id = f.asked(id, turn)
	for b, there := f[id]; there && b.Of != "" && turn == b.At; b, there = f[id] {
		id = f.asked(b.Of, turn)
	}
	return id
}
