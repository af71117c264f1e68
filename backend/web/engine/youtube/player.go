package youtube

import (
	"bytes"
	"context"
	"net/url"
	"regexp"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

var playerKey = regexp.MustCompile(`"INNERTUBE_API_KEY":\s*"([a-zA-Z0-9_-]+)"`)

// fromPlayer asks YouTube: the page of the video names a key, with it the player
// tells where the captions are.
func (t *Transcripts) fromPlayer(ctx context.Context, id string) (video, error) {
	page, err := t.watchPage(ctx, id)
	if err != nil {
		return video{}, err
	}
	shown, _ := embedded(page, "ytInitialPlayerResponse") // a page without it still has a key
	player := shown
	if key := playerKey.FindSubmatch(page); key != nil {
		if player, err = t.askPlayer(ctx, id, string(key[1])); err != nil {
			return video{}, err
		}
	}
	if player == nil {
		return video{}, &gather.UnreadError{Code: "bad-response", Reason: "YouTube's page of the video is not as it used to be."}
	}
	if refused := unplayable(player.At("playabilityStatus")); refused != nil {
		return video{}, refused
	}
	about := player.At("videoDetails")
	v := video{
		id: id, title: about.Text("title"), description: about.Text("shortDescription"), picture: thumbnail(id),
		published: shown.At("microformat", "playerMicroformatRenderer").Time("publishDate", "uploadDate"),
	}
	if address := t.track(player); address != "" {
		v.captions = func(ctx context.Context) ([]byte, error) { return t.get(ctx, address) }
	}
	return v, nil
}

func (t *Transcripts) watchPage(ctx context.Context, id string) ([]byte, error) {
	page, err := t.get(ctx, t.opt.Base+"/watch?v="+id+"&hl=en")
	switch {
	case err != nil:
		return nil, err
	case bytes.Contains(page, consentMark):
		return nil, &gather.UnreadError{Code: "consent", Reason: "YouTube asks for consent to cookies before it shows the video."}
	case bytes.Contains(page, captchaMark):
		return nil, &gather.UnreadError{Code: "captcha", Reason: "YouTube takes no more requests for now: it asks whether a person is there."}
	}
	return page, nil
}

func (t *Transcripts) get(ctx context.Context, address string) ([]byte, error) {
	req, err := web.Get(ctx, address, nil, "Accept", "*/*")
	if err != nil {
		return nil, err
	}
	return web.FetchBody(t.opt.Client, req)
}

func (t *Transcripts) askPlayer(ctx context.Context, id, key string) (web.Fields, error) {
	client := map[string]any{"clientName": "ANDROID", "clientVersion": "20.10.38"}
	req, err := web.Post(ctx, t.opt.Base+"/youtubei/v1/player?key="+url.QueryEscape(key),
		map[string]any{"context": map[string]any{"client": client}, "videoId": id})
	if err != nil {
		return nil, err
	}
	body, err := web.FetchBody(t.opt.Client, req)
	if err != nil {
		return nil, err
	}
	player, err := web.Object(body)
	if err != nil {
		return nil, &gather.UnreadError{Code: "bad-response", Reason: "YouTube's answer about the video could not be understood.", Cause: err}
	}
	return player, nil
}

// unplayable says in a reader's words why a video is not played; nil when it is.
func unplayable(status web.Fields) *gather.UnreadError {
	reason := status.Text("reason")
	lower := strings.ToLower(reason)
	switch kind := status.Text("status"); {
	case kind == "OK", kind == "":
		return nil
	case kind == "LOGIN_REQUIRED" && strings.Contains(lower, "bot"):
		return &gather.UnreadError{Code: "blocked", Reason: "YouTube refused: it asks to sign in, to prove that a person is there."}
	case kind == "LOGIN_REQUIRED" && strings.Contains(lower, "inappropriate"):
		return &gather.UnreadError{Code: "age-restricted", Reason: "YouTube shows this video to signed-in adults only."}
	case kind == "LOGIN_REQUIRED":
		return &gather.UnreadError{Code: "blocked", Reason: "YouTube shows this video to signed-in people only."}
	case kind == "ERROR" && strings.Contains(lower, "unavailable"):
		return &gather.UnreadError{Code: "http-404", Reason: "The video does not exist any more."}
	}
	said := []string{reason}
	for _, run := range status.At("errorScreen", "playerErrorMessageRenderer", "subreason").List("runs") {
		said = append(said, run.Text("text"))
	}
	why := web.PlainText(strings.Join(said, " "), 200)
	if why == "" {
		why = "it gives no reason."
	}
	return &gather.UnreadError{Code: "unplayable", Reason: "YouTube does not play this video: " + why}
}

// track is the address of the captions to read: those that a person wrote in the
// language that is spoken, or in the reader's, before those that a machine heard.
func (t *Transcripts) track(player web.Fields) string {
	spoken, best, most := "", "", -1
	tracks := player.At("captions", "playerCaptionsTracklistRenderer").List("captionTracks")
	for _, c := range tracks {
		if c.Text("kind") == "asr" {
			spoken = language(c.Text("languageCode"))
		}
	}
	own := ""
	if t.opt.Language != nil {
		own = language(t.opt.Language())
	}
	for _, c := range tracks {
		address := t.captionAddress(c.Text("baseUrl"))
		if address == "" {
			continue
		}
		score, in := 0, language(c.Text("languageCode"))
		if c.Text("kind") != "asr" {
			score++
		}
		if in == spoken {
			score += 2
		}
		if in == own {
			score += 4
		}
		if score > most {
			best, most = address, score
		}
	}
	return best
}

// language is the first part of a language's code.
func language(code string) string {
	code, _, _ = strings.Cut(strings.ToLower(code), "-")
	return code
}

// captionAddress keeps path and query of what the player gave, never its host;
// the format is the plain one.
func (t *Transcripts) captionAddress(raw string) string {
	u, err := url.Parse(raw)
	if raw == "" || err != nil || !strings.HasPrefix(u.Path, "/api/timedtext") {
		return ""
	}
	q := u.Query()
	q.Del("fmt")
	return t.opt.Base + u.Path + "?" + q.Encode()
}
