package api

import (
	"context"
	"crypto/rand"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/refresh"
)

// Threads are conversations.
type Threads struct{ *Rooms }

// ThreadsQuery selects conversations.
type ThreadsQuery struct {
	Q    string `query:"q" says:"Words in them"`
	Type string `query:"type" says:"chat or deep-research"`

	Collection string `query:"collection" says:"Those of a collection, by id"`
	Paging
}

// List lists conversations.
func (s Threads) List(ctx context.Context, q ThreadsQuery) (Page[records.ThreadInfo], error) {
	threads, next, err := s.DB.Threads(ctx, records.ThreadQuery{Q: q.Q, Type: q.Type, Collection: q.Collection, Limit: int(q.Limit), After: q.After})
	return PageOf(threads, next), err
}

// ThreadView is a thread with its runs in order.
type ThreadView struct {
	records.ThreadInfo
	Runs    []contract.Run `json:"runs"`
	Private bool           `json:"private,omitempty"` // kept in memory only

	Fresh    []refresh.Subscription `json:"fresh,omitempty"`    // answers of it that are checked from time to time
	Versions []records.Versions     `json:"versions,omitempty"` // turns of it that other threads ask in another way
}

// Get gives a conversation.
func (s Threads) Get(ctx context.Context, in ID) (ThreadView, error) {
	detail, err := s.DB.Thread(ctx, contract.ThreadID(in.ID))
	if fault.CodeOf(err) == fault.NotFound {
		return s.private(contract.ThreadID(in.ID), err)
	}
	if err != nil {
		return ThreadView{}, err
	}
	view := ThreadView{ThreadInfo: detail.ThreadInfo, Runs: detail.Items, Versions: detail.Versions}
	if view.Runs == nil {
		view.Runs = []contract.Run{}
	}
	if s.Refresher != nil {
		view.Fresh, err = s.Refresher.List(ctx, view.ID)
	}
	return view, err
}

// private is a private thread as far as it is in memory; else it is unknown.
func (s Threads) private(id contract.ThreadID, unknown error) (ThreadView, error) {
	runs := s.Engine.PrivateRuns(id)
	if len(runs) == 0 {
		return ThreadView{}, unknown
	}
	first, last := runs[0], runs[len(runs)-1]
	info := records.ThreadInfo{ID: id, Title: first.Question.Text, Type: "chat", Created: first.Started, Updated: last.Started, Runs: len(runs), Running: last.Ended == nil, Group: "today"}
	if first.Question.Mode == contract.ModeDeep {
		info.Type = "deep-research"
	}
	if last.Ended != nil {
		info.Updated = *last.Ended
	}
	return ThreadView{ThreadInfo: info, Runs: runs, Private: true}, nil
}

// ThreadChange is what may be changed of a thread; nil leaves a field as it is.
type ThreadChange struct {
	Title  *string `json:"title"`
	Pinned *bool   `json:"pinned"`

	Collection *string `json:"collection"` // id; empty: of none
}

// ChangeThread names a conversation and what is changed of it.
type ChangeThread struct {
	ID   string `path:"id"`
	Body ThreadChange
}

// Change renames or pins a conversation, or puts it into a collection: with all its versions.
func (s Threads) Change(ctx context.Context, in ChangeThread) (ThreadView, error) {
	id := contract.ThreadID(in.ID)
	if in.Body.Title != nil {
		if err := s.DB.Rename(ctx, id, *in.Body.Title); err != nil {
			return ThreadView{}, err
		}
	}
	if in.Body.Pinned != nil {
		if err := s.DB.Pin(ctx, id, *in.Body.Pinned); err != nil {
			return ThreadView{}, err
		}
	}
	if in.Body.Collection != nil {
		if err := s.DB.PutInCollection(ctx, id, *in.Body.Collection); err != nil {
			return ThreadView{}, err
		}
	}
	return s.Get(ctx, ID{in.ID})
}

// DeleteThread names a conversation to be deleted.
type DeleteThread struct {
	ID    string `path:"id"`
	Erase bool   `query:"erase" says:"true: also drop what only it needs: texts, previews and cached pages"`
}

// Delete stops what runs in a conversation and deletes it with all its versions;
// erase also drops what only it needs.
func (s Threads) Delete(ctx context.Context, in DeleteThread) (Nothing, error) {
	versions, err := s.DB.Conversation(ctx, contract.ThreadID(in.ID))
	if err != nil {
		return Nothing{}, err
	}
	var cited []evidence.SourceID
	for _, id := range versions {
		if err := s.stop(ctx, id); err != nil {
			return Nothing{}, err
		}
		detail, err := s.DB.Thread(ctx, id)
		if err != nil {
			return Nothing{}, err
		}
		cited = append(cited, sourcesOf(detail.Items)...)
	}
	if err := s.DB.DeleteThread(ctx, contract.ThreadID(in.ID), in.Erase); err != nil || !in.Erase {
		return Nothing{}, err
	}
	return Nothing{}, s.eraseTraces(ctx, cited)
}

// sourcesOf are the sources that runs show.
func sourcesOf(runs []contract.Run) (ids []evidence.SourceID) {
	for _, r := range runs {
		if r.Answer == nil {
			continue
		}
		for _, card := range r.Answer.Sources {
			ids = append(ids, card.ID)
		}
	}
	return ids
}

// eraseTraces removes what lies beside the database: all cached pages, since which
// of them were read and not cited nobody knows, and previews of sources that went.
func (s Threads) eraseTraces(ctx context.Context, cited []evidence.SourceID) error {
	if s.Pages != nil {
		s.Pages.Clear()
	}
	if s.Pictures == nil {
		return nil
	}
	for _, id := range cited {
		if _, err := s.DB.Source(ctx, id); fault.CodeOf(err) != fault.NotFound {
			continue // another answer or the library needs it
		}
		if err := s.Pictures.Remove(id); err != nil {
			return err
		}
	}
	return nil
}

// stop ends what runs in a thread.
func (s Threads) stop(ctx context.Context, id contract.ThreadID) error {
	for _, run := range s.Engine.RunningIn(id) {
		if err := Runs(s).StopIfRunning(ctx, run); err != nil {
			return err
		}
	}
	return nil
}

// Repair stops what runs in a thread and takes the runs out of it that have no
// answer to show: stuck, failed or damaged. It gives the thread as it is then.
func (s Threads) Repair(ctx context.Context, in ID) (ThreadView, error) {
	thread := contract.ThreadID(in.ID)
	if err := s.stop(ctx, thread); err != nil {
		return ThreadView{}, err
	}
	gone, err := s.DB.Repair(ctx, thread)
	if err != nil {
		return ThreadView{}, err
	}
	s.Log.Info("thread repaired", "thread", thread, "runs_dropped", gone)
	return s.Get(ctx, in)
}

// Seen notes that the reader has looked at a thread: what checks found in it is
// no news any more.
func (s Threads) Seen(ctx context.Context, in ID) (Nothing, error) {
	return Nothing{}, s.DB.Seen(ctx, contract.ThreadID(in.ID))
}

// RunOf names a run of a conversation: the one after which a branch goes its own
// way, or whose answer is saved.
type RunOf struct {
	Run string `json:"run"`
}

// Branched names the thread that a branch made.
type Branched struct {
	Thread contract.ThreadID `json:"thread"`
}

// BranchThread names a conversation and where a branch leaves it.
type BranchThread struct {
	ID   string `path:"id"`
	Body RunOf
}

// Branch copies a thread up to and with a run into a new one.
func (s Threads) Branch(ctx context.Context, in BranchThread) (Branched, error) {
	at := in.Body
	if at.Run == "" {
		return Branched{}, fault.New(fault.MissingID, "No run was named.", "Send {\"run\": \"run_…\"}.")
	}
	made, err := s.branch(ctx, records.Branch{From: contract.ThreadID(in.ID), Run: contract.RunID(at.Run)})
	return Branched{made}, err
}

func (s Threads) branch(ctx context.Context, at records.Branch) (contract.ThreadID, error) {
	made := contract.ThreadID(evidence.ID("thr", rand.Text()))
	return made, s.DB.Branch(ctx, at, made, func() contract.RunID {
		return contract.RunID(evidence.ID("run", rand.Text()))
	})
}
