package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/disk"
	"footnote/backend/evidence"
)

// cachedBytes is how much of a kept page is read: its text with all that JSON adds,
// and its blocks.
const cachedBytes = 8 * decodedBytes

// CacheOptions make a page cache. Entries and TTL give web.cache_entries and
// web.cache_hours as they are now.
type CacheOptions struct {
	Dir     string // created with 0700 when it is missing
	Entries func() int
	TTL     func() time.Duration
	Now     func() time.Time
	Log     *slog.Logger
}

// Cache keeps pages that were read, one file each, named by the hash of the
// address. Memory holds addresses and times only. An entry lives for the TTL
// from its creation; beyond the limit the least recently used goes first. A
// failing disk makes it forget, never fail. Safe for concurrent use.
type Cache struct {
	opt CacheOptions

	mu      sync.Mutex
	entries map[string]times // by file name
}

type times struct{ created, used time.Time }

// cacheFile is the form on disk. The first six fields are the contract; page
// carries what makes a kept page equal to a fresh one.
type cacheFile struct {
	URL         string    `json:"url"`
	CreatedAt   time.Time `json:"createdAt"`
	LastAccess  time.Time `json:"lastAccess"`
	Title       string    `json:"title,omitempty"`
	PageContent string    `json:"pageContent"`
	HTML        string    `json:"html,omitempty"`
	Page        cachePage `json:"page"`
}

type cachePage struct {
	Kind      evidence.Kind     `json:"kind"`
	Address   string            `json:"address"`
	MediaType string            `json:"mediaType"`
	Digest    string            `json:"digest"`
	Published time.Time         `json:"published,omitzero"`
	Seen      time.Time         `json:"seen"`
	Blocks    []evidence.Block  `json:"blocks"`
	Coverage  evidence.Coverage `json:"coverage"`
	Flags     []string          `json:"flags,omitempty"`
	Image     string            `json:"image,omitempty"`
}

// NewCache opens the cache of a folder; files that are damaged or too old are
// removed.
func NewCache(opt CacheOptions) *Cache {
	c := &Cache{opt: opt, entries: map[string]times{}}
	files, err := os.ReadDir(opt.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(opt.Dir, 0o700)
	}
	if err != nil {
		opt.Log.Warn("open page cache", "err", err)
	}
	for _, f := range files {
		c.adopt(f.Name())
	}
	c.evict()
	return c
}

func (c *Cache) adopt(name string) {
	page, err := c.load(name)
	switch {
	case !strings.HasSuffix(name, ".json"):
		c.remove(name) // a temporary file that a crash left
	case err != nil || name != fileName(page.URL) || c.expired(page.CreatedAt):
		c.remove(name)
	default:
		c.entries[name] = times{page.CreatedAt, page.LastAccess}
	}
}

// Get gives the page of an address when it is kept and young enough.
func (c *Cache) Get(address string) (evidence.Document, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := fileName(address)
	entry, ok := c.entries[name]
	if !ok {
		return evidence.Document{}, false
	}
	page, err := c.load(name)
	if err != nil || page.URL != address || c.expired(entry.created) {
		c.remove(name)
		return evidence.Document{}, false
	}
	page.LastAccess = c.opt.Now().UTC()
	c.entries[name] = times{entry.created, page.LastAccess}
	c.save(name, page)
	return page.document(), true
}

// Peek is Get without a mark that the page was wanted.
func (c *Cache) Peek(address string) (evidence.Document, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := fileName(address)
	entry, ok := c.entries[name]
	if !ok || c.expired(entry.created) {
		return evidence.Document{}, false
	}
	page, err := c.load(name)
	if err != nil || page.URL != address {
		return evidence.Document{}, false
	}
	return page.document(), true
}

// Put keeps a page under the address it was asked for by.
func (c *Cache) Put(address string, doc evidence.Document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.opt.Now().UTC()
	name := fileName(address)
	if c.save(name, newCacheFile(address, doc, now)) {
		c.entries[name] = times{now, now}
	}
	c.evict()
}

// Clear forgets all pages.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range c.entries {
		c.remove(name)
	}
}

// Len is the number of pages that are kept, expired ones not counted.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evict()
	return len(c.entries)
}

func (c *Cache) expired(created time.Time) bool {
	age := c.opt.Now().Sub(created)
	return age >= c.opt.TTL() || age < -time.Minute
}

// evict drops the expired, then the least recently used beyond the limit.
func (c *Cache) evict() {
	for name, t := range c.entries {
		if c.expired(t.created) {
			c.remove(name)
		}
	}
	over := len(c.entries) - c.opt.Entries()
	if over <= 0 {
		return
	}
	names := make([]string, 0, len(c.entries))
	for name := range c.entries {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(c.entries[a].used.Compare(c.entries[b].used), strings.Compare(a, b))
	})
	for _, name := range names[:over] {
		c.remove(name)
	}
}

func (c *Cache) load(name string) (cacheFile, error) {
	data, err := disk.ReadRegular(filepath.Join(c.opt.Dir, name), cachedBytes)
	if err != nil {
		return cacheFile{}, err
	}
	var page cacheFile
	if err := json.Unmarshal(data, &page); err != nil {
		return page, err
	}
	return page, page.check()
}

// check refuses a file whose blocks do not fit its text.
func (p cacheFile) check() error {
	at := 0
	for _, b := range p.Page.Blocks {
		if b.Start < at || b.End < b.Start || b.End > len(p.PageContent) {
			return fmt.Errorf("read cached page: block %d–%d is outside the text", b.Start, b.End)
		}
		at = b.End
	}
	return nil
}

// save writes a file beside its place and moves it there, so that a reader
// never sees half of one.
func (c *Cache) save(name string, page cacheFile) bool {
	data, err := json.Marshal(page)
	if err == nil {
		err = writeWhole(filepath.Join(c.opt.Dir, name), data)
	}
	if err != nil {
		c.opt.Log.Warn("keep page", "err", err)
	}
	return err == nil
}

// writeWhole puts a file in place at once, or not at all.
func writeWhole(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

func (c *Cache) remove(name string) {
	delete(c.entries, name)
	if err := os.Remove(filepath.Join(c.opt.Dir, name)); err != nil && !os.IsNotExist(err) {
		c.opt.Log.Warn("drop cached page", "err", err)
	}
}

func fileName(address string) string { return evidence.Digest([]byte(address)) + ".json" }

func newCacheFile(address string, doc evidence.Document, now time.Time) cacheFile {
	s := doc.Source
	return cacheFile{
		URL: address, CreatedAt: now, LastAccess: now, Title: s.Title, PageContent: doc.Text,
		Page: cachePage{s.Kind, s.Address, s.MediaType, s.Digest, s.Published, s.Seen, doc.Blocks, doc.Coverage, doc.Flags, doc.Image},
	}
}

func (p cacheFile) document() evidence.Document {
	g := p.Page
	return evidence.Document{
		Source: evidence.Source{
			ID: evidence.NewSourceID(g.Kind, g.Address, g.Digest), Kind: g.Kind, Title: p.Title, Address: g.Address,
			MediaType: g.MediaType, Digest: g.Digest, Published: g.Published, Seen: g.Seen,
		},
		Text: p.PageContent, Blocks: g.Blocks, Coverage: g.Coverage, Flags: g.Flags, Image: g.Image,
	}
}
