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
	"footnote/backend/web/engine"
	"footnote/backend/web/engine/searxng"
	"footnote/backend/web/engine/wikipedia"
	"footnote/backend/web/engine/wolfram"
	"footnote/backend/web/engine/youtube"
)

// outside is what reaches beyond this machine.
type outside struct {
	client   *http.Client // the guarded one
	engines  *web.EngineRegistry
	clients  *clients
	searcher *web.Searcher
	reader   *web.Reader
	pictures *web.Pictures
	pages    *web.Cache
}

// web builds the one way out: the guard, the reader with its cache, and the
// engines with their decorators.
func (b *builder) web(dir string, pool, drawer *extract.Pool) outside {
	now := b.settings.Now
	guard := web.NewGuard(func() []string { return now().Privacy.AllowedPrivateOrigins }).Blocking(b.blocked)
	scope := func() string { return now().Privacy.Scope }
	client := web.Booked(web.NewClient(web.Options{Guard: guard, Scope: scope, UserAgent: func() string { return now().Web.UserAgent }}), b.aside)
	own := &clients{make: func(origin string) *http.Client { return web.Booked(web.NewEndpointClient(origin, scope), b.aside) }}
	cache := web.NewCache(web.CacheOptions{
		Dir: filepath.Join(dir, "cache", "pages"), Entries: func() int { return now().Web.CacheEntries },
		TTL: func() time.Duration { return time.Duration(now().Web.CacheHours) * time.Hour }, Now: b.now, Log: b.log,
	})
	reader := web.NewReader(web.ReaderOptions{
		Client: client, Guard: guard, Cache: cache, Extract: pool.ExtractBytes, Robots: func() bool { return now().Web.Robots },
		Timeout:  func() time.Duration { return time.Duration(now().Web.FetchTimeoutS) * time.Second },
		Specials: []web.Special{b.transcripts(client, own.of)}, Browser: b.browser(client, dir), Now: b.now, Log: b.log,
	})
	var engines *web.EngineRegistry
	table := b.engineTable(web.Access{Client: client, Guard: guard}, own.of, func() []web.Engine { return engines.General() })
	engines = web.NewEngineRegistry(table, now, b.decorated, b.now)
	pictures := web.NewPictures(web.PicturesOptions{Client: client, Guard: guard, Dir: filepath.Join(dir, "pictures"), Redraw: drawer.Redraw})
	return outside{client, engines, own, web.NewSearcher(engines.Engines, b.searchPlan, b.now), reader, pictures, cache}
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

// engineTable is the registry with what makes each engine. sites gives the
// engines through which a site is searched that cannot be asked itself.
func (b *builder) engineTable(a web.Access, endpoint func(string) *http.Client, sites func() []web.Engine) []web.Line {
	now := b.settings.Now
	a.Now, a.Mail = b.now, func() string { return now().Web.Academic.Mailto }
	var lines []web.Line
	for _, e := range registry.Engines() {
		a := a.Of(e)
		l := b.ownWay(a, endpoint, sites)
		l.Name, l.Kinds, l.Consent, l.Pace = e.Name, e.Kinds, e.Consent, e.Pace
		l.NeedsKey, l.Keyless = e.Key == registry.Needed, e.Key != registry.Needed && e.Name != "searxng"
		switch make := engine.Makers[e.Name]; {
		case make == nil: // made in its own way
		case e.Key == registry.Keyless:
			l.Make = func(string) gather.Finder { return make(a) }
		default:
			l = b.keyed(l, a, endpoint, make)
		}
		lines = append(lines, l)
	}
	return lines
}

// ownWay is what an engine has beside its entry: an address of the settings, or a
// maker that takes more than the others'.
func (b *builder) ownWay(a web.Access, endpoint func(string) *http.Client, sites func() []web.Engine) web.Line {
	now := b.settings.Now
	switch a.Name {
	case "searxng":
		at := func() string { return now().Web.Searxng.URL }
		return web.Line{Address: at, At: at, Idle: "/healthz", Make: func(address string) gather.Finder {
			a.Base, a.Client = address, endpoint(address)
			return searxng.New(a)
		}}
	case "serper":
		return web.Line{Address: func() string { return now().Web.Serper.URL }}
	case "wikipedia":
		return web.Line{Make: func(string) gather.Finder { return wikipedia.New(a, func() string { return now().Ask.Language }) }}
	case "reddit":
		return web.Line{Make: func(string) gather.Finder { return web.NewSite(a.Name, "reddit.com", sites) }}
	case "youtube":
		return web.Line{Address: func() string { return cmp.Or(now().Web.Video.Invidious, a.Base) },
			Make: func(address string) gather.Finder { return videos(a, address, endpoint) }}
	}
	return web.Line{}
}

// keyed has an engine's key go to the origin it is for, and nowhere else.
func (b *builder) keyed(l web.Line, a web.Access, endpoint func(string) *http.Client, make func(web.Access) gather.Finder) web.Line {
	l.Key = b.key(l.Name)
	l.At = func() string { return a.Base }
	if l.Address != nil {
		l.At = l.Address
	}
	l.Make = func(address string) gather.Finder {
		own := a
		own.Key, own.Base = l.Key, cmp.Or(address, a.Base)
		own.Client = endpoint(own.Base)
		return make(own)
	}
	return l
}

// videos finds videos at YouTube or, where another address is set, through the
// Invidious instance there.
func videos(a web.Access, address string, endpoint func(string) *http.Client) gather.Finder {
	if address == a.Base {
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
		Access: web.Access{Base: youtube.Site, Client: client, Now: b.now}, Instance: func() string { return now().Web.Video.Invidious },
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
	a := web.Access{Now: b.now, Key: b.key("wolfram")}.Of(registry.Computer())
	a.Client = web.NewEndpointClient(a.Base, func() string { return now().Privacy.Scope })
	return wolfram.New(a, func() string { return now().Web.Compute.Wolfram })
}
