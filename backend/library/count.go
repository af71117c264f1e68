package library

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/asked"
	"footnote/backend/library/walk"
	"footnote/backend/rank"
)

// Mentions counts the files that have every word and phrase of a query exactly:
// as written but for case and accents, found by the index and verified in the
// text of every passage. A word that is left out leaves its files out. The
// filters of asked.Search restrict. The error of a query without words is
// question-empty.
func (l *Library) Mentions(ctx context.Context, query string, scope evidence.Scope) (evidence.Mentions, error) {
	c, err := l.newCensus(ctx, asked.Understand(query), scope)
	if err != nil {
		return evidence.Mentions{}, err
	}
	for i := range c.wanted {
		if err := c.scan(ctx, i, c.wanted[i], c.note); err != nil {
			return evidence.Mentions{}, err
		}
		c.keep(func(t *tally) bool { return t.last == i })
	}
	for _, p := range c.barred {
		if len(c.texts) == 0 {
			break
		}
		if err := c.scan(ctx, 0, p, func(_ int, d Placed, _ []rank.Place) { delete(c.texts, d.Digest) }); err != nil {
			return evidence.Mentions{}, err
		}
	}
	return c.result(ctx)
}

// census is a count on its way: the texts that are still in it, by digest.
type census struct {
	*Library
	asked  asked.Search
	scope  evidence.Scope
	within map[string]bool
	wanted []rank.Phrase
	barred []rank.Phrase
	texts  map[string]*tally
}

// tally is what one text has of the wanted phrases.
type tally struct {
	last     int // index of the last phrase that it has
	first    Placed
	at       rank.Place // in first
	passages map[evidence.PassageID]bool
	places   map[[2]int]bool // phrase and code point of the text
}

func (l *Library) newCensus(ctx context.Context, a asked.Search, scope evidence.Scope) (*census, error) {
	c := &census{Library: l, asked: a, wanted: a.Exactly(), texts: map[string]*tally{}}
	for word := range strings.FieldsSeq(a.Words) {
		if p := rank.NewPhrase(word); !p.Empty() {
			c.wanted = append(c.wanted, p)
		}
	}
	for _, text := range a.Without {
		c.barred = append(c.barred, rank.NewPhrase(text))
	}
	if len(c.wanted) == 0 {
		return nil, fault.New(fault.QuestionEmpty, "There is no word to count.", "Name the word or the phrase.")
	}
	var err error
	if c.scope, err = l.expand(ctx, scope); err != nil {
		return c, err
	}
	within, err := l.within(ctx, c.scope)
	if err == nil {
		c.within, err = l.narrow(ctx, a, within)
	}
	return c, err
}

// scan reads every passage that may have a phrase and tells of those that do.
func (c *census) scan(ctx context.Context, i int, p rank.Phrase, found func(i int, p Placed, places []rank.Place)) error {
	within := c.within
	if i > 0 || len(c.texts) > 0 { // only texts that are still in it matter
		within = map[string]bool{}
		for digest := range c.texts {
			within[digest] = true
		}
	}
	q := Query{Text: strings.Join(p.Telling(), " "), Within: within, Must: p.Telling(), All: len(p.Telling()) == 0, N: everything}
	hits, err := c.Index.Words(ctx, q)
	if err != nil {
		return fault.Wrap(err, fault.IndexRebuilding, "Your files cannot be counted just now.", "The index is being mended; try again in a moment.")
	}
	if err := c.neighbourly(ctx, hits); err != nil {
		return err
	}
	for part := range slices.Chunk(hits, textsAtOnce) {
		placed, err := c.Catalog.Passages(ctx, idsOfHits(part))
		if err != nil {
			return err
		}
		for _, d := range placed {
			if places := p.Places(d.Passage.Text); len(places) > 0 {
				found(i, d, places)
			}
		}
	}
	return nil
}

// neighbourly puts hits of one text together, so that it is unpacked once.
func (c *census) neighbourly(ctx context.Context, hits []Hit) error {
	if len(hits) <= textsAtOnce {
		return nil
	}
	text := make(map[evidence.PassageID]string, len(hits))
	for part := range slices.Chunk(hits, widening*textsAtOnce) {
		digests, err := c.Catalog.Where(ctx, idsOfHits(part))
		if err != nil {
			return err
		}
		maps.Copy(text, digests)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(text[a.ID], text[b.ID]) })
	return nil
}

// note adds what a passage has of phrase i to its text.
func (c *census) note(i int, p Placed, places []rank.Place) {
	t := c.texts[p.Digest]
	if t == nil && i > 0 {
		return
	}
	if t == nil {
		t = &tally{first: p, at: places[0], passages: map[evidence.PassageID]bool{}, places: map[[2]int]bool{}}
		c.texts[p.Digest] = t
	}
	t.last = i
	if p.Passage.At.Start < t.first.Passage.At.Start {
		t.first, t.at = p, places[0]
	}
	t.passages[p.Passage.ID] = true
	at, cps := 0, p.Passage.At.Start
	for _, place := range places {
		cps += utf8.RuneCountInString(p.Passage.Text[at:place.Start])
		at = place.Start
		t.places[[2]int{i, cps}] = true
	}
}

func (c *census) keep(in func(*tally) bool) {
	maps.DeleteFunc(c.texts, func(_ string, t *tally) bool { return !in(t) })
}

// result counts files: equal bytes under several names are several files.
func (c *census) result(ctx context.Context) (evidence.Mentions, error) {
	m := evidence.Mentions{What: append(slices.Clone(c.asked.Phrases), strings.Fields(c.asked.Words)...), Without: c.asked.Without}
	files, err := c.files(ctx, "")
	if err != nil {
		return m, err
	}
	for _, f := range files {
		t := c.texts[f.Digest]
		if t == nil {
			continue
		}
		m.Files++
		m.Passages += len(t.passages)
		m.Times += len(t.places)
		m.In = append(m.In, mention(f, t))
	}
	slices.SortFunc(m.In, func(a, b evidence.Mention) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Source.Address, b.Source.Address))
	})
	return m, c.coverage(ctx, &m)
}

func mention(f File, t *tally) evidence.Mention {
	source := f.Source()
	passage := t.first.Passage
	passage.Source = source.ID
	return evidence.Mention{
		Found: evidence.Found{Passage: passage, Source: source, Score: evidence.Score{Partial: f.State == Partial}, Via: via},
		File:  f.ID, At: evidence.Span{Start: t.at.Start, End: t.at.End}, Passages: len(t.passages), Times: len(t.places),
	}
}

// files are the files that the count is about, read or not.
func (c *census) files(ctx context.Context, sort string) ([]File, error) {
	q := FileQuery{Unlisted: !c.scope.Empty(), Sort: sort}
	if len(c.texts) > 0 && len(c.texts) < textsAtOnce {
		q.Digests = slices.Sorted(maps.Keys(c.texts))
	}
	files, _, err := c.Catalog.Files(ctx, q)
	if err != nil {
		return nil, err
	}
	folders, err := c.folders(ctx, c.scope)
	return slices.DeleteFunc(files, func(f File) bool { return !c.asked.Fits(f.Path, f.changed()) || !inScope(f, c.scope, folders) }), err
}

func inScope(f File, scope evidence.Scope, folders []string) bool {
	return scope.Empty() || slices.Contains(scope.Files, f.ID) || slices.Contains(scope.Files, f.Path) ||
		slices.ContainsFunc(folders, func(dir string) bool {
			return f.Path == dir || strings.HasPrefix(f.Path, strings.TrimSuffix(dir, walk.Separator)+walk.Separator)
		})
}

// coverage tells how much of the library was looked through; of a restricted
// count nobody asks.
func (c *census) coverage(ctx context.Context, m *evidence.Mentions) error {
	if !c.scope.Empty() || c.asked.Filtered() {
		return nil
	}
	totals, err := c.Catalog.Totals(ctx, c.embedderID())
	m.Searched, m.Unread, m.Pending = totals.Ready+totals.Partial, totals.Waiting+totals.Failed, totals.Chunks-totals.Indexed
	return err
}

// Counted is an exact count, by file, folder or type.
type Counted struct {
	Total      int          `json:"total"` // files
	Passages   int          `json:"passages"`
	Times      int          `json:"times"`
	Searched   int          `json:"searched"` // files that were looked through; 0 when the count is restricted
	Unread     int          `json:"unread"`   // files that could not be: waiting or failed
	Pending    int          `json:"pending"`  // passages not in the index yet: the count may grow
	Groups     []Group      `json:"groups"`   // most places first
	Understood asked.Search `json:"understood"`
}

// Group is a part of a count.
type Group struct {
	Key      string `json:"key"`  // file id, folder, or extension
	Name     string `json:"name"` // for people
	Files    int    `json:"files"`
	Passages int    `json:"passages"`
	Times    int    `json:"times"`
}

// Count counts exactly which files mention what a query asks for, grouped by
// file (also when by is empty), folder or type. Another grouping is the fault
// invalid-request.
func (l *Library) Count(ctx context.Context, query, by string) (Counted, error) {
	label := map[string]func(evidence.Mention) (key, name string){
		"":       func(m evidence.Mention) (string, string) { return m.File, m.Source.Address },
		"file":   func(m evidence.Mention) (string, string) { return m.File, m.Source.Address },
		"folder": func(m evidence.Mention) (string, string) { dir := filepath.Dir(m.Source.Address); return dir, dir },
		"type":   func(m evidence.Mention) (string, string) { ext := asked.Extension(m.Source.Address); return ext, ext },
	}[by]
	if label == nil {
		return Counted{}, fault.New(fault.InvalidRequest, "Files cannot be counted by that.", "Count by file, folder or type.")
	}
	m, err := l.Mentions(ctx, query, evidence.Scope{})
	if err != nil {
		return Counted{}, err
	}
	c := Counted{Total: m.Files, Passages: m.Passages, Times: m.Times, Searched: m.Searched, Unread: m.Unread, Pending: m.Pending, Groups: []Group{}, Understood: asked.Understand(query)}
	at := map[string]int{}
	for _, in := range m.In {
		key, name := label(in)
		i, known := at[key]
		if !known {
			i = len(c.Groups)
			at[key] = i
			c.Groups = append(c.Groups, Group{Key: key, Name: name})
		}
		g := &c.Groups[i]
		g.Files, g.Passages, g.Times = g.Files+1, g.Passages+in.Passages, g.Times+in.Times
	}
	slices.SortStableFunc(c.Groups, func(a, b Group) int { return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name)) })
	return c, nil
}
