// Package changes tells how an answer differs from an earlier one to the same question: in
// what it says, in its sources, and in what these say now.
package changes

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

// Originals reads a file as it is on disk now: one of the library. Shelves that
// can do it let files be compared with what was cited of them. A file that is gone
// or not of the library is fault not-found.
type Originals interface {
	Original(ctx context.Context, path string) (evidence.Document, error)
}

const (
	recheckTime = 25 * time.Second // for all sources of an answer
	rechecks    = 4                // at a time
)

// Passages gives what was cited; an unknown passage is fault not-found.
type Passages interface {
	Passage(ctx context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error)
}

// Comparer holds an answer against an earlier one. It looks at the sources of that as they
// are now.
type Comparer struct {
	Passages  Passages
	Originals Originals     // nil: files are not read again
	Reader    gather.Reader // nil: nor are pages
	Traces    trace.Traces  // nil: what the earlier one was chosen from is not known
	Task      *gather.Task
	Log       *slog.Logger
	Documents []evidence.Document // that were read for the answer
}

// Diff is how an answer differs from that of an earlier run.
func (p *Comparer) Diff(ctx context.Context, before contract.Run, a contract.Answer) *contract.Diff {
	d := &contract.Diff{Run: before.ID, Claims: []contract.ClaimChange{}, Links: []contract.DeadLink{}, Passages: []contract.EditedPassage{}}
	for _, card := range before.Answer.Sources {
		p.Task.Taint.Brought(card.URL)
	}
	docs, dead := p.recheck(ctx, before.Answer.Sources)
	for i, card := range before.Answer.Sources {
		if dead[i] != nil {
			d.Links = append(d.Links, *dead[i])
		}
		if docs[i] != nil {
			d.Passages = append(d.Passages, p.edited(ctx, card, *before.Answer, *docs[i])...)
		}
	}
	d.Sources = plain.Full(p.sourceNews(ctx, before, a.Sources, d))
	if a.Outcome == contract.Computed || len(d.Links)+len(d.Passages)+len(d.Sources) > 0 { // else the same texts were chosen from anew, or told in other words
		d.Claims = plain.Full(claimChanges(before.Answer.Answer, a.Answer))
	}
	return d
}

// sourceNews are the sources that only one answer has, as far as something changed:
// not those that the run before had looked at as they are now, nor those that still
// say what was cited of them.
func (p *Comparer) sourceNews(ctx context.Context, before contract.Run, after []contract.SourceCard, d *contract.Diff) []contract.SourceChange {
	seen := map[evidence.SourceID]bool{}
	if p.Traces != nil {
		ranking, err := p.Traces.Ranking(ctx, before.ID)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			p.Log.Warn("what an answer was chosen from cannot be read", "run", before.ID, "err", err)
		}
		for _, c := range ranking.Candidates {
			seen[c.Source] = true
		}
	}
	return slices.DeleteFunc(sourceChanges(before.Answer.Sources, after), func(c contract.SourceChange) bool {
		lost := slices.ContainsFunc(d.Links, func(l contract.DeadLink) bool { return l.Source == c.Source }) ||
			slices.ContainsFunc(d.Passages, func(e contract.EditedPassage) bool { return e.Source == c.Source })
		return c.Change == contract.New && seen[c.Source] || c.Change == contract.Gone && !lost
	})
}

// recheck reads the sources of an answer as they are now; those that are gone
// come as dead links. What could not be told in time is neither.
func (p *Comparer) recheck(ctx context.Context, cards []contract.SourceCard) ([]*evidence.Document, []*contract.DeadLink) {
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "page"), recheckTime)
	defer cancel()
	docs, dead := make([]*evidence.Document, len(cards)), make([]*contract.DeadLink, len(cards))
	places := make(chan struct{}, rechecks)
	var wg sync.WaitGroup
	for i, card := range cards {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			docs[i], dead[i] = p.readAgain(ctx, card)
		})
	}
	wg.Wait()
	return docs, dead
}

func (p *Comparer) readAgain(ctx context.Context, card contract.SourceCard) (*evidence.Document, *contract.DeadLink) {
	var doc evidence.Document
	var err error
	switch {
	case card.Kind == evidence.Computed, card.Kind == evidence.Pasted, card.Kind == evidence.File && p.Originals == nil, card.Kind != evidence.File && (p.Reader == nil || privacy.LocalOnly(ctx)):
		return nil, nil
	case card.Kind == evidence.File:
		doc, err = p.Originals.Original(ctx, card.Path)
	default:
		if at := slices.IndexFunc(p.Documents, func(d evidence.Document) bool {
			return rank.NormalizeURL(d.Source.Address) == rank.NormalizeURL(card.URL)
		}); at >= 0 {
			return &p.Documents[at], nil
		}
		doc, _, err = p.Reader.Read(ctx, evidence.Lead{Source: evidence.Source{Kind: card.Kind, Title: card.Title, Address: card.URL}})
	}
	if err == nil {
		return &doc, nil
	}
	return nil, deadLink(ctx, card, err)
}

// deadLink is a source that is gone, nil when it only could not be looked at.
func deadLink(ctx context.Context, card contract.SourceCard, err error) *contract.DeadLink {
	dead := contract.DeadLink{Source: card.ID, Title: card.Title, Address: cmp.Or(card.URL, card.Path)}
	var why *gather.UnreadError
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &why):
		if slices.Contains([]string{"timeout", "offline", "local-only", "connection"}, why.Code) {
			return nil
		}
		dead.Code, dead.Reason = why.Code, why.Reason
	case fault.CodeOf(err) == fault.NotFound:
		dead.Code, dead.Reason = string(fault.NotFound), fault.Of(err).Message
	default:
		return nil
	}
	return &dead
}
