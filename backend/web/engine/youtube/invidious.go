package youtube

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

// fromInstance asks an Invidious instance about a video; YouTube is not
// contacted.
func (t *Transcripts) fromInstance(ctx context.Context, base, id string) (video, error) {
	client := t.clientOf(base)
	body, err := fetch(ctx, client, base+"/api/v1/videos/"+id)
	var refused *gather.UnreadError
	if errors.As(err, &refused) && refused.Code == "http-500" {
		return video{}, &gather.UnreadError{Code: "unplayable", Reason: "The Invidious instance does not show this video.", Cause: err}
	}
	if err != nil {
		return video{}, err
	}
	about, err := web.Object(body)
	if err != nil || about.Text("title") == "" {
		return video{}, &gather.UnreadError{Code: "bad-response", Reason: "The answer of the Invidious instance could not be understood.", Cause: err}
	}
	v := video{id: id, title: about.Text("title"), description: about.Text("description"), published: published(about), picture: instanceThumbnail(base, about)}
	if address := t.instanceTrack(base, about); address != "" {
		v.captions = func(ctx context.Context) ([]byte, error) { return fetch(ctx, client, address) }
	}
	return v, nil
}

func fetch(ctx context.Context, client *http.Client, address string) ([]byte, error) {
	req, err := web.Get(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	return web.FetchBody(client, req)
}

// instanceTrack is the address of the captions to read: in the reader's language
// before others, written ones before heard ones.
func (t *Transcripts) instanceTrack(base string, about web.Fields) string {
	own := ""
	if t.opt.Language != nil {
		own = language(t.opt.Language())
	}
	best, most := "", -1
	for _, c := range about.List("captions") {
		u, err := url.Parse(c.Text("url"))
		if err != nil || !strings.HasPrefix(u.Path, "/api/v1/captions/") {
			continue
		}
		score := 0
		if !strings.Contains(c.Text("label"), "auto-generated") {
			score++
		}
		if language(c.Text("languageCode", "language_code")) == own {
			score += 2
		}
		if score > most {
			best, most = base+u.Path+"?"+u.RawQuery, score
		}
	}
	return best
}
