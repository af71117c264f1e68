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
func (p *retriever) readPages(ctx context.Context) {
	if p.task.Question.Mode == ModeSpeed || len(p.evidence.Leads) == 0 || p.deps.Reader == nil || p.tell.cutShort() {
		return
	}
	p.tell.begin(StageRead)
	picked := p.bestLeads(ctx, p.task.Settings.Web.ReadPages)
	opinion := p.prioritise(ctx, picked)
	p.readEnough(ctx, picked, p.task.readWait(), enoughPages, pageGrace)
	p.takeOpinion(opinion)
	p.tell.emit(p.tell.counters)
	p.tell.timing.Read = p.tell.finish(len(picked), len(p.evidence.Documents))
}

// readWait is how long quick modes wait for pages.
func (t *Task) readWait() time.Duration {
	return time.Duration(t.Settings.Web.ReadCloseMs) * time.Millisecond
}

const (
	enoughPages = 3                      // to answer from; later ones are waited for a little
	pageGrace   = 700 * time.Millisecond // after enough pages
)

// readEnough reads pages and closes after the wait, or a little after enough of
// them have come: a slow page holds up no answer.
func (p *retriever) readEnough(ctx context.Context, picked []evidence.Lead, wait time.Duration, enough int, grace time.Duration) {
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
func (p *retriever) readAll(ctx context.Context, picked []evidence.Lead, wait time.Duration) {
	p.keepPages(p.fetchPages(ctx, picked, wait))
}

func (p *retriever) keepPages(arrived []evidence.Document) {
	p.evidence.Documents = append(p.evidence.Documents, arrived...)
	p.tell.counters.Pages = len(p.evidence.Documents)
}

// fetchPages reads the pages of leads side by side and gives those that arrived
// before the wait was over. Several may run beside each other.
func (p *retriever) fetchPages(ctx context.Context, picked []evidence.Lead, wait time.Duration) []evidence.Document {
	return p.fetchEach(ctx, picked, wait, nil)
}

// fetchEach is fetchPages that also tells of each page that came; came has room
// for all of them, or is nil.
func (p *retriever) fetchEach(ctx context.Context, picked []evidence.Lead, wait time.Duration, came chan<- struct{}) []evidence.Document {
	if p.deps.Reader == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(WithPurpose(ctx, "page"), wait)
	defer cancel()
	pages := make([]*evidence.Document, len(picked))
	places := make(chan struct{}, max(1, p.task.Settings.Limits.FetchesAtOnce))
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

func (p *retriever) readPage(ctx context.Context, lead evidence.Lead) *evidence.Document {
	p.tell.emit(Reading{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.task.Part})
	began := p.tell.now()
	doc, cached, err := p.deps.Reader.Read(ctx, lead)
	if err != nil {
		failed := p.whyUnread(lead, err)
		p.unreadMu.Lock()
		p.evidence.Failed = append(p.evidence.Failed, failed)
		p.unreadMu.Unlock()
		p.tell.emit(failed)
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
	p.tell.emit(ReadDone{Source: doc.Source.ID, Chars: len([]rune(doc.Text)), Ms: p.tell.now().Sub(began).Milliseconds(), From: from, Coverage: doc.Coverage.Share(), Dimension: p.task.Part})
	return &doc
}

func (p *retriever) whyUnread(lead evidence.Lead, err error) Unread {
	u := Unread{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.task.Part}
	var why *UnreadError
	switch {
	case ended(err):
		u.Code, u.Reason = "timeout", "The page did not arrive in time."
	case errors.As(err, &why):
		u.Code, u.Reason = why.Code, why.Reason
	default:
		f := fault.Of(err)
		u.Code, u.Reason = string(f.Code), f.Message
	}
	return u
}
