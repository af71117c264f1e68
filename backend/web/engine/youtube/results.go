package youtube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/fault"
	"footnote/backend/web"
)

// Marks of pages that YouTube shows in place of what was asked for.
var (
	consentMark = []byte("https://consent.youtube.com/s")
	captchaMark = []byte(`class="g-recaptcha"`)
)

// readResults reads a page of results: its scripts carry them as data.
func readResults(body []byte) ([]web.Hit, error) {
	switch {
	case bytes.Contains(body, captchaMark):
		return nil, &web.Block{Why: web.BlockCaptcha}
	case bytes.Contains(body, consentMark):
		return nil, fault.Wrap(&web.Block{Why: web.BlockForbidden}, fault.SearchBlocked, "YouTube asks for consent to cookies, which Footnote does not keep.",
			"Set the address of an Invidious instance in the settings.")
	}
	data, err := embedded(body, "ytInitialData")
	if err != nil {
		return nil, err
	}
	if data.At("contents") == nil {
		return nil, web.ErrShape
	}
	w := walker{}
	w.walk(map[string]any(data), 0)
	hits := make([]web.Hit, 0, len(w.found))
	for i, v := range w.found {
		id := v.Text("videoId")
		if !videoID.MatchString(id) {
			continue
		}
		hits = append(hits, web.Hit{
			Title: runs(v, "title"), Address: watchAddress(id), Image: thumbnail(id), Score: 1 / float64(i+1),
			Snippet: about(descriptionOf(v), runs(v, "ownerText"), runs(v, "publishedTimeText"), runs(v, "lengthText")),
		})
	}
	return hits, nil
}

func descriptionOf(v web.Fields) string {
	for _, s := range v.List("detailedMetadataSnippets") {
		return runs(s, "snippetText")
	}
	return runs(v, "descriptionSnippet")
}

// about is the snippet of a video: what is said of it and, behind, whose it is,
// how old and how long.
func about(description string, facts ...string) string {
	facts = slices.DeleteFunc(facts, func(s string) bool { return s == "" })
	origin := strings.Join(facts, ", ")
	switch {
	case origin == "":
		return description
	case description == "":
		return origin
	}
	return description + " (" + origin + ")"
}

// runs is a text as YouTube writes it: in one piece or in several.
func runs(f web.Fields, name string) string {
	text := f.At(name)
	if s := text.Text("simpleText"); s != "" {
		return s
	}
	var b strings.Builder
	for _, run := range text.List("runs") {
		b.WriteString(run.Text("text"))
	}
	return b.String()
}

// embedded is the object that a script of a page gives a name to.
func embedded(page []byte, name string) (web.Fields, error) {
	for rest := page; ; {
		at := bytes.Index(rest, []byte(name))
		if at < 0 {
			return nil, web.ErrShape
		}
		rest = rest[at+len(name):]
		value := bytes.TrimLeft(rest, `"'] `)
		if value = bytes.TrimLeft(bytes.TrimPrefix(value, []byte("=")), " "); !bytes.HasPrefix(value, []byte("{")) {
			continue
		}
		var whole json.RawMessage // more of the page follows
		if err := json.NewDecoder(bytes.NewReader(value)).Decode(&whole); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		f, err := web.Object(whole)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		return f, nil
	}
}

const (
	mostDepth  = 40
	mostVideos = 60
)

// walker collects the videos of a tree of unknown shape, in its order.
type walker struct{ found []web.Fields }

func (w *walker) walk(v any, depth int) {
	if depth > mostDepth || len(w.found) >= mostVideos {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			w.walk(item, depth+1)
		}
	case map[string]any:
		if video, ok := v["videoRenderer"].(map[string]any); ok {
			w.found = append(w.found, video)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.walk(v[key], depth+1)
		}
	}
}

// readInstanceResults reads the answer of the instance at base.
func readInstanceResults(base string) func([]byte) ([]web.Hit, error) {
	return func(body []byte) ([]web.Hit, error) {
		var items []any
		if err := bounded.Unmarshal(body, bounded.Usual, &items); err != nil {
			return nil, err
		}
		var hits []web.Hit
		for i, v := range (web.Fields{"items": items}).List("items") {
			id := v.Text("videoId")
			if kind := v.Text("type"); !videoID.MatchString(id) || kind != "" && kind != "video" {
				continue
			}
			hits = append(hits, web.Hit{
				Title: v.Text("title"), Address: watchAddress(id), Image: instanceThumbnail(base, v), Published: published(v), Score: 1 / float64(i+1),
				Snippet: about(v.Text("description"), v.Text("author"), v.Text("publishedText"), length(v.Number("lengthSeconds"))),
			})
		}
		return hits, nil
	}
}

// instanceThumbnail is a picture of a video at the instance, so that whoever set
// one does not meet YouTube for the picture.
func instanceThumbnail(base string, v web.Fields) string {
	own, err := url.Parse(base)
	if err != nil {
		return ""
	}
	for _, t := range v.List("videoThumbnails") {
		if q := t.Text("quality"); q != "medium" && q != "high" {
			continue
		}
		if u, err := own.Parse(t.Text("url")); err == nil && u.Host == own.Host {
			return u.String()
		}
	}
	return ""
}

func published(v web.Fields) time.Time {
	if n := v.Number("published"); n > 0 && n < 1<<33 {
		return time.Unix(int64(n), 0).UTC()
	}
	return time.Time{}
}

func length(seconds float64) string {
	if seconds <= 0 || seconds > 1<<30 {
		return ""
	}
	return (time.Duration(seconds) * time.Second).String()
}
