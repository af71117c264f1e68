package web

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"footnote/backend/evidence"
)

type clock struct{ t time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func openCache(t *testing.T, dir string, c *clock, entries int) *Cache {
	t.Helper()
	return NewCache(CacheOptions{
		Dir: dir, Entries: func() int { return entries }, TTL: func() time.Duration { return 4 * time.Hour }, Now: c.now, Log: quiet,
	})
}

func sample(n int, at time.Time) (string, evidence.Document) {
	address := fmt.Sprintf("https://site.example/page/%d", n)
	text := fmt.Sprintf("Heading\n\nPage %d with words.", n)
	digest := evidence.Digest([]byte(text))
	return address, evidence.Document{
		Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, address, digest), Kind: evidence.Web, Title: fmt.Sprint("Title ", n), Address: address,
			MediaType: "text/html", Digest: digest, Published: at.Add(-time.Hour), Seen: at,
		},
		Text: text, Blocks: []evidence.Block{{Start: 0, End: 7, Kind: evidence.Heading, Level: 2}, {Start: 9, End: len(text), Kind: evidence.Paragraph}},
		Flags: []string{"instructions"}, Image: "https://site.example/i.png",
	}
}

func TestAKeptPageEqualsAFreshOneAlsoAfterARestart(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	address, doc := sample(1, c.now())
	openCache(t, dir, c, 200).Put(address, doc)
	c.pass(time.Hour)
	for range 2 {
		got, ok := openCache(t, dir, c, 200).Get(address)
		if !ok || !reflect.DeepEqual(got, doc) {
			t.Fatalf("kept %+v\nfresh %+v", got, doc)
		}
	}
}

func TestTheFileHasTheAgreedNameAndFields(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	address, doc := sample(1, c.now())
	cache := openCache(t, dir, c, 200)
	cache.Put(address, doc)
	c.pass(time.Minute)
	cache.Get(address)
	data, err := os.ReadFile(filepath.Join(dir, evidence.Digest([]byte(address))+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m["url"] != address || m["createdAt"] != "2026-11-21T12:00:00Z" || m["lastAccess"] != "2026-11-21T12:01:00Z" || m["title"] != "Title 1" || m["pageContent"] != doc.Text {
		t.Errorf("%v", m)
	}
}

func TestEntry201DrivesOutTheLeastRecentlyUsed(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	cache := openCache(t, dir, c, 200)
	for n := range 200 {
		c.pass(time.Second)
		cache.Put(sample(n, c.now()))
	}
	c.pass(time.Second)
	first, _ := sample(0, c.now())
	if _, ok := cache.Get(first); !ok {
		t.Fatal("the first is gone before its time")
	}
	c.pass(time.Second)
	cache.Put(sample(200, c.now()))
	second, _ := sample(1, c.now())
	if _, ok := cache.Get(second); ok || cache.Len() != 200 {
		t.Errorf("the second is still there, %d kept", cache.Len())
	}
	if _, ok := cache.Get(first); !ok {
		t.Error("the used one went")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 200 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestTheLifeOfAnEntryCountsFromItsCreation(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	cache := openCache(t, dir, c, 200)
	address, doc := sample(1, c.now())
	cache.Put(address, doc)
	for range 3 {
		c.pass(time.Hour)
		if _, ok := cache.Get(address); !ok {
			t.Fatal("gone too early")
		}
	}
	c.pass(time.Hour)
	if _, ok := cache.Get(address); ok || cache.Len() != 0 {
		t.Error("use made it live longer")
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%d files left, %v", len(files), err)
	}
}

func TestDamagedAndForeignFilesAreDropped(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	cache := openCache(t, dir, c, 200)
	address, doc := sample(1, c.now())
	cache.Put(address, doc)
	name := filepath.Join(dir, fileName(address))
	for what, damage := range map[string]func() error{
		"cut":   func() error { return os.Truncate(name, 40) },
		"empty": func() error { return os.Truncate(name, 0) },
		"huge":  func() error { return os.Truncate(name, 1<<40) },
		"gone":  func() error { return os.Remove(name) },
		"foreign": func() error {
			return os.WriteFile(name, []byte(`{"url":"https://other.example/","pageContent":"x"}`), 0o600)
		},
		"bad span": func() error {
			return os.WriteFile(name, []byte(`{"url":"`+address+`","createdAt":"2026-11-21T12:00:00Z","pageContent":"x","page":{"blocks":[{"s":0,"e":9,"k":"paragraph"}]}}`), 0o600)
		},
	} {
		cache.Put(address, doc)
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if _, ok := cache.Get(address); ok {
			t.Errorf("%s: was served", what)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "x.json.123.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	openCache(t, dir, c, 200)
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%d files left, %v", len(files), err)
	}
}

func TestAFailingDiskOnlyForgets(t *testing.T) {
	c := newClock()
	dir := filepath.Join(t.TempDir(), "cache")
	cache := openCache(t, dir, c, 200)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	address, doc := sample(1, c.now())
	cache.Put(address, doc)
	if _, ok := cache.Get(address); ok || cache.Len() != 0 {
		t.Error("served from nowhere")
	}
	cache.Clear()
}

func FuzzCacheFile(f *testing.F) {
	c := newClock()
	address, doc := sample(1, c.now())
	data, err := json.Marshal(newCacheFile(address, doc, c.now()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"pageContent":"x","page":{"blocks":[{"s":-1,"e":9}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p cacheFile
		if json.Unmarshal(data, &p) != nil || p.check() != nil {
			return
		}
		d := p.document()
		for _, b := range d.Blocks {
			_ = d.Text[b.Start:b.End]
		}
	})
}
