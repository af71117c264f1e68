package app

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/extract"
	"footnote/backend/registry"
	"footnote/backend/store"
	"footnote/backend/web"
	"footnote/backend/web/browser"
	"footnote/backend/web/engine/arxiv"
	"footnote/backend/web/engine/brave"
	"footnote/backend/web/engine/crossref"
	"footnote/backend/web/engine/duckduckgo"
	"footnote/backend/web/engine/europepmc"
	"footnote/backend/web/engine/exa"
	"footnote/backend/web/engine/hackernews"
	"footnote/backend/web/engine/keenable"
	"footnote/backend/web/engine/lemmy"
	"footnote/backend/web/engine/mojeek"
	"footnote/backend/web/engine/openalex"
	"footnote/backend/web/engine/pubmed"
	"footnote/backend/web/engine/searxng"
	"footnote/backend/web/engine/semanticscholar"
	"footnote/backend/web/engine/serper"
	"footnote/backend/web/engine/stackexchange"
	"footnote/backend/web/engine/tavily"
	"footnote/backend/web/engine/wikipedia"
	"footnote/backend/web/engine/wolfram"
	"footnote/backend/web/engine/youtube"
)

// outside is what reaches beyond this machine.
type outside struct {
	client   *http.Client // the guarded one
	desk     *web.Desk
	clients  *clients
	searcher *web.Searcher
	reader   *web.Reader
	pictures *web.Pictures
}

// web builds the one way out: the guard, the reader with its cache, and the
// engines with their decorators.
func (b *builder) web(dir string, pool, drawer *extract.Pool) outside {
	now := b.settings.Now
	guard := web.NewGuard(func() []string { return now().Privacy.AllowedPrivateOrigins }).Blocking(b.blocked)
	scope := func() string { return now().Privacy.Scope }
	client := web.NewClient(web.Options{Guard: guard, Scope: scope, UserAgent: func() string { return now().Web.UserAgent }})
	own := &clients{make: func(origin string) *http.Client { return web.NewEndpointClient(origin, scope) }}
	cache := web.NewCache(web.CacheOptions{
		Dir: filepath.Join(dir, "cache", "pages"), Entries: func() int { return now().Web.CacheEntries },
		TTL: func() time.Duration { return time.Duration(now().Web.CacheHours) * time.Hour }, Now: b.now, Log: b.log,
	})
	reader := web.NewReader(web.ReaderOptions{
		Client: client, Guard: guard, Cache: cache, Extract: pool.ExtractBytes, Robots: func() bool { return now().Web.Robots },
		Timeout:  func() time.Duration { return time.Duration(now().Web.FetchTimeoutS) * time.Second },
		Specials: []web.Special{b.transcripts(client, own.of)}, Browser: b.browser(client, dir), Now: b.now, Log: b.log,
	})
	var desk *web.Desk
	table := b.engineTable(web.Access{Client: client, Guard: guard}, own.of, func() []web.Engine { return desk.General() })
	desk = web.NewDesk(table, now, b.decorated, b.now)
	pictures := web.NewPictures(web.PicturesOptions{Client: client, Guard: guard, Dir: filepath.Join(dir, "pictures"), Redraw: drawer.Redraw})
	return outside{client, desk, own, web.NewSearcher(desk.Engines, b.searchPlan, b.now), reader, pictures}
}

// blocked reports hosts that a lens of the reader blocks. When the lenses cannot
// be read, the net stays shut.
func (b *builder) blocked(host string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	lenses, err := b.db.Lenses(ctx)
	if err != nil {
		b.log.Error("read lenses", "err", err)
		return true
	}
	return lenses.OfHost(host) == contract.Block
}

func (b *builder) searchPlan() web.SearchPlan {
	w := b.settings.Now().Web
	return web.SearchPlan{
		Order: w.Engines, Keyless: w.Keyless, Parallel: w.Parallel,
		Close: time.Duration(w.CloseMs) * time.Millisecond, Timeout: time.Duration(w.TimeoutMs) * time.Millisecond,
	}
}

// decorated puts politeness, patience, memory and a breaker before an engine.
func (b *builder) decorated(line web.Line, finder gather.Finder) *web.Breaker {
	now := b.settings.Now
	finder = web.NewPolite(finder, web.PoliteOptions{Interval: line.Pace, Now: b.now, Random: rand.Float64})
	finder = web.NewRetry(finder, func() (int, time.Duration) {
		return now().Web.Retries, time.Duration(now().Web.RetryMs) * time.Millisecond
	})
	finder = web.NewRecall(finder, 10*time.Minute, b.now)
	return web.NewBreaker(finder, web.BreakerOptions{
		Name: line.Name, States: engineStates{b.db}, Now: b.now, Log: b.log,
		Limits: func() web.BreakerLimits {
			l := now().Web.Breaker
			return web.BreakerLimits{Blocks: l.Blocks, Forbidden: l.Forbidden.Duration, TooMany: l.TooMany.Duration, Max: l.Max.Duration}
		},
	})
}

// engineStates keeps what breakers know in the store.
type engineStates struct{ db *store.DB }

func (s engineStates) Load(ctx context.Context, engine string) (state web.EngineState, err error) {
	_, err = s.db.Preference(ctx, "engine."+engine, &state)
	return state, err
}

func (s engineStates) Save(ctx context.Context, engine string, state web.EngineState) error {
	return s.db.SetPreference(ctx, "engine."+engine, state)
}

// makers make the engines that are asked alike.
var makers = map[string]func(web.Access) gather.Finder{
	brave.Name: brave.New, serper.Name: serper.New, exa.Name: exa.New, tavily.Name: tavily.New, keenable.Name: keenable.New, duckduckgo.Name: duckduckgo.New, mojeek.Name: mojeek.New,
	openalex.Name: openalex.New, arxiv.Name: arxiv.New, crossref.Name: crossref.New, pubmed.Name: pubmed.New, semanticscholar.Name: semanticscholar.New, europepmc.Name: europepmc.New,
	hackernews.Name: hackernews.New, stackexchange.Name: stackexchange.New, lemmy.Name: lemmy.New,
}

// engineTable is the registry with what makes each engine. sites gives the
// engines through which a site is searched that cannot be asked itself.
func (b *builder) engineTable(a web.Access, endpoint func(string) *http.Client, sites func() []web.Engine) []web.Line {
	now := b.settings.Now
	a.Now, a.Mail = b.now, func() string { return now().Web.Academic.Mailto }
	searxngAt := func() string { return now().Web.Searxng.URL }
	own := map[string]web.Line{
		searxng.Name: {Address: searxngAt, At: searxngAt, Idle: "/healthz", Make: func(address string) gather.Finder {
			return searxng.New(searxng.Config{BaseURL: address, Client: endpoint(address), Guard: a.Guard, Now: b.now})
		}},
		serper.Name: {Address: func() string { return now().Web.Serper.URL }},
		wikipedia.Name: {Make: func(string) gather.Finder {
			return wikipedia.New(wikipedia.Config{Client: a.Client, Guard: a.Guard, Now: b.now, Language: func() string { return now().Ask.Language }})
		}},
		"reddit": {Make: func(string) gather.Finder { return web.NewSite("reddit", "reddit.com", sites) }},
		youtube.Name: {Address: func() string { return cmp.Or(now().Web.Video.Invidious, youtube.Site) },
			Make: func(address string) gather.Finder { return videos(a, address, endpoint) }},
	}
	var lines []web.Line
	for _, e := range registry.Engines() {
		l := own[e.Name]
		l.Name, l.Kinds, l.Consent, l.Pace = e.Name, e.Kinds, e.Consent, e.Pace
		l.NeedsKey, l.Keyless = e.Key == registry.Needed, e.Key != registry.Needed && e.Name != searxng.Name
		switch make := makers[e.Name]; {
		case make == nil: // made in its own way
		case e.Key == registry.Keyless:
			l.Make = func(string) gather.Finder { return make(a) }
		default:
			l = b.keyed(l, e.Base, a, endpoint, make)
		}
		lines = append(lines, l)
	}
	return lines
}

// keyed has an engine's key go to the origin it is for, and nowhere else.
func (b *builder) keyed(l web.Line, base string, a web.Access, endpoint func(string) *http.Client, make func(web.Access) gather.Finder) web.Line {
	l.Key = b.key(l.Name)
	l.At = func() string { return base }
	if l.Address != nil {
		l.At = l.Address
	}
	l.Make = func(address string) gather.Finder {
		own := a
		own.Key, own.Base = l.Key, cmp.Or(address, base)
		own.Client = endpoint(own.Base)
		return make(own)
	}
	return l
}

// videos finds videos at YouTube or, where another address is set, through the
// Invidious instance there.
func videos(a web.Access, address string, endpoint func(string) *http.Client) gather.Finder {
	if address == youtube.Site {
		return youtube.New(a)
	}
	a.Base, a.Client = address, endpoint(address)
	return youtube.NewInstance(a)
}

// browser is the installed one, as long as the settings allow its use.
func (b *builder) browser(client *http.Client, dir string) func() web.Renderer {
	installed := browser.New(browser.Options{Client: client, Dir: filepath.Join(dir, "cache", "browser")})
	return func() web.Renderer {
		if !b.settings.Now().Web.Browser {
			return nil
		}
		return installed
	}
}

// transcripts reads videos at the same place.
func (b *builder) transcripts(client *http.Client, endpoint func(string) *http.Client) web.Special {
	now := b.settings.Now
	return youtube.NewTranscripts(youtube.TranscriptOptions{
		Access: web.Access{Client: client, Now: b.now}, Instance: func() string { return now().Web.Video.Invidious },
		Language: func() string { return now().Ask.Language }, Endpoint: endpoint,
	})
}

// key gives a key as it is now, empty without one.
func (b *builder) key(name string) func() string {
	return func() string {
		secret, _ := b.keys.Get(name)
		return secret.Reveal()
	}
}

// computer is the service that computes where a key for it is set.
func (b *builder) computer() answer.Computer {
	now := b.settings.Now
	base := registry.Computer().Base
	a := web.Access{
		Base: base, Client: web.NewEndpointClient(base, func() string { return now().Privacy.Scope }), Now: b.now, Key: b.key(wolfram.Name),
	}
	return wolfram.New(a, func() string { return now().Web.Compute.Wolfram })
}
