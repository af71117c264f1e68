package api

import (
	"cmp"
	"context"
	"sync"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/privacy"
	"footnote/backend/web"
)

// LookRequest asks for pictures, videos or suggestions.
type LookRequest struct {
	Query string `json:"query"`
}

// DiscoverRequest asks for what is new; an empty topic means anything.
type DiscoverRequest struct {
	Topic string `json:"topic"`
}

// ThingView is something found: a picture, a video or news. Image is a path of
// this server, which kept the picture; empty when it could not be had.
type ThingView struct {
	Source    evidence.SourceID `json:"source"`
	Title     string            `json:"title"`
	URL       string            `json:"url"`
	Domain    string            `json:"domain"`
	Snippet   string            `json:"snippet"`
	Published string            `json:"published,omitempty"`
	Image     string            `json:"image,omitempty"`
	Engine    string            `json:"engine"`
}

// Discovery finds pictures, videos and news, and helps with a question that is
// being typed.
type Discovery struct{ *Rooms }

const mostThings = 24

// Images finds pictures; those whose picture could not be had are left out.
func (s Discovery) Images(ctx context.Context, in LookRequest) (Page[ThingView], error) {
	found, err := s.look(ctx, web.KindImages, gather.WebQuery{Text: in.Query})
	pictured := found.Items[:0]
	for _, thing := range found.Items {
		if thing.Image != "" {
			pictured = append(pictured, thing)
		}
	}
	return PageOf(pictured, ""), err
}

// Videos finds videos.
func (s Discovery) Videos(ctx context.Context, in LookRequest) (Page[ThingView], error) {
	return s.look(ctx, web.KindVideo, gather.WebQuery{Text: in.Query})
}

// News finds what was published of late.
func (s Discovery) News(ctx context.Context, in DiscoverRequest) (Page[ThingView], error) {
	return s.look(ctx, web.KindNews, gather.WebQuery{Text: cmp.Or(in.Topic, "news"), Since: "week"})
}

// Suggestions completes a question that is being typed.
func (s Discovery) Suggestions(ctx context.Context, in LookRequest) (Page[string], error) {
	found, err := s.Engines.Suggest(ctx, in.Query)
	return PageOf(found, ""), err
}

func (s Discovery) look(ctx context.Context, kind string, q gather.WebQuery) (Page[ThingView], error) {
	q.N = mostThings
	leads, err := s.Engines.Look(ctx, kind, q)
	if err != nil {
		return PageOf[ThingView](nil, ""), err
	}
	things := make([]ThingView, len(leads))
	for i, l := range leads {
		// One page may have several pictures: each is a thing of its own.
		leads[i].Source.ID = evidence.NewSourceID(l.Source.Kind, l.Source.Address, evidence.Digest([]byte(l.Image)))
		things[i] = ThingView{
			Source: leads[i].Source.ID, Title: l.Source.Title, URL: l.Source.Address, Domain: evidence.Domain(l.Source.Address), Snippet: l.Snippet, Engine: l.Via,
		}
		if !l.Source.Published.IsZero() {
			things[i].Published = l.Source.Published.Format(time.DateOnly)
		}
	}
	s.keepPictures(ctx, leads, things)
	return PageOf(things, ""), nil
}

// keepPictures fetches the pictures side by side, so that a page never loads one
// from a stranger.
func (s Discovery) keepPictures(ctx context.Context, leads []evidence.Lead, things []ThingView) {
	if s.Pictures == nil {
		return
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(ctx, "image"), time.Duration(s.Settings.Now().Web.ImageTimeoutMs)*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for i, l := range leads {
		if l.Image == "" {
			continue
		}
		wg.Go(func() {
			if err := s.Pictures.Keep(ctx, l.Source.ID, l.Image); err != nil {
				s.Log.Info("no picture of a thing found", "source", l.Source.ID, "err", err)
				return
			}
			things[i].Image = "/api/sources/" + string(l.Source.ID) + "/image"
		})
	}
	wg.Wait()
}
