package api

import (
	"context"
	"crypto/rand"
	"iter"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/team/sharing"
)

// Sharing is conversations that people of a team show each other.
type Sharing struct{ *Rooms }

// store is where shares are kept; alone on a computer there is nobody to share with.
func (s Sharing) store() (sharing.Store, error) {
	if s.Shared == nil {
		return nil, fault.New(fault.NotFound, "There is nobody here to share with.", "Footnote has to serve a team.")
	}
	return s.Shared, nil
}

// Shares lists with whom a conversation is shared.
func (s Sharing) Shares(ctx context.Context, in ID) (Page[sharing.Share], error) {
	store, err := s.store()
	if err != nil {
		return Page[sharing.Share]{}, err
	}
	list, err := store.Shares(ctx, contract.ThreadID(in.ID))
	return PageOf(list, ""), err
}

// NewShare says with whom a conversation is to be shared: a person or group by
// name, or whoever has its link.
type NewShare struct {
	Name string `json:"name"`
	Link bool   `json:"link"`
}

// ShareThread names a conversation and with whom it is to be shared.
type ShareThread struct {
	ID   string `path:"id"`
	Body NewShare
}

// Give shares a conversation.
func (s Sharing) Give(ctx context.Context, in ShareThread) (sharing.Share, error) {
	store, err := s.store()
	switch {
	case err != nil:
		return sharing.Share{}, err
	case in.Body.Link == (in.Body.Name != ""):
		return sharing.Share{}, fault.New(fault.InvalidRequest, "It is not said with whom to share.", "Send the name of a person or group, or ask for a link.")
	case in.Body.Link:
		return store.Link(ctx, contract.ThreadID(in.ID))
	}
	return store.Give(ctx, contract.ThreadID(in.ID), in.Body.Name)
}

// ShareOf names one share of a conversation.
type ShareOf struct {
	ID    string `path:"id"`
	Share string `path:"share"`
}

// Take ends a share at once.
func (s Sharing) Take(ctx context.Context, in ShareOf) (Nothing, error) {
	store, err := s.store()
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, store.Take(ctx, contract.ThreadID(in.ID), in.Share)
}

// List lists what others share.
func (s Sharing) List(ctx context.Context, _ None) (Page[sharing.Shared], error) {
	if s.Shared == nil {
		return PageOf[sharing.Shared](nil, ""), nil
	}
	list, err := s.Shared.Listed(ctx)
	return PageOf(list, ""), err
}

// Get gives a conversation of somebody else, as far as one may see it.
func (s Sharing) Get(ctx context.Context, in ID) (sharing.Thread, error) {
	store, err := s.store()
	if err != nil {
		return sharing.Thread{}, err
	}
	return store.Shown(ctx, in.ID)
}

// SharedLink is the secret of a link.
type SharedLink struct {
	Secret string `json:"secret"`
}

// Opened names what a link shows.
type Opened struct {
	ID string `json:"id"`
}

// Open has one see what a link shows, until it is taken back.
func (s Sharing) Open(ctx context.Context, in SharedLink) (Opened, error) {
	store, err := s.store()
	if err != nil {
		return Opened{}, err
	}
	id, err := store.Open(ctx, in.Secret)
	return Opened{id}, err
}

// Copy makes a conversation of one's own of what one is shown, to ask further in it.
func (s Sharing) Copy(ctx context.Context, in ID) (Branched, error) {
	store, err := s.store()
	if err != nil {
		return Branched{}, err
	}
	made := contract.ThreadID(evidence.ID("thr", rand.Text()))
	return Branched{made}, store.Copy(ctx, in.ID, made, func() contract.RunID { return contract.RunID(evidence.ID("run", rand.Text())) })
}

// Export writes a conversation of somebody else as far as one may see it.
func (s Sharing) Export(ctx context.Context, in ExportThread) (File, error) {
	if in.Format == "bundle" || in.Format == "jsonl" {
		return File{}, fault.New(fault.InvalidRequest, "What belongs to somebody else is not taken away in this form.", "Choose another form, or make a copy of your own first.")
	}
	shown, err := s.Get(ctx, ID{in.ID})
	if err != nil {
		return File{}, err
	}
	info := records.ThreadInfo{ID: contract.ThreadID(shown.ID), Title: shown.Title, Type: records.Chat, Created: shown.Updated, Updated: shown.Updated, Runs: len(shown.Items)}
	thread, err := ThreadView{ThreadInfo: info, Runs: shown.Items}.only(in.Run)
	if err != nil {
		return File{}, err
	}
	return Exports(s).write(ctx, thread, in)
}

// SharedRun names a run of somebody else, and the last event of it that was seen.
type SharedRun struct {
	ID    string `path:"id"`
	Run   string `path:"run"`
	After int    `after:""`
}

const sharedPause = 300 * time.Millisecond

// Follow tells the text of a run of somebody else as it is written, and its end.
// Before each piece it is looked whether it is still shown.
func (s Sharing) Follow(ctx context.Context, in SharedRun) (Stream, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	run := contract.RunID(in.Run)
	events, err := store.Since(ctx, in.ID, run, in.After)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) iter.Seq2[Told, error] {
		return func(yield func(Told, error) bool) {
			for after := in.After; ; {
				for _, e := range events {
					if after = e.Seq; !yield(Told{e.Seq, string(e.Kind), e}, nil) || e.Kind.Terminal() {
						return
					}
				}
				select {
				case <-ctx.Done():
					return
				case <-time.After(sharedPause):
				}
				if events, err = store.Since(ctx, in.ID, run, after); err != nil {
					yield(Told{}, err)
					return
				}
			}
		}
	}, nil
}
