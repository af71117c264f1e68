package answer

import (
	"context"
	"errors"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// readPages reads the pages of the best leads side by side and closes at the
// deadline with what has arrived. speed reads none.
func (p *Retriever) readPages(ctx context.Context) {
	if p.Task.Question.Mode == ModeSpeed || len(p.Evidence.Leads) == 0 || p.deps.Reader == nil || p.Tell.CutShort() {
		return
	}
	p.Tell.Begin(StageRead)
	picked := p.bestLeads(ctx, p.Task.Settings.Web.ReadPages)
	opinion := p.prioritise(ctx, picked)
	p.ReadEnough(ctx, picked, p.Task.ReadWait(), enoughPages, pageGrace)
	p.takeOpinion(opinion)
	p.Tell.Emit(p.Tell.Counters)
	p.Tell.Timing.Read = p.Tell.Finish(len(picked), len(p.Evidence.Documents))
}

// readWait is how long quick modes wait for pages.
func (t *Task) ReadWait() time.Duration {
	return time.Duration(t.Settings.Web.ReadCloseMs) * time.Millisecond
}

const (
	enoughPages = 3                      // to answer from; later ones are waited for a little
	pageGrace   = 700 * time.Millisecond // after enough pages
)

// ReadEnough reads pages and closes after the wait, or a little after enough of
// them have come: a slow page holds up no answer.
func (p *Retriever) ReadEnough(ctx context.Context, picked []evidence.Lead, wait time.Duration, enough int, grace time.Duration) {
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
	p.keepPages(p.fetchEach(ctx, picked, wait, came))
}

// readAll reads pages side by side and closes after the wait with what has
// arrived.
func (p *Retriever) ReadAll(ctx context.Context, picked []evidence.Lead, wait time.Duration) {
	p.keepPages(p.FetchPages(ctx, picked, wait))
}

func (p *Retriever) keepPages(arrived []evidence.Document) {
	p.Evidence.Documents = append(p.Evidence.Documents, arrived...)
	p.Tell.Counters.Pages = len(p.Evidence.Documents)
}

// fetchPages reads the pages of leads side by side and gives those that arrived
// before the wait was over. Several may run beside each other.
func (p *Retriever) FetchPages(ctx context.Context, picked []evidence.Lead, wait time.Duration) []evidence.Document {
	return p.fetchEach(ctx, picked, wait, nil)
}

// fetchEach is fetchPages that also tells of each page that came; came has room
// for all of them, or is nil.
func (p *Retriever) fetchEach(ctx context.Context, picked []evidence.Lead, wait time.Duration, came chan<- struct{}) []evidence.Document {
	if p.deps.Reader == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(WithPurpose(ctx, "page"), wait)
	defer cancel()
	pages := make([]*evidence.Document, len(picked))
	places := make(chan struct{}, max(1, p.Task.Settings.Limits.FetchesAtOnce))
	var wg sync.WaitGroup
	for i, lead := range picked {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			if pages[i] = p.readPage(ctx, lead); pages[i] != nil && came != nil {
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

func (p *Retriever) readPage(ctx context.Context, lead evidence.Lead) *evidence.Document {
	p.Tell.Emit(Reading{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.Task.Part})
	began := p.Tell.Now()
	doc, cached, err := p.deps.Reader.Read(ctx, lead)
	if err != nil {
		failed := p.whyUnread(lead, err)
		p.unreadMu.Lock()
		p.Evidence.Failed = append(p.Evidence.Failed, failed)
		p.unreadMu.Unlock()
		p.Tell.Emit(failed)
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
	done := ReadDone{Source: lead.Source.ID, Chars: len([]rune(doc.Text)), Ms: p.Tell.Now().Sub(began).Milliseconds(), From: from, Coverage: doc.Coverage.Share(), Dimension: p.Task.Part}
	if doc.Source.ID != lead.Source.ID {
		done.Document = doc.Source.ID
	}
	p.Tell.Emit(done)
	return &doc
}

func (p *Retriever) whyUnread(lead evidence.Lead, err error) Unread {
	u := Unread{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.Task.Part}
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
