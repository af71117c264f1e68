package gather

import (
	"context"
	"errors"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// ReadPages reads the pages of the best leads side by side and closes at the
// deadline with what has arrived. speed reads none.
func (r *Retriever) ReadPages(ctx context.Context) {
	if r.Task.Question.Mode == contract.ModeSpeed || len(r.Evidence.Leads) == 0 || r.Deps.Reader == nil || r.Tell.CutShort() {
		return
	}
	r.Tell.Begin(contract.StageRead)
	picked := r.bestLeads(ctx, r.Task.Settings.Web.ReadPages)
	opinion := r.prioritise(ctx, picked)
	r.ReadEnough(ctx, picked, r.Task.ReadWait(), enoughPages, pageGrace)
	r.takeOpinion(opinion)
	r.Tell.Emit(r.Tell.Counters)
	r.Tell.Timing.Read = r.Tell.Finish(len(picked), len(r.Evidence.Documents))
}

const (
	enoughPages = 3                      // to answer from; later ones are waited for a little
	pageGrace   = 700 * time.Millisecond // after enough pages
)

// ReadEnough reads pages and closes after the wait, or a little after enough of
// them have come: a slow page holds up no answer.
func (r *Retriever) ReadEnough(ctx context.Context, picked []evidence.Lead, wait time.Duration, enough int, grace time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	came := make(chan struct{}, len(picked))
	go func() {
		for range min(enough, len(picked)) {
			select {
			case <-came:
			case <-ctx.Done():
				return
			}
		}
		select {
		case <-time.After(grace):
			cancel()
		case <-ctx.Done():
		}
	}()
	r.keepPages(r.fetchEach(ctx, picked, wait, came))
}

// ReadAll reads pages side by side and closes after the wait with what has
// arrived.
func (r *Retriever) ReadAll(ctx context.Context, picked []evidence.Lead, wait time.Duration) {
	r.keepPages(r.FetchPages(ctx, picked, wait))
}

func (r *Retriever) keepPages(arrived []evidence.Document) {
	r.Evidence.Documents = append(r.Evidence.Documents, arrived...)
	r.Tell.Counters.Pages = len(r.Evidence.Documents)
}

// FetchPages reads the pages of leads side by side and gives those that arrived
// before the wait was over. Several may run beside each other.
func (r *Retriever) FetchPages(ctx context.Context, picked []evidence.Lead, wait time.Duration) []evidence.Document {
	return r.fetchEach(ctx, picked, wait, nil)
}

// fetchEach is fetchPages that also tells of each page that came; came has room
// for all of them, or is nil.
func (r *Retriever) fetchEach(ctx context.Context, picked []evidence.Lead, wait time.Duration, came chan<- struct{}) []evidence.Document {
	if r.Deps.Reader == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "page"), wait)
	defer cancel()
	pages := make([]*evidence.Document, len(picked))
	places := make(chan struct{}, max(1, r.Task.Settings.Limits.FetchesAtOnce))
	var wg sync.WaitGroup
	for i, lead := range picked {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if pages[i] = r.readPage(ctx, lead); pages[i] != nil && came != nil {
				came <- struct{}{}
			}
		})
	}
	wg.Wait()
	var arrived []evidence.Document
	for _, doc := range pages {
		if doc != nil {
			arrived = append(arrived, *doc)
		}
	}
	return arrived
}

func (r *Retriever) readPage(ctx context.Context, lead evidence.Lead) *evidence.Document {
	r.Tell.Emit(contract.Reading{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: r.Task.Part})
	began := r.Tell.Now()
	doc, cached, err := r.Deps.Reader.Read(ctx, lead)
	if err != nil {
		failed := r.whyUnread(lead, err)
		r.unreadMu.Lock()
		r.Evidence.Failed = append(r.Evidence.Failed, failed)
		r.unreadMu.Unlock()
		r.Tell.Emit(failed)
		return nil
	}
	from := "network"
	if cached {
		from = "cache"
	}
	if doc.Source.Published.IsZero() {
		doc.Source.Published = lead.Source.Published
	}
	if doc.Image == "" {
		doc.Image = lead.Image
	}
	done := contract.ReadDone{Source: lead.Source.ID, Chars: len([]rune(doc.Text)), Ms: r.Tell.Now().Sub(began).Milliseconds(), From: from, Coverage: doc.Coverage.Share(), Dimension: r.Task.Part}
	if doc.Source.ID != lead.Source.ID {
		done.Document = doc.Source.ID
	}
	r.Tell.Emit(done)
	return &doc
}

func (r *Retriever) whyUnread(lead evidence.Lead, err error) contract.Unread {
	u := contract.Unread{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: r.Task.Part}
	var why *UnreadError
	switch {
	case Ended(err):
		u.Code, u.Reason = "timeout", "The page did not arrive in time."
	case errors.As(err, &why):
		u.Code, u.Reason = why.Code, why.Reason
	default:
		f := fault.Of(err)
		u.Code, u.Reason = string(f.Code), f.Message
	}
	return u
}

// bestLeads are the n leads of the run to read. The sentence encoder is asked
// where it has read their snippets ahead.
func (r *Retriever) bestLeads(ctx context.Context, n int) []evidence.Lead {
	query, leads := r.Plan.Standalone, r.Evidence.Leads
	if len(leads) <= n || r.Early == nil || r.Scorer.Deps.Meaning == nil {
		return r.Scorer.bestOf(ctx, query, leads, n)
	}
	leads = r.Scorer.fitting(ctx, query, leads, maxSnippets)
	cands := r.Scorer.snippetsOf(ctx, query, leads)
	r.Scorer.Encode(ctx, query, cands)
	return pick(leads, copiesLast(leads, byFit(cands))[:min(n, len(leads))])
}

// BestOf are the n of leads that fit a query best, best first.
func (r *Retriever) BestOf(ctx context.Context, query string, leads []evidence.Lead, n int) []evidence.Lead {
	return r.Scorer.bestOf(ctx, query, leads, n)
}
