package app

import (
	"context"
	"net/http"
	"net/url"
	"sync"

	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/store"
	"footnote/backend/web"
)

// clients are the clients of the addresses that the reader set: one each, so that
// all who ask there share its connections. Safe for concurrent use.
type clients struct {
	make func(address string) *http.Client
	mu   sync.Mutex
	made map[string]*http.Client
}

func (c *clients) of(address string) *http.Client {
	address = rootOf(address)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[address] == nil {
		if c.made == nil {
			c.made = make(map[string]*http.Client)
		}
		c.made[address] = c.make(address)
	}
	return c.made[address]
}

// rootOf cuts an address behind its port; one that is none stays as it is.
func rootOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// warmer opens connections to the models and engines that the reader chose.
func (b *builder) warmer(o outside, models *llm.Registry) *web.Warmer {
	w := web.NewWarmer(web.WarmOptions{
		Hosts: func(ctx context.Context, model string) []web.Host { return b.hosts(ctx, o, models, model) },
		Shut:  func() bool { now := b.settings.Now(); return !now.Web.Enabled || now.Privacy.Scope == "local-only" },
		Book:  entries{b.db, "opened"}, Now: b.now, Log: b.log,
	})
	b.defer_(func(context.Context) error { w.Close(); return nil })
	return w
}

// hosts are the servers that a question would go to now. A model that is looked
// for by itself is looked for on this computer.
func (b *builder) hosts(ctx context.Context, o outside, models *llm.Registry, model string) []web.Host {
	var hosts []web.Host
	set := b.settings.Now().Models
	if model == "" {
		model = set.Chat
	}
	for _, want := range []string{model, set.System, set.Rewrite} {
		provider, _, err := models.Find(want)
		if want == "auto" {
			var found llm.Resolved
			found, err = models.Resolve(ctx, want)
			provider = found.Provider
		}
		if err == nil && provider.Origin != "" { // without a model there is nothing to open
			hosts = append(hosts, web.Host{Address: rootOf(provider.Origin) + "/", Client: b.models.of(provider.Origin)})
		}
	}
	for _, address := range o.engines.Chosen(ctx) {
		hosts = append(hosts, web.Host{Address: address, Client: o.clients.of(address)})
	}
	return hosts
}

// entries keeps entries of the ledger in the store.
type entries struct {
	db  *store.DB
	key string
}

func (e entries) Load(ctx context.Context) (kept []privacy.LedgerEntry, err error) {
	_, err = e.db.Preference(ctx, e.key, &kept)
	return kept, err
}

func (e entries) Save(ctx context.Context, kept []privacy.LedgerEntry) error {
	if len(kept) == 0 {
		return e.db.SetPreference(ctx, e.key, nil)
	}
	return e.db.SetPreference(ctx, e.key, kept)
}
