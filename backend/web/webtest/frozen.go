package webtest

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
)

// Page is a page of the frozen web. Blocks are made of Text: a line that starts
// with "# " is a heading, "- " a list item, one with " | " a table row, others
// are paragraphs.
type Page struct {
	Address, Title, Text string
	Published            time.Time
	Image                string
	Flags                []string

	Delay  time.Duration // before the page arrives
	Unread string        // code of the UnreadError that reading gives; empty reads
}

// Frozen is a web that never changes: searching and reading give the same
// results every time. It implements answer.Finder, answer.Reader and
// answer.WebSearch. Set the fields before use.
type Frozen struct {
	Pages       []Page
	Engine      string        // its name; "frozen" when empty
	SearchDelay time.Duration // before results arrive
	SearchError error         // what searching gives instead of results
	Seen        time.Time     // the time at which pages were read

	mu      sync.Mutex
	queries []string
	reads   []string
}

var (
	_ gather.Finder = (*Frozen)(nil)
	_ gather.Reader = (*Frozen)(nil)
)

// Queries lists what was searched for so far.
func (f *Frozen) Queries() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.queries)
}

// Reads lists the addresses that were read so far, failed ones too.
func (f *Frozen) Reads() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.reads)
}

// Find gives the pages that share words with the query, rare words first.
func (f *Frozen) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	f.mu.Lock()
	f.queries = append(f.queries, q.Text)
	f.mu.Unlock()
	if err := pause(ctx, f.SearchDelay); err != nil {
		return nil, err
	}
	if f.SearchError != nil {
		return nil, f.SearchError
	}
	return f.page(q), nil
}

// Search is Find under the engine's name, once.
func (f *Frozen) Search(ctx context.Context, q gather.WebQuery, names []string, each func(gather.EngineResult)) {
	if names != nil && !slices.Contains(names, f.name()) {
		each(gather.EngineResult{Err: f.SearchError})
		return
	}
	began := time.Now()
	leads, err := f.Find(ctx, q)
	each(gather.EngineResult{Engine: f.name(), Leads: leads, Err: err, Took: time.Since(began)})
}

func (f *Frozen) name() string { return cmp.Or(f.Engine, "frozen") }

// page is one page of what the query finds.
func (f *Frozen) page(q gather.WebQuery) []evidence.Lead {
	all := f.rank(q.Text, len(f.Pages))
	from := min(len(all), (max(1, q.Page)-1)*q.N)
	return all[from:min(len(all), from+q.N)]
}

func (f *Frozen) rank(query string, n int) []evidence.Lead {
	spread := map[string]int{}
	words := make([]map[string]bool, len(f.Pages))
	for i, p := range f.Pages {
		words[i] = wordSet(p.Title + " " + p.Text)
		for w := range words[i] {
			spread[w]++
		}
	}
	asked := slices.Sorted(maps.Keys(wordSet(query))) // a fixed order: sums of fractions depend on it
	leads := []evidence.Lead{}
	for i, p := range f.Pages {
		score := 0.0
		for _, w := range asked {
			if words[i][w] {
				score += math.Log(1 + float64(len(f.Pages))/float64(spread[w]))
			}
		}
		if score > 0 {
			leads = append(leads, f.lead(p, query, score))
		}
	}
	slices.SortStableFunc(leads, func(a, b evidence.Lead) int { return cmp.Compare(b.Score, a.Score) })
	return leads[:min(n, len(leads))]
}

func (f *Frozen) lead(p Page, query string, score float64) evidence.Lead {
	return evidence.Lead{
		Source:  evidence.Source{ID: evidence.NewSourceID(evidence.Web, p.Address, ""), Kind: evidence.Web, Title: p.Title, Address: p.Address, Published: p.Published},
		Snippet: snippet(p.Text, query), Via: f.name(), Score: score, Image: p.Image,
	}
}

// snippet is the line of the text with the most words of the query.
func snippet(text, query string) string {
	best, most := "", -1
	for line := range strings.SplitSeq(text, "\n") {
		n := 0
		for w := range wordSet(query) {
			if wordSet(line)[w] {
				n++
			}
		}
		if line = strings.TrimLeft(line, "#- "); n > most && line != "" {
			best, most = line, n
		}
	}
	return best
}

// Read gives the page of the lead's address. An unknown address is unread with
// http-404.
func (f *Frozen) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	f.mu.Lock()
	f.reads = append(f.reads, lead.Source.Address)
	f.mu.Unlock()
	for _, p := range f.Pages {
		if p.Address != lead.Source.Address {
			continue
		}
		if err := pause(ctx, p.Delay); err != nil {
			return evidence.Document{}, false, err
		}
		if p.Unread != "" {
			return evidence.Document{}, false, &gather.UnreadError{Code: p.Unread, Reason: "The frozen page does not show its text."}
		}
		return f.document(p), false, nil
	}
	return evidence.Document{}, false, &gather.UnreadError{Code: "http-404", Reason: "The page does not exist any more."}
}

func (f *Frozen) document(p Page) evidence.Document {
	text, blocks := blocksOf(p.Text)
	digest := evidence.Digest([]byte(text))
	return evidence.Document{
		Source: evidence.Source{
			ID: evidence.NewSourceID(evidence.Web, p.Address, digest), Kind: evidence.Web, Title: p.Title, Address: p.Address,
			MediaType: "text/html", Digest: digest, Published: p.Published, Seen: f.Seen,
		},
		Text: text, Blocks: blocks, Image: p.Image, Flags: p.Flags,
	}
}

func blocksOf(raw string) (string, []evidence.Block) {
	var out strings.Builder
	var blocks []evidence.Block
	for line := range strings.SplitSeq(raw, "\n") {
		b := evidence.Block{Kind: evidence.Paragraph}
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "# "):
			b.Kind, b.Level, line = evidence.Heading, 2, line[2:]
		case strings.HasPrefix(line, "- "):
			b.Kind, line = evidence.ListItem, line[2:]
		case strings.Contains(line, " | "):
			b.Kind = evidence.TableRow
		}
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		b.Start = out.Len()
		out.WriteString(line)
		b.End = out.Len()
		blocks = append(blocks, b)
	}
	return out.String(), blocks
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ctx.Err()
	}
}

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		set[w] = true
	}
	return set
}
