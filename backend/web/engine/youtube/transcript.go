package youtube

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// video is what is known of one.
type video struct {
	id, title, description string
	published              time.Time
	picture                string
	captions               func(ctx context.Context) ([]byte, error) // nil when there are none
}

// TranscriptOptions make a reader of transcripts. Instance gives
// web.video.invidious as it is now, Language ask.language; both may be nil.
// Endpoint makes the client of an instance.
type TranscriptOptions struct {
	web.Access
	Instance func() string
	Language func() string
	Endpoint func(origin string) *http.Client
}

// Transcripts reads videos: what is said in them, with times, else what is said
// of them, else their title. It implements web.Special and is safe for
// concurrent use.
type Transcripts struct {
	opt TranscriptOptions

	mu     sync.Mutex
	origin string
	client *http.Client // of origin
}

var _ web.Special = (*Transcripts)(nil)

// NewTranscripts makes a reader.
func NewTranscripts(opt TranscriptOptions) *Transcripts { return &Transcripts{opt: opt} }

// Claims reports addresses that show a video of YouTube.
func (t *Transcripts) Claims(u *url.URL) bool { return idOf(u) != "" }

// Read gives the text of a video. What cannot be watched is an
// *answer.UnreadError with the reason.
func (t *Transcripts) Read(ctx context.Context, u *url.URL) (evidence.Document, error) {
	id := idOf(u)
	var v video
	var err error
	if base := t.instance(); base != "" {
		v, err = t.fromInstance(ctx, base, id)
	} else {
		v, err = t.fromPlayer(ctx, id)
	}
	if err != nil {
		return evidence.Document{}, err
	}
	doc := evidence.Document{
		Source: evidence.Source{Kind: evidence.Video, Title: v.title, Address: watchAddress(id), MediaType: "text/plain", Published: v.published},
		Image:  v.picture,
	}
	why := "The video has no captions"
	if v.captions != nil {
		why = t.say(ctx, v, &doc)
	}
	if err := ctx.Err(); err != nil {
		return doc, err
	}
	if doc.Text == "" {
		describe(&doc, v, why)
	}
	if doc.Text == "" {
		return doc, &gather.UnreadError{Code: "empty", Reason: why + ", and nothing is said of it."}
	}
	return doc, nil
}

// say fills in the captions; else it tells why there are none.
func (t *Transcripts) say(ctx context.Context, v video, doc *evidence.Document) (why string) {
	data, err := v.captions(ctx)
	if err != nil {
		return "The captions of the video could not be had"
	}
	cues, err := parseCaptions(data)
	if err != nil {
		return "The captions of the video could not be understood"
	}
	if len(cues) == 0 {
		return "The captions of the video are empty"
	}
	doc.Text, doc.Blocks = transcript(cues)
	return ""
}

// describe takes the description for the text, or the title.
func describe(doc *evidence.Document, v video, why string) {
	var out strings.Builder
	for line := range strings.Lines(v.description) {
		if line = web.PlainText(line, 4000); line == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		start := out.Len()
		out.WriteString(line)
		doc.Blocks = append(doc.Blocks, evidence.Block{Start: start, End: out.Len(), Kind: evidence.Paragraph})
	}
	what := "its description"
	if doc.Text = out.String(); doc.Text == "" {
		what, doc.Text = "its title", web.PlainText(v.title, 300)
	}
	if doc.Text != "" {
		doc.Coverage = evidence.Coverage{Truncated: true, Reason: why + "; " + what + " was read."}
	}
}

func (t *Transcripts) instance() string {
	if t.opt.Instance == nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(t.opt.Instance()), "/")
}

// clientOf keeps the client of the instance as long as it is the same.
func (t *Transcripts) clientOf(origin string) *http.Client {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.origin != origin {
		t.origin, t.client = origin, t.opt.Endpoint(origin)
	}
	return t.client
}
