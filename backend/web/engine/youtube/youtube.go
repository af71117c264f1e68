// Package youtube finds videos and reads what is said in them, from YouTube
// itself or from an Invidious instance that the reader set.
//
// youtube.go is the search, results.go reads its answers. transcript.go reads a
// video: player.go asks YouTube about it, invidious.go an instance, captions.go
// reads the three forms in which captions come.
package youtube

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// Site is YouTube's own address.
const Site = "https://www.youtube.com"

const (
	queryRunes = 200
)

// uploaded are YouTube's own words for "since", in its filter of results.
var uploaded = map[string]string{"day": "EgIIAg==", "week": "EgIIAw==", "month": "EgIIBA==", "year": "EgIIBQ=="}

// New makes the engine over YouTube's page of results.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Video, QueryRunes: queryRunes,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"search_query": {q.Text}, "hl": {"en"}}
			if since := uploaded[q.Since]; since != "" {
				v.Set("sp", since)
			}
			return web.Get(ctx, c.Base+"/results", v)
		},
		Read: readResults,
	}
}

// NewInstance makes the engine over the Invidious instance at Base.
func NewInstance(c web.Access) gather.Finder {
	c.Label = "Invidious"
	return web.Adapter{
		Access: c, Kind: evidence.Video, QueryRunes: queryRunes, Pages: true,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"q": {q.Text}, "type": {"video"}, "page": {strconv.Itoa(q.Page)}}
			if since := strings.Replace(q.Since, "day", "today", 1); since != "" {
				v.Set("date", since)
			}
			return web.Get(ctx, strings.TrimRight(c.Base, "/")+"/api/v1/search", v)
		},
		Read: readInstanceResults(c.Base),
	}
}

var (
	videoID = regexp.MustCompile(`^[A-Za-z0-9_-]{11}$`)
	hosts   = map[string]bool{
		"youtube.com": true, "www.youtube.com": true, "m.youtube.com": true, "music.youtube.com": true,
		"youtube-nocookie.com": true, "www.youtube-nocookie.com": true,
	}
)

// idOf is the video that an address of YouTube shows; empty when it shows none.
func idOf(u *url.URL) string {
	host, id := strings.ToLower(u.Hostname()), ""
	switch kind, rest, _ := strings.Cut(strings.Trim(u.Path, "/"), "/"); {
	case host == "youtu.be":
		id = kind
	case !hosts[host]:
	case kind == "watch":
		id = u.Query().Get("v")
	case kind == "shorts", kind == "embed", kind == "live", kind == "v":
		id = rest
	}
	if !videoID.MatchString(id) {
		return ""
	}
	return id
}

func watchAddress(id string) string { return Site + "/watch?v=" + id }

func thumbnail(id string) string { return "https://i.ytimg.com/vi/" + id + "/hqdefault.jpg" }
