package answer

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/privacy"
)

// Pictures fetches and keeps the previews of web sources. Keep returns when the
// picture of a source is kept; what is kept already is not fetched again.
type Pictures interface {
	Keep(ctx context.Context, id evidence.SourceID, address string) error
}

// pictured names the sources that have a kept preview now.
type pictured map[evidence.SourceID]bool

// FetchPictures starts to fetch the previews of the web sources, side by side
// with the writing. The channel gives those that came in time, exactly once; it
// is nil where there is nothing to fetch.
func (p *Pipeline) FetchPictures(ctx context.Context) <-chan pictured {
	wanted := p.pictureAddresses()
	if len(wanted) == 0 {
		return nil
	}
	out := make(chan pictured, 1)
	go func() {
		ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "image"), time.Duration(p.Task.Settings.Web.ImageTimeoutMs)*time.Millisecond)
		defer cancel()
		kept := make(chan evidence.SourceID, len(wanted))
		for id, address := range wanted {
			go func() {
				if err := p.engine.Pictures.Keep(ctx, id, address); err != nil {
					p.Tell.Log.Info("no picture of a source", "source", id, "err", err)
					id = ""
				}
				kept <- id
			}()
		}
		out <- inTime(ctx, kept, len(wanted))
	}()
	return out
}

// inTime collects what comes before the context ends: a picture is not waited for
// longer, whatever it is doing.
func inTime(ctx context.Context, kept <-chan evidence.SourceID, n int) pictured {
	have := pictured{}
	for range n {
		select {
		case id := <-kept:
			if id != "" {
				have[id] = true
			}
		case <-ctx.Done():
			return have
		}
	}
	return have
}

// pictureAddresses gives the address of a preview for each web source that has
// one; the same picture is looked up once.
func (p *Pipeline) pictureAddresses() map[evidence.SourceID]string {
	if p.engine.Pictures == nil || !p.Task.Settings.Web.Images || p.Task.Question.Private || p.Tell.CutShort() {
		return nil
	}
	of := map[string]string{}
	for _, lead := range p.Evidence.Leads {
		of[lead.Source.Address] = lead.Image
	}
	for _, doc := range p.Evidence.Documents {
		if doc.Image != "" {
			of[doc.Source.Address] = doc.Image
		}
	}
	wanted, seen := map[evidence.SourceID]string{}, map[string]bool{}
	for _, card := range p.Selection.Cards {
		if at := of[card.URL]; card.URL != "" && at != "" && !seen[at] {
			seen[at] = true
			wanted[card.ID] = at
		}
	}
	return wanted
}

// AddPictures puts the previews that came onto the cards.
func (p *Pipeline) AddPictures(came <-chan pictured) {
	if came == nil {
		return
	}
	p.Tell.Begin(contract.StageImages)
	have := <-came
	for i, card := range p.Selection.Cards {
		if have[card.ID] {
			path := "/api/sources/" + string(card.ID) + "/image"
			p.Selection.Cards[i].Image = &path
			p.Tell.Emit(contract.Picture{Source: card.ID, Image: path})
		}
	}
	p.Tell.Timing.Images = p.Tell.Finish(len(p.Selection.Cards), len(have))
}
