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
func (p *pipeline) readPages(ctx context.Context) {
	if p.q.Mode == ModeSpeed || len(p.leads) == 0 || p.Reader == nil || p.cutShort() {
		return
	}
	p.begin(StageRead)
	picked := p.bestLeads(ctx, p.s.Web.ReadPages)
	opinion := p.prioritise(ctx, picked)
	p.readEnough(ctx, picked, p.readWait(), enoughPages, pageGrace)
	p.takeOpinion(opinion)
	p.emit(p.counters)
	p.timing.Read = p.finish(len(picked), len(p.pages))
}

// readWait is how long quick modes wait for pages.
func (p *pipeline) readWait() time.Duration {
	return time.Duration(p.s.Web.ReadCloseMs) * time.Millisecond
}

const (
	enoughPages = 3                      // to answer from; later ones are waited for a little
	pageGrace   = 700 * time.Millisecond // after enough pages
)

// readEnough reads pages and closes after the wait, or a little after enough of
// them have come: a slow page holds up no answer.
func (p *pipeline) readEnough(ctx context.Context, picked []evidence.Lead, wait time.Duration, enough int, grace time.Duration) {
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
func (p *pipeline) readAll(ctx context.Context, picked []evidence.Lead, wait time.Duration) {
	p.keepPages(p.fetchPages(ctx, picked, wait))
}

func (p *pipeline) keepPages(arrived []evidence.Document) {
	p.pages = append(p.pages, arrived...)
	p.counters.Pages = len(p.pages)
}

// fetchPages reads the pages of leads side by side and gives those that arrived
// before the wait was over. Several may run beside each other.
func (p *pipeline) fetchPages(ctx context.Context, picked []evidence.Lead, wait time.Duration) []evidence.Document {
	return p.fetchEach(ctx, picked, wait, nil)
}

// fetchEach is fetchPages that also tells of each page that came; came has room
// for all of them, or is nil.
func (p *pipeline) fetchEach(ctx context.Context, picked []evidence.Lead, wait time.Duration, came chan<- struct{}) []evidence.Document {
	if p.Reader == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(WithPurpose(ctx, "page"), wait)
	defer cancel()
	pages := make([]*evidence.Document, len(picked))
	places := make(chan struct{}, max(1, p.s.Limits.FetchesAtOnce))
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

func (p *pipeline) readPage(ctx context.Context, lead evidence.Lead) *evidence.Document {
	p.emit(Reading{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.part})
	began := p.now()
	doc, cached, err := p.Reader.Read(ctx, lead)
	if err != nil {
		failed := p.whyUnread(lead, err)
		p.unreadMu.Lock()
		p.failed = append(p.failed, failed)
		p.unreadMu.Unlock()
		p.emit(failed)
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
	p.emit(ReadDone{Source: doc.Source.ID, Chars: len([]rune(doc.Text)), Ms: p.now().Sub(began).Milliseconds(), From: from, Coverage: doc.Coverage.Share(), Dimension: p.part})
	return &doc
}

func (p *pipeline) whyUnread(lead evidence.Lead, err error) Unread {
	u := Unread{Source: lead.Source.ID, Address: lead.Source.Address, Dimension: p.part}
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
